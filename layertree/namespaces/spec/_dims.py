"""Arithmetic of dimensions, of which some are names and some unknown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import WEAK, ArraySpec, Dim, shape_text, spec_text

Spec = ArraySpec[Any]
Shape = tuple[Dim, ...]


def same_dim(first: Dim, second: Dim) -> Any:
    """Two dimensions that have to be equal, as one; NotImplemented where they cannot be."""
    if first == second or second is None:
        return first
    if first is None:
        return second
    if isinstance(first, str) and isinstance(second, str):
        return NotImplemented
    if isinstance(first, int) and isinstance(second, int):
        return NotImplemented
    return first if isinstance(first, int) else second


def broadcast_dim(first: Dim, second: Dim) -> Any:
    """Two dimensions broadcast against one another; NotImplemented where they do not fit."""
    if first == 1:
        return second
    if second == 1:
        return first
    return same_dim(first, second)


def broadcast(*specs: Spec) -> tuple[Dim, ...]:
    """The common shape of operands, right-aligned as NumPy has it."""
    result: tuple[Dim, ...] = specs[0].shape
    for spec in specs[1:]:
        result = _broadcast_pair(result, spec.shape)
    return result


def _broadcast_pair(first: tuple[Dim, ...], second: tuple[Dim, ...]) -> tuple[Dim, ...]:
    if first == second:
        return first
    ndim = max(len(first), len(second))
    wide = (1,) * (ndim - len(first)) + first
    other = (1,) * (ndim - len(second)) + second
    dims: list[Dim] = []
    for i, (one, two) in enumerate(zip(wide, other, strict=True)):
        dim = broadcast_dim(one, two)
        if dim is NotImplemented:
            raise ShapeError(
                f"shapes {shape_text(first)} and {shape_text(second)} do not broadcast: axis {i - ndim} is {one} in "
                f"the first and {two} in the second; sizes have to be equal, or one of them 1"
            )
        dims.append(dim)
    _require_aligned(first, second, wide, other)
    return tuple(dims)


def _require_aligned(first: Shape, second: Shape, wide: Shape, other: Shape) -> None:
    """ShapeError where an axis that broadcasting put in front moves a name off itself: (Batch, 1) beside (Batch,)."""
    if len(first) == len(second):
        return
    for name in {dim for dim in first if isinstance(dim, str)}.intersection(second):
        if not any(one == other_one == name for one, other_one in zip(wide, other, strict=True)):
            raise ShapeError(
                f"shapes {shape_text(first)} and {shape_text(second)} would broadcast {name} against {name}: shapes "
                f"are aligned from the right, so give both the same number of axes, with expand_dims or reshape"
            )


def require_same(first: Dim, second: Dim, reason: str) -> Dim:
    """Two dimensions that have to be equal, as one; ShapeError with a reason where they cannot be."""
    dim = same_dim(first, second)
    if dim is NotImplemented:
        raise ShapeError(reason)
    return dim  # type: ignore[no-any-return]  # NotImplemented is the only thing that is no Dim


def array(value: Any) -> Spec:
    """A value that is one array or number, also one that a rule writes as such; DTypeError for a tuple."""
    if type(value) in WEAK:
        return WEAK[type(value)]
    if not is_a(value, ArraySpec):
        raise DTypeError(f"an operand is a tuple, {spec_text(value)}: take one of its parts, as x[0]")
    spec: Spec = value
    return spec


def in_shape(x: Spec, shape: tuple[Dim, ...]) -> Spec:
    """A spec in another shape; a number that gets no axes stays a number."""
    return x if x.weak and not shape else ArraySpec(shape, x.dtype)


def axis_of(axis: int, ndim: int) -> int:
    """An axis counted from the end as an index into the shape; ShapeError where there is none."""
    if not -ndim <= axis < 0:
        raise ShapeError(
            f"axis {axis} is out of range: the operand has {ndim} axes" + (f", {-ndim} to {ndim - 1}" if ndim else "")
        )
    return axis + ndim


def size_of(dims: Sequence[Dim]) -> int | None:
    """The number of elements, or None where a dimension is not known."""
    known = [dim for dim in dims if isinstance(dim, int)]
    if 0 in known:
        return 0
    return math.prod(known) if len(known) == len(dims) else None
