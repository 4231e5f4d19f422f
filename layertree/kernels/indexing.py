"""Look-ups by integers that are data, and their adjoints."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import add, copyto, maximum, multiply

from layertree.kernels import gather
from layertree.kernels.checks import check_labels, require_integers

_ONE_HOT = 1 << 20
"""Up to how many elements a table of ones and zeros may have: then a matrix product adds up repeated indices."""


def take(x: Any, indices: Any, out: Any, axis: int) -> None:
    """The slices of ``x`` at indices along an axis; IndexRangeError for one out of range."""
    _require_range(x, indices, axis)
    np.take(x, indices, axis=axis, out=out, mode="wrap")


def _require_range(x: Any, indices: Any, axis: int) -> None:
    require_integers(indices)
    indices, size = np.asarray(indices), x.shape[axis]
    if indices.size and not (indices.min() >= -size and indices.max() < size):
        gather.take(x, indices, axis)  # says which one


def fits_table(tokens: int, rows: int) -> bool:
    """Whether ``scatter_add`` is a matrix product: the table of ones and zeros is small."""
    return tokens * rows <= _ONE_HOT


def scatter_add(x: Any, indices: Any, out: Any, *table: Any, axis: int) -> None:
    """Zeros with the slices of ``x`` added at indices along an axis; repeated indices add up.

    With a ``table``, floats (rows of ``out``, indices), it is the product of ones and zeros with ``x``, unless some of
    ``x`` is not finite, which a product would spread to all rows.
    """
    slices = x.reshape(-1)
    if not table or not np.isfinite(np.dot(slices, slices)):
        out[...] = gather.scatter_add(x, indices, out, axis)
        return
    (ones,) = table
    tokens, width = ones.shape[1], math.prod(out.shape[1:])
    ones.fill(0)
    ones[np.reshape(indices, -1) % out.shape[0], _starts(tokens, 1)] = 1
    np.matmul(ones, x.reshape(tokens, width), out=out.reshape(out.shape[0], width))


def pick(x: Any, labels: Any, out: Any, work: Any) -> None:
    """The element of each row (the last axis of ``x``) that its label names. ``work`` are as many int64."""
    places(np.asarray(labels), work, x.shape[-1])
    pick_at(x, work, out)


def unpick(x: Any, labels: Any, out: Any, work: Any) -> None:
    """Zeros with ``x`` where ``pick`` takes it from."""
    places(np.asarray(labels), work, out.shape[-1])
    unpick_at(np.asarray(x), work, out)


_UNSIGNED: dict[Any, Any] = {np.dtype(f"{kind}{size}"): np.dtype(f"u{size}") for kind in "iu" for size in (1, 2, 4, 8)}
"""The integers as which a negative one is a large one."""


def places(labels: Any, out: Any, classes: int, by_columns: bool = False) -> None:
    """Where labels point in the flattened rows, of ``classes`` elements each, or in the flattened columns.

    >>> out = np.empty(3, np.int64)
    >>> places(np.array([2, 0, 1]), out, classes=4)
    >>> out.tolist()
    [2, 4, 9]

    Raises IndexRangeError for a label that is none of the classes, DTypeError for what are no integers.
    """
    flat = labels.reshape(-1)
    bits = _UNSIGNED.get(flat.dtype)
    if bits is None or (flat.size and not maximum.reduce(flat.view(bits)) < classes):
        check_labels(labels, classes)
    if by_columns:
        size, rows = _columns(flat.size)
        multiply(flat, size, out, dtype=out.dtype, casting="unsafe")
        add(out, rows, out)
    else:
        add(flat, _starts(flat.size, classes), out, dtype=out.dtype, casting="unsafe")


def pick_at(x: Any, places: Any, out: Any, by_columns: bool = False) -> None:
    """The elements of ``x`` at places."""
    _flat(x, by_columns).take(places, None, out.reshape(-1), "clip")


def unpick_at(x: Any, places: Any, out: Any, by_columns: bool = False) -> None:
    """Zeros with ``x`` at places."""
    out.fill(0)
    if by_columns or out.flags.c_contiguous:
        _flat(out, by_columns)[places] = x.reshape(-1)
    else:
        np.put(out, places, x, mode="clip")


def add_at(x: Any, y: Any, places: Any, out: Any, by_columns: bool = False) -> None:
    """``x`` with ``y`` added at places, which are all different. ``out`` may be ``x``.

    >>> x = np.ones((2, 2))
    >>> add_at(x, np.array([5.0, 7.0]), np.array([1, 2]), x)
    >>> x.tolist()
    [[1.0, 6.0], [8.0, 1.0]]
    """
    if out is not x:
        copyto(out, x)
    if by_columns or out.flags.c_contiguous:
        _flat(out, by_columns)[places] += y.reshape(-1)
    else:
        np.put(out, places, np.take(out, places) + y.reshape(-1), mode="clip")


def _flat(x: Any, by_columns: bool) -> Any:
    """All elements, row after row, or of a matrix that lies so column after column."""
    return x.T.reshape(-1) if by_columns else x.reshape(-1)


@lru_cache(maxsize=64)
def _starts(rows: int, classes: int) -> Any:
    """Where each row starts in the flattened ones."""
    starts = np.arange(rows) * classes
    starts.flags.writeable = False
    return starts


@lru_cache(maxsize=64)
def _columns(rows: int) -> tuple[Any, Any]:
    """How far a column is from the next, as an array without axes, and where each row is in one."""
    return np.array(rows), _starts(rows, 1)
