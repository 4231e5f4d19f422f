"""Frames: the memory that one run of a program works in. Two threads that run one program have a frame each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any

import numpy as np

from layertree.core.alignment import ALIGNMENT, aligned
from layertree.core.data import read_only
from layertree.core.nested import flat, nested
from layertree.program.emit import BoundView
from layertree.program.loops import Blocks
from layertree.program.memory import Place
from layertree.program.views import VIEWS

BUFFER = 1 << 11
"""How many elements NumPy takes at a time where it casts or broadcasts: quicker than its own 8192, and less memory."""

Shapes = list[tuple[tuple[int, ...], Any]]


def array_at(arena: Any, place: Place) -> Any:
    """A stretch of an arena as an array."""
    array = arena[place.offset : place.offset + place.nbytes].view(place.dtype)
    return array.reshape(place.shape, order="F" if place.by_columns else "C")


def arrays_of(shapes: Iterable[tuple[tuple[int, ...], Any]]) -> tuple[Any, tuple[Any, ...]]:
    """Arrays beside one another, and the memory they are in."""
    places: list[Place] = []
    offset = 0
    for shape, dtype in shapes:
        places.append(Place(offset, shape, dtype))
        offset += -(-places[-1].nbytes // ALIGNMENT) * ALIGNMENT
    arena = aligned(offset)
    return arena, tuple([array_at(arena, place) for place in places])


def quiet() -> Callable[..., Any]:
    """How to call a function without NumPy's warnings, and with the size of its buffers that programs ask for.

    Both are kept in a context of their own: to enter it costs a tenth of setting them each time.
    """
    context = copy_context()
    context.run(np.seterr, all="ignore")
    context.run(np.setbufsize, BUFFER)
    return context.run


class Frame:
    """An arena, with the arrays in it that a program names, and how to call the program's function."""

    def __init__(self, program: Any) -> None:
        self.call: Callable[..., Any] = quiet()
        arena = aligned(program.memory.nbytes)
        self.buffers: tuple[Any, ...] = tuple([_buffer(arena, one) for one in program.source.buffers])


def _buffer(arena: Any, one: Place | BoundView | Blocks) -> Any:
    if isinstance(one, Place):
        return array_at(arena, one)
    if isinstance(one, BoundView):
        return VIEWS[one.op.name](array_at(arena, one.place), **one.op.attributes)
    parts = [array_at(arena, part) if isinstance(part, Place) else part for part in flat(one.shares)]
    shares: tuple[Any, ...] = nested(one.shares, parts)
    return shares[0] if len(shares) == 1 else tuple([(quiet(), share) for share in shares])


class Fresh:
    """Arrays for what a step makes of the cells: two sets in turn, as long as nobody keeps one."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._sets: list[Flat] = []

    def take(self) -> Flat:
        """A set that nobody refers to any more, else a new one in the place of the older."""
        for one in self._sets:
            if one.is_free():
                return one
        if len(self._sets) == 2:
            del self._sets[0]
        self._sets.append(Flat(self._shapes))
        return self._sets[-1]

    def fill(self) -> None:
        """Make both sets."""
        self._sets = [Flat(self._shapes), Flat(self._shapes)]


class Flat:
    """Arrays in one stretch of memory. Read-only views of it are handed out, so its references tell who has one."""

    def __init__(self, shapes: Shapes) -> None:
        arena, arrays = arrays_of(shapes)
        self.arrays: tuple[Any, ...] = arrays
        self._shown = [read_only(array) for array in arrays]
        self._arena = arena
        self.memory: Any = arena.base
        self._idle = 0
        self._idle = sys.getrefcount(self.memory)

    def is_free(self) -> bool:
        """Whether nobody else refers to an array of it."""
        return sys.getrefcount(self.memory) == self._idle

    def handed_out(self) -> list[Any]:
        """Read-only views of the arrays."""
        return [array.view() for array in self._shown]
