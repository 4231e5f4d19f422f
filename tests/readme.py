"""The blocks of Python in READMEs, one by one and as a module."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
MISTAKE = "hidden @ weight(normal(features, hidden_size))"
"""The line that, as the README says, type checkers refuse."""

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(path: Path = README) -> list[tuple[int, str]]:
    """The blocks of Python, each with the number of lines before it."""
    text = path.read_text()
    return [(text.count("\n", 0, found.start(1)), found.group(1)) for found in _BLOCK.finditer(text)]


def code() -> str:
    """All blocks of the README as one module, without what they show."""
    parser = doctest.DocTestParser()
    return "\n".join(
        "".join(example.source for example in parser.get_examples(block)) if ">>>" in block else block
        for _, block in blocks()
    )
