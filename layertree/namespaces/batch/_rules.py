"""Rules of functions for which neither aligned nor repeated operands are right, or for which less computation suffices.

A rule has the operands and attributes of its function. At least one operand is a stack.
"""

from __future__ import annotations

from typing import cast

from layertree.core.errors import DTypeError
from layertree.core.namespace import Namespace
from layertree.core.static_index import WHOLE, EncodedIndex
from layertree.core.value import Pair, Sizes
from layertree.namespaces import definitions
from layertree.namespaces.batch._stacks import Stacks
from layertree.namespaces.batch._values import ArrayValue, Batched, is_batched, is_known
from layertree.namespaces.hash_consing import TreeValue
from layertree.namespaces.spec import SPEC

# Patterns and dtypes. A pattern that is a stack here has a shape with unknown sizes.


def sum_to(xp: Stacks, x: ArrayValue, like: ArrayValue) -> ArrayValue:
    """The sum over broadcast axes, first over those that the pattern lacks: then the axes of both are the last."""
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


def cast_like(xp: Stacks, x: ArrayValue, like: ArrayValue) -> ArrayValue:
    """The operand in the dtype of the pattern."""
    spec = SPEC.cast_like(x.spec, like.spec)
    if spec == x.spec:
        return x
    return xp.result("cast_like", x.stack, spec) if isinstance(x, Batched) else xp.xp.cast_like(x, _one(xp, like))


def reshape_like(xp: Stacks, x: ArrayValue, like: ArrayValue) -> ArrayValue:
    """A reshape where the shape of the pattern is known."""
    if x.spec.shape == like.spec.shape and None not in x.spec.shape:
        return x
    return reshape(xp, x, shape=like.spec.shape) if is_known(like.spec.shape) else xp.together("reshape_like", x, like)


def broadcast_like(xp: Stacks, x: ArrayValue, like: ArrayValue) -> ArrayValue:
    """A broadcast to a shape where the shape of the pattern is known."""
    spec = SPEC.broadcast_like(x.spec, like.spec)
    if x.spec.shape == spec.shape and None not in spec.shape:
        return x
    if is_known(spec.shape):
        return broadcast_to(xp, x, shape=spec.shape)
    stack = xp.aligned(x, spec.ndim)
    pattern = like.stack if is_batched(like) else xp.xp.add(stack, xp.aligned(like, spec.ndim))
    return xp.result("broadcast_like", xp.xp.broadcast_like(stack, pattern), spec)


def _one(xp: Stacks, like: ArrayValue) -> TreeValue:
    """A pattern of one example."""
    return xp.pattern_of_one(like) if isinstance(like, Batched) else like


def axis_size(xp: Stacks, x: ArrayValue, axis: Sizes) -> ArrayValue:
    """The number of elements, the same for each example."""
    return xp.xp.axis_size(xp.stacked(x), axis=axis)


def bernoulli(xp: Stacks, like: ArrayValue, counter: ArrayValue, probability: float, seed: int) -> ArrayValue:
    """Each example draws numbers of its own from the stream of the one counter."""
    if is_batched(counter):
        raise DTypeError("the counter differs from example to example, but one counter has one stream of numbers")
    spec = SPEC.bernoulli(like.spec, counter.spec, probability=probability, seed=seed)
    return xp.result("bernoulli", xp.xp.bernoulli(xp.stacked(like), counter, probability=probability, seed=seed), spec)


def running_average(xp: Stacks, x: ArrayValue, average: ArrayValue) -> ArrayValue:
    """A DTypeError: one average cannot take the statistics of each example."""
    raise DTypeError("each example has statistics of its own, but there is one running average: map inference(formula)")


# Attributes that are shapes or orders of all axes: the leading axes are added.


def reshape(xp: Stacks, x: ArrayValue, shape: Sizes) -> ArrayValue:
    """``reshape_last`` of the axes of one example."""
    return reshape_last(xp, x, axes=x.spec.ndim, shape=shape)


def reshape_last(xp: Stacks, x: ArrayValue, axes: int, shape: Sizes) -> ArrayValue:
    """The last axes in another shape."""
    spec = SPEC.reshape_last(x.spec, axes=axes, shape=shape)
    return xp.result("reshape_last", xp.xp.reshape_last(xp.stacked(x), axes=axes, shape=shape), spec)


def broadcast_to(xp: Stacks, x: ArrayValue, shape: Sizes) -> ArrayValue:
    """A broadcast to the leading axes and the shape."""
    spec = SPEC.broadcast_to(x.spec, shape=shape)
    stack, wanted = xp.aligned(x, len(shape)), (*xp.dims, *shape)
    if is_known(wanted):
        return xp.result("broadcast_to", xp.xp.broadcast_to(stack, shape=wanted), spec)
    pattern = xp.xp.add(stack, xp.xp.broadcast_to(0.0, shape=shape))
    return xp.result("broadcast_to", xp.xp.broadcast_like(stack, pattern), spec)


def permute_dims(xp: Stacks, x: ArrayValue, axes: Sizes) -> ArrayValue:
    """The leading axes first, in their order."""
    lead = range(-len(axes) - len(xp.dims), -len(axes))
    stack = xp.xp.permute_dims(xp.stacked(x), axes=(*lead, *axes))
    return xp.result("permute_dims", stack, SPEC.permute_dims(x.spec, axes=axes))


# Indices.


def getitem(xp: Stacks, x: ArrayValue, index: EncodedIndex) -> ArrayValue:
    """The index behind whole leading axes."""
    stack = xp.xp.getitem(xp.stacked(x), index=_behind(xp, index))
    return xp.result("getitem", stack, SPEC.getitem(x.spec, index=index))


def put(xp: Stacks, x: ArrayValue, like: ArrayValue, index: EncodedIndex) -> ArrayValue:
    """The adjoint of ``getitem``."""
    stack = xp.xp.put(xp.stacked(x), xp.pattern(like), index=_behind(xp, index))
    return xp.result("put", stack, SPEC.put(x.spec, like.spec, index=index))


def _behind(xp: Stacks, index: EncodedIndex) -> EncodedIndex:
    """An index of one example as an index of the stack."""
    return index if index[:1] == ("...",) else (WHOLE,) * len(xp.dims) + index


def take(xp: Stacks, x: ArrayValue, indices: ArrayValue, axis: int) -> ArrayValue:
    """Shared indices along an axis from the end; or ``take_each``, where each example has indices of its own."""
    spec = SPEC.take(x.spec, indices.spec, axis=axis)
    if not is_batched(indices):
        return xp.result("take", xp.xp.take(xp.stacked(x), indices, axis=axis), spec)
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


def scatter_add(xp: Stacks, x: ArrayValue, indices: ArrayValue, like: ArrayValue, axis: int) -> ArrayValue:
    """The adjoint of ``take``."""
    spec = SPEC.scatter_add(x.spec, indices.spec, like.spec, axis=axis)
    slices, pattern = xp.stacked(x), xp.pattern(like)
    if is_batched(indices):
        stack = xp.xp.scatter_each(slices, indices.stack, pattern, axis=axis, shared=len(xp.dims))
    else:
        stack = xp.xp.scatter_add(slices, indices, pattern, axis=axis)
    return xp.result("scatter_add", stack, spec)


def take_each(xp: Stacks, x: ArrayValue, indices: ArrayValue, axis: int, shared: int) -> ArrayValue:
    """The leading axes are shared, too."""
    spec = SPEC.take_each(x.spec, indices.spec, axis=axis, shared=shared)
    stack = xp.xp.take_each(xp.stacked(x), xp.stacked(indices), axis=axis, shared=shared + len(xp.dims))
    return xp.result("take_each", stack, spec)


def scatter_each(
    xp: Stacks, x: ArrayValue, indices: ArrayValue, like: ArrayValue, axis: int, shared: int
) -> ArrayValue:
    """The leading axes are shared, too."""
    spec = SPEC.scatter_each(x.spec, indices.spec, like.spec, axis=axis, shared=shared)
    stacks = (xp.stacked(x), xp.stacked(indices), xp.pattern(like))
    stack = xp.xp.scatter_each(*stacks, axis=axis, shared=shared + len(xp.dims))
    return xp.result("scatter_each", stack, spec)


# Products.


def matmul(xp: Stacks, a: ArrayValue, b: ArrayValue) -> ArrayValue:
    """One product of the whole stack where one operand is a shared matrix or vector."""
    spec = SPEC.matmul(a.spec, b.spec)
    return xp.result("matmul", _product(xp, a, b), spec)


def _product(xp: Stacks, a: ArrayValue, b: ArrayValue) -> TreeValue:
    """The product as a value of the tree namespace."""
    left, right = a.spec.ndim, b.spec.ndim
    if not is_batched(b) and right <= 2:
        return xp.xp.matmul(xp.stacked(a), b)
    if not is_batched(a) and right == 1 and left <= 2:
        return xp.xp.matmul(xp.stacked(b), a if left == 1 else xp.xp.matrix_transpose(a))
    if not is_batched(a) and left == 1:
        return xp.xp.matmul(a, xp.stacked(b))
    rows = xp.expand_dims(a, axis=-2) if left == 1 else a
    columns = xp.expand_dims(b, axis=-1) if right == 1 else b
    ndim = max(rows.spec.ndim, columns.spec.ndim)
    stack = xp.xp.matmul(xp.aligned(rows, ndim), xp.aligned(columns, ndim))
    if right == 1:
        stack = xp.xp.getitem(stack, index=("...", 0))
    if left == 1:
        stack = xp.xp.getitem(stack, index=("...", 0) if right == 1 else ("...", 0, WHOLE))
    return stack


def conv2d(
    xp: Stacks, x: ArrayValue, kernel: ArrayValue, stride: Pair, padding: Pair, dilation: Pair, groups: int
) -> ArrayValue:
    """One convolution of the whole stack with a shared kernel; products of windows with a kernel for each example."""
    if is_batched(kernel):
        return definitions.conv2d(cast("Namespace[ArrayValue]", xp), x, kernel, stride, padding, dilation, groups)
    attributes = {"stride": stride, "padding": padding, "dilation": dilation}
    spec = SPEC.conv2d(x.spec, kernel.spec, **attributes, groups=groups)
    return xp.result("conv2d", xp.xp.conv2d(xp.stacked(x), kernel, **attributes, groups=groups), spec)
