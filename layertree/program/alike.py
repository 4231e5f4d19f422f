"""What many values have in common is computed for all of them at once: sums of many terms, and what each goes through.

A recurrence that is written out gives them: its way back adds a term of each step to the delta of a weight, and begins
with the same function of the value of each step. On small arrays that is a call a step, where one does for all. The
values of the steps are laid side by side as they are made, so nothing is moved.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from layertree._record import record
from layertree.program import phrases
from layertree.program._ops import Graph, Op, readers_of
from layertree.program.bounds import bounds_of
from layertree.program.views import VIEWS

MANY = 8
"""From how many values on."""
SMALL = 1 << 10
"""Up to how many elements each has: with more, a call is little beside what it computes."""
ALL = 1 << 17
"""Up to how many elements they have together."""

DEPTH = 20
"""How many operations of each term are looked at."""

Values = tuple[Op, ...]


@record(eq=False)
class Found:
    """The sums of many terms in a graph, and all that lies side by side."""

    facts: Facts
    sums: list[Sum]
    runs: list[Run]
    factors: list[Factor]


def found_in(graph: Graph, given: Sequence[Op]) -> Found | None:
    """What is alike in a graph; None where nothing is computed at once."""
    if sum(op.name == "add" and _is_small(op) for op in graph.ops) < MANY - 1:
        return None
    facts = Facts(graph, given)
    rows = _Rows()
    sums = [one for one in map(facts.sum_of, graph.ops) if one is not None and rows.accept(one)]
    runs = rows.runs(facts)
    if not sums or runs is None or not _are_there(sums, runs, facts):
        return None
    taken = {op for one in sums for op in one.inner}
    _extend(runs, facts, taken)
    return Found(facts, sums, runs, list(_factors(runs, facts, taken)))


@record(eq=False)
class Same:
    """One value that is an operand of all."""

    value: Op


@record(eq=False)
class Members:
    """Values, each of them another one."""

    values: Values


@record(eq=False)
class Each:
    """An operation that is done of each of some values, by those of its operands."""

    values: Values
    operands: tuple[Any, ...]


@record(eq=False)
class Sum:
    """A sum of many terms: ``head`` is its last addition, ``inner`` what nothing else reads."""

    head: Op
    terms: Each | Members
    inner: tuple[Op, ...]


class Facts:
    """Who reads what, and where it stands."""

    def __init__(self, graph: Graph, given: Sequence[Op]) -> None:
        self.positions = {op: position for position, op in enumerate(graph.ops)}
        self.kept = {*graph.results(), *given}
        self.readers = readers_of(graph)

    def is_inner(self, op: Op) -> bool:
        """Whether one operation reads a value, in one place, and nobody else."""
        return len(self.readers.get(op, ())) == 1 and op not in self.kept and op in self.positions

    def is_own(self, op: Op) -> bool:
        """Whether an operation makes an array of its own, which may lie beside others; others are copied there."""
        return op.name in phrases.INTO and op.name not in VIEWS and op not in self.kept

    def sum_of(self, op: Op) -> Sum | None:
        """A sum of many terms; None for an operation that does not end one."""
        if not _is_small(op) or not self._adds(op, op.spec) or self._goes_on(op):
            return None
        terms: list[Op] = []
        inner: list[Op] = []
        rest = op
        while self._adds(rest, op.spec):
            ahead = [one for one in rest.inputs if self._adds(one, op.spec) and self.is_inner(one)]
            before = ahead[0] if ahead else rest.inputs[0]
            terms.append(rest.inputs[1] if before is rest.inputs[0] else rest.inputs[0])
            inner.append(rest)
            rest = before
            if not ahead:
                break
        terms.append(rest)
        if len(terms) < MANY or any(term.spec != op.spec for term in terms):
            return None
        found = self._column(tuple(reversed(terms)))
        if isinstance(found, Same) or any(map(self._has_too_many_copies, _members(found))):
            return None
        return Sum(op, found, (*inner[1:], *_inner(found)))

    def _has_too_many_copies(self, values: Values) -> bool:
        return sum(not self.is_own(value) for value in values) * MANY > len(values)

    def _adds(self, op: Op, spec: Any) -> bool:
        return op.name == "add" and op.spec == spec and op.inputs[0].spec == op.inputs[1].spec == spec

    def _goes_on(self, op: Op) -> bool:
        """Whether a sum is a term of a longer one."""
        return self.is_inner(op) and self._adds(self.readers[op][0], op.spec)

    def _column(self, values: Values, depth: int = DEPTH) -> Same | Members | Each:
        """What values have in common, found out from the operation that makes each of them."""
        first = values[0]
        if all(value is first for value in values):
            return Same(first)
        is_alike = phrases.is_elementwise(first.name) and len({*map(_kind, values)}) == 1
        if depth and is_alike and all(map(self.is_inner, values)):
            columns = [self._column(one, depth - 1) for one in zip(*[value.inputs for value in values], strict=True)]
            parts = [one for one in columns if not isinstance(one, Same)]
            if parts and all(one.values[0].spec.shape == first.spec.shape for one in parts):
                return Each(values, tuple(columns))
        return Members(values)


def _is_small(op: Op) -> bool:
    return op.is_array and math.prod(op.spec.shape) <= SMALL


def _kind(op: Op) -> Any:
    """What is the same of operations that are alike."""
    return op.name, repr(op.attributes), op.spec, tuple([read.spec for read in op.inputs])


def _inner(found: Any) -> Iterable[Op]:
    """The operations that are done at once."""
    if isinstance(found, Each):
        yield from found.values
        for one in found.operands:
            yield from _inner(one)


def _members(found: Any) -> Iterable[Values]:
    """The values that have to lie side by side."""
    if isinstance(found, Members):
        yield found.values
    elif isinstance(found, Each):
        for one in found.operands:
            yield from _members(one)


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
        pairs = [pair for values in _members(one.terms) for pair in pairwise(values)]
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
            if len(members) * math.prod(first.spec.shape) > ALL:
                return None
        seen = sum(len(run.members) for run in runs)
        return runs if seen == len(self.after.keys() | self.before.keys()) else None


def _are_there(sums: list[Sum], runs: list[Run], facts: Facts) -> bool:
    """Whether all that lies beside the values of a sum is made before it."""
    ends = {member: run.position for run in runs for member in run.members}
    return all(ends[values[0]] < facts.positions[one.head] for one in sums for values in _members(one.terms))


def _extend(runs: list[Run], facts: Facts, taken: set[Op]) -> None:
    """Add to some runs what is done of many of their members, once all of them are there."""
    places = {member: (run, place) for run in runs for place, member in enumerate(run.members)}
    for run in runs:  # grows meanwhile
        for group in _groups(run, facts, places, taken):
            members = tuple(group.values())
            position = min(facts.positions[op] for op in members)
            shape = members[0].spec.shape
            starts = {one: places[one] for one in members[0].inputs if one in places and one.spec.shape == shape}
            if _is_stretch(group) and position > max(base.position for base, _ in starts.values()):
                runs.append(Run(members, position, starts))
                places.update((member, (runs[-1], place)) for place, member in enumerate(members))
                taken.update(members)


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
    for run in runs:
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
