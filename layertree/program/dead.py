"""Dead code: what no output reads is dropped. The input's parts stay, since the caller hands them over."""

from __future__ import annotations

from layertree._record import evolve
from layertree.core.nested import flat
from layertree.program._ops import Body, Graph, Op

_SEEN = frozenset(("hook",))
"""What is there for what it does."""


def without_dead(graph: Graph) -> Graph:
    """The graph with only what its outputs need.

    >>> from layertree import Exp, Identity, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower import lower
    >>> graph = lower(Tuple((Exp(Identity()),)), spec_of(1.0))
    >>> graph.ops.append(Op("negative", tuple(graph.ops[:1]), {}, spec_of(1.0)))
    >>> without_dead(graph).ops
    [<input float>, <exp float>]
    """
    needed = set(graph.results()) | set(flat(graph.source))
    return evolve(graph, ops=_kept(graph.ops, needed))


def _kept(ops: list[Op], needed: set[Op]) -> list[Op]:
    kept: list[Op] = []
    for op in reversed(ops):
        if op not in needed and op.name not in _SEEN:
            continue
        needed.update(op.inputs)
        if op.bodies:
            bodies: list[Body] = []
            for body in op.bodies:
                needed.update(body.results)
            for body in reversed(op.bodies):
                bodies.append(Body(_kept(body.ops, needed), body.results))
            op.bodies = tuple(reversed(bodies))
        kept.append(op)
    kept.reverse()
    return kept
