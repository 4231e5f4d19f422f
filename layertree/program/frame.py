"""Frames: the memory that one run of a program works in. Two threads that run one program have a frame each."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from layertree.program.emit import BoundView
from layertree.program.memory import ALIGNMENT, Place
from layertree.program.passes import Program
from layertree.program.views import VIEWS


def arena_of(nbytes: int) -> Any:
    """Aligned bytes."""
    memory = np.empty(nbytes + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + nbytes]


def array_at(arena: Any, place: Place) -> Any:
    """A stretch of an arena as an array."""
    return arena[place.offset : place.offset + place.nbytes].view(place.dtype).reshape(place.shape)


class Frame:
    """An arena with the arrays that a program names, and two sets of arrays for what a step makes of the cells."""

    def __init__(self, program: Program) -> None:
        arena = arena_of(program.memory.nbytes)
        self.buffers = tuple([_buffer(arena, one) for one in program.source.buffers])
        self._shapes = [(op.spec.shape, op.spec.dtype) for op in program.given]
        self._flats: list[Flat] = []

    def fresh(self) -> Flat:
        """Arrays for new values: a set that nobody refers to any more, else a new one in the place of the older."""
        for flat in self._flats:
            if flat.is_free():
                return flat
        if len(self._flats) == 2:
            del self._flats[0]
        self._flats.append(Flat(self._shapes))
        return self._flats[-1]


def _buffer(arena: Any, one: Place | BoundView) -> Any:
    if isinstance(one, Place):
        return array_at(arena, one)
    return VIEWS[one.op.name](array_at(arena, one.place), **one.op.attributes)


class Flat:
    """Arrays in one stretch of memory. Read-only views of it are handed out, so its references tell who has one."""

    def __init__(self, shapes: list[tuple[tuple[int, ...], Any]]) -> None:
        places, offset = [], 0
        for shape, dtype in shapes:
            places.append(Place(offset, shape, dtype))
            offset += -(-places[-1].nbytes // ALIGNMENT) * ALIGNMENT
        self._arena = arena_of(offset)
        self.memory = self._arena.base
        self.arrays = tuple([array_at(self._arena, place) for place in places])
        self._idle = sys.getrefcount(self.memory)

    def is_free(self) -> bool:
        """Whether nobody else refers to an array of it."""
        return sys.getrefcount(self.memory) == self._idle

    def handed_out(self) -> list[Any]:
        """Read-only views of the arrays."""
        views = []
        for array in self.arrays:
            view = array.view()
            view.flags.writeable = False
            views.append(view)
        return views
