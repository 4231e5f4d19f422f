"""The pipeline: the passes by name, in their order.

Two groups, since a graph may be split over its batch between them: each part then goes through the second group alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from layertree.program.ir.operations import Graph, Op
from layertree.program.passes.dead_code import without_dead_code
from layertree.program.passes.elementwise_fusion import fuse
from layertree.program.passes.gather_indices import with_gather_indices
from layertree.program.passes.log_likelihood import with_labels_picked_first
from layertree.program.passes.pooling_layout import with_pooled_layout
from layertree.program.passes.product_scaling import with_scaled_operands
from layertree.program.passes.rerolling import rerolled
from layertree.program.passes.tiling import tile

Passed: TypeAlias = tuple[Graph, list[Op]]
"""A graph, and the operations whose values go to arrays of the caller, the destinations: each is one of its results."""

Run: TypeAlias = Callable[[Graph, Sequence[Op], int], Passed]
"""A pass as a function of a graph, of its destinations, and of the number of threads that may share a loop nest."""


class Lowered(NamedTuple):
    """What enters the pipeline: a lowered graph, its destinations, and the threads that a user asked for."""

    graph: Graph
    destinations: tuple[Op, ...]
    threads: int | None


class Pass(NamedTuple):
    """A step of the pipeline: a name, what it does in a few words, and the function that makes the new graph.

    The function changes nothing in the graph that it is given, and the new graph has the same results in their order.
    """

    name: str
    purpose: str
    run: Run


Observe: TypeAlias = Callable[[Pass, Graph, Graph], object]
"""Sees each pass that has run, with the graph before it and the graph after it."""


def _of_graph(run: Callable[[Graph], Graph]) -> Run:
    """A pass that is a function of the graph alone; destinations are found again by their places among the results."""

    def with_destinations(graph: Graph, destinations: Sequence[Op], threads: int) -> Passed:
        after = run(graph)
        if after is graph:
            return graph, list(destinations)
        moved = dict(zip(graph.results(), after.results(), strict=True))
        return after, [moved.get(op, op) for op in destinations]

    return with_destinations


def _of_destinations(run: Callable[[Graph, Sequence[Op]], Passed]) -> Run:
    """A pass that needs no number of threads."""
    return lambda graph, destinations, threads: run(graph, destinations)


_DEAD_CODE = Pass("dead code", "what no output depends on", _of_graph(without_dead_code))

SIMPLIFICATION: tuple[Pass, ...] = (
    _DEAD_CODE,
    Pass("log-likelihood", "log-probabilities of labels alone", _of_graph(with_labels_picked_first)),
    Pass("product scaling", "factors to the smaller operand", _of_graph(with_scaled_operands)),
)
"""The first group: algebra on the whole graph."""

OPTIMIZATION: tuple[Pass, ...] = (
    _DEAD_CODE,
    Pass("pooling layout", "rows by their place in a window", _of_destinations(with_pooled_layout)),
    Pass("gather indices", "positions of labels, once", _of_destinations(with_gather_indices)),
    Pass("rerolling", "unrolled loops as one operation", _of_destinations(rerolled)),
    Pass("tiling", "large products by blocks", tile),
    Pass("elementwise fusion", "elementwise chains by blocks", fuse),
)
"""The second group: layouts and loops, for the whole graph or for each part of it."""


PASSES: tuple[Pass, ...] = (*SIMPLIFICATION, *OPTIMIZATION)
"""All passes in the order in which a graph that is not split goes through them."""


def passed(
    passes: Iterable[Pass], graph: Graph, destinations: Iterable[Op], threads: int = 1, observe: Observe | None = None
) -> Passed:
    """The graph after some passes, and the replacements of its destinations; ``observe`` sees each pass."""
    given = list(destinations)
    for one in passes:
        before = graph
        graph, given = one.run(graph, given, threads)
        if observe is not None:
            observe(one, before, graph)
    return graph, given


def simplified_graph(graph: Graph, destinations: Iterable[Op] = ()) -> Passed:
    """The graph after the first group, and the replacements of ``destinations`` in it."""
    return passed(SIMPLIFICATION, graph, destinations)


def optimized_graph(graph: Graph, destinations: Iterable[Op], threads: int) -> Passed:
    """The graph after the second group, and the replacements of ``destinations`` in it.

    ``destinations`` are results whose values go to arrays of the caller. ``threads`` is the number of threads among
    which a loop nest may be divided.
    """
    return passed(OPTIMIZATION, graph, destinations, threads)
