"""Docstrings as Markdown: each example becomes a fenced block."""

from __future__ import annotations

import re

__all__ = ["fenced"]

_EXAMPLE = re.compile(r"^( *)>>> .*\n?(?:^(?! *$).*\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """The text with each run of lines from a prompt to an empty line as a block.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2")
    'Adds.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```'
    """
    return _EXAMPLE.sub(lambda found: f"{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n", text).rstrip("\n")
