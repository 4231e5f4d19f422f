"""Static indices: which axis of an array each axis of a part of it is, and whether parts of it overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from layertree.core.dynamic import is_a


class Axis(NamedTuple):
    """One axis of the indexed array: which axis of the part it becomes (None for an integer), and what is taken."""

    source: int
    target: int | None
    taken: slice | int

    @property
    def is_whole(self) -> bool:
        """Whether all of the axis is taken, in its order."""
        return self.taken == slice(None)


def axes_of(index: Any, ndim: int) -> Iterator[Axis]:
    """The axes of an array of so many, as a static index takes them.

    >>> [tuple(axis) for axis in axes_of((0, ..., slice(2)), 3)]
    [(0, None, 0), (1, 0, slice(None, None, None)), (2, 1, slice(None, 2, None))]
    """
    index = index if is_a(index, tuple) else (index,)
    used = sum(part is not None and part is not Ellipsis for part in index)
    if Ellipsis not in index:
        index = (*index, Ellipsis)
    source = target = 0
    for part in index:
        if part is None:
            target += 1
            continue
        for taken in (slice(None),) * (ndim - used) if part is Ellipsis else (part,):
            is_kept = is_a(taken, slice)
            yield Axis(source, target if is_kept else None, taken)
            source, target = source + 1, target + is_kept


def ranges_of(index: Any, shape: tuple[int, ...]) -> tuple[range, ...]:
    """The positions along each axis that a static index takes.

    >>> ranges_of((-1, slice(None, None, 2)), (3, 4))
    (range(2, 3), range(0, 4, 2))
    """
    return tuple([_positions(axis.taken, shape[axis.source]) for axis in axes_of(index, len(shape))])


def _positions(taken: slice | int, size: int) -> range:
    if isinstance(taken, slice):
        return range(*taken.indices(size))
    return range(taken % size, taken % size + 1)


def are_apart(one: Any, other: Any, shape: tuple[int, ...]) -> bool:
    """Whether two static indices of an array have no element in common.

    >>> are_apart((..., 0), (..., 1), (5, 2)), are_apart((..., slice(2)), (..., slice(1, 3)), (5, 3))
    (True, False)
    """
    return any(
        set(first).isdisjoint(second)
        for first, second in zip(ranges_of(one, shape), ranges_of(other, shape), strict=True)
    )


def cover(indices: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    """Whether static indices that have no element in common are together the whole array."""
    taken = sum(math.prod(map(len, ranges_of(index, shape))) for index in indices)
    return taken == math.prod(shape)
