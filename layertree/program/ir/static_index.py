"""Static indices: the axes of the indexed array that become axes of the result, and whether two indices overlap.

An index is static when it holds integers, slices, None and an ellipsis, but no data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import EllipsisType
from typing import NamedTuple, TypeAlias

from layertree.core.dynamic import is_a

IndexPart: TypeAlias = "int | slice | EllipsisType | None"
StaticIndex: TypeAlias = "tuple[IndexPart, ...] | IndexPart"


class IndexedAxis(NamedTuple):
    """One axis of the indexed array, the axis of the result that it becomes (None for an integer), and its index."""

    source: int
    target: int | None
    taken: slice | int

    @property
    def is_whole(self) -> bool:
        """Whether the whole axis is taken in its order."""
        return self.taken == slice(None)


def parts_of(index: StaticIndex) -> tuple[IndexPart, ...]:
    """The parts of an index: an index that is not a tuple has one."""
    return index if isinstance(index, tuple) else (index,)


def axes_of(index: StaticIndex, ndim: int) -> Iterator[IndexedAxis]:
    """Each axis of an array with ``ndim`` axes, as a static index takes it.

    >>> [tuple(axis) for axis in axes_of((0, ..., slice(2)), 3)]
    [(0, None, 0), (1, 0, slice(None, None, None)), (2, 1, slice(None, 2, None))]
    """
    parts = parts_of(index)
    used = sum(part is not None and part is not Ellipsis for part in parts)
    if Ellipsis not in parts:
        parts = (*parts, Ellipsis)
    source = target = 0
    for part in parts:
        if part is None:
            target += 1
            continue
        for taken in (slice(None),) * (ndim - used) if isinstance(part, EllipsisType) else (part,):
            is_kept = is_a(taken, slice)
            yield IndexedAxis(source, target if is_kept else None, taken)
            source, target = source + 1, target + is_kept


def ranges_of(index: StaticIndex, shape: tuple[int, ...]) -> tuple[range, ...]:
    """The positions along each axis that a static index takes.

    >>> ranges_of((-1, slice(None, None, 2)), (3, 4))
    (range(2, 3), range(0, 4, 2))
    """
    return tuple([_positions(axis.taken, shape[axis.source]) for axis in axes_of(index, len(shape))])


def _positions(taken: slice | int, size: int) -> range:
    if isinstance(taken, slice):
        return range(*taken.indices(size))
    return range(taken % size, taken % size + 1)


def are_disjoint(one: StaticIndex, other: StaticIndex, shape: tuple[int, ...]) -> bool:
    """Whether two static indices of an array have no element in common.

    >>> are_disjoint((..., 0), (..., 1), (5, 2)), are_disjoint((..., slice(2)), (..., slice(1, 3)), (5, 3))
    (True, False)
    """
    return any(
        set(first).isdisjoint(second)
        for first, second in zip(ranges_of(one, shape), ranges_of(other, shape), strict=True)
    )


def cover(indices: tuple[StaticIndex, ...], shape: tuple[int, ...]) -> bool:
    """Whether pairwise disjoint static indices take the whole array together."""
    taken = sum(math.prod(map(len, ranges_of(index, shape))) for index in indices)
    return taken == math.prod(shape)
