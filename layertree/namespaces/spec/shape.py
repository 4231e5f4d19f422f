"""Inference for properties of values and for functions that move elements."""

from __future__ import annotations

import numpy as np

from layertree.core.brief import counted
from layertree.core.errors import ShapeError
from layertree.core.spec import WEAK_TYPES, ArraySpec, shape_text, spec_text
from layertree.core.value import DType, Shape, Sizes, Widths
from layertree.namespaces.spec._dims import (
    UNEQUAL,
    array,
    axis_of,
    broadcast_dim,
    in_shape,
    require_same,
    size_of,
)


def shape(x: ArraySpec) -> Shape:
    """The shape; a name or None for a size that is not known."""
    return array(x).shape


def ndim(x: ArraySpec) -> int:
    """The number of axes."""
    return array(x).ndim


def dtype(x: ArraySpec) -> DType:
    """The dtype; the type of a Python number."""
    return WEAK_TYPES[x.dtype] if array(x).weak else x.dtype


def reshape(x: ArraySpec, shape: Sizes) -> ArraySpec:
    """Another shape of as many elements; one size of -1 is computed from the others."""
    x = array(x)
    size = size_of(x.shape)
    if shape.count(-1) > 1:
        raise ShapeError(f"shape {shape} leaves {shape.count(-1)} sizes open: only one may be -1")
    known = size_of([dim for dim in shape if dim != -1])
    assert known is not None
    if -1 in shape:
        if size is None:
            return ArraySpec(tuple(None if dim == -1 else dim for dim in shape), x.dtype)
        if known == 0 or size % known:
            raise ShapeError(f"{size} elements do not fit into {shape}: what is known of it makes {known}")
        return in_shape(x, tuple(size // known if dim == -1 else dim for dim in shape))
    if size is not None and size != known:
        raise ShapeError(
            f"shape {shape} has {known} elements, but {shape_text(x.shape)} has {size}: -1 stands for what is left"
        )
    return in_shape(x, shape)


def permute_dims(x: ArraySpec, axes: Sizes) -> ArraySpec:
    """A permutation of all axes."""
    x = array(x)
    if len(axes) == x.ndim:
        for axis in axes:
            axis_of(axis, x.ndim)
    if len(axes) != x.ndim or sorted(axes) != list(range(-x.ndim, 0)):
        asked = tuple(axis + x.ndim if axis < 0 else axis for axis in axes)
        raise ShapeError(f"axes {asked} are no permutation of the {x.ndim} axes of {shape_text(x.shape)}")
    return in_shape(x, tuple(x.shape[axis] for axis in axes))


def matrix_transpose(x: ArraySpec) -> ArraySpec:
    """The last two axes exchanged."""
    x = array(x)
    if x.ndim < 2:
        raise ShapeError(f"{shape_text(x.shape)} is no matrix: two axes or more are wanted")
    return ArraySpec((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)


def broadcast_to(x: ArraySpec, shape: Shape) -> ArraySpec:
    """Another shape, in which each axis of ``x`` has its size, unless that is 1."""
    x = array(x)
    wide = (1,) * (len(shape) - x.ndim) + x.shape
    fits = len(wide) == len(shape) and all(
        broadcast_dim(dim, size) is not UNEQUAL and not (size == 1 and isinstance(dim, int) and dim != 1)
        for dim, size in zip(wide, shape, strict=True)
    )
    if not fits:
        raise ShapeError(f"{shape_text(x.shape)} does not broadcast to {shape_text(shape)}: sizes stay, or were 1")
    return in_shape(x, shape)


def expand_dims(x: ArraySpec, axis: int) -> ArraySpec:
    """A new axis of size 1."""
    x = array(x)
    place = axis_of(axis, x.ndim + 1)
    return ArraySpec((*x.shape[:place], 1, *x.shape[place:]), x.dtype)


def merge_dims(x: ArraySpec, start: int, stop: int) -> ArraySpec:
    """The axes from ``start`` up to ``stop`` flattened to one."""
    x = array(x)
    first, last = x.ndim + start, x.ndim + stop
    if not 0 <= first < last <= x.ndim:
        raise ShapeError(f"{shape_text(x.shape)} has no axes from {start} up to {stop}")
    merged = x.shape[first:last]
    return ArraySpec((*x.shape[:first], merged[0] if len(merged) == 1 else size_of(merged), *x.shape[last:]), x.dtype)


def split_dim(x: ArraySpec, parts: int) -> ArraySpec:
    """The last axis as two, of which the first has size ``parts``."""
    x = array(x)
    if x.ndim == 0:
        raise ShapeError(f"{spec_text(x)} has no axis to split")
    last = x.shape[-1]
    if isinstance(last, int) and last % parts:
        raise ShapeError(f"an axis of size {last} does not fall into {parts} equal parts")
    return ArraySpec((*x.shape[:-1], parts, last // parts if isinstance(last, int) else None), x.dtype)


def concat(operands: tuple[ArraySpec, ...], axis: int) -> ArraySpec:
    """Sizes along the axis add up; all other axes are equal."""
    specs = [array(spec) for spec in operands]
    if not specs:
        raise ShapeError("nothing to join: give one operand or more")
    first = specs[0]
    place = axis_of(axis, first.ndim)
    dims = list(first.shape)
    for i, spec in enumerate(specs[1:], 1):
        if spec.ndim != first.ndim:
            raise ShapeError(f"operand {i} has {counted(spec.ndim, 'axis', 'axes')}, but operand 0 has {first.ndim}")
        for one in range(first.ndim):
            if one != place:
                dims[one] = require_same(
                    dims[one],
                    spec.shape[one],
                    f"operand {i} is {shape_text(spec.shape)}, but operand 0 is {shape_text(first.shape)}: "
                    f"they may differ along axis {axis} alone, not along axis {one - first.ndim}",
                )
        total, more = dims[place], spec.shape[place]
        dims[place] = total + more if isinstance(total, int) and isinstance(more, int) else None
    return ArraySpec(tuple(dims), np.result_type(*[spec.dtype for spec in specs]))


def pad(x: ArraySpec, widths: Widths, value: float) -> ArraySpec:
    """The sizes of the last axes plus (before, after)."""
    x = array(x)
    if len(widths) > x.ndim:
        raise ShapeError(f"widths for {counted(len(widths), 'axis', 'axes')}, but {shape_text(x.shape)} has {x.ndim}")
    lead = x.ndim - len(widths)
    grown = tuple(
        (dim + before + after if isinstance(dim, int) else dim if (before, after) == (0, 0) else None)
        for dim, (before, after) in zip(x.shape[lead:], widths, strict=True)
    )
    return in_shape(x, (*x.shape[:lead], *grown))


def astype(x: ArraySpec, dtype: DType) -> ArraySpec:
    """Another dtype."""
    x = array(x)
    return ArraySpec(x.shape, dtype)
