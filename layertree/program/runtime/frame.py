"""Frames: the memory and the floating-point context of one run. Two threads that run one program have a frame each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any, TypeAlias

import numpy as np

from layertree.core.alignment import aligned
from layertree.core.nested import flat, nested
from layertree.program.ir.operations import Array
from layertree.program.ir.views import VIEWS
from layertree.program.runtime.arena import ArenaSlice, Blocks, BoundView, array_at

CHUNK = 1 << 11
"""How many elements NumPy takes at a time where it casts or broadcasts: quicker than its own 8192, and less memory."""

Caller: TypeAlias = Callable[..., Any]
"""Calls its first argument with the others, and returns the result."""

Buffer: TypeAlias = ArenaSlice | BoundView | Blocks


def quiet_caller() -> Caller:
    """A caller of functions that keeps NumPy silent about overflows and the like, and sets its chunk size.

    Both settings are made once, in a copy of the context: to enter a context takes a tenth of the time that the
    settings take.
    """
    context = copy_context()
    context.run(np.seterr, all="ignore")
    context.run(np.setbufsize, CHUNK)
    return context.run


class Frame:
    """An arena of some bytes, the ``buffers`` in it that a program's function takes, and a ``call`` of functions."""

    __slots__ = ("buffers", "call")

    def __init__(self, nbytes: int, buffers: Iterable[Buffer]) -> None:
        self.call: Caller = quiet_caller()
        arena = aligned(nbytes)
        self.buffers: tuple[Any, ...] = tuple([_bound(arena, one) for one in buffers])


def _bound(arena: Array, buffer: Buffer) -> Any:
    """The argument of a program's function for one buffer: an array, or for a loop nest the blocks of each thread."""
    if isinstance(buffer, ArenaSlice):
        return array_at(arena, buffer)
    if isinstance(buffer, BoundView):
        return VIEWS[buffer.op.name](array_at(arena, buffer.slice), **buffer.op.attributes)
    parts = [array_at(arena, part) if isinstance(part, ArenaSlice) else part for part in flat(buffer.shares)]
    shares: tuple[Any, ...] = nested(buffer.shares, parts)
    return shares[0] if len(shares) == 1 else tuple([(quiet_caller(), share) for share in shares])
