"""Inference for indexing."""

from __future__ import annotations

from layertree.core.brief import counted
from layertree.core.errors import DTypeError, IndexRangeError, ShapeError
from layertree.core.spec import ArraySpec, Dim, shape_text, spec_text
from layertree.core.static_index import EncodedIndex, SliceParts
from layertree.namespaces.spec._dims import array, axis_of, in_shape, require_same


def getitem(x: ArraySpec, index: EncodedIndex) -> ArraySpec:
    """An integer removes an axis, a slice shortens an axis, None adds an axis of size 1."""
    x = array(x)
    used = sum(part is not None and part != "..." for part in index)
    if used > x.ndim:
        have = (
            "a single number, which has no axes"
            if x.ndim == 0
            else f"{shape_text(x.shape)}, which has {counted(x.ndim, 'axis', 'axes')}"
        )
        raise IndexRangeError(f"{counted(used, 'index', 'indices')} for {have}")
    dims: list[Dim] = []
    axis = 0
    for part in index:
        if part is None:
            dims.append(1)
        elif part == "...":
            dims.extend(x.shape[axis : axis + x.ndim - used])
            axis += x.ndim - used
        else:
            if isinstance(part, tuple):
                dims.append(_sliced(x.shape[axis], part))
            elif isinstance(part, int):
                _require_range(part, x.shape[axis], axis)
            axis += 1
    return in_shape(x, (*dims, *x.shape[axis:]))


def _sliced(dim: Dim, part: SliceParts) -> Dim:
    """The size of a slice; None where it depends on a size that is not known."""
    if part[2] == 0:
        raise IndexRangeError("a slice has a step of 0")
    if isinstance(dim, int):
        return len(range(*slice(*part).indices(dim)))
    return dim if part in ((None, None, None), (0, None, None), (None, None, -1)) else None


def _require_range(position: int, dim: Dim, axis: int) -> None:
    if isinstance(dim, int) and not -dim <= position < dim:
        raise IndexRangeError(f"index {position} is out of range for axis {axis} of size {dim}")


def take(x: ArraySpec, indices: ArraySpec, axis: int) -> ArraySpec:
    """The axes of the indices replace the axis."""
    x, indices = array(x), array(indices)
    place = axis_of(axis, x.ndim)
    _require_integers(indices)
    return ArraySpec((*x.shape[:place], *indices.shape, *x.shape[place + 1 :]), x.dtype)


def pick(x: ArraySpec, labels: ArraySpec) -> ArraySpec:
    """One element for each row."""
    x, labels = array(x), array(labels)
    _require_integers(labels)
    if x.ndim != labels.ndim + 1:
        raise ShapeError(
            f"{shape_text(x.shape)} has {counted(x.ndim, 'axis', 'axes')} and "
            f"the labels {shape_text(labels.shape)} have {labels.ndim}: "
            "there is one label for each row, so the labels have one axis less, without the classes"
        )
    rows = tuple(
        require_same(
            row,
            label,
            f"the rows are {shape_text(x.shape[:-1])}, but the labels are {shape_text(labels.shape)}: one for each row",
        )
        for row, label in zip(x.shape[:-1], labels.shape, strict=True)
    )
    return ArraySpec(rows, x.dtype)


def _require_integers(indices: ArraySpec) -> None:
    if indices.dtype.kind not in "iu":
        hint = "; for a mask use where(mask, x, 0)" if indices.dtype.kind == "b" else "; cast them to int"
        raise DTypeError(f"indices and labels are integers, but these are {spec_text(indices)}{hint}")
