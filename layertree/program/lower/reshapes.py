"""Lowering rules for names that rearrange or convert elements: views and copies of static shapes."""

from __future__ import annotations

import math

from layertree.core.spec import ArraySpec
from layertree.core.static_index import EncodedIndex, decode_index
from layertree.namespaces.spec import SPEC
from layertree.program.ir.operations import DType, Op, ValueSpec, sizes_of
from layertree.program.lower.graph_builder import GraphBuilder, Operand


def _spec(x: Op, shape: tuple[int, ...]) -> ValueSpec:
    return x.spec if x.is_weak and not shape else ArraySpec(shape, x.dtype)


def reshape(xp: GraphBuilder, x: Operand, shape: tuple[int, ...]) -> Op:
    """The elements in another shape; the operand where it has that shape. Two reshapes in a row become one."""
    x = xp.lift(x)
    target = sizes_of(SPEC.reshape(x.spec, shape=shape))
    if target == x.shape:
        return x
    if not target and x.is_weak:
        return x
    if x.name == "reshape":
        inner = x.inputs[0]
        # A Python number that became an array does not become a Python number again.
        return cast(xp, inner, ArraySpec((), x.dtype)) if inner.is_weak and not target else reshape(xp, inner, target)
    if x.number is not None:
        return xp.filled(x.number, ArraySpec(target, x.dtype))
    return xp.append("reshape", (x,), {"shape": target}, ArraySpec(target, x.dtype))


def reshape_like(xp: GraphBuilder, x: Operand, like: Operand) -> Op:
    """The elements in the shape of the pattern ``like``, which is not read."""
    return reshape(xp, x, xp.shape(like))


def merge_dims(xp: GraphBuilder, x: Operand, start: int, stop: int) -> Op:
    """The axes from ``start`` to ``stop``, counted from the end, merged into one."""
    shape = xp.shape(x)
    first, last = len(shape) + start, len(shape) + stop
    return reshape(xp, x, (*shape[:first], math.prod(shape[first:last]), *shape[last:]))


def split_dim(xp: GraphBuilder, x: Op, parts: int) -> Op:
    """The last axis split into two, the first of size ``parts``."""
    shape = xp.shape(x)
    SPEC.split_dim(x.spec, parts=parts)
    return reshape(xp, x, (*shape[:-1], parts, shape[-1] // parts))


def expand_dims(xp: GraphBuilder, x: Operand, axis: int) -> Op:
    """The operand with a new axis of size 1."""
    return reshape(xp, x, sizes_of(SPEC.expand_dims(xp.lift(x).spec, axis=axis)))


def permute_dims(xp: GraphBuilder, x: Op, axes: tuple[int, ...]) -> Op:
    """The axes in another order, as a view. Two permutations in a row become one."""
    spec = SPEC.permute_dims(x.spec, axes=axes)
    order = tuple([axis % len(axes) for axis in axes])
    if x.name == "transpose":
        x, order = x.inputs[0], tuple([x.attributes["axes"][axis] for axis in order])
    if order == tuple(range(len(order))):
        return x
    return xp.append("transpose", (x,), {"axes": order}, spec)


def matrix_transpose(xp: GraphBuilder, x: Op) -> Op:
    """The last two axes exchanged."""
    ndim = xp.ndim(x)
    return permute_dims(xp, x, (*range(-ndim, -2), -1, -2))


def broadcast_to(xp: GraphBuilder, x: Operand, shape: tuple[int, ...]) -> Op:
    """The operand repeated along axes, as a view."""
    x = xp.lift(x)
    shape = sizes_of(SPEC.broadcast_to(x.spec, shape=shape))
    if shape == x.shape:
        return x
    if x.name == "broadcast_to":
        x = x.inputs[0]
    if x.number is not None:
        return xp.filled(x.number, ArraySpec(shape, x.dtype))
    return xp.append("broadcast_to", (x,), {"shape": shape}, ArraySpec(shape, x.dtype))


def broadcast_like(xp: GraphBuilder, x: Operand, like: Operand) -> Op:
    """The operand repeated to the shape of the pattern ``like``, which is not read."""
    return broadcast_to(xp, x, xp.shape(like))


def getitem(xp: GraphBuilder, x: Op, index: EncodedIndex) -> Op:
    """A view of the elements at a static index."""
    return xp.append("getitem", (x,), {"index": decode_index(index)}, SPEC.getitem(x.spec, index=index))


def concat_part(xp: GraphBuilder, x: Op, likes: tuple[Operand, ...], part: int, axis: int) -> Op:
    """The part of a concatenation that came from one operand; ``likes`` are patterns for all operands."""
    ndim = xp.ndim(x)
    start = sum(xp.shape(like)[axis] for like in likes[:part])
    index = [slice(None)] * ndim
    index[axis] = slice(start, start + xp.shape(likes[part])[axis])
    return xp.append("getitem", (x,), {"index": tuple(index)}, _spec(x, xp.shape(likes[part])))


def concat(xp: GraphBuilder, operands: tuple[Operand, ...], axis: int) -> Op:
    """The operands one after the other along an axis."""
    inputs = tuple([xp.lift(operand) for operand in operands])
    spec = SPEC.concat(tuple([op.spec for op in inputs]), axis=axis)
    return xp.append("concat", inputs, {"axis": axis}, spec)


def cast(xp: GraphBuilder, x: Op, spec: ValueSpec) -> Op:
    """The operand in the dtype of a spec."""
    if (x.dtype, x.is_weak) == (spec.dtype, spec.weak):
        return x
    if x.name == "constant" and x.is_filled:
        return xp.filled(x.attributes["fill"], spec)
    return xp.append("astype", (x,), {"dtype": spec.dtype}, spec)


def astype(xp: GraphBuilder, x: Operand, dtype: DType) -> Op:
    """The operand in another dtype."""
    x = xp.lift(x)
    return cast(xp, x, SPEC.astype(x.spec, dtype=dtype))


def cast_like(xp: GraphBuilder, x: Operand, like: Operand) -> Op:
    """The operand in the dtype of the pattern ``like``, which is not read."""
    x = xp.lift(x)
    return cast(xp, x, SPEC.cast_like(x.spec, xp.lift(like).spec))
