"""A program in parts: before, some rows at a time, after. It runs like one that is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from layertree.core.cell import Cell
from layertree.core.dynamic import is_a
from layertree.core.nested import flat, nested
from layertree.program.codegen.program import BufferedGraph, Program, buffered, build, generated
from layertree.program.ir.operations import Array, Data, Graph, Op
from layertree.program.passes import batch_splitting as split
from layertree.program.passes.axis_propagation import Rows
from layertree.program.passes.batch_sums import Room
from layertree.program.passes.result_ownership import owned
from layertree.program.runtime import blas_threads as blas
from layertree.program.runtime.arena import arrays_of
from layertree.program.runtime.frame import Caller, Frame, quiet_caller
from layertree.program.runtime.threads import run_all

CACHED_BYTES = 16 << 20
"""How much memory the values of a part should take: what stays in a cache that a core has for itself, or nearly."""
LEAST_ELEMENTS = 1 << 18
"""How many elements the largest value of a part should have: with fewer, calls cost more than what they compute."""


Known: TypeAlias = dict[Any, Data]
"""Values by what they are known by: a cell, a part of a state, or a stage with a number."""


def planned(graph: Graph, given: Sequence[Op], threads: int | None) -> AnyProgram:
    """The program of a simplified graph: in parts, where it splits over its batch and is large enough for that."""
    workers = workers_of(threads)
    found = split.analyse(graph)
    if found is None or any(found.readings[op] is not None for op in given):
        return build(graph, given, workers)
    # As many parts as fill the cache one after the other, and the same number for each thread.
    parts, most = workers, min(found.size, split.largest_rows(found.readings) // LEAST_ELEMENTS)
    whole: BufferedGraph | None = None
    if most > workers:
        whole = buffered(graph, given, workers)
        parts = min(max(workers, -(-whole.memory.nbytes // CACHED_BYTES)), most)
    parts = min(-(-parts // workers) * workers, found.size // workers * workers)
    if parts > 1:
        return PartedProgram(graph, given, found, parts, workers)
    return generated(whole or buffered(graph, given, workers))


def workers_of(threads: int | None) -> int:
    """How many threads share a program, of those that a user asked for: one where BLAS cannot be kept to one."""
    return (threads or blas.cores()) if blas.is_controlled() else 1


class Stage(NamedTuple):
    """The graph of one stage of a program in parts, with what its destinations and threads are."""

    name: str
    graph: Graph
    given: list[Op]
    threads: int


class PartedProgram:
    """What a whole program computes, in parts: the same results, but for the order in which rows are added up."""

    makes_new: bool = False
    plain_function: Callable[..., Any] | None = None

    def __init__(self, graph: Graph, given: Sequence[Op], found: split.Split, parts: int, workers: int) -> None:
        self.graph = graph
        self.given: tuple[Op, ...] = tuple(given)
        self.split = found
        self.cells: list[Cell] = _keys(graph, "cell")
        """The cells that are read, in the order of ``weights``."""
        self.states: list[Any] = _keys(graph, "state")
        """What else is read, in the order of ``states``."""
        bounds = [found.size * i // parts for i in range(parts + 1)]
        ranges = list(pairwise(bounds))
        each = -(-len(ranges) // workers)
        self.shares: list[list[tuple[int, int]]] = [ranges[i : i + each] for i in range(0, len(ranges), each)]
        self.workers = workers
        sizes = _sizes(ranges)
        before, *each_part, after = [build(stage.graph, stage.given, stage.threads) for stage in self.stages(sizes)]
        self.before: Program = before
        self.parts: dict[int, Program] = dict(zip(sizes, each_part, strict=True))
        self.after: Program = after
        self.programs: list[Program] = [self.before, *self.parts.values(), self.after]

    def stages(self, sizes: Iterable[int]) -> Iterator[Stage]:
        """The graphs that are compiled: before, a part of each of some sizes, and after."""
        graph, found = self.graph, self.split
        yield Stage("before", *owned(split.before(graph, found)), self.workers)
        for rows in sizes:
            yield Stage(f"part of {rows} rows", *owned(split.part(graph, found, rows)), 1)
        after, results = split.after(graph, found)
        places = {op: i for i, op in enumerate(graph.results())}
        yield Stage("after", after, [results[places[op]] for op in self.given], self.workers)

    @cached_property
    def without_reuse(self) -> int:
        """How many bytes the values would take if all rows were computed at once, and each had memory of its own."""
        return buffered(self.graph, self.given).memory.without_reuse

    @property
    def text(self) -> str:
        """The sources of before, one part, and after."""
        shown = {"before": self.before, "part": next(iter(self.parts.values())), "after": self.after}
        return "\n".join(program.source.text.replace("def step", f"def {name}") for name, program in shown.items())

    def frame(self) -> PartedFrame:
        """Memory for one run at a time."""
        return PartedFrame(self)

    def run(
        self, frame: PartedFrame, data: Data, weights: Sequence[Data], states: Sequence[Data], new: Sequence[Array]
    ) -> Any:
        """The results; arrays that are given are filled."""
        known: Known = dict(zip([*self.cells, *self.states], [*weights, *states], strict=True))
        shared = _called(self.before, frame.before, data, known, frame.shared)
        known.update({("before", place): value for place, value in enumerate(shared)})
        rows = [_room(op) if kept is None else kept for op, kept in frame.rows]
        sums = self._sums(frame, data, known, rows)
        known.update({("part", place): value for place, value in enumerate([*rows, *sums])})
        program = self.after
        rest = [known[cell] for cell in program.cells], [known[key] for key in program.states]
        return program.run(frame.after, data, *rest, new)

    def _sums(self, frame: PartedFrame, data: Data, known: Known, rows: list[Array]) -> list[Data]:
        """Run all parts, each thread its share; the sums of what each thread has added up, in their order."""
        tasks = [
            partial(own.call, _Share(self, own, data, known, rows).run, share)
            for share, own in zip(self.shares, frame.threads, strict=True)
        ]
        if len(tasks) == 1:
            found = [tasks[0]()]
        else:
            with blas.one_thread():
                found = run_all(tasks)
        total: list[Data] = found[0]
        with np.errstate(all="ignore"):
            for other in found[1:]:
                total = [_added(one, two) for one, two in zip(total, other, strict=True)]
        return total


AnyProgram: TypeAlias = Program | PartedProgram


def _keys(graph: Graph, name: str) -> list[Any]:
    return [op.attributes["key"] for op in graph.ops if op.name == name]


def _added(one: Data, two: Data) -> Data:
    if is_a(one, np.ndarray):
        return np.add(one, two, out=one)
    return one + two


def _sizes(ranges: list[tuple[int, int]]) -> list[int]:
    return sorted({stop - start for start, stop in ranges})


def _called(program: Program, frame: Frame, data: Data, known: Known, new: Sequence[Array]) -> list[Data]:
    """The results of a program, those that it was given arrays for among them."""
    weights, states = [known[cell] for cell in program.cells], [known[key] for key in program.states]
    results = program.run(frame, data, weights, states, new)
    arrays = iter(new)
    return [
        next(arrays) if op in program.given else one for op, one in zip(program.graph.results(), results, strict=True)
    ]


def _room(op: Op) -> Array:
    return np.empty(op.shape, op.dtype)


class PartedFrame:
    """The memory of a program in parts: each thread's own, and what goes from stage to stage."""

    def __init__(self, program: PartedProgram) -> None:
        self.before: Frame = program.before.frame()
        self.shared: tuple[Array, ...] = arrays_of([(op.shape, op.dtype) for op in program.before.given])[1]
        self.after: Frame = program.after.frame()
        results = set(program.graph.results())
        self.rows: list[tuple[Op, Array | None]] = [
            (op, None if op in results else _room(op)) for op in program.split.rows
        ]
        self.threads: list[_Own] = [_Own(program) for _ in program.shares]


class _Own:
    """What one thread works in: a frame for each size of part, and arrays for two sums of each kind."""

    def __init__(self, program: PartedProgram) -> None:
        self.call: Caller = quiet_caller()
        self.frames = {rows: part.frame() for rows, part in program.parts.items()}
        self.total, self.part = Room(program.split.slots), Room(program.split.slots)


class _Share:
    """One thread's parts, one after the other."""

    def __init__(self, program: PartedProgram, own: _Own, data: Data, known: Known, rows: list[Array]) -> None:
        self._program = program
        self._own = own
        self._data = data
        self._known = known
        self._rows = rows

    def run(self, ranges: list[tuple[int, int]]) -> list[Data]:
        """The sums over all its rows."""
        total: list[Data] = []
        for start, stop in ranges:
            found = self._part(start, stop, self._own.part if total else self._own.total)
            total = [_added(one, two) for one, two in zip(total, found, strict=True)] if total else found
        return total

    def _part(self, start: int, stop: int, room: Room) -> list[Data]:
        program, found = self._program, self._program.split
        known = dict(self._known)
        for place, cut in enumerate(found.cuts):
            known["cut", place] = _cut(known["before", place], cut.axis, start * cut.unit, stop * cut.unit)
        inputs = flat(program.graph.source)
        data = [
            part[start:stop] if found.readings[op] is not None else part
            for op, part in zip(inputs, flat(self._data), strict=True)
        ]
        given: list[Array] = []
        for op, whole in zip(found.rows, self._rows, strict=True):
            rows = found.readings[op]
            assert isinstance(rows, Rows)
            given.append(_cut(whole, rows.axis, start * rows.unit, stop * rows.unit))
        one = program.parts[stop - start]
        results = _called(
            one, self._own.frames[stop - start], nested(program.graph.source, data), known, [*given, *room.sums]
        )
        return room.filled(found.slots, results[len(given) :])


def _cut(array: Array, axis: int | None, start: int, stop: int) -> Array:
    """Some rows of an array, as a view."""
    return array if axis is None else array[(slice(None),) * axis + (slice(start, stop),)]
