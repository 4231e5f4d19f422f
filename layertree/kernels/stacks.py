"""Kernels of stacks of examples or directions, into new arrays: diagonals, and gathers with leading axes in common."""

from __future__ import annotations

import math

import numpy as np

from layertree.core.data import PYTHON_NUMBERS, Data
from layertree.core.errors import IndexRangeError
from layertree.core.value import Array, Sizes
from layertree.kernels.checks import require_integers


def eye_like(like: Data) -> Data:
    """The identity of the space of ``like``, (*shape, *shape); of a Python number 1."""
    if type(like) in PYTHON_NUMBERS:
        return type(like)(1)
    identity: Array = np.eye(like.size, dtype=like.dtype)
    return identity.reshape(like.shape * 2)


def embed_diagonal(x: Data, axes: int) -> Data:
    """(..., *shape) to (..., *shape, *shape), zeros off the diagonal; ``axes`` is the rank of ``shape``."""
    if type(x) in PYTHON_NUMBERS:
        return x
    lead, own = _last(x, axes)
    size = math.prod(own)
    result: Array = np.zeros((*lead, size * size), dtype=x.dtype)
    result[..., :: size + 1] = np.reshape(x, (*lead, size))
    return result.reshape((*lead, *own, *own))


def take_diagonal(x: Data, axes: int) -> Data:
    """The diagonal, (..., *shape, *shape) to (..., *shape): the adjoint of ``embed_diagonal``."""
    if type(x) in PYTHON_NUMBERS:
        return x
    lead, both = _last(x, 2 * axes)
    size = math.prod(both[:axes])
    return np.reshape(x, (*lead, size * size))[..., :: size + 1].reshape((*lead, *both[:axes]))


def _last(x: Array, axes: int) -> tuple[Sizes, Sizes]:
    """The shape in two parts: the leading axes, and the last ``axes`` ones."""
    lead = x.ndim - axes
    return x.shape[:lead], x.shape[lead:]


def reshape_last(x: Data, axes: int, shape: Sizes) -> Array:
    """The last ``axes`` axes in another shape, in C order; one size may be -1."""
    lead, changed = ((), ()) if type(x) in PYTHON_NUMBERS else _last(x, axes)
    if -1 in shape:
        # NumPy cannot compute the open size of an array in which another axis has size 0.
        known = math.prod([size for size in shape if size != -1])
        rest = math.prod(changed) // known if known else 0
        shape = tuple([rest if size == -1 else size for size in shape])
    return np.reshape(x, (*lead, *shape))


def take_each(x: Array, indices: Array, axis: int, shared: int) -> Array:
    """``take`` for each element of the ``shared`` leading axes, with the indices of that element."""
    lead, before, after = _split(x, axis, shared)
    rows = _rows(x, axis, shared)
    places = _places(indices, rows.shape[1], shared)
    taken = rows[np.arange(len(rows))[:, None], places]
    own = np.shape(indices)[shared:]
    taken = taken.reshape(*lead, *own, *before, *after)
    start = np.arange(len(own))
    return np.moveaxis(taken, start + shared, start + shared + len(before))


def scatter_each(x: Array, indices: Array, like: Array, axis: int, shared: int) -> Array:
    """Zeros in the shape of ``like`` with the slices of ``x`` added at the indices: the adjoint of ``take_each``."""
    lead, before, after = _split(like, axis, shared)
    own = np.shape(indices)[shared:]
    start = np.arange(len(own))
    slices = np.moveaxis(np.asarray(x), start + shared + len(before), start + shared)
    rows = np.zeros((math.prod(lead), like.shape[axis], *before, *after), dtype=slices.dtype)
    places = _places(indices, rows.shape[1], shared)
    added = slices.reshape(*places.shape, *before, *after)
    np.add.at(rows, (np.arange(len(rows))[:, None], places), added)
    return np.moveaxis(rows.reshape(*lead, like.shape[axis], *before, *after), shared, axis)


def _split(x: Array, axis: int, shared: int) -> tuple[Sizes, Sizes, Sizes]:
    """The sizes of the shared axes, of the axes from there to ``axis``, and of those after ``axis``."""
    place = x.ndim + axis
    return x.shape[:shared], x.shape[shared:place], x.shape[place + 1 :]


def _rows(x: Array, axis: int, shared: int) -> Array:
    """``x`` as (shared axes flattened to one, ``axis``, the other axes)."""
    moved = np.moveaxis(x, axis, shared)
    return moved.reshape(math.prod(moved.shape[:shared]), *moved.shape[shared:])


def _places(indices: Array, size: int, shared: int) -> Array:
    """The indices as a matrix with one row for each element of the shared axes; IndexRangeError out of range."""
    require_integers(indices)
    places = np.asarray(indices)
    wrong = places[(places < -size) | (places >= size)]
    if wrong.size:
        raise IndexRangeError(f"index {wrong[0]} is out of bounds for axis of size {size}")
    lead = places.shape[:shared]
    return places.reshape(math.prod(lead), math.prod(places.shape[shared:]))
