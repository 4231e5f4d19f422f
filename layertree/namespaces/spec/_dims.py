"""Arithmetic of dimensions: sizes, names of sizes, and None for unknown ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

from layertree.core.brief import counted
from layertree.core.dynamic import is_a
from layertree.core.errors import AxisRangeError, DTypeError, ShapeError
from layertree.core.spec import WEAK, ArraySpec, Dim, shape_text, spec_text
from layertree.core.value import Shape


class _Unequal(Enum):
    UNEQUAL = "unequal"


UNEQUAL: Final = _Unequal.UNEQUAL
"""The result for two dimensions that cannot be equal."""

DimOrUnequal: TypeAlias = Dim | Literal[_Unequal.UNEQUAL]


def same_dim(first: Dim, second: Dim) -> DimOrUnequal:
    """The one dimension that two equal ones are: a size rather than a name, a name rather than None.

    UNEQUAL for two different sizes, and for two different names.
    """
    if first == second or second is None:
        return first
    if first is None:
        return second
    if isinstance(first, str) and isinstance(second, str):
        return UNEQUAL
    if isinstance(first, int) and isinstance(second, int):
        return UNEQUAL
    return first if isinstance(first, int) else second


def broadcast_dim(first: Dim, second: Dim) -> DimOrUnequal:
    """The dimension to which two broadcast; UNEQUAL where they do not."""
    if first == 1:
        return second
    if second == 1:
        return first
    return same_dim(first, second)


def broadcast(*specs: ArraySpec) -> Shape:
    """The shape to which operands broadcast, aligned at the last axis; ShapeError where they do not."""
    result: Shape = specs[0].shape
    for spec in specs[1:]:
        result = _broadcast_pair(result, spec.shape)
    return result


def _broadcast_pair(first: Shape, second: Shape) -> Shape:
    if first == second:
        return first
    ndim = max(len(first), len(second))
    wide = (1,) * (ndim - len(first)) + first
    other = (1,) * (ndim - len(second)) + second
    dims: list[Dim] = []
    for i, (one, two) in enumerate(zip(wide, other, strict=True)):
        dim = broadcast_dim(one, two)
        if dim is UNEQUAL:
            raise ShapeError(
                f"shapes {shape_text(first)} and {shape_text(second)} do not broadcast: axis {i - ndim} is {one} in "
                f"the first and {two} in the second; sizes have to be equal, or one of them 1"
            )
        dims.append(dim)
    _require_aligned(first, second, wide, other)
    return tuple(dims)


def _require_aligned(first: Shape, second: Shape, wide: Shape, other: Shape) -> None:
    """Raise ShapeError where broadcasting would pair a name with another axis than its own: (Batch, 1) and (Batch,)."""
    if len(first) == len(second):
        return
    for name in {dim for dim in first if isinstance(dim, str)}.intersection(second):
        if not any(one == other_one == name for one, other_one in zip(wide, other, strict=True)):
            raise ShapeError(
                f"shapes {shape_text(first)} and {shape_text(second)} would broadcast {name} against {name}: shapes "
                f"are aligned from the right, so give both the same number of axes, with expand_dims or reshape"
            )


def require_same(first: Dim, second: Dim, reason: str) -> Dim:
    """``same_dim`` of two dimensions that have to be equal; ShapeError with a reason where they are not."""
    dim = same_dim(first, second)
    if dim is UNEQUAL:
        raise ShapeError(reason)
    return dim


def array(value: Any) -> ArraySpec:
    """The spec of an operand that is one array or a number, also a Python number in a rule; DTypeError for a tuple."""
    if type(value) in WEAK:
        return WEAK[type(value)]
    if not is_a(value, ArraySpec):
        raise DTypeError(f"an operand is a tuple, {spec_text(value)}: take one of its parts, as x[0]")
    spec: ArraySpec = value
    return spec


def in_shape(x: ArraySpec, shape: Shape) -> ArraySpec:
    """A spec in another shape; the spec of a Python number in the shape () stays weak."""
    return x if x.weak and not shape else ArraySpec(shape, x.dtype)


def axis_of(axis: int, ndim: int) -> int:
    """The index into the shape of an axis counted from the end; AxisRangeError for an axis out of range."""
    if not -ndim <= axis < 0:
        raise AxisRangeError(
            f"axis {axis} is out of range: the operand has {counted(ndim, 'axis', 'axes')}"
            + (f", {-ndim} to {ndim - 1}" if ndim else "")
        )
    return axis + ndim


def size_of(dims: Sequence[Dim]) -> int | None:
    """The number of elements; None where it depends on a dimension that is not known."""
    known = [dim for dim in dims if isinstance(dim, int)]
    if 0 in known:
        return 0
    return math.prod(known) if len(known) == len(dims) else None
