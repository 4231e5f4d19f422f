"""Rerolling, the analysis of stacks: which values are contiguous in one array, and which operations read them all.

A stack is written by the operations of its members where they are, one after the other. Isomorphic users of the members
become one operation on the stack once all members exist (horizontal fusion), and so do products with a common factor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from layertree.program.ir.operations import Graph, Op, reads_of
from layertree.program.ir.primitives import is_elementwise
from layertree.program.passes.intervals import interval_of
from layertree.program.passes.rerolling_terms import (
    LEAST_TERMS,
    MOST_STACKED,
    DefUse,
    UnrolledSum,
    Values,
    is_small,
    size_of,
    stacks_of,
)


class Stack(NamedTuple):
    """Values contiguous in one array, which is complete once the operation at a ``position`` has run.

    The members of a stack are computed one by one; or, with ``starts``, by one operation on parts of other stacks,
    which begin at the operands of the first member.
    """

    members: Values
    position: int
    starts: Mapping[Op, tuple[Stack, int]] | None = None


class CommonFactor(NamedTuple):
    """A factor of products with many members of a stack: ``(rest * factor) * member = rest * (factor * member)``.

    ``products`` maps each product to the index of its member and its ``rest``; ``inner`` are the products that the
    rewriting removes.
    """

    stack: Stack
    value: Op
    products: dict[Op, tuple[int, Op]]
    inner: Values


class Rerolling(NamedTuple):
    """The plan of the rewriting. ``deferred`` maps operations to the position after which they are computed instead.

    Deferred are sums whose stacks are complete only after the sums' own positions, and what depends on such sums.
    """

    uses: DefUse
    sums: list[UnrolledSum]
    stacks: list[Stack]
    factors: list[CommonFactor]
    deferred: Mapping[Op, int]


def rerolling_of(graph: Graph, destinations: Sequence[Op]) -> Rerolling | None:
    """The unrolled sums of a graph, and what is stacked for them; None where nothing is rerolled."""
    if sum(op.name == "add" and op.is_array for op in graph.ops) < LEAST_TERMS - 1:
        return None
    uses = DefUse(graph, destinations)
    order = _StackOrder()
    sums = [one for one in map(uses.unrolled_sum, graph.ops) if one is not None and order.accept(one)]
    stacks = order.stacks(uses)
    if not sums or stacks is None:
        return None
    deferred = _deferred(graph, uses, sums, stacks)
    if deferred is None:
        return None
    taken = {op for one in sums for op in (one.head, *one.inner)} | deferred.keys()
    _fuse_users(stacks, uses, taken)
    return Rerolling(uses, sums, stacks, list(_common_factors(stacks, uses, taken)), deferred)


class _StackOrder:
    """The successor and the predecessor of each value in its stack."""

    def __init__(self) -> None:
        self.after: dict[Op, Op] = {}
        self.before: dict[Op, Op] = {}

    def accept(self, one: UnrolledSum) -> bool:
        """Enter the stacks that a sum needs, unless a value has another place in a stack already."""
        pairs = [pair for values in stacks_of(one.terms) for pair in pairwise(values)]
        after, before = dict(pairs), {second: first for first, second in pairs}
        for first, second in pairs:
            known = self.after.get(first, second), self.before.get(second, first)
            if first is second or not (after[first], before[second]) == known == (second, first):
                return False
        self.after.update(after)
        self.before.update(before)
        return True

    def stacks(self, uses: DefUse) -> list[Stack] | None:
        """All stacks; None where successors form a cycle, or a stack is too large."""
        stacks: list[Stack] = []
        for first in self.after:
            if first in self.before:
                continue
            members = [first]
            while members[-1] in self.after:
                members.append(self.after[members[-1]])
            stacks.append(Stack(tuple(members), max(uses.positions[one] for one in members)))
            if len(members) * size_of(first) > MOST_STACKED:
                return None
        seen = sum(len(stack.members) for stack in stacks)
        return stacks if seen == len(self.after.keys() | self.before.keys()) else None


def _deferred(graph: Graph, uses: DefUse, sums: list[UnrolledSum], stacks: list[Stack]) -> dict[Op, int] | None:
    """The operations that are computed later, with the position after which they are.

    None where that would be a cycle, or would move a hook.
    """
    ends = {member: stack.position for stack in stacks for member in stack.members}
    deferred: dict[Op, int] = {}
    for one in sums:
        complete = max((ends[values[0]] for values in stacks_of(one.terms)), default=-1)
        if complete < uses.positions[one.head]:
            continue
        if one.head in ends:
            return None
        deferred[one.head] = complete
    fixed = ends.keys() | {op for one in sums for op in one.inner}
    for position, op in enumerate(graph.ops):
        after = max((deferred.get(read, -1) for read in reads_of(op)), default=-1)
        if after < position or op in deferred:
            continue
        if op in fixed or op.name == "hook":
            return None
        deferred[op] = after
    return deferred


def _fuse_users(stacks: list[Stack], uses: DefUse, taken: set[Op]) -> None:
    """Add the stacks of isomorphic users of many members, where all members exist before the first user."""
    indices = {member: (stack, index) for stack in stacks for index, member in enumerate(stack.members)}
    for stack in filter(_is_of_small, stacks):  # the list grows meanwhile
        for group in _isomorphic_users(stack, uses, indices, taken):
            members = tuple(group.values())
            position = min(uses.positions[op] for op in members)
            shape = members[0].shape
            starts = {one: indices[one] for one in members[0].inputs if one in indices and one.shape == shape}
            if _is_contiguous(group) and position > max(base.position for base, _ in starts.values()):
                stacks.append(Stack(members, position, starts))
                indices.update((member, (stacks[-1], index)) for index, member in enumerate(members))
                taken.update(members)


def _is_of_small(stack: Stack) -> bool:
    return is_small(stack.members[0])


def _is_contiguous(indices: Collection[int]) -> bool:
    """Whether there are many indices, without a gap."""
    return max(indices) - min(indices) + 1 == len(indices) >= LEAST_TERMS


def _isomorphic_users(
    stack: Stack, uses: DefUse, indices: Mapping[Op, tuple[Stack, int]], taken: set[Op]
) -> Iterator[dict[int, Op]]:
    """Groups of users that are equal but for the members that they read, by the index of that member."""

    def operand(read: Op, index: int) -> Hashable:
        """What isomorphic users have in common in an operand: of a member its stack and its distance in the stack."""
        if read not in indices or read.shape != stack.members[0].shape:
            return read
        other, at = indices[read]
        return id(other), at - index

    found: dict[Hashable, dict[int, Op]] = defaultdict(dict)
    for index, member in enumerate(stack.members):
        for op in dict.fromkeys(uses.users.get(member, ())):
            is_free = op in uses.positions and not (op in taken or op in indices or op in uses.kept)
            if is_free and is_elementwise(op.name) and op.shape == member.shape:
                operands = tuple([operand(read, index) for read in op.inputs])
                found[op.name, repr(op.attributes), op.spec, operands].setdefault(index, op)
    yield from found.values()


def _common_factors(stacks: list[Stack], uses: DefUse, taken: set[Op]) -> Iterator[CommonFactor]:
    """The factors that many products share, of members in [-1, 1]: the other order of products cannot overflow."""
    used = set(taken)
    for stack in filter(_is_of_small, stacks):
        if any(max(map(abs, interval_of(member))) > 1.0 for member in stack.members):
            continue
        for value, found in _products(stack, uses, used).items():
            first = min(uses.positions[product] for product, _, _ in found.values())
            is_free = used.isdisjoint(inner for _, _, inner in found.values())
            if _is_contiguous(found) and first > stack.position and is_free:
                products = {product: (index, rest) for index, (product, rest, _) in found.items()}
                inner = tuple([one for _, _, one in found.values()])
                used.update(products, inner)
                yield CommonFactor(stack, value, products, inner)


def _products(stack: Stack, uses: DefUse, used: set[Op]) -> dict[Op, dict[int, tuple[Op, Op, Op]]]:
    """For each factor and member index of ``(rest * factor) * member``: the product, ``rest``, the inner product."""
    found: dict[Op, dict[int, tuple[Op, Op, Op]]] = defaultdict(dict)
    for index, member in enumerate(stack.members):
        for op in uses.users.get(member, ()):
            if op.name != "multiply" or op.spec != member.spec or op.dtype.kind != "f" or op in used:
                continue
            inner = op.inputs[1] if op.inputs[0] is member else op.inputs[0]
            if inner.name == "multiply" and inner.spec == op.spec and uses.has_one_use(inner) and inner not in used:
                for value, rest in (inner.inputs, inner.inputs[::-1]):
                    found[value].setdefault(index, (op, rest, inner))
    return found
