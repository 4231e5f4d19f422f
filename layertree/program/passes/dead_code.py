"""Dead code elimination: operations that no output depends on are dropped. The parts of the input stay."""

from __future__ import annotations

from layertree.program.ir.operations import Body, Graph, Op, all_ops, remapped, rewritten

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
    live = {*graph.results(), *graph.inputs()}
    _mark(graph.ops, live)
    kept = [op for op in graph.ops if _is_live(op, live)]
    if all(_is_live(op, live) for op in all_ops(kept)):
        return Graph(kept, graph.source, graph.outputs)
    made: dict[Op, Op] = {}
    return rewritten(graph, [_pruned(op, live, made) for op in kept], made, ())[0]


def _is_live(op: Op, live: set[Op]) -> bool:
    return op in live or op.name in _ALWAYS_LIVE


def _mark(ops: list[Op], live: set[Op]) -> None:
    """Enter what the live ones of some operations read, those of bodies among them."""
    for op in reversed(ops):
        if not _is_live(op, live):
            continue
        live.update(op.inputs)
        for body in op.bodies:
            live.update(body.results)
        for body in reversed(op.bodies):
            _mark(body.ops, live)


def _pruned(op: Op, live: set[Op], made: dict[Op, Op]) -> Op:
    """The operation over the replacements of its operands, with live operations alone in its bodies."""
    if not op.bodies:
        return remapped(op, made)
    bodies = [
        Body(
            [_pruned(one, live, made) for one in body.ops if _is_live(one, live)],
            tuple([made.get(one, one) for one in body.results]),
        )
        for body in op.bodies
    ]
    inputs = tuple([made.get(read, read) for read in op.inputs])
    made[op] = Op(op.name, inputs, op.attributes, op.spec, op.layer, tuple(bodies))
    return made[op]
