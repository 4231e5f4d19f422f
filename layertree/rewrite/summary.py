"""The weights and states of a formula as a table."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from layertree.core.cell import Cell, UpdateRule
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell
from layertree.core.weight import Weight
from layertree.rewrite.traversal import named_cells
from layertree.text.display import DisplayNode, inlined
from layertree.text.rows import Rows
from layertree.text.table import elided, fitted, kept_columns, shortened_middle
from layertree.text.units import bytes_text

_LONGEST = 200
"""How many rows a table shows; a longer one shows the first and the last of them."""


@attrs.frozen
class SummaryRow:
    """A weight or a state: its name, shape and dtype, how many numbers it has, and its update rule."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    count: int
    trainable: bool
    rule: UpdateRule | None = None
    """The optimizer of the weight itself, or the rule of the state; None where ``fit`` or ``commit`` give one."""

    @property
    def bytes(self) -> int:
        """The memory of the value."""
        return self.count * self.dtype.itemsize


@attrs.frozen(repr=False)
class Summary(Rows[SummaryRow]):
    """The weights and states of a formula, in the order of their first visit. Its ``repr`` is a table.

    The table is no wider than the terminal: in a narrow one columns are left out, the rules first, and names shortened.
    """

    @property
    def total_count(self) -> int:
        """How many numbers all weights and states have."""
        return sum(row.count for row in self.rows)

    @property
    def trainable_count(self) -> int:
        """How many numbers the weights have."""
        return sum(row.count for row in self.rows if row.trainable)

    @property
    def bytes(self) -> int:
        """The memory of all values."""
        return sum(row.bytes for row in self.rows)

    def bars(self) -> list[tuple[str, float, str]]:
        """How many numbers each cell has."""
        return [(row.name, row.count, f"{row.count:,}{'' if row.trainable else ', not trained'}") for row in self.rows]

    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
        if not self.rows:
            return "no weights and no states"
        shown = elided(self.rows, _LONGEST, _cells, ["..."] * len(_HEAD))
        lines = [list(_HEAD), *shown]
        has_rules = any(row.rule is not None for row in self.rows)
        columns = range(len(_HEAD) if has_rules else len(_HEAD) - 1)
        lines = [[line[i] for i in columns] for line in lines]
        # Columns go before a name is shortened.
        kept = kept_columns(lines, width, {}, columns[: _FEWEST - 1 : -1])
        lines = [[line[i] for i in kept] for line in lines]
        table = fitted(lines, _SIDES[: len(kept)], width, {0: _SHORTEST}, shorten=shortened_middle)
        return "\n".join([table, *self._totals(width)])

    def _totals(self, width: int) -> list[str]:
        """The last line, or two of them in a narrow terminal."""
        cells = f"{len(self.rows)} {'cell' if len(self.rows) == 1 else 'cells'}"
        numbers = f"{self.total_count:,} {'number' if self.total_count == 1 else 'numbers'}"
        parts = [cells, numbers, f"{self.trainable_count:,} train", bytes_text(self.bytes)]
        whole = ", ".join(parts)
        return [whole] if len(whole) <= width else [", ".join(parts[:2]) + ",", ", ".join(parts[2:])]


_HEAD = ("name", "shape", "count", "trains", "dtype", "rule")
_SIDES = "llrlll"
_FEWEST = 3
"""How many columns remain in the narrowest terminal."""

_SHORTEST = 8
"""How many characters of a name remain."""


def _cells(row: SummaryRow) -> list[str]:
    shape = "number" if row.shape == () else " x ".join(map(str, row.shape))
    rule = "" if row.rule is None else repr(row.rule)
    return [row.name, shape, f"{row.count:,}", "yes" if row.trainable else "no", row.dtype.name, rule]


def summary(layer: AnyLayer) -> Summary:
    """The weights and states of a formula by name, with shape, dtype, count, and whether they are trained.

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

    A weight trains if a delta of the result can reach the weight: that of ``stop_gradient(weight)`` cannot.

    Raises ValueError for two cells of one name.
    """
    trained = reached(inlined(layer))
    rows: list[SummaryRow] = []
    for name, cell in named_cells(layer).items():
        trains = isinstance(cell, Weight) and cell.cell in trained
        shape, dtype = cell.shape, cell.dtype
        # The optimizer of the weight itself, not that of a scope or of ``fit``.
        rule = cell.cell.rule
        rows.append(SummaryRow(name, shape, dtype, int(np.prod(shape, dtype=np.int64)), trains, rule))
    return Summary(tuple(rows))


def reached(root: DisplayNode) -> set[Cell]:
    """The cells that a delta of a formula can reach: not those below a layer without a gradient, or in a condition."""
    found: set[Cell] = set()
    seen: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if is_cell(node.layer):
            found.add(node.layer.cell)
        if node.control is not None or node.layer.__has_gradient__:
            pending += node.inputs[1 if node.control == "cond" else 0 :]
    return found
