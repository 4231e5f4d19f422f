"""Look-ups by integers that are data, and their adjoints."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from layertree.namespaces import numpy as kernels

_ONE_HOT = 1 << 20
"""Up to how many elements a table of ones and zeros may have: then a matrix product adds up repeated indices."""


def take(x: Any, indices: Any, out: Any, axis: int) -> None:
    """The slices of ``x`` at indices along an axis; IndexRangeError for one out of range."""
    _require_range(x, indices, axis)
    np.take(x, indices, axis=axis, out=out, mode="wrap")


def _require_range(x: Any, indices: Any, axis: int) -> None:
    kernels.require_integers(indices)
    indices, size = np.asarray(indices), x.shape[axis]
    if indices.size and not (indices.min() >= -size and indices.max() < size):
        kernels.take(x, indices, axis)  # says which one


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
        out[...] = kernels.scatter_add(x, indices, out, axis)
        return
    (ones,) = table
    tokens, width = ones.shape[1], math.prod(out.shape[1:])
    ones.fill(0)
    ones[np.reshape(indices, -1) % out.shape[0], _starts(tokens, 1)] = 1
    np.matmul(ones, x.reshape(tokens, width), out=out.reshape(out.shape[0], width))


def pick(x: Any, labels: Any, out: Any, places: Any) -> None:
    """The element of each row (the last axis of ``x``) that its label names. ``places`` are as many int64."""
    _fill_places(labels, x.shape[-1], places)
    np.take(x.reshape(-1), places, out=out.reshape(-1), mode="clip")


def unpick(x: Any, labels: Any, out: Any, places: Any) -> None:
    """Zeros with ``x`` where ``pick`` takes it from."""
    _fill_places(labels, out.shape[-1], places)
    out.fill(0)
    np.put(out, places, x, mode="clip")


def _fill_places(labels: Any, classes: int, places: Any) -> None:
    """Where the labels point in the flattened rows."""
    kernels.require_integers(labels)
    flat = np.reshape(labels, -1)
    if flat.size and not (flat.min() >= 0 and flat.max() < classes):
        kernels.check_labels(labels, classes)
    np.add(flat, _starts(flat.size, classes), out=places, dtype=np.int64, casting="unsafe")


@lru_cache(maxsize=64)
def _starts(rows: int, classes: int) -> Any:
    """Where each row starts in the flattened ones."""
    starts = np.arange(0, rows * classes, classes)
    starts.flags.writeable = False
    return starts
