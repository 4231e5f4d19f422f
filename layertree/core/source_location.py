"""Where in the user's code something was written: kept as (code, offset), resolved to a line only when shown."""

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
"""A place as it is kept: a node has one, and a plain tuple is made in no time."""


class Place(NamedTuple):
    """A spot in some code."""

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
        """The line itself, without its indent and shortened; empty where the source is not at hand."""
        text = linecache.getline(self.code.co_filename, self.line).strip()
        return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."

    def __str__(self) -> str:
        shown = f"{self.code.co_filename}:{self.line}"
        return f"{shown}: {self.text}" if self.text else shown


def here(up: int = 1) -> Spot | None:
    """The nearest spot up the stack that is not the library's own.

    ``up`` is the number of calls between this one and the first spot that may be meant: fewer frames to look at.
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
            return _spot(code, frame.f_lasti)
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return None


_spots: dict[tuple[int, int], Spot] = {}
_MOST_SPOTS = 10_000


def _spot(code: CodeType, offset: int) -> Spot:
    """The one tuple of a spot: what a loop writes has one place, however many nodes that makes."""
    spot = _spots.get((id(code), offset))
    if spot is None:
        if len(_spots) >= _MOST_SPOTS:  # code that is written and run anew again and again does not stay for ever
            _spots.clear()
        spot = _spots[id(code), offset] = code, offset  # which keeps the code, so that no other gets its id
    return spot
