"""Results that are written where the caller wants them: each by an operation of its own that fills an array."""

from __future__ import annotations

from layertree.core.nested import nested
from layertree.core.spec import ArraySpec
from layertree.program.ir.operations import Graph, Op
from layertree.program.ir.primitives import fills_a_buffer
from layertree.program.ir.views import VIEWS


def owned(graph: Graph, start: int = 0) -> tuple[Graph, list[Op]]:
    """The graph with the arrays among its results, from ``start`` on, made by ops of their own, and these ops."""
    results = graph.results()
    given: list[Op] = []
    kept: list[Op] = results[:start]
    ops = list(graph.ops)
    for op in results[start:]:
        made = op
        if op.is_array:
            if op in kept or not _fills(op):
                made = Op("astype", (op,), {"dtype": op.dtype}, ArraySpec(op.shape, op.dtype), op.layer)
                ops.append(made)
            given.append(made)
        kept.append(made)
    return Graph(ops, graph.source, nested(graph.outputs, kept)), given


def _fills(op: Op) -> bool:
    return fills_a_buffer(op.name) and op.name not in VIEWS
