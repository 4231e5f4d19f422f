"""Legalization: operations that an engine has no kernel for become operations of other primitives, by their definition.

The name and the idea are those of instruction selection in compilers (LLVM: an operation that a target lacks is
expanded). A definition of the namespaces serves any engine; a primitive that lowering introduces as a special case of
another one is expanded to that.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TypeAlias, cast

from layertree.core.namespace import Namespace
from layertree.namespaces import definitions
from layertree.program.ir.operations import Body, Graph, Op, all_ops, names_of, remapped, rewritten
from layertree.program.lower.namespace import LoweringNamespace
from layertree.program.passes.dead_code import without_dead_code

Expansion: TypeAlias = Callable[[LoweringNamespace, Op, tuple[Op, ...]], Op]
"""Appends the operations that stand for an op over some inputs, and returns the one that has its value."""


def legalized(graph: Graph, destinations: Iterable[Op], primitives: Container[str]) -> tuple[Graph, list[Op]]:
    """The graph without primitives that are not in ``primitives`` but have a definition, and its ``destinations``.

    >>> from layertree import Identity, MaxPool2D, Tuple
    >>> from layertree.program.lower.lowering import lower
    >>> from layertree.typing import ArraySpec
    >>> graph = lower(Tuple((MaxPool2D(Identity(), (2, 2), (2, 2)),)), ArraySpec((1, 4, 4, 1)))
    >>> [op.name for op in graph.ops], [op.name for op in legalized(graph, (), ("max", "windows"))[0].ops]
    (['input', 'max_pool2d'], ['input', 'windows', 'max'])
    """
    if all(name in primitives for name in names_of(graph).intersection(EXPANSIONS)):
        return graph, list(destinations)
    made: dict[Op, Op] = {}
    legal: dict[Op, list[Op]] = {}
    for op in all_ops(graph.ops):
        legal[op] = [_with_bodies(op, legal, made)] if op.bodies else _expanded(op, primitives, made)
    graph, destinations = rewritten(graph, _in_order(graph.ops, legal), made, destinations)
    return without_dead_code(graph), destinations


def _expanded(start: Op, primitives: Container[str], made: dict[Op, Op]) -> list[Op]:
    """An op, expanded until nothing can be expanded further; ``made`` gets what has its value."""
    found: list[Op] = []
    pending = [start]
    standing: dict[Op, list[Op]] = {}  # the ops whose value an operation that is still pending will have
    while pending:
        op = pending.pop()
        if op.name in primitives or op.name not in EXPANSIONS:
            current = remapped(op, made)
            found.append(current)
        else:
            xp = LoweringNamespace()
            xp.layer = op.layer
            current = EXPANSIONS[op.name](xp, op, tuple([made.get(read, read) for read in op.inputs]))
            if current in xp.ops:
                standing[current] = [op, *standing.pop(op, ())]
                pending.extend(xp.ops[::-1])
                continue
            made[op] = current  # one of the inputs
        made.update(dict.fromkeys(standing.pop(op, ()), current))
    return found


def _with_bodies(op: Op, legal: dict[Op, list[Op]], made: dict[Op, Op]) -> Op:
    """A branch whose bodies have the legal operations."""
    bodies = tuple(
        [Body(_in_order(body.ops, legal), tuple([made.get(one, one) for one in body.results])) for body in op.bodies]
    )
    inputs = tuple([made.get(read, read) for read in op.inputs])
    result = made[op] = Op(op.name, inputs, op.attributes, op.spec, op.layer, bodies)
    return result


def _in_order(ops: list[Op], legal: dict[Op, list[Op]]) -> list[Op]:
    return [one for op in ops for one in legal[op]]


def _namespace(xp: LoweringNamespace) -> Namespace[Op]:
    """The lowering namespace, typed as the protocol: it finds the functions by name at run time."""
    return cast("Namespace[Op]", xp)


def _defined(xp: LoweringNamespace, op: Op, inputs: tuple[Op, ...]) -> Op:
    """By the definition of the namespaces."""
    return cast("Op", getattr(definitions, op.name)(xp, *inputs, **op.attributes))


def _max_pool2d(xp: LoweringNamespace, op: Op, inputs: tuple[Op, ...]) -> Op:
    """Lowering has put the padding into an operation of its own."""
    (x,), window, stride = inputs, op.attributes["window"], op.attributes["stride"]
    return definitions.max_pool2d(_namespace(xp), x, window, stride, (0, 0))


def _max_unpool2d(xp: LoweringNamespace, op: Op, inputs: tuple[Op, ...]) -> Op:
    """The kernel is for windows that tile the image."""
    (x, output, like), window = inputs, op.attributes["window"]
    return definitions.max_unpool2d(_namespace(xp), x, output, like, window, window, (0, 0))


def _masked(xp: LoweringNamespace, op: Op, inputs: tuple[Op, ...]) -> Op:
    x, mask = inputs
    return xp.append("where", (mask, xp.constant(op.attributes["value"]), x), {}, op.spec)


def _reduction(name: str, axis: int) -> Expansion:
    """A reduction of a matrix, or over the last axis, as the reduction over an axis, which is counted from the end."""

    def expansion(xp: LoweringNamespace, op: Op, inputs: tuple[Op, ...]) -> Op:
        return xp.append(name, inputs, {"axis": (axis % inputs[0].ndim,)}, op.spec)

    return expansion


EXPANSIONS: Mapping[str, Expansion] = dict.fromkeys(definitions.__all__, _defined) | {
    "masked": _masked,
    "max_of_last": _reduction("max", -1),
    "max_pool2d": _max_pool2d,
    "max_unpool2d": _max_unpool2d,
    "sum_of_last": _reduction("sum", -1),
    "sum_of_rows": _reduction("sum", -2),
}
"""The definition of each primitive that has one."""
