"""Where in the user's code something was written: kept as (code, offset), resolved to a line only when shown."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType
from typing import NamedTuple

_LIBRARY = tuple(
    os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name) + os.sep
    for name in ("layertree", "symbolic")
)
_SHOWN = 100
_inside: dict[str, bool] = {}


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


def here() -> Place | None:
    """The nearest spot up the stack that is not the library's own."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]  # logging and warnings use it, too
    while frame is not None:
        filename = frame.f_code.co_filename
        inside = _inside.get(filename)
        if inside is None:
            inside = _inside[filename] = filename.startswith(_LIBRARY)
        if not inside:
            return Place(frame.f_code, frame.f_lasti)
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return None
