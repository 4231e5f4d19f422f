"""Properties of a text stream: its width in columns, and the characters that its encoding has."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

ELSEWHERE = 100
"""The width of tables where the standard output is no terminal: files and notebooks have the same text."""

_NARROWEST = 2
"""The least width, whatever a terminal reports: one column stays free, so there must be two."""


def columns(stream: TextIO | None) -> int:
    """The width of the terminal that a stream writes to; that of the standard output where the stream has none."""
    try:
        found = 0 if stream is None else os.get_terminal_size(stream.fileno()).columns
    except (AttributeError, OSError, ValueError):
        found = 0
    return max(found or shutil.get_terminal_size().columns, _NARROWEST)


def table_width() -> int:
    """The width for a table on the standard output: that of the terminal, or ``ELSEWHERE`` without one."""
    stream = sys.stdout
    return columns(stream) if stream is not None and stream.isatty() else ELSEWHERE


def can_write(stream: TextIO | None, text: str) -> bool:
    """Whether the encoding of a stream has all characters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
