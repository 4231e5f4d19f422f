"""The time that each layer takes, forward and backward, with its arithmetic and the memory it moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from typing import Any, overload

from layertree._record import field, record
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.layer import Layer
from layertree.core.provenance import origin_of
from layertree.program._ops import Op
from layertree.program.chain import Chain
from layertree.program.located import layer_text
from layertree.program.names import named_layer
from layertree.program.tables import bytes_text, count_text, fitted, time_text
from layertree.program.watch import watched
from layertree.program.work import bytes_of, chains_of, flops_of, in_blocks
from layertree.text.terminal import table_width

_LONGEST = 200
"""How many rows a table shows before it leaves out the middle."""


@record
class ProfileRow:
    """What one layer takes in one run: seconds ``forward`` and ``backward``, operations and bytes of both together.

    An update rule has a row, too; its time counts as ``update``. ``layer`` is the layer or the rule, ``name`` its class
    and the cells among its operands.
    """

    name: str
    forward: float
    backward: float
    update: float
    flops: int
    bytes: int
    layer: Any = field(repr=False, eq=False, default=None)

    @property
    def seconds(self) -> float:
        """All of its time."""
        return self.forward + self.backward + self.update

    @property
    def formula(self) -> str:
        """The formula of the layer, in short."""
        return brief_formula(self.layer) if is_a(self.layer, Layer) else repr(self.layer)

    @property
    def place(self) -> str:
        """The layer with the line that wrote it, where that is known."""
        return layer_text(self.layer) if is_a(self.layer, Layer) else repr(self.layer)


@record(repr=False)
class Profile(Sequence[ProfileRow]):
    """Rows in the order in which layers first run. It prints as a table.

    Times are those of all threads together, so that their sum may be more than what a run takes.
    """

    rows: tuple[ProfileRow, ...]

    @overload
    def __getitem__(self, index: int, /) -> ProfileRow: ...
    @overload
    def __getitem__(self, index: slice, /) -> Profile: ...
    def __getitem__(self, index: int | slice, /) -> ProfileRow | Profile:
        return Profile(self.rows[index]) if isinstance(index, slice) else self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def forward(self) -> float:
        """The seconds forward of all layers."""
        return sum(row.forward for row in self.rows)

    @property
    def backward(self) -> float:
        """The seconds backward of all layers."""
        return sum(row.backward for row in self.rows)

    @property
    def update(self) -> float:
        """The seconds of all update rules."""
        return sum(row.update for row in self.rows)

    @property
    def seconds(self) -> float:
        """All time together."""
        return self.forward + self.backward + self.update

    @property
    def flops(self) -> int:
        """All arithmetic together."""
        return sum(row.flops for row in self.rows)

    @property
    def bytes(self) -> int:
        """All memory that is read and written."""
        return sum(row.bytes for row in self.rows)

    def __repr__(self) -> str:
        return self.table(table_width())

    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
        total = ProfileRow("total", self.forward, self.backward, self.update, self.flops, self.bytes)
        head = ["layer", "forward", "backward", "update", "share", "FLOP", "bytes", "formula"]
        if len(self.rows) > _LONGEST:
            first, last = self.rows[: _LONGEST // 2], self.rows[-_LONGEST // 2 :]
            middle = ["...", *[""] * (len(head) - 1)]
            lines = [*map(self._line, first), middle, *map(self._line, last)]
        else:
            lines = list(map(self._line, self.rows))
        lines.append([*self._numbers(total), ""])
        # The formula gives way first, then the names; bytes and arithmetic are what the times can do without.
        return fitted([head, *lines], "lrrrrrrl", width, {7: 20, 0: 20}, (7, 6, 5))

    def _line(self, row: ProfileRow) -> list[str]:
        return [*self._numbers(row), row.formula]

    def _numbers(self, row: ProfileRow) -> list[str]:
        times = [time_text(one) if one else "" for one in (row.forward, row.backward, row.update)]
        share = f"{row.seconds / self.seconds:.0%}" if self.seconds else ""
        return [row.name, *times, share, count_text(row.flops), bytes_text(row.bytes)]


class Clock:
    """Watches one call of a program: how long each op takes, from the line before it to its own."""

    def __init__(self, ops: list[Op], chains: Mapping[Op, Chain]) -> None:
        self.ops = ops
        self.chains = chains
        self.times: list[int] = [0] * len(ops)
        self.counts: list[int] = [0] * len(ops)
        self._before = perf_counter_ns()

    def see(self, number: int, value: Any, /) -> None:
        """An op has run."""
        self.times[number] += perf_counter_ns() - self._before
        self.counts[number] += 1
        self._before = perf_counter_ns()

    def end(self) -> None:
        """All lines have run."""


def profiled(program: Any, run: Callable[[Any], object], runs: int) -> Profile:
    """The profile of a program, which ``run`` runs: once before that counts, then so many times."""
    if runs < 1:
        raise ValueError(f"runs = {runs!r} is not allowed: it is at least 1")
    clocks: list[Clock] = []

    names: dict[Any, str] = {}

    def watch(part: Any, ops: list[Op]) -> Clock:
        names.update({op.attributes["key"]: op.attributes["name"] for op in part.source.cells})
        clocks.append(Clock(ops, chains_of(part.storage.order)))
        return clocks[-1]

    twin = watched(program, watch)
    run(twin)
    clocks.clear()
    for _ in range(runs):
        run(twin)
    return profile_of(clocks, runs, names)


def profile_of(clocks: Sequence[Clock], runs: int, names: Mapping[Any, str]) -> Profile:
    """The profile of one run, from the clocks of several."""
    found: dict[Any, list[Any]] = {}
    for clock in clocks:
        for op, time, count in zip(clock.ops, clock.times, clock.counts, strict=True):
            if not op.inputs or op.layer is None or not count:
                continue
            layer, part = _belonging(op)
            sums = found.setdefault(layer, [0, 0, 0, 0, 0])
            sums[part] += time
            blocks = in_blocks(op, clock.chains.get(op))
            sums[3] += count // len(blocks) * sum(map(flops_of, blocks))
            sums[4] += count // len(blocks) * sum(map(bytes_of, blocks))
    return Profile(tuple([_row(layer, sums, runs, names) for layer, sums in found.items()]))


def _belonging(op: Op) -> tuple[Any, int]:
    """The layer or the rule that an op works for, and whether forward, backward or in an update: 0, 1, 2."""
    origin = origin_of(op.layer)
    if origin is None:
        return op.layer, 0
    return (origin, 1) if is_a(origin, Layer) else (origin, 2)


def _row(layer: Any, sums: list[Any], runs: int, names: Mapping[Any, str]) -> ProfileRow:
    name = named_layer(layer, names) if isinstance(layer, Layer) else type(layer).__name__
    forward, backward, update = [one / runs * 1e-9 for one in sums[:3]]
    return ProfileRow(name, forward, backward, update, sums[3] // runs, sums[4] // runs, layer)
