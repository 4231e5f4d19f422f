"""The modules make a table: each cell once, under a heading, with no claim that is none of it."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.typing.table import CHECKERS, Claim, claims, modules, table

TEXT = """\
# == +
x + 1  # 0 | a number
x + '1'  # error | 1 | no operand
x + y  # error: mypy pyright | 2 | another input
"""


def test_claims() -> None:
    assert claims("a.py", TEXT) == [
        Claim("a.py:2", "+", "0", "a number", ()),
        Claim("a.py:3", "+", "1", "no operand", CHECKERS),
        Claim("a.py:4", "+", "2", "another input", ("mypy", "pyright")),
    ]


@pytest.mark.parametrize("folder", ["accepted", "rejected"])
def test_each_cell_is_there_once(folder: str) -> None:
    of_module = Counter((one.line.partition(":")[0], *one.cell) for one in table(folder))
    assert len(of_module) >= 150
    assert [cell for cell, count in of_module.items() if count > 1] == []
    # Of one operation that two modules look at, each has its own ranks and kinds.
    anywhere = Counter(one.cell for one in table(folder))
    assert [cell for cell, count in anywhere.items() if count > 1 and cell[0] != "running"] == []


@pytest.mark.parametrize("folder", ["accepted", "rejected"])
def test_each_statement_is_there_once(folder: str) -> None:
    texts: Counter[str] = Counter()
    for path in modules(folder):
        lines = path.read_text().splitlines()
        texts.update(
            f"{path.name}: {lines[int(one.line.rpartition(':')[2]) - 1].partition('  #')[0]}"
            for one in claims(path.name, path.read_text())
        )
    assert [text for text, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("folder", ["accepted", "rejected"])
def test_each_claim_has_an_operation(folder: str) -> None:
    assert {one.operation for one in table(folder)} >= {"+", "/", "comparison", "logic"}
    assert [one for one in table(folder) if not one.operation] == []


@pytest.mark.parametrize("path", modules("accepted"), ids=lambda path: path.stem)
def test_each_assertion_is_a_claim(path: Path) -> None:
    asserted = {
        node.lineno
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "assert_type"
    }
    claimed = {int(one.line.rpartition(":")[2]) for one in claims(path.name, path.read_text())}
    assert len(asserted) > 10
    assert asserted <= claimed


@pytest.mark.parametrize("path", modules("rejected"), ids=lambda path: path.stem)
def test_each_marked_line_is_a_claim(path: Path) -> None:
    marked = {i for i, line in enumerate(path.read_text().splitlines(), 1) if "# error" in line}
    claimed = {int(one.line.rpartition(":")[2]) for one in claims(path.name, path.read_text()) if one.checkers}
    assert len(marked) > 10
    assert marked == claimed


def test_most_mistakes_are_seen_by_all_checkers() -> None:
    partly = [one for one in table("rejected") if one.checkers != CHECKERS]
    assert len(partly) <= 20
