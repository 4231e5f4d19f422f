"""Names whose shapes are static once all sizes are known, in primitives: views, sums, and constants of one number.

``xp`` is the record namespace. A value that a rule takes only as a pattern is not read.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from layertree._attribute import decode_index
from layertree._spec import WEAK, ArraySpec
from layertree.layers._convolution import pad2d
from layertree.namespaces import definitions
from layertree.namespaces.spec import SPEC
from layertree.program._ops import flat

__all__ = [
    "alike",
    "argmax",
    "astype",
    "axis_size",
    "bernoulli",
    "broadcast_like",
    "broadcast_to",
    "cast_like",
    "concat",
    "concat_part",
    "expand_dims",
    "eye_like",
    "fold",
    "getitem",
    "hook",
    "matmul",
    "matrix_transpose",
    "max",
    "max_pool2d",
    "max_unpool2d",
    "mean",
    "merge_dims",
    "min",
    "multiply",
    "ones_like",
    "permute_dims",
    "pow",
    "put",
    "reshape",
    "reshape_like",
    "scatter_add",
    "split_dim",
    "sum",
    "sum_to",
    "unpick",
    "where",
    "zeros_like",
]

Value = Any


def _spec(x: Value, shape: tuple[int, ...]) -> Any:
    return x.spec if x.spec.weak and not shape else ArraySpec(shape, x.spec.dtype)


def reshape(xp: Any, x: Value, shape: tuple[int, ...]) -> Value:
    """The elements in another shape; nothing where it is that already. Two of them are one."""
    x = xp.lift(x)
    target = SPEC.reshape(x.spec, shape=shape).shape
    if target == x.spec.shape:
        return x
    if not target and x.spec.weak:
        return x
    if x.name == "reshape":
        return reshape(xp, x.inputs[0], target)
    if "fill" in x.attributes or (x.name == "constant" and not x.spec.shape):
        return xp.filled(x.attributes.get("fill", x.attributes["data"]), ArraySpec(target, x.spec.dtype))
    return xp.record("reshape", (x,), {"shape": target}, ArraySpec(target, x.spec.dtype))


def reshape_like(xp: Any, x: Value, like: Value) -> Value:
    """The elements in the pattern's shape."""
    return reshape(xp, x, xp.shape(like))


def merge_dims(xp: Any, x: Value, start: int, stop: int) -> Value:
    """Neighbouring axes made one."""
    shape = xp.shape(x)
    first, last = len(shape) + start, len(shape) + stop
    return reshape(xp, x, (*shape[:first], math.prod(shape[first:last]), *shape[last:]))


def split_dim(xp: Any, x: Value, parts: int) -> Value:
    """The last axis as two."""
    shape = xp.shape(x)
    SPEC.split_dim(x.spec, parts=parts)
    return reshape(xp, x, (*shape[:-1], parts, shape[-1] // parts))


def expand_dims(xp: Any, x: Value, axis: int) -> Value:
    """A new axis of size 1."""
    return reshape(xp, x, SPEC.expand_dims(xp.lift(x).spec, axis=axis).shape)


def permute_dims(xp: Any, x: Value, axes: tuple[int, ...]) -> Value:
    """The axes in another order, as a view; two of them are one."""
    spec = SPEC.permute_dims(x.spec, axes=axes)
    order = tuple([axis % len(axes) for axis in axes])
    if x.name == "transpose":
        x, order = x.inputs[0], tuple([x.attributes["axes"][axis] for axis in order])
    if order == tuple(range(len(order))):
        return x
    return xp.record("transpose", (x,), {"axes": order}, spec)


def matrix_transpose(xp: Any, x: Value) -> Value:
    """The last two axes exchanged."""
    ndim = xp.ndim(x)
    return permute_dims(xp, x, (*range(-ndim, -2), -1, -2))


def broadcast_to(xp: Any, x: Value, shape: tuple[int, ...]) -> Value:
    """The operand repeated along axes, as a view."""
    x = xp.lift(x)
    shape = SPEC.broadcast_to(x.spec, shape=shape).shape
    if shape == x.spec.shape:
        return x
    if x.name == "broadcast_to":
        x = x.inputs[0]
    if "fill" in x.attributes or (x.name == "constant" and not x.spec.shape):
        return xp.filled(x.attributes.get("fill", x.attributes["data"]), ArraySpec(shape, x.spec.dtype))
    return xp.record("broadcast_to", (x,), {"shape": shape}, ArraySpec(shape, x.spec.dtype))


def broadcast_like(xp: Any, x: Value, like: Value) -> Value:
    """The operand in the pattern's shape."""
    return broadcast_to(xp, x, xp.shape(like))


def getitem(xp: Any, x: Value, index: tuple[Any, ...]) -> Value:
    """A view of a part, for a static index."""
    return xp.record("getitem", (x,), {"index": decode_index(index)}, SPEC.getitem(x.spec, index=index))


def concat_part(xp: Any, x: Value, likes: tuple[Value, ...], part: int, axis: int) -> Value:
    """The part of a concatenation that one operand was."""
    ndim = xp.ndim(x)
    start = math.fsum(xp.shape(like)[axis] for like in likes[:part])
    index = [slice(None)] * ndim
    index[axis] = slice(int(start), int(start) + xp.shape(likes[part])[axis])
    return xp.record("getitem", (x,), {"index": tuple(index)}, _spec(x, xp.shape(likes[part])))


def concat(xp: Any, operands: tuple[Value, ...], axis: int) -> Value:
    """The operands one behind the other."""
    inputs: tuple[Any, ...] = tuple(map(xp.lift, operands))
    spec = SPEC.concat(tuple([op.spec for op in inputs]), axis=axis)
    return xp.record("concat", inputs, {"axis": axis}, spec)


def _cast(xp: Any, x: Value, spec: Any) -> Value:
    """The operand in the dtype of a spec."""
    if (x.spec.dtype, x.spec.weak) == (spec.dtype, spec.weak):
        return x
    if x.name == "constant" and "fill" in x.attributes:
        return xp.filled(x.attributes["fill"], spec)
    return xp.record("astype", (x,), {"dtype": spec.dtype}, spec)


def astype(xp: Any, x: Value, dtype: Any) -> Value:
    """The operand in another dtype."""
    x = xp.lift(x)
    return _cast(xp, x, SPEC.astype(x.spec, dtype=dtype))


def cast_like(xp: Any, x: Value, like: Value) -> Value:
    """The operand in the pattern's dtype."""
    x = xp.lift(x)
    return _cast(xp, x, SPEC.cast_like(x.spec, xp.lift(like).spec))


def sum_to(xp: Any, x: Value, like: Value) -> Value:
    """The sum over the axes that broadcasting put in or widened, in the pattern's shape and dtype."""
    x, like = xp.lift(x), xp.lift(like)
    shape, wanted = x.spec.shape, like.spec.shape
    if shape != wanted:
        extra = len(shape) - len(wanted)
        widened = [extra + i for i, size in enumerate(wanted) if size == 1 and shape[extra + i] != 1]
        x = _reduced(xp, "sum", x, (*range(extra), *widened), x.spec.dtype)
        x = reshape(xp, x, wanted) if wanted else x
    return _cast(xp, x, like.spec)


def _reduced(xp: Any, name: str, x: Value, axes: tuple[int, ...], dtype: Any) -> Value:
    """A reduction that drops its axes; over none it is its operand."""
    if not axes:
        return _cast(xp, x, ArraySpec(x.spec.shape, dtype)) if x.spec.shape else x
    if "fill" in x.attributes:
        return _reduced_constant(xp, name, x, axes, dtype)
    if name == "sum" and x.name == "unpick" and axes == (len(x.spec.shape) - 1,):
        return x.inputs[0]  # each row has one element that is not 0
    shape = tuple([size for i, size in enumerate(x.spec.shape) if i not in axes])
    return _as_matrix(xp, name, x, axes, ArraySpec(shape, dtype)) or xp.record(
        name, (x,), {"axis": tuple(sorted(axes))}, ArraySpec(shape, dtype)
    )


_SCATTERED = frozenset(("transpose", "broadcast_to", "getitem", "windows"))
_SHORT = 32
"""Up to how many elements a row has for which its columns are laid side by side to find the largest."""


def _as_matrix(xp: Any, name: str, x: Value, axes: tuple[int, ...], spec: Any) -> Value | None:
    """A reduction over the first or the last axes by a kernel for matrices, where there is a quicker one."""
    ndim, shape, dtype = len(x.spec.shape), x.spec.shape, x.spec.dtype
    if not spec.shape or x.name in _SCATTERED or dtype != spec.dtype or dtype.char not in "fd" or 0 in shape:
        return None
    is_last = sorted(axes) == list(range(ndim - len(axes), ndim))
    is_first = sorted(axes) == list(range(len(axes)))
    cut = ndim - len(axes) if is_last else len(axes)
    matrix = (math.prod(shape[:cut]), math.prod(shape[cut:]))
    if name == "sum" and (is_last or is_first):
        kernel, size = ("sum_of_last", matrix[0]) if is_last else ("sum_of_rows", matrix[1])
    elif name == "max" and is_last and matrix[1] <= _SHORT <= matrix[0]:
        kernel, size = "max_of_last", matrix[0]
    else:
        return None
    made = xp.record(kernel, (reshape(xp, x, matrix),), {}, ArraySpec((size,), dtype))
    return reshape(xp, made, spec.shape)


def _reduced_constant(xp: Any, name: str, x: Value, axes: tuple[int, ...], dtype: Any) -> Value:
    """The same of a constant of one number."""
    shape = tuple([size for i, size in enumerate(x.spec.shape) if i not in axes])
    count = math.prod([x.spec.shape[axis] for axis in axes])
    value = x.attributes["fill"]
    return xp.filled(dtype.type(value) * dtype.type(count) if name == "sum" else value, ArraySpec(shape, dtype))


def _reduction(xp: Any, name: str, x: Value, axis: int | tuple[int, ...], keepdims: bool = False) -> Value:
    x = xp.lift(x)
    spec = getattr(SPEC, name)(x.spec, axis=axis, keepdims=keepdims)
    if x.spec.weak or spec.weak:
        return x
    given = (axis,) if isinstance(axis, int) else axis
    axes = tuple([one % len(x.spec.shape) for one in given])
    return reshape(xp, _reduced(xp, name, x, axes, spec.dtype), spec.shape) if axes else _cast(xp, x, spec)


def sum(xp: Any, x: Value, axis: int | tuple[int, ...], keepdims: bool = False) -> Value:
    """The sum over axes."""
    return _reduction(xp, "sum", x, axis, keepdims)


def max(xp: Any, x: Value, axis: int | tuple[int, ...], keepdims: bool = False) -> Value:
    """The largest element over axes."""
    return _reduction(xp, "max", x, axis, keepdims)


def min(xp: Any, x: Value, axis: int | tuple[int, ...], keepdims: bool = False) -> Value:
    """The smallest element over axes."""
    return _reduction(xp, "min", x, axis, keepdims)


def mean(xp: Any, x: Value, axis: int | tuple[int, ...], keepdims: bool = False) -> Value:
    """The sum divided by the number of elements."""
    x = xp.lift(x)
    spec = SPEC.mean(x.spec, axis=axis, keepdims=keepdims)
    return xp.divide(_cast(xp, sum(xp, x, axis, keepdims), spec), axis_size(xp, x, axis))


def argmax(xp: Any, x: Value, axis: int, keepdims: bool = False) -> Value:
    """The position of the largest element along an axis."""
    spec = SPEC.argmax(x.spec, axis=axis, keepdims=False)
    found = xp.record("argmax", (x,), {"axis": axis % len(x.spec.shape)}, spec)
    return reshape(xp, found, SPEC.argmax(x.spec, axis=axis, keepdims=keepdims).shape)


def axis_size(xp: Any, x: Value, axis: int | tuple[int, ...]) -> Value:
    """A number that is known."""
    shape = xp.shape(x)
    return xp.constant(math.prod([shape[one] for one in ((axis,) if isinstance(axis, int) else axis)]))


def zeros_like(xp: Any, like: Value) -> Value:
    """0 in the pattern's shape."""
    return xp.filled(0, xp.lift(like).spec)


def ones_like(xp: Any, like: Value) -> Value:
    """1 in the pattern's shape."""
    return xp.filled(1, xp.lift(like).spec)


def eye_like(xp: Any, like: Value) -> Value:
    """The identity of the pattern's space, a constant."""
    spec = xp.lift(like).spec
    return xp.identity(spec) if spec.shape else xp.filled(1, spec)


def alike(xp: Any, x: Value, like: Value, reason: str) -> Value:
    """The shapes are known to be the same, or this raises."""
    SPEC.alike(x.spec, xp.lift(like).spec, reason=reason)
    return x


def matmul(xp: Any, a: Value, b: Value) -> Value:
    """A matrix product; a stack of matrices times one matrix is one product."""
    spec = SPEC.matmul(a.spec, b.spec)
    first, second = a.spec.shape, b.spec.shape
    if len(first) > 2 and len(second) == 2:
        rows = reshape(xp, a, (math.prod(first[:-1]), first[-1]))
        return reshape(xp, matmul(xp, rows, b), spec.shape)
    return xp.record("matmul", (a, b), {}, spec)


def hook(xp: Any, x: Value, function: Any) -> Value:
    """The operand, at which the function has a look on the way."""
    xp.record("hook", tuple(flat(x)), {"function": function, "pattern": x}, WEAK[bool])
    return x


Pair = tuple[int, int]


def max_pool2d(xp: Any, x: Value, window: Pair, stride: Pair, padding: Pair) -> Value:
    """The largest element of each window, over a border of its own where one is asked for."""
    padded = pad2d(xp, x, padding, -float("inf"))
    spec = SPEC.max_pool2d(padded.spec, window=window, stride=stride, padding=(0, 0))
    return xp.record("max_pool2d", (padded,), {"window": window, "stride": stride}, spec)


def max_unpool2d(xp: Any, x: Value, output: Value, like: Value, window: Pair, stride: Pair, padding: Pair) -> Value:
    """A kernel of its own where windows lie side by side."""
    if stride != window or padding != (0, 0):
        return definitions.max_unpool2d(xp, x, output, like, window, stride, padding)
    spec = ArraySpec(like.spec.shape, x.spec.dtype)
    return xp.record("max_unpool2d", (x, output, like), {"window": window}, spec)


def multiply(xp: Any, x: Value, y: Value) -> Value:
    """A product; numbers come first, and two of them are one."""
    x, y = xp.lift(x), xp.lift(y)
    if _is_number(y) and not _is_number(x):
        x, y = y, x
    spec = SPEC.multiply(x.spec, y.spec)
    if _is_number(x) and y.name == "multiply" and _is_number(y.inputs[0]) and spec.dtype.kind == "f":
        number, rest = multiply(xp, x, y.inputs[0]), y.inputs[1]
        if SPEC.multiply(number.spec, rest.spec) == spec and _is_normal(number):
            x, y = number, rest
    return xp.primitive("multiply", x, y)


def _is_normal(op: Value) -> bool:
    """Whether a number is neither 0 nor too large or too small: then no product with it is another one in between."""
    value = abs(float(op.attributes.get("fill", op.attributes["data"])))
    return bool(1e-30 < value < 1e30)


def _is_number(op: Value) -> bool:
    return op.name == "constant" and (not op.is_array or "fill" in op.attributes)


def pow(xp: Any, x: Value, exponent: Value) -> Value:
    """A power; the first is the operand, the second a product."""
    x, exponent = xp.lift(x), xp.lift(exponent)
    spec = SPEC.pow(x.spec, exponent.spec)
    number = exponent.attributes["data"] if exponent.name == "constant" and not exponent.is_array else None
    if x.name != "constant" and x.spec == spec and number in (1, 2):
        return x if number == 1 else xp.multiply(x, x)
    return xp.primitive("pow", x, exponent)


def where(xp: Any, condition: Value, then: Value, otherwise: Value) -> Value:
    """A choice; what is chosen where the condition is known."""
    inputs: tuple[Any, ...] = tuple(map(xp.lift, (condition, then, otherwise)))
    spec = SPEC.where(*[op.spec for op in inputs])
    if inputs[0].name == "constant" and (not inputs[0].is_array or "fill" in inputs[0].attributes):
        chosen = inputs[1 if inputs[0].attributes.get("fill", inputs[0].attributes["data"]) else 2]
        return _cast(xp, broadcast_to(xp, chosen, spec.shape) if spec.shape else chosen, spec)
    return xp.primitive("where", *inputs)


def put(xp: Any, x: Value, like: Value, index: tuple[Any, ...]) -> Value:
    """Zeros with the operand at a static index."""
    x, like = xp.lift(x), xp.lift(like)
    spec = ArraySpec(like.spec.shape, x.spec.dtype)
    if not spec.shape:
        return _cast(xp, reshape(xp, x, ()), like.spec)
    return xp.record("put", (x,), {"shape": spec.shape, "index": decode_index(index)}, spec)


def scatter_add(xp: Any, x: Value, indices: Value, like: Value, axis: int) -> Value:
    """Zeros with slices added at indices."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("scatter_add", (x, indices), {"shape": spec.shape, "axis": axis % len(spec.shape)}, spec)


def unpick(xp: Any, x: Value, labels: Value, like: Value) -> Value:
    """Zeros with the operand where labels point."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("unpick", (x, labels), {"shape": spec.shape}, spec)


def fold(xp: Any, x: Value, like: Value, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Value:
    """Windows added back where they were taken from."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("fold", (x,), {"shape": spec.shape, "stride": stride, "dilation": dilation}, spec)


def bernoulli(xp: Any, like: Value, counter: Value, probability: float, seed: int) -> Value:
    """Booleans drawn by a counter."""
    like = xp.lift(like)
    spec = WEAK[bool] if like.spec.weak else ArraySpec(like.spec.shape, np.dtype(bool))
    attributes = {"shape": spec.shape, "probability": probability, "seed": seed}
    return xp.record("bernoulli", (xp.lift(counter),), attributes, spec)
