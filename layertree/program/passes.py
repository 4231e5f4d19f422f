"""From a graph to a function: the passes in their order, each a step that can be read and run by itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from types import CodeType
from typing import Any

from layertree._record import record
from layertree.program._ops import Graph, Op
from layertree.program.beside import together
from layertree.program.columns import laid_by_columns
from layertree.program.dead import without_dead
from layertree.program.emit import Source, emit
from layertree.program.frame import Frame, quiet
from layertree.program.fuse import fuse
from layertree.program.likelihood import picked_first
from layertree.program.located import note_place
from layertree.program.memory import MemoryPlan, plan_memory
from layertree.program.picking import picked
from layertree.program.pooled import by_places
from layertree.program.scale import scaled
from layertree.program.storage import Storage, storage_of
from layertree.program.tile import tile

_numbers = itertools.count(1)


@record(eq=False)
class Program:
    """A compiled graph: its function, and what the function needs each time."""

    graph: Graph
    storage: Storage
    memory: MemoryPlan
    source: Source
    function: Callable[..., Any]
    given: tuple[Op, ...]
    is_plain: bool
    has_hooks: bool

    def frame(self) -> Frame:
        """Memory for one run at a time."""
        return Frame(self)

    def run(self, frame: Frame, data: Any, weights: Sequence[Any], states: Sequence[Any], new: Sequence[Any]) -> Any:
        """The results; arrays that are given are filled."""
        try:
            if self.is_plain:
                return self.function(data, weights, states, new, frame.buffers)
            # A hook sees the context of whoever runs the program now, not that of the first run.
            call = quiet() if self.has_hooks else frame.call
            return call(self.function, data, weights, states, new, frame.buffers)
        except Exception as error:
            note_place(error, self.function.__code__, self.source.text, self.source.lines)
            raise

    @property
    def text(self) -> str:
        """The source."""
        return self.source.text

    @property
    def cells(self) -> list[Any]:
        """The cells that are read, in the order of ``weights``."""
        return [op.attributes["key"] for op in self.source.cells]

    @property
    def states(self) -> list[Any]:
        """What else is read, in the order of ``states``."""
        return [op.attributes["key"] for op in self.source.states]


@record(eq=False)
class Layout:
    """A graph as it is to be run, and where its values live."""

    graph: Graph
    given: tuple[Op, ...]
    storage: Storage
    memory: MemoryPlan


def prepared(graph: Graph) -> Graph:
    """What is done before a graph may be split: drop dead code, let labels pick first, scale the smaller operands."""
    return scaled(picked_first(without_dead(graph)))


def build(graph: Graph, given: Iterable[Op] = (), threads: int = 1) -> Program:
    """The program of a graph, which may share what it runs by blocks among threads."""
    return written(laid_out(graph, given, threads))


def laid_out(graph: Graph, given: Iterable[Op] = (), threads: int = 1) -> Layout:
    """Put together what is computed at once, or by blocks, and plan the memory."""
    graph, given = by_places(without_dead(graph), given)
    graph, given = picked(graph, given)
    graph, given = together(graph, given)
    graph, given = tile(graph, given, threads)
    graph, given = fuse(graph, given, threads)
    storage = storage_of(graph, given)
    return Layout(graph, tuple(given), storage, plan_memory(storage, laid_by_columns(storage)))


def written(layout: Layout) -> Program:
    """Write the source and load it."""
    graph, given, storage, memory = layout.graph, layout.given, layout.storage, layout.memory
    source = emit(graph, storage, memory, given)
    is_plain = all(op.spec.weak for op in storage.order)
    has_hooks = any(op.name == "hook" for op in storage.order)
    return Program(graph, storage, memory, source, loaded(source), given, is_plain, has_hooks)


def loaded(source: Source) -> Callable[..., Any]:
    """The function of a source text, which tracebacks and debuggers show."""
    filename = f"layertree program {next(_numbers)}"
    code: CodeType = compile(source.text, filename, "exec")
    names: dict[str, Any] = {**source.names, "__name__": filename, "__loader__": _Loader(source.text)}
    exec(code, names)
    function: Callable[..., Any] = names["step"]
    return function


class _Loader:
    """Who knows the source of a program: asked only for a line that is shown, so that programs leave nothing behind."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, name: str) -> str:
        """The text."""
        return self._text
