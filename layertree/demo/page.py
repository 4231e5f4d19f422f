"""The page that the demo writes on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from layertree.text.terminal import can_write, columns


class Page:
    """Titles, paragraphs and drawings on a stream, no wider than its terminal. ``None`` is a page nobody reads."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.unicode: bool = can_write(stream, "├─└│░▒▓█●·")

    @property
    def columns(self) -> int:
        """How many characters fit in a line; one is left free, since a full line wraps on some terminals."""
        return columns(self._stream) - 1

    def title(self, text: str) -> None:
        """The heading of a section."""
        lines = textwrap.wrap(text, self.columns)
        self.draw(["", *lines, "-" * max(map(len, lines))])

    def say(self, text: str) -> None:
        """A paragraph."""
        self.draw(["", *textwrap.wrap(text, self.columns, break_on_hyphens=False)])

    def draw(self, lines: Iterable[str]) -> None:
        """Lines as they are, all of them on the screen before what comes next."""
        if self._stream is not None:
            self._stream.write("".join(f"{line.rstrip()}\n" for line in lines))
            self._stream.flush()
