"""Labels of several look-ups are looked at once, and what is added where they point is added in place."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from layertree.core.spec import ArraySpec
from layertree.program._ops import Graph, Op, over, readers_of, rewritten


def picked(graph: Graph, given: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with places for labels, and what stands for the ``given`` operations in it.

    Places are counted from the first row, so this comes after a program is split by rows.
    """
    if not any(op.name in ("pick", "unpick") for op in graph.ops):
        return graph, list(given)
    given = list(given)
    rewriting = _Rewriting(readers_of(graph), {*graph.results(), *given})
    for op in graph.ops:
        rewriting.add(op)
    ops = [op for op in rewriting.ops if op not in rewriting.summed]
    return rewritten(graph, ops, rewriting.made, given)


class _Rewriting:
    def __init__(self, readers: dict[Op, list[Op]], handed_out: set[Op]) -> None:
        self.readers = readers
        self.handed_out = handed_out
        self.ops: list[Op] = []
        self.made: dict[Op, Op] = {}
        self.places: dict[tuple[Op, int], Op] = {}
        self.summed: set[Op] = set()
        """What is added in place, and need not be there by itself."""

    def add(self, op: Op) -> None:
        """An operation, as what stands for it."""
        if op.name in ("pick", "unpick") and op.is_array and all(read.is_array for read in op.inputs):
            self._at(op)
        elif op.name == "add" and self._is_sum(op):
            self._sum(op)
        else:
            self.ops.append(over(op, self.made))

    def _at(self, op: Op) -> None:
        x, labels = [self.made.get(read, read) for read in op.inputs]
        places = self._places(op, labels)
        attributes = {"shape": op.spec.shape} if op.name == "unpick" else {}
        at = self.made[op] = Op(f"{op.name}_at", (x, places), attributes, op.spec, op.layer)
        self.ops.append(at)

    def _places(self, op: Op, labels: Op) -> Op:
        classes: int = (op if op.name == "unpick" else op.inputs[0]).spec.shape[-1]
        places = self.places.get((labels, classes))
        if places is None:
            spec = ArraySpec((math.prod(labels.spec.shape),), np.int64)
            places = Op("places", (labels,), {"classes": classes}, spec, op.layer)
            self.places[labels, classes] = places
            self.ops.append(places)
        return places

    def _is_sum(self, op: Op) -> bool:
        """Whether the second of two summands is unpicked for this sum alone, and the first one has its shape."""
        x, y = op.inputs
        at = self.made.get(y)
        is_own = self.readers[y] == [op] and y not in self.handed_out
        return at is not None and at.name == "unpick_at" and is_own and x.spec == y.spec == op.spec

    def _sum(self, op: Op) -> None:
        x, y = [self.made.get(read, read) for read in op.inputs]
        self.summed.add(y)
        made = self.made[op] = Op("add_at", (x, *y.inputs), {}, op.spec, op.layer)
        self.ops.append(made)
