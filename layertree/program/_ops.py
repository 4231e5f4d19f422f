"""Op: one operation of a program and the value it gives. A program is a list of them, each after what it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from layertree._record import record
from layertree.core.nested import flat, nested

LEAVES = frozenset(("input", "cell", "state", "constant"))
"""What a program is given: parts of its input, values and rule states of cells, constants."""


class Op:
    """A primitive over other values, with the spec of its result and the layer it comes from.

    ``bodies`` are the branches of a ``cond``, whose results are read by ops named ``result``.
    """

    __slots__ = ("attributes", "bodies", "inputs", "layer", "name", "spec")

    def __init__(
        self,
        name: str,
        inputs: tuple[Op, ...],
        attributes: dict[str, Any],
        spec: Any,
        layer: Any = None,
        bodies: tuple[Body, ...] = (),
    ) -> None:
        self.name: str = name
        self.inputs: tuple[Op, ...] = inputs
        self.attributes: dict[str, Any] = attributes
        self.spec: Any = spec
        self.layer: Any = layer
        self.bodies: tuple[Body, ...] = bodies

    @property
    def is_array(self) -> bool:
        """Whether the value has axes; what has none is a Python number or a NumPy scalar."""
        return bool(self.spec.shape)

    @property
    def number(self) -> Any:
        """The number that a constant is, or that fills it; None for anything else."""
        if self.name != "constant":
            return None
        return self.attributes.get("fill") if self.is_array else self.attributes["data"]

    @property
    def acts(self) -> bool:
        """Whether it may do something besides giving a value: a hook, and a branch, in which one may be."""
        return self.name == "hook" or bool(self.bodies)

    def __repr__(self) -> str:
        return f"<{self.name} {self.spec!r}>"


@record(eq=False)
class Body:
    """A branch: its operations, and the values it gives."""

    ops: list[Op]
    results: tuple[Op, ...]


@record(eq=False)
class Graph:
    """The operations of a program in order, its input, and the values it gives (ops, maybe in nested tuples)."""

    ops: list[Op]
    source: Any
    outputs: Any

    def results(self) -> list[Op]:
        """The values it gives, without their nesting."""
        return list(flat(self.outputs))


def all_ops(ops: Iterable[Op]) -> Iterator[Op]:
    """The operations, those of branches before the ``cond`` they belong to."""
    for op in ops:
        for body in op.bodies:
            yield from all_ops(body.ops)
        yield op


def reads_of(op: Op) -> Sequence[Op]:
    """What an op reads, in its branches, too."""
    if not op.bodies:
        return op.inputs
    inner = [read for body in op.bodies for one in body.ops for read in reads_of(one)]
    return [*op.inputs, *inner, *[result for body in op.bodies for result in body.results]]


def over(op: Op, made: dict[Op, Op]) -> Op:
    """An op over what stands for its operands."""
    if made.keys().isdisjoint(reads_of(op)):
        return op
    inputs = tuple([made.get(read, read) for read in op.inputs])
    bodies = tuple(
        [
            Body([over(one, made) for one in body.ops], tuple([made.get(one, one) for one in body.results]))
            for body in op.bodies
        ]
    )
    result = made[op] = Op(op.name, inputs, op.attributes, op.spec, op.layer, bodies)
    return result


def readers_of(graph: Graph) -> dict[Op, list[Op]]:
    """The operations that read each value, themselves or in their branches, each as often as it does."""
    readers: dict[Op, list[Op]] = {op: [] for op in graph.ops}
    for op in graph.ops:
        for read in reads_of(op):
            readers.setdefault(read, []).append(op)
    return readers


def rewritten(graph: Graph, ops: list[Op], made: Mapping[Op, Op], given: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with other operations, and what stands for the ``given`` ones in it: what was ``made`` of them."""
    outputs = nested(graph.outputs, [made.get(op, op) for op in graph.results()])
    return Graph(ops, graph.source, outputs), [made.get(op, op) for op in given]
