"""The pipeline: the order of the passes.

Two groups, since a graph may be split over its batch between them: each part then goes through the second group alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from layertree.program.ir.operations import Graph, Op
from layertree.program.passes.dead_code import without_dead_code
from layertree.program.passes.elementwise_fusion import fuse
from layertree.program.passes.gather_indices import with_gather_indices
from layertree.program.passes.log_likelihood import with_labels_picked_first
from layertree.program.passes.pooling_layout import with_pooled_layout
from layertree.program.passes.product_scaling import with_scaled_operands
from layertree.program.passes.rerolling import rerolled
from layertree.program.passes.tiling import tile


def simplified_graph(graph: Graph) -> Graph:
    """The first group, algebra on the whole graph: dead code, log-likelihoods, scalar factors of products."""
    return with_scaled_operands(with_labels_picked_first(without_dead_code(graph)))


def optimized_graph(graph: Graph, destinations: Iterable[Op], threads: int) -> tuple[Graph, list[Op]]:
    """The second group: layout of pooling, gather indices, rerolling, then tiling and fusion into loop nests.

    ``destinations`` are operations whose values go to arrays of the caller, and their replacements are returned.
    ``threads`` is the number of threads among which a loop nest may be divided.
    """
    graph, destinations = with_pooled_layout(without_dead_code(graph), destinations)
    graph, destinations = with_gather_indices(graph, destinations)
    graph, destinations = rerolled(graph, destinations)
    graph, destinations = tile(graph, destinations, threads)
    return fuse(graph, destinations, threads)
