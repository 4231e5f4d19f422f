"""Gather and scatter: slices at integers that are data, and the adjoint. The results are new arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.errors import IndexRangeError
from layertree.kernels.checks import require_integers

Array = Any


def take(x: Array, indices: Array, axis: int) -> Array:
    """The slices of ``x`` at ``indices`` along an axis."""
    require_integers(indices)
    try:
        return np.take(x, indices, axis=axis)
    except IndexError as error:
        raise IndexRangeError(str(error)) from None


def scatter_add(x: Array, indices: Array, like: Array, axis: int) -> Array:
    """Zeros in the shape of ``like`` with the slices of ``x`` added at ``indices``: the adjoint of ``take``.

    Repeated indices add up.
    """
    x = np.asarray(x)
    result = np.zeros(like.shape, dtype=x.dtype)
    axis = axis % like.ndim
    width = np.ndim(indices)
    rows = np.moveaxis(x, tuple(range(axis, axis + width)), tuple(range(width)))
    np.add.at(np.moveaxis(result, axis, 0), indices, rows)
    return result
