"""Gather and scatter along one axis, into new arrays: slices at integer indices, and the adjoint."""

from __future__ import annotations

import numpy as np

from layertree.core.errors import IndexRangeError
from layertree.core.value import Array
from layertree.kernels.checks import require_integers


def take(x: Array, indices: Array, axis: int) -> Array:
    """The slices of ``x`` at integer ``indices`` along an axis; IndexRangeError for an index out of range."""
    require_integers(indices)
    try:
        return np.take(x, indices, axis=axis)
    except IndexError as error:
        raise IndexRangeError(str(error)) from None


def scatter_add(x: Array, indices: Array, like: Array, axis: int) -> Array:
    """Zeros in the shape of ``like`` with the slices of ``x`` added at ``indices``: the adjoint of ``take``.

    Slices of a repeated index add up.
    """
    slices = np.asarray(x)
    result = np.zeros(like.shape, dtype=slices.dtype)
    axis = axis % like.ndim
    width = np.ndim(indices)
    rows = np.moveaxis(slices, tuple(range(axis, axis + width)), tuple(range(width)))
    np.add.at(np.moveaxis(result, axis, 0), indices, rows)
    return result
