"""Tables: cells of any text in lines, columns that fit, and rows that are shown alone formatted."""

from __future__ import annotations

import numpy as np
import pytest

from layertree.rewrite.summary import Summary, SummaryRow
from layertree.text.table import aligned, elided, fitted, kept_columns
from layertree.training.history import Epoch, History


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a\x00b", "a\ud800b", "a\x1b[31mb", "a\u202eb"])
def test_each_row_is_one_line_of_visible_characters(name: str) -> None:
    for text in (aligned([["x", name, "y"]], "lll"), fitted([["x", name, "y"]], "lll", 80, {})):
        assert text.isprintable()
        assert [text[0], text[3], text[-3:]] == ["x", "a", "  y"]


@pytest.mark.parametrize("width", range(60))
def test_columns_are_dropped_until_the_rest_fits(width: int) -> None:
    """As by a search: the first columns of the given order that make room."""
    lines = [["name", "count", "a remark", "dtype", "rule"], ["encoder/kernel", "1,000", "b", "float32", "SGD(0.1)"]]
    least, dropped = {0: 8}, [4, 2, 3]

    def size(kept: list[int]) -> int:
        cells = [min(max(len(line[i]) for line in lines), least.get(i, 100)) for i in kept]
        return sum(cells) + 2 * (len(cells) - 1)

    candidates = [[i for i in range(5) if i not in dropped[:count]] for count in range(len(dropped) + 1)]
    assert kept_columns(lines, width, least, dropped) == next(
        (kept for kept in candidates if size(kept) <= width), candidates[-1]
    )


def test_rows_that_a_table_leaves_out_are_not_formatted() -> None:
    seen: list[int] = []

    def cells(row: int) -> list[str]:
        seen.append(row)
        return [str(row)]

    assert len(elided(range(10**9), 200, cells, ["..."])) == 201
    assert len(seen) == 200
    assert elided(range(3), 4, cells, ["..."]) == [["0"], ["1"], ["2"]]


def test_long_reports_have_their_first_and_last_rows() -> None:
    shown = repr(History(tuple([Epoch(i, 1.0 / i) for i in range(1, 1001)]))).splitlines()
    assert len(shown) == 22
    assert [line.split()[0] for line in shown] == ["epoch", *map(str, range(1, 11)), "...", *map(str, range(991, 1001))]
    dtype = np.dtype(np.float32)
    rows = tuple([SummaryRow(f"w{i}", (2,), dtype, 2, True) for i in range(1000)])
    lines = repr(Summary(rows)).splitlines()
    assert [line.split()[0] for line in lines[99:104]] == ["w98", "w99", "...", "w900", "w901"]
    assert lines[-1].startswith("1000 cells, 2,000 numbers")
