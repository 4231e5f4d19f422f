"""Fusing elementwise chains: computed for some rows at a time, so that what passes between them stays in the cache.

A sum over the rows of a chain's value belongs to the chain: each block adds its part, while its values are in the
cache. The blocks of a chain with such a sum run in one thread, since they write to one array.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from layertree.core.spec import ArraySpec
from layertree.program.ir.operations import Graph, Op, reads_of, remapped, rewritten, users_of
from layertree.program.ir.primitives import indexing_map, is_elementwise
from layertree.program.passes.block_cuts import ROWS
from layertree.program.passes.loop_nest import Builder, Cut, Kinds, broadcast_kinds, slices

BLOCK = 1 << 16
"""How many elements are computed at a time: as many as fit a core's cache with what is computed from them."""
LEAST = 3
"""How many operations are worth a loop."""


def fuse(graph: Graph, given: Iterable[Op], threads: int = 1) -> tuple[Graph, list[Op]]:
    """The graph with its chains as ``fused`` operations, and what stands for the ``given`` ones in it."""
    if not any(map(_fuses, graph.ops)):
        return graph, list(given)
    results = set(graph.results())
    readers = users_of(graph)
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for entry in _ordered(graph.ops, with_sums=threads == 1):
        if isinstance(entry, Op):
            ops.append(remapped(entry, made))
        elif len(entry) < LEAST:
            ops.extend(remapped(op, made) for op in entry)
        else:
            ops.extend(_fused(entry, readers, results, made, threads))
    return rewritten(graph, ops, made, given)


def _ordered(ops: list[Op], *, with_sums: bool) -> list[Op | list[Op]]:
    """The operations in an order in which each chain is in one piece, a list of its own."""
    order = _Order(with_sums)
    for op in ops:
        order.add(op)
    order.close()
    return order.entries


class _Order:
    """What does not read the chain that is open comes before it; what reads it without belonging to it waits."""

    def __init__(self, with_sums: bool) -> None:
        self.entries: list[Op | list[Op]] = []
        self._with_sums = with_sums
        self._chain: list[Op] = []
        self._members: set[Op] = set()
        self._sums: set[Op] = set()
        self._waiting: dict[Op, None] = {}

    def add(self, op: Op) -> None:
        """The next operation: what cannot join the chain, but begins one of its own, ends it."""
        reads = reads_of(op)
        waits = any(read in self._waiting for read in reads)
        if _fuses(op):
            reads_sums = any(read in self._sums for read in reads)
            if waits or reads_sums or (self._chain and op.shape != self._chain[0].shape):
                self.close()
            self._chain.append(op)
            self._members.add(op)
        elif self._with_sums and _is_sum_of_rows(op) and self._has_rows(op.inputs[0]):
            self._chain.append(op)
            self._members.add(op)
            self._sums.add(op)
        elif op.acts:  # it stays in its place
            self.close()
            self.entries.append(op)
        elif waits or any(read in self._members for read in reads):
            self._waiting[op] = None
        else:
            self.entries.append(op)

    def _has_rows(self, op: Op) -> bool:
        """Whether the chain computes the value row by row."""
        return op in self._members and op not in self._sums

    def close(self) -> None:
        """End the chain."""
        if self._chain:
            self.entries.append(self._chain)
        self.entries.extend(self._waiting)
        self._chain, self._members, self._sums, self._waiting = [], set(), set(), {}


def _fuses(op: Op) -> bool:
    size = math.prod(op.shape) if op.is_array else 0
    return size > BLOCK and op.shape[0] > 1 and is_elementwise(op.name)


def _rows_of_a_block(shape: tuple[int, ...]) -> int:
    return max(1, BLOCK // math.prod(shape[1:]))


def _is_sum_of_rows(op: Op) -> bool:
    """Whether an operation adds up an array over its first axis, and over others maybe, in the dtype of the array.

    A block of one row has nothing to add up: the sum of such rows stays an operation of its own, unless it is a number.
    """
    found = indexing_map(op) if len(op.inputs) == 1 and op.inputs[0].is_array else None
    if found is None or op.dtype != op.inputs[0].dtype or op.dtype.kind != "f":
        return False
    if op.is_array and _rows_of_a_block(op.inputs[0].shape) == 1:
        return False
    first = found.operands[0][0]
    return first is not None and found.reduced.get(first.label) == "sum"


def _fused(
    group: list[Op], readers: dict[Op, list[Op]], results: set[Op], made: dict[Op, Op], threads: int
) -> list[Op]:
    """One operation for a chain, and the results that others read."""
    members = set(group)
    shape = group[0].shape
    blocks = slices(shape[0], _rows_of_a_block(shape))
    builder = Builder(tuple([{ROWS: part} for part in blocks]), made)
    kinds: Kinds = (ROWS, *[None] * (len(shape) - 1))
    numbers: dict[Op, Op] = {}
    for op in group:
        if op.shape == shape:
            builder.add(op, Cut(kinds, tuple([broadcast_kinds(read.shape, kinds) for read in op.inputs])))
        elif op.is_array:
            builder.add(op, Cut((None,) * op.ndim, (kinds,), is_total=True))
        else:
            numbers[op] = _add_number(builder, op, kinds)
    outside = [numbers.get(op, op) for op in group if op in results or not members.issuperset(readers[op])]
    found = builder.finish(outside, {op: 0.0 for op in outside if op.shape != shape}, threads)
    for op, total in numbers.items():
        if total in made:
            made[op] = Op("getitem", (made[total],), {"index": (0,)}, op.spec, op.layer)
            found.append(made[op])
    return found


def _add_number(builder: Builder, op: Op, kinds: Kinds) -> Op:
    """A sum over all axes as an array of one element, which the blocks add to: the operation for that array."""
    (read,) = op.inputs
    row = Op("getitem", (read,), {"index": (None,)}, ArraySpec((1, *read.shape), read.dtype), op.layer)
    axes = tuple(range(1, read.ndim + 1))
    total = Op("sum", (row,), {"axis": axes}, ArraySpec((1,), op.dtype), op.layer)
    builder.add(row, Cut((None, *kinds), (kinds,)))
    builder.add(total, Cut((None,), ((None, *kinds),), is_total=True))
    return total
