"""Gather and scatter into output arrays: slices at indices, elements at labels, and the adjoints of both."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import add, copyto, maximum, multiply

from layertree.core.value import Array
from layertree.kernels import gather
from layertree.kernels.checks import check_labels, require_integers

_ONE_HOT = 1 << 20
"""The largest size of a one-hot matrix with which ``scatter_add`` computes a matrix product."""


def take(x: Array, indices: Array, out: Array, axis: int) -> None:
    """The slices of ``x`` at indices along an axis; IndexRangeError for an index out of range."""
    _require_range(x, indices, axis)
    np.take(x, indices, axis=axis, out=out, mode="wrap")


def _require_range(x: Array, indices: Array, axis: int) -> None:
    require_integers(indices)
    indices, size = np.asarray(indices), x.shape[axis]
    if indices.size and not (indices.min() >= -size and indices.max() < size):
        gather.take(x, indices, axis)  # raises, and names the index


def fits_table(tokens: int, rows: int) -> bool:
    """Whether ``scatter_add`` is a matrix product with a one-hot matrix, which is small enough for that."""
    return tokens * rows <= _ONE_HOT


def scatter_add(x: Array, indices: Array, out: Array, *table: Array, axis: int) -> None:
    """Zeros with the slices of ``x`` added at indices along an axis; slices of a repeated index add up.

    ``table`` is at most one workspace of floats, (rows of ``out``, number of indices). With a workspace the result is
    the product of a one-hot matrix with ``x``; unless an element of ``x`` is not finite, since 0 * inf is NaN in all
    rows.
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


def pick(x: Array, labels: Array, out: Array, work: Array) -> None:
    """The element of each row (the last axis of ``x``) at the label of the row. ``work``: int64, one element a row."""
    places(np.asarray(labels), work, x.shape[-1])
    pick_at(x, work, out)


def unpick(x: Array, labels: Array, out: Array, work: Array) -> None:
    """Zeros with ``x`` at the positions from which ``pick`` takes elements: the adjoint of ``pick``."""
    places(np.asarray(labels), work, out.shape[-1])
    unpick_at(np.asarray(x), work, out)


_UNSIGNED: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(f"{kind}{size}"): np.dtype(f"u{size}") for kind in "iu" for size in (1, 2, 4, 8)
}
"""The unsigned dtype of the same size: reinterpreted so, a negative integer is a large one, and one check suffices."""


def places(labels: Array, out: Array, classes: int, by_columns: bool = False) -> None:
    """The positions of labels in the flattened rows of ``classes`` elements; with ``by_columns`` in Fortran order.

    >>> out = np.empty(3, np.int64)
    >>> places(np.array([2, 0, 1]), out, classes=4)
    >>> out.tolist()
    [2, 4, 9]

    Raises IndexRangeError for a label outside of the classes, DTypeError for labels that are not integers.
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


def pick_at(x: Array, places: Array, out: Array, by_columns: bool = False) -> None:
    """The elements of ``x`` at flat positions, as ``places`` computes them."""
    _flat(x, by_columns).take(places, None, out.reshape(-1), "clip")


def unpick_at(x: Array, places: Array, out: Array, by_columns: bool = False) -> None:
    """Zeros with ``x`` at flat positions: the adjoint of ``pick_at``."""
    out.fill(0)
    if by_columns or out.flags.c_contiguous:
        _flat(out, by_columns)[places] = x.reshape(-1)
    else:
        np.put(out, places, x, mode="clip")


def add_at(x: Array, y: Array, places: Array, out: Array, by_columns: bool = False) -> None:
    """``x`` with ``y`` added at flat positions, which are all different. ``out`` may be ``x``.

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


def _flat(x: Array, by_columns: bool) -> Array:
    """All elements in C order; of a matrix in Fortran order with ``by_columns``."""
    return x.T.reshape(-1) if by_columns else x.reshape(-1)


@lru_cache(maxsize=64)
def _starts(rows: int, classes: int) -> Array:
    """The position of the first element of each row in flattened rows."""
    starts = np.arange(rows) * classes
    starts.flags.writeable = False
    return starts


@lru_cache(maxsize=64)
def _columns(rows: int) -> tuple[Array, Array]:
    """The distance of two columns in Fortran order, an array of rank 0; and the positions of the rows in a column."""
    return np.array(rows), _starts(rows, 1)
