"""Names that move elements or convert them, in views and copies of static shapes."""

from __future__ import annotations

import math
from typing import Any

from layertree.core.spec import ArraySpec
from layertree.core.static_index import decode_index
from layertree.namespaces.spec import SPEC

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
    if x.number is not None:
        return xp.filled(x.number, ArraySpec(target, x.spec.dtype))
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
    if x.number is not None:
        return xp.filled(x.number, ArraySpec(shape, x.spec.dtype))
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


def cast(xp: Any, x: Value, spec: Any) -> Value:
    """The operand in the dtype of a spec."""
    if (x.spec.dtype, x.spec.weak) == (spec.dtype, spec.weak):
        return x
    if x.name == "constant" and "fill" in x.attributes:
        return xp.filled(x.attributes["fill"], spec)
    return xp.record("astype", (x,), {"dtype": spec.dtype}, spec)


def astype(xp: Any, x: Value, dtype: Any) -> Value:
    """The operand in another dtype."""
    x = xp.lift(x)
    return cast(xp, x, SPEC.astype(x.spec, dtype=dtype))


def cast_like(xp: Any, x: Value, like: Value) -> Value:
    """The operand in the pattern's dtype."""
    x = xp.lift(x)
    return cast(xp, x, SPEC.cast_like(x.spec, xp.lift(like).spec))
