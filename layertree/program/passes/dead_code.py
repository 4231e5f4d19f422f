"""Dead code elimination: operations that no output depends on are dropped. The parts of the input stay."""

from __future__ import annotations

from layertree.program.ir.operations import Body, Graph, Op

_ALWAYS_LIVE = frozenset(("hook",))
"""Primitives with a side effect."""


def without_dead_code(graph: Graph) -> Graph:
    """The graph with the operations that its outputs depend on, and with hooks.

    >>> from layertree import Exp, Identity, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower.lowering import lower
    >>> graph = lower(Tuple((Exp(Identity()),)), spec_of(1.0))
    >>> graph.ops.append(Op("negative", tuple(graph.ops[:1]), {}, spec_of(1.0)))
    >>> without_dead_code(graph).ops
    [<input float>, <exp float>]
    """
    live = {*graph.results(), *graph.inputs()}
    return Graph(_live_of(graph.ops, live), graph.source, graph.outputs)


def _live_of(ops: list[Op], live: set[Op]) -> list[Op]:
    """The live ones of some operations; ``live`` is extended by all that these read."""
    kept: list[Op] = []
    for op in reversed(ops):
        if op not in live and op.name not in _ALWAYS_LIVE:
            continue
        live.update(op.inputs)
        if op.bodies:
            bodies: list[Body] = []
            for body in op.bodies:
                live.update(body.results)
            for body in reversed(op.bodies):
                bodies.append(Body(_live_of(body.ops, live), body.results))
            op.bodies = tuple(reversed(bodies))
        kept.append(op)
    kept.reverse()
    return kept
