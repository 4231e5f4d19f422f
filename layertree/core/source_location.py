"""Locations in the user's source: stored as (code object, bytecode offset), resolved to a line only when shown."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType
from typing import NamedTuple, TypeAlias

_SITE = os.path.abspath(__file__).rsplit(os.sep, 3)[0]
_LIBRARY = tuple(os.path.join(_SITE, name) + os.sep for name in ("layertree", "symbolic"))
_SHOWN = 100
_inside: dict[str, bool] = {}


Spot: TypeAlias = tuple[CodeType, int]
"""A location as a node stores it: a plain tuple, which is quick to make."""


_spots: dict[tuple[int, int], Spot] = {}
"""One tuple a location (hash consing): all nodes that one expression makes share it."""


class SourceLocation(NamedTuple):
    """A bytecode offset in a code object."""

    code: CodeType
    offset: int

    @property
    def line(self) -> int:
        """The line number."""
        for start, end, line in self.code.co_lines():
            if start <= self.offset < end and line is not None:
                return line
        return self.code.co_firstlineno

    @property
    def text(self) -> str:
        """The source of the line, without its indent and shortened; empty if the source is not available."""
        text = linecache.getline(self.code.co_filename, self.line).strip()
        return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."

    def __str__(self) -> str:
        shown = f"{self.code.co_filename}:{self.line}"
        return f"{shown}: {self.text}" if self.text else shown


def here(up: int = 1) -> Spot | None:
    """The innermost location on the stack outside of the library.

    ``up`` is the number of frames that are known to be the library's own, and skipped.
    """
    try:
        frame = sys._getframe(up)  # pyright: ignore[reportPrivateUsage]  # logging and warnings use it, too
    except ValueError:  # the stack is not as deep: an operator that C code called
        return None
    while frame is not None:
        code = frame.f_code
        inside = _inside.get(code.co_filename)
        if inside is None:
            inside = _inside[code.co_filename] = code.co_filename.startswith(_LIBRARY)
        if not inside:
            offset = frame.f_lasti
            return _spots.get((id(code), offset)) or _spot(code, offset)
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return None


_MOST_SPOTS = 10_000


def _spot(code: CodeType, offset: int) -> Spot:
    """A new location in the table of locations."""
    if len(_spots) >= _MOST_SPOTS:  # code that is generated again and again does not accumulate
        _spots.clear()
    spot = _spots[id(code), offset] = code, offset  # the entry keeps the code object alive, so its id stays unique
    return spot
