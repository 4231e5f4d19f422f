"""Reductions over axes that are known, by the quickest kernel for their shapes."""

from __future__ import annotations

import math
from typing import Any

from layertree.core.spec import ArraySpec
from layertree.namespaces.spec import SPEC
from layertree.program.columns import SHORT
from layertree.program.reshaping import cast, reshape

Value = Any


def sum_to(xp: Any, x: Value, like: Value) -> Value:
    """The sum over the axes that broadcasting put in or widened, in the pattern's shape and dtype."""
    x, like = xp.lift(x), xp.lift(like)
    shape, wanted = x.spec.shape, like.spec.shape
    if shape != wanted:
        extra = len(shape) - len(wanted)
        widened = [extra + i for i, size in enumerate(wanted) if size == 1 and shape[extra + i] != 1]
        x = _reduced(xp, "sum", x, (*range(extra), *widened), x.spec.dtype)
        x = reshape(xp, x, wanted) if wanted else x
    return cast(xp, x, like.spec)


def _reduced(xp: Any, name: str, x: Value, axes: tuple[int, ...], dtype: Any) -> Value:
    """A reduction that drops its axes; over none it is its operand."""
    if not axes:
        return cast(xp, x, ArraySpec(x.spec.shape, dtype)) if x.spec.shape else x
    if "fill" in x.attributes:
        return _reduced_constant(xp, name, x, axes, dtype)
    if name == "sum" and x.name == "unpick" and axes == (len(x.spec.shape) - 1,):
        return x.inputs[0]  # each row has one element that is not 0
    shape = tuple([size for i, size in enumerate(x.spec.shape) if i not in axes])
    return _as_matrix(xp, name, x, axes, ArraySpec(shape, dtype)) or xp.record(
        name, (x,), {"axis": tuple(sorted(axes))}, ArraySpec(shape, dtype)
    )


_SCATTERED = frozenset(("transpose", "broadcast_to", "getitem", "windows"))


def _as_matrix(xp: Any, name: str, x: Value, axes: tuple[int, ...], spec: Any) -> Value | None:
    """A reduction over the first or the last axes by a kernel for matrices, where there is a quicker one."""
    ndim, shape, dtype = len(x.spec.shape), x.spec.shape, x.spec.dtype
    if not spec.shape or x.name in _SCATTERED or dtype != spec.dtype or dtype.char not in "fd" or 0 in shape:
        return None
    is_last = sorted(axes) == list(range(ndim - len(axes), ndim))
    is_first = sorted(axes) == list(range(len(axes)))
    cut = ndim - len(axes) if is_last else len(axes)
    rows, columns = math.prod(shape[:cut]), math.prod(shape[cut:])
    if name == "sum" and is_last:
        return xp.record("sum_of_last", (reshape(xp, x, (*shape[:cut], columns)),), {}, spec)
    if name == "sum" and is_first:
        kernel, size = "sum_of_rows", columns
    elif name == "max" and is_last and columns <= SHORT <= rows:
        kernel, size = "max_of_last", rows
    else:
        return None
    made = xp.record(kernel, (reshape(xp, x, (rows, columns)),), {}, ArraySpec((size,), dtype))
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
        return cast(xp, x, spec)
    given = (axis,) if isinstance(axis, int) else axis
    axes = tuple([one % len(x.spec.shape) for one in given])
    return reshape(xp, _reduced(xp, name, x, axes, spec.dtype), spec.shape) if axes else cast(xp, x, spec)


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
    return xp.divide(cast(xp, sum(xp, x, axis, keepdims), spec), axis_size(xp, x, axis))


def argmax(xp: Any, x: Value, axis: int, keepdims: bool = False) -> Value:
    """The position of the largest element along an axis."""
    spec = SPEC.argmax(x.spec, axis=axis, keepdims=False)
    found = xp.record("argmax", (x,), {"axis": axis % len(x.spec.shape)}, spec)
    return reshape(xp, found, SPEC.argmax(x.spec, axis=axis, keepdims=keepdims).shape)


def axis_size(xp: Any, x: Value, axis: int | tuple[int, ...]) -> Value:
    """A number that is known."""
    shape = xp.shape(x)
    return xp.constant(math.prod([shape[one] for one in ((axis,) if isinstance(axis, int) else axis)]))
