"""Fusing elementwise chains: computed for some rows at a time, so that what passes between them stays in the cache."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from layertree._nested import nested
from layertree.program import phrases
from layertree.program._ops import Graph, Op
from layertree.program.chain import Builder, Cut, Kinds, over, reads_of, slices
from layertree.program.cutting import ROWS

BLOCK = 1 << 16
"""How many elements are computed at a time: as many as fit a core's cache with what is computed from them."""
LEAST = 3
"""How many operations are worth a loop."""


def fuse(graph: Graph, given: Iterable[Op], threads: int = 1) -> tuple[Graph, list[Op]]:
    """The graph with its chains as ``fused`` operations, and what stands for the ``given`` ones in it."""
    if not any(map(_fuses, graph.ops)):
        return graph, list(given)
    order, groups = _grouped(graph.ops)
    results = set(graph.results())
    uses: dict[Op, set[Any]] = {}
    for op in graph.ops:
        for read in reads_of(op):
            uses.setdefault(read, set()).add(op)
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for entry in order:
        if isinstance(entry, Op):
            ops.append(over(entry, made))
        elif len(groups[entry]) < LEAST:
            ops.extend(over(op, made) for op in groups[entry])
        else:
            ops.extend(_fused(groups[entry], uses, results, made, threads))
    outputs = nested(graph.outputs, [made.get(op, op) for op in graph.results()])
    return Graph(ops, graph.source, outputs), [made.get(op, op) for op in given]


def _grouped(ops: list[Op]) -> tuple[list[Op | int], list[list[Op]]]:
    """The operations in an order in which each chain is in one piece, and the chains, which it names by number.

    What does not read a chain that is open comes before it; what reads it without belonging to it ends it.
    """
    order: list[Op | int] = []
    groups: list[list[Op]] = []
    group: set[Op] = set()
    for op in ops:
        joins = bool(group) and _fuses(op) and op.spec.shape == groups[-1][0].spec.shape
        if group and not joins and any(read in group for read in reads_of(op)):
            group = set()
        if joins or (_fuses(op) and not group):
            if not group:
                order.append(len(groups))
                groups.append([])
            group.add(op)
            groups[-1].append(op)
        else:
            order.insert(len(order) - 1 if group else len(order), op)
    return order, groups


def _fuses(op: Op) -> bool:
    size = math.prod(op.spec.shape) if op.is_array else 0
    return size > BLOCK and op.spec.shape[0] > 1 and phrases.is_elementwise(op.name)


def _fused(group: list[Op], uses: dict[Op, set[Any]], outputs: set[Op], made: dict[Op, Op], threads: int) -> list[Op]:
    """One operation for a chain, and the results that others read."""
    members = set(group)
    outside = [op for op in group if op in outputs or uses.get(op, set()) - members]
    shape = group[0].spec.shape
    rows = max(1, BLOCK // math.prod(shape[1:]))
    builder = Builder(tuple([{ROWS: part} for part in slices(shape[0], rows)]), made)
    for op in group:
        operands = tuple([_by_rows(read.spec.shape, len(shape)) for read in op.inputs])
        builder.add(op, Cut(_by_rows(shape, len(shape)), operands))
    return builder.finish(outside, {}, threads)


def _by_rows(shape: tuple[int, ...], ndim: int) -> Kinds:
    """How an operand of a chain of so many axes is cut: along the first, unless it is broadcast along it."""
    return tuple([ROWS if axis == 0 and len(shape) == ndim and size != 1 else None for axis, size in enumerate(shape)])
