"""What can be shown on a stream: its width, and whether it takes more than ASCII."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

ELSEWHERE = 100
"""The width of tables where the standard output is no terminal, so that files and notebooks have the same text."""

_NARROWEST = 2
"""What a terminal says of itself may be anything; one column stays free, so there have to be two."""


def columns(stream: Any) -> int:
    """The width of the terminal that a stream writes to, which need not be the one of the standard output."""
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (AttributeError, OSError, ValueError):
        found = 0
    return max(found or shutil.get_terminal_size().columns, _NARROWEST)


def table_width() -> int:
    """The width for a table that is about to be shown: that of the terminal, or a fixed one where there is none."""
    stream = sys.stdout
    return columns(stream) if stream is not None and stream.isatty() else ELSEWHERE


def can_write(stream: Any, text: str) -> bool:
    """Whether the encoding of a stream has all characters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
