"""Kernels over NumPy arrays for stacks of examples or directions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from layertree.core.data import PYTHON_NUMBERS
from layertree.core.dynamic import type_of
from layertree.core.errors import IndexRangeError
from layertree.kernels.checks import require_integers

Array = Any


def eye_like(like: Array) -> Array:
    """The identity of the space of ``like``, with its shape twice."""
    if type_of(like) in PYTHON_NUMBERS:
        return type_of(like)(1)
    result: Array = np.eye(like.size, dtype=like.dtype)
    return result.reshape(like.shape * 2)


def embed_diagonal(x: Array, axes: int) -> Array:
    """The last axes twice, with the elements where both places agree."""
    if type(x) in PYTHON_NUMBERS:
        return x
    lead, own = _last(x, axes)
    size = math.prod(own)
    result = np.zeros((*lead, size * size), dtype=x.dtype)
    result[..., :: size + 1] = np.reshape(x, (*lead, size))
    return result.reshape(*lead, *own, *own)


def take_diagonal(x: Array, axes: int) -> Array:
    """The elements of the last axes where both places agree."""
    if type(x) in PYTHON_NUMBERS:
        return x
    lead, both = _last(x, 2 * axes)
    size = math.prod(both[:axes])
    return np.reshape(x, (*lead, size * size))[..., :: size + 1].reshape(*lead, *both[:axes])


def _last(x: Array, axes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    lead = x.ndim - axes
    return x.shape[:lead], x.shape[lead:]


def reshape_last(x: Array, axes: int, shape: tuple[int, ...]) -> Array:
    """The last axes in another shape."""
    kept, changed = ((), ()) if type(x) in PYTHON_NUMBERS else _last(x, axes)
    if -1 in shape:
        # Not left to NumPy, which cannot tell where another axis has size 0.
        known = math.prod([size for size in shape if size != -1])
        rest = math.prod(changed) // known if known else 0
        shape = tuple([rest if size == -1 else size for size in shape])
    return np.reshape(x, (*kept, *shape))


def take_each(x: Array, indices: Array, axis: int, shared: int) -> Array:
    """The slices of each element of the shared axes at indices of its own."""
    lead, before, after = _split(x, axis, shared)
    rows = _rows(x, axis, shared)
    places = _places(indices, rows.shape[1], shared)
    taken = rows[np.arange(len(rows))[:, None], places]
    own = np.shape(indices)[shared:]
    taken = taken.reshape(*lead, *own, *before, *after)
    start = np.arange(len(own))
    return np.moveaxis(taken, start + shared, start + shared + len(before))


def scatter_each(x: Array, indices: Array, like: Array, axis: int, shared: int) -> Array:
    """Zeros in the shape of ``like`` with the slices of ``x`` added at the indices of each: ``take_each`` backwards."""
    lead, before, after = _split(like, axis, shared)
    own = np.shape(indices)[shared:]
    start = np.arange(len(own))
    slices = np.moveaxis(np.asarray(x), start + shared + len(before), start + shared)
    rows = np.zeros((math.prod(lead), like.shape[axis], *before, *after), dtype=slices.dtype)
    places = _places(indices, rows.shape[1], shared)
    added = slices.reshape(*places.shape, *before, *after)
    np.add.at(rows, (np.arange(len(rows))[:, None], places), added)
    return np.moveaxis(rows.reshape(*lead, like.shape[axis], *before, *after), shared, axis)


def _split(x: Array, axis: int, shared: int) -> tuple[Any, Any, Any]:
    """The sizes of the shared axes, and of those before and after the one that is looked along."""
    place = x.ndim + axis
    return x.shape[:shared], x.shape[shared:place], x.shape[place + 1 :]


def _rows(x: Array, axis: int, shared: int) -> Array:
    """(shared axes as one, the axis to look along, the others)."""
    moved = np.moveaxis(x, axis, shared)
    return moved.reshape(math.prod(moved.shape[:shared]), *moved.shape[shared:])


def _places(indices: Array, size: int, shared: int) -> Array:
    """The indices as a matrix with one row for each element of the shared axes; IndexRangeError out of range."""
    require_integers(indices)
    indices = np.asarray(indices)
    wrong = indices[(indices < -size) | (indices >= size)]
    if wrong.size:
        raise IndexRangeError(f"index {wrong[0]} is out of bounds for axis of size {size}")
    lead = indices.shape[:shared]
    return indices.reshape(math.prod(lead), math.prod(indices.shape[shared:]))
