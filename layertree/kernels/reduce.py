"""Reductions that are faster than those of NumPy: over a short last axis, and sums as matrix products with ones."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import copyto, dot, matmul, maximum

from layertree.core.data import Data
from layertree.core.dynamic import is_a
from layertree.core.value import Array, Axes


def max_of_last(x: Array, out: Array, columns: Array) -> None:
    """The maximum of each row of a matrix, computed from a transposed copy: ``columns`` is the workspace of the copy.

    >>> out = np.empty(2)
    >>> max_of_last(np.array([[1.0, 3.0], [5.0, 4.0]]), out, np.empty((2, 2)))
    >>> out.tolist()
    [3.0, 5.0]
    """
    if x.flags.f_contiguous:
        maximum.reduce(x, axis=1, out=out)
        return
    copyto(columns, x.T)
    maximum.reduce(columns, axis=0, out=out)


def sum_of_rows(x: Array, out: Array) -> None:
    """The sum over the rows of a matrix, as a product with ones."""
    dot(_ones(x.shape[0], x.dtype), x, out=out)


def sum_of_last(x: Array, out: Array) -> None:
    """The sum over the last axis, as a product with ones: of one matrix where ``x`` is contiguous."""
    ones = _ones(x.shape[-1], x.dtype)
    if not out.flags.c_contiguous or not x.flags.forc:
        matmul(x, ones, out=out)
    elif x.ndim == 2:
        dot(x, ones, out=out)
    else:
        dot(x.reshape(-1, x.shape[-1]), ones, out=out.reshape(-1))


_LONG = 4096
"""The number of terms from which a running sum of floats of 4 bytes is not accurate enough."""
_BLOCK = 2**12


def accurate_sum(x: Data, axis: Axes | None, keepdims: bool) -> Data:
    """``np.sum``, which adds pairwise along the last axis alone: long sums over other axes are added by blocks.

    float16 accumulates in float32, and float32 over many elements in float64.

    >>> accurate_sum(np.ones((2, 3)), 0, False).tolist()
    [2.0, 2.0, 2.0]
    """
    if (axis == () or np.ndim(x) == 0) and np.asarray(x).dtype.kind == "f":
        return x  # NumPy adds 0.0 and loses the sign of a zero
    if not is_a(x, np.ndarray) or x.ndim < 2 or x.dtype.char not in "ef" or axis is None:
        return np.sum(x, axis=axis, keepdims=keepdims)
    axes = [one % x.ndim for one in ((axis,) if isinstance(axis, int) else axis)]
    is_narrow = x.dtype.char == "e"
    if x.ndim - 1 in axes or math.prod([x.shape[one] for one in axes]) < (2 if is_narrow else _LONG):
        return np.sum(x, axis=axis, keepdims=keepdims)
    kept = [1 if i in axes else size for i, size in enumerate(x.shape)]
    shape = kept if keepdims else [size for i, size in enumerate(kept) if i not in axes]
    if is_narrow or max(axes) >= len(axes) or not x.flags.c_contiguous:
        total: Array = np.add.reduce(x, axis=tuple(axes), keepdims=True, dtype=np.float64)
    else:
        total = _sum_of_blocks(x.reshape(-1, math.prod(x.shape[len(axes) :])))
    return total.astype(x.dtype).reshape(shape)


def _sum_of_blocks(rows: Array) -> Array:
    """The sum over rows in float64, from the sums of blocks of rows as products with ones."""
    total: Array = np.zeros(rows.shape[1:], np.float64)
    for start in range(0, len(rows), _BLOCK):
        block: Array = rows[start : start + _BLOCK]
        part: Array = dot(_ones(len(block), rows.dtype), block)
        np.add(total, part, out=total)
    return total


@lru_cache(maxsize=64)
def _ones(size: int, dtype: np.dtype[Any]) -> Array:
    ones = np.ones(size, dtype)
    ones.flags.writeable = False
    return ones
