"""Dead code elimination: operations that no output depends on are dropped. The parts of the input stay."""

from __future__ import annotations

from layertree.program.ir.operations import Body, Graph, Op, remapped, rewritten

_ALWAYS_LIVE = frozenset(("hook",))
"""Primitives with a side effect."""


def without_dead_code(graph: Graph) -> Graph:
    """The graph with the operations that its outputs depend on, and with hooks.

    The rule: an operation that no live operation reads is dropped, also inside of branches. Outputs, parts of the input
    and hooks are live.

    >>> from layertree import Exp, Identity, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower.lowering import lower
    >>> graph = lower(Tuple((Exp(Identity()),)), spec_of(1.0))
    >>> graph.ops.append(Op("negative", tuple(graph.ops[:1]), {}, spec_of(1.0)))
    >>> without_dead_code(graph).ops
    [<input float>, <exp float>]
    """
    live, bodies = {*graph.results(), *graph.inputs()}, dict[Body, list[Op]]()
    kept = _live_of(graph.ops, live, bodies)
    if all(len(ops) == len(body.ops) for body, ops in bodies.items()):
        return Graph(kept, graph.source, graph.outputs)
    made: dict[Op, Op] = {}
    return rewritten(graph, [_pruned(op, bodies, made) for op in kept], made, ())[0]


def _live_of(ops: list[Op], live: set[Op], bodies: dict[Body, list[Op]]) -> list[Op]:
    """The live ones of some operations; ``live`` gets all that these read, ``bodies`` the live ones of each."""
    kept: list[Op] = []
    for op in reversed(ops):
        if op not in live and op.name not in _ALWAYS_LIVE:
            continue
        live.update(op.inputs)
        if op.bodies:
            for body in op.bodies:
                live.update(body.results)
            for body in reversed(op.bodies):
                bodies[body] = _live_of(body.ops, live, bodies)
        kept.append(op)
    kept.reverse()
    return kept


def _pruned(op: Op, bodies: dict[Body, list[Op]], made: dict[Op, Op]) -> Op:
    """The operation over the replacements of its operands, with live operations alone in its bodies."""
    if not op.bodies:
        return remapped(op, made)
    pruned = [
        Body([_pruned(one, bodies, made) for one in bodies[body]], tuple([made.get(one, one) for one in body.results]))
        for body in op.bodies
    ]
    inputs = tuple([made.get(read, read) for read in op.inputs])
    made[op] = Op(op.name, inputs, op.attributes, op.spec, op.layer, tuple(pruned))
    return made[op]
