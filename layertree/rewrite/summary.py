"""What a formula keeps: its weights and states as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import attrs
import numpy as np

from layertree.core.weight import Weight
from layertree.rewrite.traversal import named_cells
from layertree.text.terminal import table_width
from layertree.text.units import bytes_text

_GAP = 2
_LONGEST = 200
"""How many rows a summary shows before it leaves out the middle."""


@attrs.frozen
class SummaryRow:
    """A weight or a state: its name, shape and dtype, how many numbers it holds, and by which rule it changes."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    count: int
    trainable: bool
    rule: Any = None
    """Its own optimizer, or the rule of a state; None where ``fit`` or ``commit`` give one."""

    @property
    def bytes(self) -> int:
        """The memory of the value."""
        return self.count * self.dtype.itemsize


@attrs.frozen(repr=False)
class Summary(Sequence[SummaryRow]):
    """The weights and states of a formula, in the order of their first visit. It prints as a table.

    The table is as wide as the terminal at most: there it leaves out the rules first, and shortens names.
    """

    rows: tuple[SummaryRow, ...]

    @overload
    def __getitem__(self, index: int, /) -> SummaryRow: ...
    @overload
    def __getitem__(self, index: slice, /) -> Summary: ...
    def __getitem__(self, index: int | slice, /) -> SummaryRow | Summary:
        return Summary(self.rows[index]) if isinstance(index, slice) else self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total_count(self) -> int:
        """How many numbers there are in all."""
        return sum(row.count for row in self.rows)

    @property
    def trainable_count(self) -> int:
        """How many of them train."""
        return sum(row.count for row in self.rows if row.trainable)

    @property
    def bytes(self) -> int:
        """The memory of all values."""
        return sum(row.bytes for row in self.rows)

    def __repr__(self) -> str:
        return self.table(table_width())

    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
        if not self.rows:
            return "no weights and no states"
        shown: list[list[str]] = [_cells(row) for row in self.rows]
        if len(shown) > _LONGEST:
            shown[_LONGEST // 2 : -_LONGEST // 2] = [["..."] * len(_HEAD)]
        lines: list[list[str]] = [list(_HEAD), *shown]
        if not any(row.rule is not None for row in self.rows):
            lines = [line[:-1] for line in lines]
        while len(lines[0]) > _FEWEST and _width(lines) > width:
            lines = [line[:-1] for line in lines]
        over = _width(lines) - width
        if over > 0:
            longest = max(len(line[0]) for line in lines)
            lines = [[_shortened(line[0], max(longest - over, _SHORTEST)), *line[1:]] for line in lines]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join([*[_line(line, widths) for line in lines], *self._totals(width)])

    def _totals(self, width: int) -> list[str]:
        """The last line, or two of them in a narrow terminal."""
        cells = f"{len(self.rows)} {'cell' if len(self.rows) == 1 else 'cells'}"
        numbers = f"{self.total_count:,} {'number' if self.total_count == 1 else 'numbers'}"
        parts = [cells, numbers, f"{self.trainable_count:,} train", bytes_text(self.bytes)]
        whole = ", ".join(parts)
        return [whole] if len(whole) <= width else [", ".join(parts[:2]) + ",", ", ".join(parts[2:])]


_HEAD = ("name", "shape", "count", "trains", "dtype", "rule")
_FEWEST = 3
_SHORTEST = 8


def _cells(row: SummaryRow) -> list[str]:
    shape = "number" if row.shape == () else " x ".join(map(str, row.shape))
    rule = "" if row.rule is None else repr(row.rule)
    return [row.name, shape, f"{row.count:,}", "yes" if row.trainable else "no", row.dtype.name, rule]


def _width(lines: list[list[str]]) -> int:
    return sum(max(map(len, column)) for column in zip(*lines, strict=True)) + _GAP * (len(lines[0]) - 1)


def _line(line: list[str], widths: list[int]) -> str:
    # Counts stand right, below one another; all else left.
    padded = [
        cell.rjust(width) if i == 2 else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]
    return (" " * _GAP).join(padded).rstrip()


def _shortened(name: str, length: int) -> str:
    """A name without its middle; the end tells more of it than the beginning."""
    if len(name) <= length:
        return name
    tail = (length - 3) * 2 // 3
    return f"{name[: length - 3 - tail]}...{name[len(name) - tail :]}"


def summary(layer: Any) -> Summary:
    """The weights and states of a formula by name, with shape, dtype, count, and whether they train.

    >>> import numpy as np
    >>> from layertree import Average, Identity, MatMul, Plus, RunningAverage, State, Weight, scope
    >>> with scope("encoder"):
    ...     kernel = Weight(np.zeros((784, 100), np.float32), name="kernel")
    ...     mean = State(np.zeros(784, np.float32), Average(0.9), name="mean")
    >>> summary(Plus(MatMul(RunningAverage(Identity(), mean), kernel), Weight(1.0)))
    name            shape       count  trains  dtype    rule
    encoder/mean    784           784  no      float32  Average(momentum=0.9)
    encoder/kernel  784 x 100  78,400  yes     float32
    weight_0        number          1  yes     float64
    3 cells, 79,185 numbers, 78,401 train, 316.7 kB

    Raises ValueError for two cells of one name.
    """
    rows: list[SummaryRow] = []
    for name, cell in named_cells(layer).items():
        is_weight = isinstance(cell, Weight)
        shape, dtype = cell.shape, cell.dtype
        # What the optimizer of a scope or of fit is, is not the weight's own.
        rule = cell.cell.rule
        rows.append(SummaryRow(name, shape, dtype, int(np.prod(shape, dtype=np.int64)), is_weight, rule))
    return Summary(tuple(rows))
