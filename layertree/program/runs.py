"""Runs: values that lie side by side, so that what is done of each of them is one operation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from layertree._record import record
from layertree.program import phrases
from layertree.program._ops import Graph, Op, reads_of
from layertree.program.alike import LARGE, MANY, Facts, Sum, Values, is_small, members_of, size_of
from layertree.program.bounds import bounds_of


@record(eq=False)
class Found:
    """The sums of many terms in a graph, and all that lies side by side."""

    facts: Facts
    sums: list[Sum]
    runs: list[Run]
    factors: list[Factor]
    late: Mapping[Op, int]
    """Sums that wait for what lies beside their terms, and what reads them: after which position each is computed."""


def found_in(graph: Graph, given: Sequence[Op]) -> Found | None:
    """What is alike in a graph; None where nothing is computed at once."""
    if sum(op.name == "add" and op.is_array for op in graph.ops) < MANY - 1:
        return None
    facts = Facts(graph, given)
    rows = _Rows()
    sums = [one for one in map(facts.sum_of, graph.ops) if one is not None and rows.accept(one)]
    runs = rows.runs(facts)
    if not sums or runs is None:
        return None
    late = _late(graph, facts, sums, runs)
    if late is None:
        return None
    taken = {op for one in sums for op in (one.head, *one.inner)} | late.keys()
    _extend(runs, facts, taken)
    return Found(facts, sums, runs, list(_factors(runs, facts, taken)), late)


@record(eq=False)
class Run:
    """Values that lie side by side once the operation at a ``position`` has run.

    They are members that are made one by one; or what one operation makes of parts of other runs, where these begin at
    ``starts``, as the one that makes the first member does.
    """

    members: Values
    position: int
    starts: Mapping[Op, tuple[Run, int]] | None = None


class _Rows:
    """Which value lies behind which."""

    def __init__(self) -> None:
        self.after: dict[Op, Op] = {}
        self.before: dict[Op, Op] = {}

    def accept(self, one: Sum) -> bool:
        """Put the values that a sum wants side by side, unless some lie elsewhere already."""
        pairs = [pair for values in members_of(one.terms) for pair in pairwise(values)]
        after, before = dict(pairs), {second: first for first, second in pairs}
        for first, second in pairs:
            known = self.after.get(first, second), self.before.get(second, first)
            if first is second or not (after[first], before[second]) == known == (second, first):
                return False
        self.after.update(after)
        self.before.update(before)
        return True

    def runs(self, facts: Facts) -> list[Run] | None:
        """Values side by side, each once; None where they go round in a circle, or are too many."""
        runs: list[Run] = []
        for first in self.after:
            if first in self.before:
                continue
            members = [first]
            while members[-1] in self.after:
                members.append(self.after[members[-1]])
            position = max(facts.positions[one] for one in members)
            runs.append(Run(tuple(members), position))
            if len(members) * size_of(first) > LARGE:
                return None
        seen = sum(len(run.members) for run in runs)
        return runs if seen == len(self.after.keys() | self.before.keys()) else None


def _late(graph: Graph, facts: Facts, sums: list[Sum], runs: list[Run]) -> dict[Op, int] | None:
    """After which position sums are computed that wait for what lies beside their terms, and so what reads them.

    None where something waits for itself, or a hook would.
    """
    ends = {member: run.position for run in runs for member in run.members}
    late: dict[Op, int] = {}
    for one in sums:
        there = max((ends[values[0]] for values in members_of(one.terms)), default=-1)
        if there < facts.positions[one.head]:
            continue
        if one.head in ends:
            return None
        late[one.head] = there
    fixed = ends.keys() | {op for one in sums for op in one.inner}
    for position, op in enumerate(graph.ops):
        after = max((late.get(read, -1) for read in reads_of(op)), default=-1)
        if after < position or op in late:
            continue
        if op in fixed or op.name == "hook":
            return None
        late[op] = after
    return late


def _extend(runs: list[Run], facts: Facts, taken: set[Op]) -> None:
    """Add to some runs what is done of many of their members, once all of them are there."""
    places = {member: (run, place) for run in runs for place, member in enumerate(run.members)}
    for run in filter(_is_of_small, runs):  # grows meanwhile
        for group in _groups(run, facts, places, taken):
            members = tuple(group.values())
            position = min(facts.positions[op] for op in members)
            shape = members[0].spec.shape
            starts = {one: places[one] for one in members[0].inputs if one in places and one.spec.shape == shape}
            if _is_stretch(group) and position > max(base.position for base, _ in starts.values()):
                runs.append(Run(members, position, starts))
                places.update((member, (runs[-1], place)) for place, member in enumerate(members))
                taken.update(members)


def _is_of_small(run: Run) -> bool:
    return is_small(run.members[0])


def _is_stretch(places: Collection[int]) -> bool:
    """Whether there are many places, one beside the other."""
    return max(places) - min(places) + 1 == len(places) >= MANY


def _groups(run: Run, facts: Facts, places: Mapping[Op, tuple[Run, int]], taken: set[Op]) -> Iterator[dict[int, Op]]:
    """The operations that are alike but for the members that they read, by the place of the one in a run."""

    def operand(read: Op, place: int) -> Any:
        """What is the same of an operand: of a member how far it is from this place in its run."""
        if read not in places or read.spec.shape != run.members[0].spec.shape:
            return read
        other, at = places[read]
        return id(other), at - place

    found: dict[Any, dict[int, Op]] = defaultdict(dict)
    for place, member in enumerate(run.members):
        for op in dict.fromkeys(facts.readers.get(member, ())):
            is_free = op in facts.positions and not (op in taken or op in places or op in facts.kept)
            if is_free and phrases.is_elementwise(op.name) and op.spec.shape == member.spec.shape:
                operands = tuple([operand(read, place) for read in op.inputs])
                found[op.name, repr(op.attributes), op.spec, operands].setdefault(place, op)
    yield from found.values()


@record(eq=False)
class Factor:
    """One factor of products with many members of a run: ``(rest * factor) * member`` is ``rest * (factor * member)``.

    ``products`` tells of each its place and its ``rest``, ``inner`` what is multiplied no more.
    """

    run: Run
    value: Op
    products: dict[Op, tuple[int, Op]]
    inner: Values


def _factors(runs: list[Run], facts: Facts, taken: set[Op]) -> Iterator[Factor]:
    """The factors that many products have in common, where to multiply the member first cannot overflow."""
    used = set(taken)
    for run in filter(_is_of_small, runs):
        if any(max(map(abs, bounds_of(member))) > 1.0 for member in run.members):
            continue
        for value, found in _products(run, facts, used).items():
            first = min(facts.positions[product] for product, _, _ in found.values())
            if _is_stretch(found) and first > run.position and used.isdisjoint(inner for _, _, inner in found.values()):
                products = {product: (place, rest) for place, (product, rest, _) in found.items()}
                inner = tuple([one for _, _, one in found.values()])
                used.update(products, inner)
                yield Factor(run, value, products, inner)


def _products(run: Run, facts: Facts, used: set[Op]) -> dict[Op, dict[int, tuple[Op, Op, Op]]]:
    """By factor and place: the product, what else is multiplied, and what the two gave."""
    found: dict[Op, dict[int, tuple[Op, Op, Op]]] = defaultdict(dict)
    for place, member in enumerate(run.members):
        for op in facts.readers.get(member, ()):
            if op.name != "multiply" or op.spec != member.spec or op.spec.dtype.kind != "f" or op in used:
                continue
            inner = op.inputs[1] if op.inputs[0] is member else op.inputs[0]
            if inner.name == "multiply" and inner.spec == op.spec and facts.is_inner(inner) and inner not in used:
                for value, rest in (inner.inputs, inner.inputs[::-1]):
                    found[value].setdefault(place, (op, rest, inner))
    return found
