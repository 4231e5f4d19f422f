"""The seam for engines: a graph of primitives and a plan go in, a program that runs comes out.

Before the seam stands what no engine changes: derivation, lowering, and the passes of ``simplified_graph``. Behind it
an engine is free in how it computes; the NumPy engine is ``layertree.program.numpy_engine``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple, Protocol

from layertree.core.cell import Cell
from layertree.core.errors import DTypeError
from layertree.program.ir.operations import LEAVES, Array, Data, Graph, Op, SpecTree, all_ops, names_of
from layertree.program.passes.legalization import legalized
from layertree.program.passes.pipeline import simplified_graph
from layertree.program.runtime.diagnostics import origin_text

STRUCTURE = LEAVES | {"cond", "result"}
"""What a graph consists of besides primitives: every engine runs leaves and branches."""


class Plan(NamedTuple):
    """What an engine has to know besides the graph.

    The values of ``destinations``, ops of the graph, go to arrays of the caller. ``spec`` is that of the input. The
    other fields are the options of ``compile``; an engine that does not have one of them raises TypeError for it.
    """

    destinations: tuple[Op, ...]
    spec: SpecTree
    threads: int | None = None
    limit: int | None = None
    check_finite: bool = False


class Executable(Protocol):
    """A program that an engine has made. Two threads may run it at the same time, each in a frame of its own."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells that are read, in the order of ``weights``."""
        ...

    @property
    def states(self) -> Sequence[Any]:
        """The keys of the ``state`` leaves that are read (see ``StateKey``), in the order of ``states``."""
        ...

    @property
    def text(self) -> str:
        """The source of the program, or another text that shows what it does."""
        ...

    @property
    def makes_new(self) -> bool:
        """Whether each result is a number, or an array that nothing else refers to."""
        ...

    @property
    def plain_function(self) -> Callable[..., Any] | None:
        """``function(data, weights, states, new, ())``, the program as a function that needs no frame; None without."""
        ...

    def frame(self) -> Any:
        """Memory for one run at a time."""
        ...

    def run(
        self, frame: Any, data: Data, weights: Sequence[Data], states: Sequence[Data], new: Sequence[Array], /
    ) -> Any:
        """The results in the nesting of the graph's outputs; the arrays in ``new`` are filled.

        In the place of a result that is filled stands anything. Another result may be a view of the input, of a cell
        or of a state, and is never written again.
        """
        ...


class Engine(Protocol):
    """Makes programs of graphs.

    Values are Python numbers where a spec is weak, NumPy scalars or arrays elsewhere, from the seam to the seam: an
    engine with arrays of its own converts at both ends.
    """

    @property
    def name(self) -> str:
        """What messages call the engine."""
        ...

    @property
    def primitives(self) -> Container[str]:
        """The names of the primitives that the engine has kernels for.

        A primitive that an engine lacks is replaced by its definition in others where there is one.
        """
        ...

    def build(self, graph: Graph, plan: Plan, /) -> Executable:
        """The program of a graph. All its operations are leaves, branches, or of the engine's primitives."""
        ...


def executable(graph: Graph, plan: Plan, engine: Engine) -> Executable:
    """The program that an engine makes of a lowered graph.

    Raises DTypeError for a primitive that the engine neither has nor can compute by a definition.
    """
    graph, destinations = simplified_graph(graph, plan.destinations)
    graph, destinations = legalized(graph, destinations, engine.primitives)
    lacking = {name for name in names_of(graph) - STRUCTURE if name not in engine.primitives}
    for op in all_ops(graph.ops) if lacking else ():
        if op.name in lacking:
            raise DTypeError(
                f"the engine {engine.name!r} has no primitive {op.name!r}, of which there is no definition in others "
                f"either: {origin_text(op)}"
            )
    return engine.build(graph, plan._replace(destinations=tuple(destinations)))
