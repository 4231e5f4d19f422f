"""The profile of a program: the time of each layer forward and backward, with its arithmetic and memory traffic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from typing import Any, NamedTuple, TypeAlias

import attrs

from layertree.core.brief import brief_formula
from layertree.core.cell import Cell
from layertree.core.narrowing import is_layer
from layertree.core.provenance import origin_of
from layertree.program.codegen.batch_program import AnyProgram
from layertree.program.codegen.program import Program
from layertree.program.ir.naming import CellNames, named_layer
from layertree.program.ir.operations import Data, Op
from layertree.program.passes.loop_nest import Chain
from layertree.program.report.costs import bytes_of, chains_of, flops_of, in_blocks
from layertree.program.report.instrumentation import instrumented
from layertree.program.runtime.diagnostics import layer_text
from layertree.text.rows import Rows
from layertree.text.table import elided, fitted
from layertree.text.units import bytes_text, count_text, time_text

_LONGEST = 200
"""Up to how many rows a table is shown whole; of a longer one the middle is left out."""

Owner: TypeAlias = Any
"""What an op works for: a layer, or an update rule, which may be an object of any class."""


@attrs.frozen
class ProfileRow:
    """The costs of one layer in one run: seconds ``forward`` and ``backward``; arithmetic and bytes of both together.

    An update rule has a row of its own, with its time as ``update``. ``layer`` is the layer or the rule, ``name`` its
    class with the cells among its operands.
    """

    name: str
    forward: float
    backward: float
    update: float
    flops: int
    bytes: int
    layer: Owner = attrs.field(repr=False, eq=False, default=None)

    @property
    def seconds(self) -> float:
        """The time of all three together."""
        return self.forward + self.backward + self.update

    @property
    def formula(self) -> str:
        """The formula of the layer, in short."""
        return brief_formula(self.layer) if is_layer(self.layer) else repr(self.layer)

    @property
    def place(self) -> str:
        """The layer with the line that wrote the layer, where the line is known."""
        return layer_text(self.layer) if is_layer(self.layer) else repr(self.layer)


@attrs.frozen(repr=False)
class Profile(Rows[ProfileRow]):
    """Rows in the order in which layers first run. It prints as a table.

    Times are sums over all threads, so that their sum may exceed the duration of a run.
    """

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
        """The time of all layers and rules."""
        return self.forward + self.backward + self.update

    @property
    def flops(self) -> int:
        """The arithmetic of all layers and rules."""
        return sum(row.flops for row in self.rows)

    @property
    def bytes(self) -> int:
        """The bytes read and written by all layers and rules."""
        return sum(row.bytes for row in self.rows)

    def bars(self) -> list[tuple[str, float, str]]:
        """The time of each layer."""
        return [(row.formula, row.seconds, time_text(row.seconds)) for row in self.rows]

    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
        total = ProfileRow("total", self.forward, self.backward, self.update, self.flops, self.bytes)
        head = ["layer", "forward", "backward", "update", "share", "FLOP", "bytes", "formula"]
        lines = elided(self.rows, _LONGEST, self._line, ["...", *[""] * (len(head) - 1)])
        lines.append([*self._numbers(total), ""])
        # In a narrow terminal the formulas are shortened first, then the names; then columns are dropped.
        return fitted([head, *lines], "lrrrrrrl", width, {7: 20, 0: 20}, (7, 6, 5))

    def _line(self, row: ProfileRow) -> list[str]:
        return [*self._numbers(row), row.formula]

    def _numbers(self, row: ProfileRow) -> list[str]:
        times = [time_text(one) if one else "" for one in (row.forward, row.backward, row.update)]
        share = f"{row.seconds / self.seconds:.0%}" if self.seconds else ""
        return [row.name, *times, share, count_text(row.flops), bytes_text(row.bytes)]


class Clock:
    """The observer of one call of a program: how long each op takes, from the line before it to the end of its own."""

    def __init__(self, ops: list[Op], chains: Mapping[Op, Chain]) -> None:
        self.ops = ops
        self.chains = chains
        self.times: list[int] = [0] * len(ops)
        self.counts: list[int] = [0] * len(ops)
        self._before = perf_counter_ns()

    def see(self, number: int, value: Data, /) -> None:
        """Add the time since the last op to the op that has run."""
        self.times[number] += perf_counter_ns() - self._before
        self.counts[number] += 1
        self._before = perf_counter_ns()

    def end(self) -> None:
        """All lines have run."""


def profiled(program: AnyProgram, run: Callable[[AnyProgram], object], runs: int) -> Profile:
    """The profile of a program that ``run`` runs: the mean of so many runs, after one that is not counted."""
    if runs < 1:
        raise ValueError(f"runs = {runs!r} is not allowed: it is at least 1")
    clocks: list[Clock] = []
    names: dict[Cell, str] = {}

    def observe(part: Program, ops: list[Op]) -> Clock:
        names.update({op.attributes["key"]: op.attributes["name"] for op in part.source.cells})
        clocks.append(Clock(ops, chains_of(part.liveness.order)))
        return clocks[-1]

    twin = instrumented(program, observe)
    run(twin)
    clocks.clear()
    for _ in range(runs):
        run(twin)
    return profile_of(clocks, runs, names)


class _Costs:
    """The costs of one owner: nanoseconds forward, backward and in updates; arithmetic; bytes."""

    __slots__ = ("bytes", "flops", "times")

    def __init__(self) -> None:
        self.times = [0, 0, 0]
        self.flops = 0
        self.bytes = 0


def profile_of(clocks: Sequence[Clock], runs: int, names: CellNames) -> Profile:
    """The profile of one run, from the clocks of several."""
    found: dict[Owner, _Costs] = {}
    for clock in clocks:
        for op, time, count in zip(clock.ops, clock.times, clock.counts, strict=True):
            if not op.inputs or op.layer is None or not count:
                continue
            owner, direction = _owner(op)
            costs = found.setdefault(owner, _Costs())
            costs.times[direction] += time
            blocks = in_blocks(op, clock.chains.get(op))
            costs.flops += count // len(blocks) * sum(map(flops_of, blocks))
            costs.bytes += count // len(blocks) * sum(map(bytes_of, blocks))
    return Profile(tuple([_row(owner, costs, runs, names) for owner, costs in found.items()]))


class _Owned(NamedTuple):
    """An owner, and the direction in which an op works for it: 0 forward, 1 backward, 2 in an update."""

    owner: Owner
    direction: int


def _owner(op: Op) -> _Owned:
    origin = origin_of(op.layer)
    if origin is None:
        return _Owned(op.layer, 0)
    return _Owned(origin, 1) if is_layer(origin) else _Owned(origin, 2)


def _row(owner: Owner, costs: _Costs, runs: int, names: CellNames) -> ProfileRow:
    name = named_layer(owner, names) if is_layer(owner) else type(owner).__name__
    forward, backward, update = [one / runs * 1e-9 for one in costs.times]
    return ProfileRow(name, forward, backward, update, costs.flops // runs, costs.bytes // runs, owner)
