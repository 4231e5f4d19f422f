"""Gather indices: ``pick`` and ``unpick`` by labels become gathers and scatters at flat positions, computed once.

The rules, where all uses of the same labels share ``places``:

    pick(x, labels)           ->  pick_at(x, places(labels))
    unpick(x, labels)         ->  unpick_at(x, places(labels))
    x + unpick(y, labels)     ->  add_at(x, y, places(labels)), where nothing else reads the scatter
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from layertree.core.spec import ArraySpec
from layertree.program.ir.operations import Graph, Op, remapped, rewritten, users_of


def with_gather_indices(graph: Graph, destinations: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with one ``places`` operation for all uses of the same labels, and the ``destinations`` in it.

    Positions count from the first row, so this pass follows the splitting over a batch.
    """
    destinations = list(destinations)
    if not any(op.name in ("pick", "unpick") for op in graph.ops):
        return graph, destinations
    rewriting = _Rewriting(users_of(graph), {*graph.results(), *destinations})
    for op in graph.ops:
        rewriting.add(op)
    ops = [op for op in rewriting.ops if op not in rewriting.summed]
    return rewritten(graph, ops, rewriting.made, destinations)


class _Rewriting:
    """The operations written so far; ``summed`` are scatters that became part of a sum, and are dropped."""

    def __init__(self, users: dict[Op, list[Op]], handed_out: set[Op]) -> None:
        self.users = users
        self.handed_out = handed_out
        self.ops: list[Op] = []
        self.made: dict[Op, Op] = {}
        self.positions: dict[tuple[Op, int], Op] = {}
        self.summed: set[Op] = set()

    def add(self, op: Op) -> None:
        """Write the replacement of an operation."""
        if op.name in ("pick", "unpick") and op.is_array and all(read.is_array for read in op.inputs):
            self._gather(op)
        elif op.name == "add" and self._is_scattered_sum(op):
            self._sum(op)
        else:
            self.ops.append(remapped(op, self.made))

    def _gather(self, op: Op) -> None:
        """A gather or a scatter at the positions of labels."""
        x, labels = [self.made.get(read, read) for read in op.inputs]
        positions = self._positions_of(op, labels)
        attributes = {"shape": op.shape} if op.name == "unpick" else {}
        at = self.made[op] = Op(f"{op.name}_at", (x, positions), attributes, op.spec, op.layer)
        self.ops.append(at)

    def _positions_of(self, op: Op, labels: Op) -> Op:
        """The flat positions of labels among so many classes."""
        classes = (op if op.name == "unpick" else op.inputs[0]).shape[-1]
        positions = self.positions.get((labels, classes))
        if positions is None:
            spec = ArraySpec((math.prod(labels.shape),), np.int64)
            positions = Op("places", (labels,), {"classes": classes}, spec, op.layer)
            self.positions[labels, classes] = positions
            self.ops.append(positions)
        return positions

    def _is_scattered_sum(self, op: Op) -> bool:
        """Whether the second term of a sum is a scatter for this sum alone, and the first has the sum's spec."""
        x, y = op.inputs
        at = self.made.get(y)
        is_own = self.users[y] == [op] and y not in self.handed_out
        return at is not None and at.name == "unpick_at" and is_own and x.spec == y.spec == op.spec

    def _sum(self, op: Op) -> None:
        x, y = [self.made.get(read, read) for read in op.inputs]
        self.summed.add(y)
        made = self.made[op] = Op("add_at", (x, *y.inputs), {}, op.spec, op.layer)
        self.ops.append(made)
