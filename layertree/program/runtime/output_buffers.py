"""Output buffers: arrays that a step fills and hands out, double-buffered as long as the caller keeps none of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from layertree.core.data import read_only
from layertree.program.ir.operations import Array, ArrayType
from layertree.program.runtime.arena import arrays_of


class OutputBuffers:
    """Two sets of arrays for a step's new values of cells, of which a step fills the one that nobody refers to."""

    __slots__ = ("_sets", "_types")

    def __init__(self, types: Sequence[ArrayType]) -> None:
        self._types = types
        self._sets: list[OutputSet] = []

    def take(self) -> OutputSet:
        """A set without references from outside, or else a new one, which replaces the older of the two."""
        for one in self._sets:
            if one.is_free():
                return one
        if len(self._sets) == 2:
            del self._sets[0]
        self._sets.append(OutputSet(self._types))
        return self._sets[-1]

    def allocate(self) -> None:
        """Make both sets."""
        self._sets = [OutputSet(self._types), OutputSet(self._types)]


class OutputSet:
    """Arrays in one stretch of memory, handed out as read-only views, which the memory's reference count shows."""

    __slots__ = ("_arena", "_idle", "_read_only", "arrays", "memory")

    arrays: tuple[Array, ...]

    def __init__(self, types: Sequence[ArrayType]) -> None:
        arena, arrays = arrays_of(types)
        self.arrays = arrays
        self._read_only: list[Array] = [read_only(array) for array in arrays]
        self._arena = arena
        self.memory: object = arena.base
        self._idle = 0
        self._idle = sys.getrefcount(self.memory)

    def is_free(self) -> bool:
        """Whether nobody else refers to an array of the set."""
        return sys.getrefcount(self.memory) == self._idle

    def views(self) -> list[Array]:
        """New read-only views of the arrays, to hand out."""
        return [array.view() for array in self._read_only]
