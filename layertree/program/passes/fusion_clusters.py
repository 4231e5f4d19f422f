"""Regions: operations that are run together, block by block. Who finds them says how each is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from layertree.program.ir.operations import Graph, Op, reads_of, remapped, rewritten
from layertree.program.ir.views import VIEWS
from layertree.program.passes.loop_nest import Cut


class Region(NamedTuple):
    """The members in their order, and how each is cut. ``outside`` are those whose values others read.

    Views among the members are not: what reads one outside reads it made once more, of what it shows.
    """

    members: tuple[Op, ...]
    cuts: dict[Op, Cut]
    outside: tuple[Op, ...]


Found = tuple[dict[Op, Cut], set[Op]]
"""How operations are cut that could be run by blocks, and which of them are to be."""


def gathered(
    graph: Graph,
    given: Iterable[Op],
    begins: Callable[[Op], bool],
    find: Callable[[list[Op]], Found | None],
    write: Callable[[Region, dict[Op, Op]], list[Op]],
) -> tuple[Graph, list[Op]]:
    """The graph with regions written as other operations, and what stands for the ``given`` ones in it.

    A region may begin with what ``begins`` says; ``find`` finds it in the rest of a program that begins so; ``write``
    gives the operations in its place, and adds what stands for its results.
    """
    order = _ordered(graph, begins, find)
    if order is None:
        return graph, list(given)
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for entry in order:
        ops.extend([remapped(entry, made)] if isinstance(entry, Op) else write(entry, made))
    return rewritten(graph, ops, made, given)


def _ordered(
    graph: Graph, begins: Callable[[Op], bool], find: Callable[[list[Op]], Found | None]
) -> list[Op | Region] | None:
    """The operations in an order in which each region is in one piece; None where there is none."""
    results = set(graph.results())
    order: list[Op | Region] = []
    ops, start, is_any = graph.ops, 0, False
    while start < len(ops):
        found = find(ops[start:]) if begins(ops[start]) else None
        if found is None:
            order.append(ops[start])
            start += 1
        else:
            region, before, after = _region(ops[start:], *found, results)
            order.extend([*before, region])
            ops, start, is_any = after, 0, True
    return order if is_any else None


def _region(ops: list[Op], cuts: dict[Op, Cut], kept: set[Op], results: set[Op]) -> tuple[Region, list[Op], list[Op]]:
    """A region, what comes before it and what after it, in their order.

    What acts stays behind what acted before it, unless the region needs it.
    """
    read_outside = {read for op in ops if op not in kept for read in reads_of(op)} | results
    copied = {op for op in kept if op.name in VIEWS and op in read_outside}
    before: list[Op] = []
    after: list[Op] = []
    late, needed = kept - copied, _needed(ops, kept)
    for op in ops:
        if op in kept and op not in copied:
            continue
        waits = op.acts and op not in needed and any(one.acts for one in after)
        if waits or any(read in late for read in reads_of(op)):
            late.add(op)
            after.append(op)
        else:
            before.append(op)
    members = tuple([op for op in ops if op in kept])
    read_outside.update(read for op in copied for read in op.inputs)
    outside = tuple([op for op in members if op not in copied and op in read_outside])
    return Region(members, cuts, outside), before, after


def _needed(ops: list[Op], kept: set[Op]) -> set[Op]:
    """What has to be there for those that are kept."""
    needed: set[Op] = set()
    for op in reversed(ops):
        if op in kept or op in needed:
            needed.update(reads_of(op))
    return needed


def connected(start: Op, kept: set[Op]) -> set[Op]:
    """Those that are computed from one of them, or together with what is."""
    beside: dict[Op, set[Op]] = {op: set() for op in kept}
    for op in kept:
        for read in op.inputs:
            if read in kept:
                beside[op].add(read)
                beside[read].add(op)
    found, stack = {start}, [start]
    while stack:
        for other in beside[stack.pop()] - found:
            found.add(other)
            stack.append(other)
    return found
