"""Lowering rules for reductions over static axes: each becomes the quickest kernel for its shapes."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from layertree.core.spec import ArraySpec
from layertree.namespaces.spec import SPEC
from layertree.program.ir.operations import DType, Op, ValueSpec, sizes_of
from layertree.program.ir.primitives import SHORT
from layertree.program.lower.graph_builder import GraphBuilder, Operand
from layertree.program.lower.reshapes import cast, reshape

Axes: TypeAlias = "int | tuple[int, ...]"

_SCATTERED = frozenset(("transpose", "broadcast_to", "getitem", "windows"))
"""Views whose elements are not one after the other in memory, so that a reshape to a matrix would copy them."""


def sum_to(xp: GraphBuilder, x: Operand, like: Operand) -> Op:
    """The sum over the axes that broadcasting added or widened, in the shape and dtype of the pattern ``like``.

    This is the adjoint of broadcasting.
    """
    x, like = xp.lift(x), xp.lift(like)
    shape, wanted = x.shape, like.shape
    if shape != wanted:
        extra = len(shape) - len(wanted)
        widened = [extra + i for i, size in enumerate(wanted) if size == 1 and shape[extra + i] != 1]
        if x.dtype.char == "e":  # float16 accumulates in float32, as in the interpreter
            x = cast(xp, x, ArraySpec(x.shape, np.float32))
        x = _reduced(xp, "sum", x, (*range(extra), *widened), x.dtype)
        x = reshape(xp, x, wanted) if wanted else x
    return cast(xp, x, like.spec)


def _reduced(xp: GraphBuilder, name: str, x: Op, axes: tuple[int, ...], dtype: DType) -> Op:
    """A reduction that drops its axes; a reduction over no axes is its operand."""
    if not axes:
        return cast(xp, x, ArraySpec(x.shape, dtype)) if x.shape else x
    if x.is_filled:
        return _reduced_constant(xp, name, x, axes, dtype)
    if name == "sum" and x.name == "unpick" and axes == (x.ndim - 1,):
        return _without_negative_zero(xp, x.inputs[0])  # each row has one element that is not 0
    spec = ArraySpec(tuple([size for i, size in enumerate(x.shape) if i not in axes]), dtype)
    return _as_matrix(xp, name, x, axes, spec) or xp.append(name, (x,), {"axis": tuple(sorted(axes))}, spec)


def _without_negative_zero(xp: GraphBuilder, x: Op) -> Op:
    """The operand with 0.0 for -0.0, as sums have it; integers and a constant that is not 0 unchanged."""
    return x if x.dtype.kind != "f" or x.number else xp.primitive("add", x, 0.0)


def _as_matrix(xp: GraphBuilder, name: str, x: Op, axes: tuple[int, ...], spec: ValueSpec) -> Op | None:
    """A reduction over the first or the last axes by a kernel for matrices; None where no such kernel is quicker."""
    ndim, shape, dtype = x.ndim, x.shape, x.dtype
    if not spec.shape or x.name in _SCATTERED or dtype != spec.dtype or dtype.char not in "fd" or 0 in shape:
        return None
    is_last = sorted(axes) == list(range(ndim - len(axes), ndim))
    is_first = sorted(axes) == list(range(len(axes)))
    border = ndim - len(axes) if is_last else len(axes)
    rows, columns = math.prod(shape[:border]), math.prod(shape[border:])
    if name == "sum" and is_last:
        return xp.append("sum_of_last", (reshape(xp, x, (*shape[:border], columns)),), {}, spec)
    if name == "sum" and is_first:
        kernel, size = "sum_of_rows", columns
    elif name == "max" and is_last and columns <= SHORT <= rows:
        kernel, size = "max_of_last", rows
    else:
        return None
    made = xp.append(kernel, (reshape(xp, x, (rows, columns)),), {}, ArraySpec((size,), dtype))
    target = shape[:border] if is_last else shape[border:]
    return reshape(xp, made, target)


def _reduced_constant(xp: GraphBuilder, name: str, x: Op, axes: tuple[int, ...], dtype: DType) -> Op:
    """The reduction of a filled constant."""
    shape = tuple([size for i, size in enumerate(x.shape) if i not in axes])
    count = math.prod([x.shape[axis] for axis in axes])
    value = x.attributes["fill"]
    if name == "sum":  # of nothing 0, also of infinities
        value = dtype.type(value) * dtype.type(count) if count else dtype.type(0)
    return xp.filled(value, ArraySpec(shape, dtype))


def _reduction(xp: GraphBuilder, name: str, x: Operand, axis: Axes, keepdims: bool = False) -> Op:
    x = xp.lift(x)
    spec = getattr(SPEC, name)(x.spec, axis=axis, keepdims=keepdims)
    if x.is_weak or spec.weak:
        return cast(xp, x, spec)
    given = (axis,) if isinstance(axis, int) else axis
    axes = tuple([one % x.ndim for one in given])
    return reshape(xp, _reduced(xp, name, x, axes, spec.dtype), spec.shape) if axes else cast(xp, x, spec)


def sum(xp: GraphBuilder, x: Operand, axis: Axes, keepdims: bool = False) -> Op:
    """The sum over axes."""
    return _reduction(xp, "sum", x, axis, keepdims)


def max(xp: GraphBuilder, x: Operand, axis: Axes, keepdims: bool = False) -> Op:
    """The largest element over axes."""
    return _reduction(xp, "max", x, axis, keepdims)


def min(xp: GraphBuilder, x: Operand, axis: Axes, keepdims: bool = False) -> Op:
    """The smallest element over axes."""
    return _reduction(xp, "min", x, axis, keepdims)


def mean(xp: GraphBuilder, x: Operand, axis: Axes, keepdims: bool = False) -> Op:
    """The sum divided by the number of elements."""
    x = xp.lift(x)
    spec = SPEC.mean(x.spec, axis=axis, keepdims=keepdims)
    return xp.primitive("divide", cast(xp, sum(xp, x, axis, keepdims), spec), axis_size(xp, x, axis))


def argmax(xp: GraphBuilder, x: Op, axis: int, keepdims: bool = False) -> Op:
    """The position of the largest element along an axis, the first of several."""
    spec = SPEC.argmax(x.spec, axis=axis, keepdims=False)
    found = xp.append("argmax", (x,), {"axis": axis % x.ndim}, spec)
    return reshape(xp, found, sizes_of(SPEC.argmax(x.spec, axis=axis, keepdims=keepdims)))


def axis_size(xp: GraphBuilder, x: Operand, axis: Axes) -> Op:
    """The number of elements along axes, a constant."""
    shape = xp.shape(x)
    return xp.constant(math.prod([shape[one] for one in ((axis,) if isinstance(axis, int) else axis)]))
