"""Program: a graph compiled to a function, with the steps of code generation in their order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from types import CodeType
from typing import Any, NamedTuple, cast

from layertree.core.cell import Cell
from layertree.program.codegen.buffer_assignment import BufferAssignment, assign_buffers
from layertree.program.codegen.emit import emit
from layertree.program.codegen.layout import column_major
from layertree.program.codegen.liveness import Liveness, liveness_of
from layertree.program.codegen.source import Source
from layertree.program.ir.operations import Array, Data, Graph, Op, StateKey
from layertree.program.passes.pipeline import optimized_graph
from layertree.program.runtime.diagnostics import note_origin
from layertree.program.runtime.frame import Frame, quiet_caller

_numbers = itertools.count(1)


class BufferedGraph(NamedTuple):
    """A graph after all passes, with liveness and buffer assignment. ``given`` ops write to arrays of the caller."""

    graph: Graph
    given: tuple[Op, ...]
    liveness: Liveness
    memory: BufferAssignment


class Program:
    """A compiled graph: the source, its function, and what a run of the function needs.

    ``is_plain`` programs compute with Python numbers alone, and need no context; ``has_hooks`` says that some line
    calls a user's function.
    """

    __slots__ = ("function", "given", "graph", "has_hooks", "is_plain", "liveness", "memory", "source")

    given: tuple[Op, ...]
    graph: Graph
    liveness: Liveness
    memory: BufferAssignment
    source: Source

    def __init__(self, buffered: BufferedGraph, source: Source) -> None:
        self.graph, self.given, self.liveness, self.memory = buffered
        self.source = source
        self.function: Callable[..., Any] = loaded(source)
        self.is_plain: bool = all(op.is_weak for op in self.liveness.order)
        self.has_hooks: bool = any(op.name == "hook" for op in self.liveness.order)

    def with_source(self, source: Source) -> Program:
        """The same program with another source."""
        return Program(BufferedGraph(self.graph, self.given, self.liveness, self.memory), source)

    def frame(self) -> Frame:
        """Memory for one run at a time."""
        return Frame(self.memory.nbytes, self.source.buffers)

    def run(
        self, frame: Frame, data: Data, weights: Sequence[Data], states: Sequence[Data], new: Sequence[Array]
    ) -> Any:
        """The results for an input, the values of ``cells`` and of ``states``; the arrays in ``new`` are filled."""
        try:
            if self.is_plain:
                return self.function(data, weights, states, new, frame.buffers)
            # A hook has to see the context of the caller, not the copy of the frame's first run.
            call = quiet_caller() if self.has_hooks else frame.call
            return call(self.function, data, weights, states, new, frame.buffers)
        except Exception as error:
            note_origin(error, self.function.__code__, self.source.text, self.source.lines)
            raise

    @property
    def plain_function(self) -> Callable[..., Any] | None:
        """The function, if the program computes with Python numbers alone."""
        return self.function if self.is_plain else None

    @property
    def makes_new(self) -> bool:
        """Whether each result is a number or a new array, and no view of the input or of a cell."""
        return all(
            not op.is_array or self.liveness.locations[op] == "output" or bool(self.liveness.bases[op])
            for op in self.graph.results()
        )

    @property
    def text(self) -> str:
        """The text of the source."""
        return self.source.text

    @property
    def cells(self) -> list[Cell]:
        """The cells that are read, in the order of ``weights``."""
        return [op.attributes["key"] for op in self.source.cells]

    @property
    def states(self) -> list[StateKey]:
        """The deltas or parts of states that are read, in the order of ``states``."""
        return [op.attributes["key"] for op in self.source.states]


def build(graph: Graph, destinations: Iterable[Op] = (), threads: int = 1) -> Program:
    """The program of a graph: passes, buffer assignment, emission. Loop nests are divided among ``threads``."""
    return generated(buffered(graph, destinations, threads))


def buffered(graph: Graph, destinations: Iterable[Op] = (), threads: int = 1) -> BufferedGraph:
    """Run the second group of passes, and assign buffers."""
    graph, given = optimized_graph(graph, destinations, threads)
    liveness = liveness_of(graph, given)
    return BufferedGraph(graph, tuple(given), liveness, assign_buffers(liveness, column_major(liveness)))


def generated(buffered: BufferedGraph) -> Program:
    """Emit the source of a graph, and load it."""
    return Program(buffered, emit(buffered.graph, buffered.liveness, buffered.memory, buffered.given))


def loaded(source: Source) -> Callable[..., Any]:
    """The function of a source, under a file name by which tracebacks and debuggers show its text."""
    filename = f"layertree program {next(_numbers)}"
    code: CodeType = compile(source.text, filename, "exec")
    names: dict[str, Any] = {**source.names, "__name__": filename, "__loader__": _Loader(source.text)}
    exec(code, names)
    return cast("Callable[..., Any]", names["step"])


class _Loader:
    """The module loader that ``linecache`` asks for the text of a program, so that nothing global keeps the text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, name: str) -> str:
        """The text."""
        return self._text
