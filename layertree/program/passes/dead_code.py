"""Dead code elimination: operations that no output depends on are dropped. The parts of the input stay."""

from __future__ import annotations

from collections.abc import Iterator

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
    ops = [remapped(op, made, bodies.__getitem__) for op in kept]
    return rewritten(graph, ops, made, ())[0]


def _live_of(ops: list[Op], live: set[Op], bodies: dict[Body, list[Op]]) -> list[Op]:
    """The live ones of some operations; ``live`` gets all that these read, ``bodies`` the live ones of each.

    A stack instead of recursion holds the operations that are still to be read, from the last one on.
    """
    result: list[Op] = []
    stack: list[tuple[Iterator[Op], list[Op]]] = [(reversed(ops), result)]
    while stack:
        left, kept = stack[-1]
        for op in left:
            if op not in live and op.name not in _ALWAYS_LIVE:
                continue
            kept.append(op)
            live.update(op.inputs)
            if op.bodies:
                for body in op.bodies:
                    live.update(body.results)
                    bodies[body] = []
                    stack.append((reversed(body.ops), bodies[body]))
                break
        else:
            stack.pop()
            kept.reverse()
    return result
