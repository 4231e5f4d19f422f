"""The modules as a table: each claim is a cell of operation, rank and kind, of what is accepted or of mistakes.

``# == operation`` heads a section, and the comment of a claim ends with its rank and its kind::

    # == +
    assert_type(x + 1.0, Formula[float, float])  # float | plain data
    x + "1"  # error | float | no operand

An accepted claim is any statement with such a comment; a rejected one has ``error`` in it, or ``error: mypy pyright``
where these checkers alone see it there. What is rejected stands on one line, so that there is no doubt where its error
belongs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

CHECKERS = ("mypy", "pyright", "pyrefly")
HERE = Path(__file__).parent

_HEADING = re.compile(r"# == (.+)$")
_CELL = re.compile(r"# (?:(error)(?:: ([a-z ]+?))? \| )?([^#|]+?) \| ([^#|]+)$")


class Claim(NamedTuple):
    """A line with its cell. ``checkers`` are those that reject it, none of what is accepted."""

    line: str
    operation: str
    rank: str
    kind: str
    checkers: tuple[str, ...]

    @property
    def cell(self) -> tuple[str, str, str]:
        """Where it stands in the table."""
        return self.operation, self.rank, self.kind


def claims(name: str, text: str) -> list[Claim]:
    """The claims of a module; their lines are ``name:number``."""
    found: list[Claim] = []
    operation = ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.match(line)
        if heading:
            operation = heading.group(1)
        cell = _CELL.search(line)
        if cell:
            error, checkers, rank, kind = cell.groups()
            seen_by = tuple((checkers or " ".join(CHECKERS)).split()) if error else ()
            found.append(Claim(f"{name}:{number}", operation, rank, kind, seen_by))
    return found


def modules(folder: str) -> list[Path]:
    """The modules of a folder."""
    return sorted((HERE / folder).glob("*.py"))


def table(folder: str) -> list[Claim]:
    """All claims of a folder's modules."""
    return [one for path in modules(folder) for one in claims(f"{folder}/{path.name}", path.read_text())]
