"""The names whose stacks are not made by aligning or repeating operands; each function has the name's signature."""

from __future__ import annotations

from typing import Any

from layertree.core.errors import DTypeError
from layertree.namespaces import definitions
from layertree.namespaces.batch._values import Batched, is_batched, is_known
from layertree.namespaces.spec import SPEC

Value = Any
_ALL = (None, None, None)


# Patterns and dtypes. A pattern that is still batched here has a shape that is not known.


def sum_to(xp: Any, x: Value, like: Value) -> Value:
    """What was broadcast is summed here: the axes beyond those of the pattern first, so that its axes are the last."""
    extra = x.spec.ndim - like.spec.ndim
    if extra:
        x = xp.sum(x, axis=tuple(range(-x.spec.ndim, -like.spec.ndim)), keepdims=False)
    mine, wanted = x.spec.shape, like.spec.shape
    if mine == wanted and None not in mine:
        return cast_like(xp, x, like)
    if is_known(wanted) and is_known(mine):
        axes = tuple([i - len(mine) for i, size in enumerate(wanted) if size == 1 and mine[i] != 1])
        return cast_like(xp, xp.sum(x, axis=axes, keepdims=True), like)
    return xp.together("sum_to", x, like)


def cast_like(xp: Any, x: Value, like: Value) -> Value:
    """Of a pattern only the dtype counts."""
    spec = SPEC.cast_like(x.spec, like.spec)
    if spec == x.spec:
        return x
    return xp.result("cast_like", x.stack, spec) if isinstance(x, Batched) else xp.xp.cast_like(x, _one(xp, like))


def reshape_like(xp: Any, x: Value, like: Value) -> Value:
    """To a known shape without the pattern."""
    if x.spec.shape == like.spec.shape and None not in x.spec.shape:
        return x
    return reshape(xp, x, shape=like.spec.shape) if is_known(like.spec.shape) else xp.together("reshape_like", x, like)


def broadcast_like(xp: Any, x: Value, like: Value) -> Value:
    """To a known shape without the pattern."""
    spec = SPEC.broadcast_like(x.spec, like.spec)
    if x.spec.shape == spec.shape and None not in spec.shape:
        return x
    if is_known(spec.shape):
        return broadcast_to(xp, x, shape=spec.shape)
    stack = xp.aligned(x, spec.ndim)
    pattern = like.stack if is_batched(like) else xp.xp.add(stack, xp.aligned(like, spec.ndim))
    return xp.result("broadcast_like", xp.xp.broadcast_like(stack, pattern), spec)


def _one(xp: Any, like: Value) -> Value:
    return xp.pattern_of_one(like) if isinstance(like, Batched) else like


def axis_size(xp: Any, x: Batched, axis: tuple[int, ...]) -> Value:
    """The same for each example."""
    return xp.xp.axis_size(x.stack, axis=axis)


def bernoulli(xp: Any, like: Value, counter: Value, probability: float, seed: int) -> Value:
    """Each example has draws of its own; the counter is one."""
    if is_batched(counter):
        raise DTypeError("the counter differs from example to example, but one counter has one stream of numbers")
    spec = SPEC.bernoulli(like.spec, counter.spec, probability, seed)
    return xp.result("bernoulli", xp.xp.bernoulli(like.stack, counter, probability=probability, seed=seed), spec)


def running_average(xp: Any, x: Value, average: Value) -> Value:
    """There is one average, and a statistic for each example: what would it be told?"""
    raise DTypeError("each example has statistics of its own, but there is one running average: map inference(formula)")


# Shapes that are written out.


def reshape(xp: Any, x: Batched, shape: tuple[int, ...]) -> Value:
    """The axes of one example in another shape."""
    return reshape_last(xp, x, axes=x.spec.ndim, shape=shape)


def reshape_last(xp: Any, x: Batched, axes: int, shape: tuple[int, ...]) -> Value:
    """A number of one example has no axes of its own, but its stack may get some."""
    spec = SPEC.reshape_last(x.spec, axes, shape)
    return xp.result("reshape_last", xp.xp.reshape_last(x.stack, axes=axes, shape=shape), spec)


def broadcast_to(xp: Any, x: Batched, shape: tuple[int, ...]) -> Value:
    """The leading axes stay before the shape."""
    spec = SPEC.broadcast_to(x.spec, shape)
    stack, wanted = xp.aligned(x, len(shape)), (*xp.dims, *shape)
    if is_known(wanted):
        return xp.result("broadcast_to", xp.xp.broadcast_to(stack, shape=wanted), spec)
    pattern = xp.xp.add(stack, xp.xp.broadcast_to(0.0, shape=shape))
    return xp.result("broadcast_to", xp.xp.broadcast_like(stack, pattern), spec)


def permute_dims(xp: Any, x: Batched, axes: tuple[int, ...]) -> Value:
    """The leading axes stay where they are."""
    lead = range(-len(axes) - len(xp.dims), -len(axes))
    stack = xp.xp.permute_dims(x.stack, axes=(*lead, *axes))
    return xp.result("permute_dims", stack, SPEC.permute_dims(x.spec, axes))


# Indices.


def getitem(xp: Any, x: Batched, index: tuple[Any, ...]) -> Value:
    """The whole of the leading axes, at the index."""
    stack = xp.xp.getitem(x.stack, index=_behind(xp, index))
    return xp.result("getitem", stack, SPEC.getitem(x.spec, index))


def put(xp: Any, x: Value, like: Value, index: tuple[Any, ...]) -> Value:
    """The same backwards."""
    stack = xp.xp.put(xp.stacked(x), xp.pattern(like), index=_behind(xp, index))
    return xp.result("put", stack, SPEC.put(x.spec, like.spec, index))


def _behind(xp: Any, index: tuple[Any, ...]) -> tuple[Any, ...]:
    return index if index[:1] == ("...",) else (_ALL,) * len(xp.dims) + index


def take(xp: Any, x: Value, indices: Value, axis: int) -> Value:
    """Along an axis from the end; with indices for each example these come with leading axes."""
    spec = SPEC.take(x.spec, indices.spec, axis)
    if not is_batched(indices):
        return xp.result("take", xp.xp.take(x.stack, indices, axis=axis), spec)
    if is_batched(x):
        stack = xp.xp.take_each(x.stack, indices.stack, axis=axis, shared=len(xp.dims))
        return xp.result("take", stack, spec)
    before, lead = x.spec.ndim + axis, len(xp.dims)
    stack = xp.xp.take(x, indices.stack, axis=axis)
    if before:
        ndim = lead + spec.ndim
        order = (*range(before, before + lead), *range(before), *range(before + lead, ndim))
        stack = xp.xp.permute_dims(stack, axes=tuple([place - ndim for place in order]))
    return xp.result("take", stack, spec)


def scatter_add(xp: Any, x: Value, indices: Value, like: Value, axis: int) -> Value:
    """The same backwards."""
    spec = SPEC.scatter_add(x.spec, indices.spec, like.spec, axis)
    x, like = xp.stacked(x), xp.pattern(like)
    if is_batched(indices):
        stack = xp.xp.scatter_each(x, indices.stack, like, axis=axis, shared=len(xp.dims))
    else:
        stack = xp.xp.scatter_add(x, indices, like, axis=axis)
    return xp.result("scatter_add", stack, spec)


def take_each(xp: Any, x: Value, indices: Value, axis: int, shared: int) -> Value:
    """More axes are shared."""
    spec = SPEC.take_each(x.spec, indices.spec, axis, shared)
    stack = xp.xp.take_each(xp.stacked(x), xp.stacked(indices), axis=axis, shared=shared + len(xp.dims))
    return xp.result("take_each", stack, spec)


def scatter_each(xp: Any, x: Value, indices: Value, like: Value, axis: int, shared: int) -> Value:
    """More axes are shared."""
    spec = SPEC.scatter_each(x.spec, indices.spec, like.spec, axis, shared)
    stacks = (xp.stacked(x), xp.stacked(indices), xp.pattern(like))
    stack = xp.xp.scatter_each(*stacks, axis=axis, shared=shared + len(xp.dims))
    return xp.result("scatter_each", stack, spec)


# Products.


def matmul(xp: Any, a: Value, b: Value) -> Value:
    """Where one side is a matrix or vector of all examples, one product does for the whole stack."""
    spec = SPEC.matmul(a.spec, b.spec)
    return xp.result("matmul", _product(xp, a, b), spec)


def _product(xp: Any, a: Value, b: Value) -> Value:
    left, right = a.spec.ndim, b.spec.ndim
    if not is_batched(b) and right <= 2:
        return xp.xp.matmul(a.stack, b)
    if not is_batched(a) and right == 1 and left <= 2:
        return xp.xp.matmul(b.stack, a if left == 1 else xp.xp.matrix_transpose(a))
    if not is_batched(a) and left == 1:
        return xp.xp.matmul(a, b.stack)
    rows = xp.expand_dims(a, axis=-2) if left == 1 else a
    columns = xp.expand_dims(b, axis=-1) if right == 1 else b
    ndim = max(rows.spec.ndim, columns.spec.ndim)
    stack = xp.xp.matmul(xp.aligned(rows, ndim), xp.aligned(columns, ndim))
    if right == 1:
        stack = xp.xp.getitem(stack, index=("...", 0))
    if left == 1:
        stack = xp.xp.getitem(stack, index=("...", 0) if right == 1 else ("...", 0, _ALL))
    return stack


def conv2d(xp: Any, x: Value, kernel: Value, **attributes: Any) -> Value:
    """One kernel sees the images of all examples; a kernel for each example is a product of windows."""
    if is_batched(kernel):
        return definitions.conv2d(xp, x, kernel, **attributes)
    spec = SPEC.conv2d(x.spec, kernel.spec, **attributes)
    return xp.result("conv2d", xp.xp.conv2d(x.stack, kernel, **attributes), spec)
