"""Splitting a program over its batch: what works row by row is run for some rows at a time.

The rest comes before it (what is the same for all rows) or after it (what reads sums over rows). Parts keep what they
compute in the cache, take an arena of their own size, and may run in several threads.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from layertree.core.nested import flat, nested
from layertree.core.spec import ArraySpec
from layertree.program.ir.naming import preferred_name
from layertree.program.ir.operations import LEAVES, Attributes, Graph, Op
from layertree.program.ir.views import VIEWS
from layertree.program.passes.axis_propagation import SUM, NotSplit, Reading, Rows, reading_of, sliced_axis
from layertree.program.passes.batch_sums import Slot, slots_of

WORTH = 1 << 17
"""From how many elements of the largest value of rows on a program is split: below, that costs more than it saves."""


class Cut(NamedTuple):
    """A value of ``before`` that parts read, whole or only their rows of it."""

    op: Op
    axis: int | None
    unit: int


class Split(NamedTuple):
    """Which op is read how, and what goes from one stage to the next."""

    size: int
    readings: dict[Op, Reading]
    cuts: list[Cut]
    slots: tuple[Slot, ...]
    rows: list[Op]

    @property
    def sums(self) -> list[Op]:
        """The sums over rows, in the order of their slots."""
        return [op for slot in self.slots for op in slot.sums]


def analyse(graph: Graph) -> Split | None:
    """How a program splits over the first axis of its input; None where it does not, or where it is not worth it."""
    inputs = [op for op in flat(graph.source) if op.shape]
    if not inputs or not inputs[0].shape[0] or not any(math.prod(op.shape) >= WORTH for op in graph.ops):
        return None
    size = inputs[0].shape[0]
    try:
        readings = _readings(graph, size)
    except NotSplit:
        return None
    if largest_rows(readings) < WORTH:
        return None
    return _stages(graph, size, readings) if SUM in readings.values() or _all_rows(graph, readings) else None


def largest_rows(readings: dict[Op, Reading]) -> int:
    """How many elements the largest value has that runs over the batch."""
    return max((math.prod(op.shape) for op, reading in readings.items() if isinstance(reading, Rows)), default=0)


def _all_rows(graph: Graph, readings: dict[Op, Reading]) -> bool:
    return any(isinstance(readings[op], Rows) for op in graph.results())


def _readings(graph: Graph, size: int) -> dict[Op, Reading]:
    readings: dict[Op, Reading] = {}
    late: set[Op] = set()
    for op in graph.ops:
        if op.name == "input":
            readings[op] = Rows(0, 1) if op.shape[:1] == (size,) else None
            continue
        if op.name in ("hook", "cond", "result"):
            raise NotSplit(op.name)
        given = [readings[read] for read in op.inputs]
        reading = readings[op] = reading_of(op, given, size)
        reads_sums = any(one == SUM or read in late for read, one in zip(op.inputs, given, strict=True))
        if reads_sums and reading is not None:
            raise NotSplit("rows are computed from a sum over rows")
        if reads_sums:
            late.add(op)
    return readings


def _stages(graph: Graph, size: int, readings: dict[Op, Reading]) -> Split:
    cuts: dict[tuple[Op, int | None], Cut] = {}
    for op in graph.ops:
        rows = readings[op]
        if rows is None:
            continue
        for place, read in enumerate(op.inputs):
            axis = _cut_axis(op, rows, place)
            if readings[read] is None and (axis is not None or not _is_free(read)):
                unit = read.shape[axis] // size if axis is not None else 1
                cuts.setdefault((read, axis), Cut(read, axis, unit))
    used = {read for op in graph.ops if readings[op] is None for read in op.inputs} | set(graph.results())
    sums = [op for op in graph.ops if readings[op] == SUM and op in used]
    outside = [op for op in graph.ops if isinstance(readings[op], Rows) and op in used and op.name != "input"]
    return Split(size, readings, list(cuts.values()), slots_of(graph, sums), outside)


def _is_free(op: Op) -> bool:
    """Whether a value costs nothing to have again in each part: what the program is given, and views of it."""
    while op.name in VIEWS:
        op = op.inputs[0]
    return op.name in LEAVES


def _cut_axis(op: Op, rows: Reading, place: int) -> int | None:
    """The axis along which an operand that is the same for all rows is cut for some of them."""
    if not isinstance(rows, Rows) or op.inputs[place].is_filled:
        return None
    return sliced_axis(op, rows, place)


def before(graph: Graph, split: Split) -> Graph:
    """The program of what parts read that is the same for all rows."""
    return Graph(list(graph.ops), graph.source, tuple([cut.op for cut in split.cuts]))


def part(graph: Graph, split: Split, rows: int) -> Graph:
    """The program of some rows: its results are values of rows, then sums over rows."""
    builder = _Part(split, rows)
    ops = [builder.made(op) for op in graph.ops if split.readings[op] is not None]
    results = [builder.made(op) for op in [*split.rows, *split.sums]]
    leaves = builder.leaves
    source = nested(graph.source, [builder.made(op) if split.readings[op] else op for op in flat(graph.source)])
    made = set(ops)
    kept = [op for op in flat(source) if op not in made]
    return Graph([*kept, *leaves, *ops], source, tuple(results))


class _Part:
    """The ops of a part, each made once."""

    def __init__(self, split: Split, rows: int) -> None:
        self._split = split
        self._rows = rows
        self._made: dict[Any, Op] = {}
        self._places = {(cut.op, cut.axis): i for i, cut in enumerate(split.cuts)}
        self.leaves: list[Op] = []

    def made(self, op: Op) -> Op:
        """The op over some rows."""
        found = self._made.get(op)
        if found is None:
            inputs = tuple([self._operand(op, place) for place in range(len(op.inputs))])
            spec, attributes = self._sized(op, self._split.readings[op])
            found = self._made[op] = Op(op.name, inputs, attributes, spec, op.layer)
        return found

    def _operand(self, op: Op, place: int) -> Op:
        read = op.inputs[place]
        if self._split.readings[read] is not None:
            return self._made[read]
        rows = self._split.readings[op]
        axis = _cut_axis(op, rows, place)
        if isinstance(rows, Rows) and read.is_filled:
            return self._filled(read, sliced_axis(op, rows, place))
        number = self._places.get((read, axis))
        if number is None:
            return self._free(read)
        spec = self._resized(read.spec, axis, self._split.cuts[number].unit) if axis is not None else read.spec
        return self._leaf((read, axis), Op("state", (), {"key": ("cut", number), "name": preferred_name(read)}, spec))

    def _free(self, op: Op) -> Op:
        """A view of what the program is given, with what it is a view of."""
        chain = [op]
        while chain[-1].name in VIEWS:
            chain.append(chain[-1].inputs[0])
        for one in reversed(chain):
            self._leaf(one, one)
        return op

    def _leaf(self, key: Any, op: Op) -> Op:
        if key not in self._made:
            self._made[key] = op
            self.leaves.append(op)
        return self._made[key]

    def _filled(self, read: Op, axis: int | None) -> Op:
        """A constant of one number in the size of the part."""
        if axis is None:
            return self._leaf(read, read)
        spec = self._resized(read.spec, axis, read.shape[axis] // self._split.size)
        data = np.broadcast_to(np.asarray(read.attributes["fill"], spec.dtype), spec.shape)
        return self._leaf((read, axis), Op("constant", (), {"data": data, "fill": read.attributes["fill"]}, spec))

    def _resized(self, spec: Any, axis: int, unit: int) -> Any:
        shape = (*spec.shape[:axis], self._rows * unit, *spec.shape[axis + 1 :])
        return ArraySpec(shape, spec.dtype)

    def _sized(self, op: Op, rows: Reading) -> tuple[Any, Attributes]:
        if not isinstance(rows, Rows):
            return op.spec, op.attributes
        spec = self._resized(op.spec, rows.axis, rows.unit)
        return spec, {**op.attributes, "shape": spec.shape} if "shape" in op.attributes else op.attributes


def after(graph: Graph, split: Split) -> tuple[Graph, list[Op]]:
    """The program of the rest, and its leaves for sums and rows, which are given as they come from the parts.

    Of these only rows that are results are made anew each time; the memory of others is written again in later runs.
    """
    new = set(graph.results()).intersection(split.rows)
    leaves: dict[Op, Op] = {}
    for place, op in enumerate([*split.rows, *[slot.op for slot in split.slots]]):
        leaves[op] = _leaf(op, ("part", place), is_new=op in new)
    for place, cut in enumerate(split.cuts):
        if cut.op.name not in LEAVES:
            leaves[cut.op] = _leaf(cut.op, ("before", place))
    made: dict[Op, Op] = dict(leaves)
    ops = list(leaves.values())
    for op in graph.ops:
        if op in made or (split.readings[op] is not None and op.name != "input"):
            continue
        inputs = tuple([made.get(read, read) for read in op.inputs])
        made[op] = op if inputs == op.inputs else Op(op.name, inputs, op.attributes, op.spec, op.layer)
        ops.append(made[op])
    outputs = nested(graph.outputs, [made[op] for op in graph.results()])
    return Graph(ops, graph.source, outputs), [made.get(op, op) for op in graph.results()]


def _leaf(op: Op, key: tuple[str, int], *, is_new: bool = False) -> Op:
    return Op("state", (), {"key": key, "name": preferred_name(op), "is_new": is_new}, op.spec)
