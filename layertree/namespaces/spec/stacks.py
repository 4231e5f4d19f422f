"""Inference for the functions of stacks: diagonals, and gathers with leading axes in common."""

from __future__ import annotations

from layertree.core.errors import ShapeError
from layertree.core.spec import ArraySpec, shape_text
from layertree.core.value import Sizes
from layertree.namespaces.spec._dims import array, axis_of, in_shape, require_same
from layertree.namespaces.spec.indexing import take
from layertree.namespaces.spec.shape import reshape


def eye_like(like: ArraySpec) -> ArraySpec:
    """(*shape, *shape) of a pattern."""
    like = array(like)
    return in_shape(like, like.shape * 2)


def embed_diagonal(x: ArraySpec, axes: int) -> ArraySpec:
    """(..., *shape) to (..., *shape, *shape)."""
    x = _with_axes(x, axes)
    return in_shape(x, (*x.shape, *x.shape[x.ndim - axes :]))


def take_diagonal(x: ArraySpec, axes: int) -> ArraySpec:
    """(..., *shape, *shape) to (..., *shape)."""
    x = _with_axes(x, 2 * axes)
    middle = x.ndim - axes
    reason = f"the last {axes} axes of {shape_text(x.shape)} are the same as the {axes} before"
    pairs = zip(x.shape[middle - axes : middle], x.shape[middle:], strict=True)
    return in_shape(x, (*x.shape[: middle - axes], *[require_same(one, other, reason) for one, other in pairs]))


def _with_axes(x: ArraySpec, axes: int) -> ArraySpec:
    """An operand of at least ``axes`` axes; else a ShapeError."""
    x = array(x)
    if axes > x.ndim:
        raise ShapeError(f"{shape_text(x.shape)} has no {axes} last axes")
    return x


def reshape_last(x: ArraySpec, axes: int, shape: Sizes) -> ArraySpec:
    """The last ``axes`` axes in another shape of as many elements."""
    x = _with_axes(x, axes)
    lead = x.ndim - axes
    changed = reshape(ArraySpec(x.shape[lead:], x.dtype), shape)
    return in_shape(x, (*x.shape[:lead], *changed.shape))


def take_each(x: ArraySpec, indices: ArraySpec, axis: int, shared: int) -> ArraySpec:
    """The axes of the indices that are not shared replace the axis."""
    x, indices = array(x), array(indices)
    place = axis_of(axis, x.ndim)
    if shared > indices.ndim or shared > place:
        raise ShapeError(
            f"{shape_text(x.shape)} along axis {axis} and the indices {shape_text(indices.shape)} do not have "
            f"{shared} leading axes in common"
        )
    reason = (
        f"the first {shared} axes of {shape_text(x.shape)} and of the indices {shape_text(indices.shape)} are the same"
    )
    lead = tuple(require_same(one, other, reason) for one, other in zip(x.shape, indices.shape[:shared], strict=False))
    taken = take(ArraySpec(x.shape[shared:], x.dtype), ArraySpec(indices.shape[shared:], indices.dtype), axis)
    return ArraySpec((*lead, *taken.shape), x.dtype)


def scatter_each(x: ArraySpec, indices: ArraySpec, like: ArraySpec, axis: int, shared: int) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``."""
    return ArraySpec(array(like).shape, array(x).dtype)
