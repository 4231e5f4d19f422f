"""What many values have in common is computed for all of them at once: sums of many terms, and what each goes through.

A recurrence that is written out gives them: its way back adds a term of each step to the delta of a weight, and begins
with the same function of the value of each step. On small arrays that is a call a step, where one does for all; and a
sum of products of matrices is one product of matrices that lie below one another. The values of the steps are laid side
by side as they are made, so nothing is moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from layertree._record import record
from layertree.core.dynamic import type_of
from layertree.program import phrases
from layertree.program._ops import Graph, Op, readers_of
from layertree.program.views import VIEWS

MANY = 8
"""From how many values on."""
SMALL = 1 << 10
"""Up to how many elements each has: with more, a call is little beside what it computes."""
ALL = 1 << 17
"""Up to how many elements they have together."""
LARGE = 1 << 22
"""Up to how many elements operands of products have together, which are one product then."""

DEPTH = 20
"""How many operations of each term are looked at."""

Values = tuple[Op, ...]


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
class Slices:
    """Values that lie side by side in one: what it has at an index."""

    values: Values
    source: Op
    index: tuple[Any, ...]


@record(eq=False)
class Products:
    """Terms of a sum that are products of a matrix, transposed, and another one."""

    values: Values
    operands: tuple[Members | Slices, Members | Slices]


@record(eq=False)
class RowSums:
    """Terms of a sum that are themselves sums of rows."""

    values: Values
    operands: tuple[Members | Slices]


Terms = Each | Members | Products | RowSums


@record(eq=False)
class Sum:
    """A sum of many terms: ``head`` is its last addition, ``inner`` what nothing else reads."""

    head: Op
    terms: Terms
    inner: Values


class Facts:
    """Who reads what, and where it stands."""

    def __init__(self, graph: Graph, given: Sequence[Op]) -> None:
        self.positions: dict[Op, int] = {op: position for position, op in enumerate(graph.ops)}
        self.kept: set[Op] = {*graph.results(), *given}
        self.readers: dict[Op, list[Op]] = readers_of(graph)

    def is_inner(self, op: Op) -> bool:
        """Whether one operation reads a value, in one place, and nobody else."""
        return len(self.readers.get(op, ())) == 1 and op not in self.kept and op in self.positions

    def is_own(self, op: Op) -> bool:
        """Whether an operation makes an array of its own, which may lie beside others; others are copied there."""
        return op.name in phrases.INTO and op.name not in VIEWS and op not in self.kept

    def sum_of(self, op: Op) -> Sum | None:
        """A sum of many terms; None for an operation that does not end one."""
        if not op.is_array or not self._adds(op, op.spec) or self._goes_on(op):
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
        found = self._terms(tuple(reversed(terms)))
        if found is not None:
            found = self._terms(self._in_order(found))
        if found is None or any(map(self._has_too_many_copies, members_of(found))):
            return None
        return Sum(op, found, (*inner[1:], *_inner(found)))

    def _terms(self, values: Values) -> Terms | None:
        first = values[0]
        if len({*map(_kind, values)}) == 1 and all(map(self.is_inner, values)):
            rows = [value.inputs[-1] for value in values]
            if first.name == "sum_of_rows":
                return RowSums(values, (_row(tuple(rows)),))
            if first.name == "matmul" and all(value.inputs[0].name == "transpose" for value in values):
                turned = [value.inputs[0].inputs[0] for value in values]
                if len(first.spec.shape) == 2 and max(map(size_of, (rows[0], turned[0]))) * len(values) <= LARGE:
                    return Products(values, (_row(tuple(turned)), _row(tuple(rows))))
        if not is_small(first) or size_of(first) * len(values) > ALL:
            return None
        found = self._column(values)
        return None if isinstance(found, (Same, Slices)) else found

    def _in_order(self, found: Terms) -> Values:
        """Terms in the order in which what is made last of each is made: sums of the same values agree in it."""
        keys: list[int] = [0] * len(found.values)
        for values in members_of(found):
            keys = max(keys, [self.positions[value] for value in values], key=max)
        return tuple([found.values[place] for place in sorted(range(len(keys)), key=keys.__getitem__)])

    def _has_too_many_copies(self, values: Values) -> bool:
        return sum(not self.is_own(value) for value in values) * MANY > len(values)

    def _adds(self, op: Op, spec: Any) -> bool:
        return op.name == "add" and op.spec == spec and op.inputs[0].spec == op.inputs[1].spec == spec

    def _goes_on(self, op: Op) -> bool:
        """Whether a sum is a term of a longer one."""
        return self.is_inner(op) and self._adds(self.readers[op][0], op.spec)

    def _column(self, values: Values, depth: int = DEPTH) -> Same | Members | Slices | Each:
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
        return _row(values)


def _row(values: Values) -> Members | Slices:
    """Values each of which is another one; what one value has at steps of its first axis lies side by side in it."""
    source = values[0].inputs[0] if values[0].name == "getitem" else None
    steps = [_step_of(value) if value.name == "getitem" and value.inputs[0] is source else -1 for value in values]
    stride = steps[1] - steps[0]
    if source is None or min(steps) < 0 or stride not in (1, -1) or any(b - a != stride for a, b in pairwise(steps)):
        return Members(values)
    stop = steps[-1] + stride
    return Slices(values, source, (slice(steps[0], None if stop < 0 else stop, stride),))


def _step_of(op: Op) -> int:
    """At which step of the first axis a value has what an op gets of it; -1 for anything else."""
    given: tuple[Any, ...] = op.attributes["index"]
    index = [one for one in given if one is not Ellipsis]
    is_of_first = len(index) == len(given) or len(index) == len(op.inputs[0].spec.shape)
    if not is_of_first or not index or type_of(index[0]) is not int or any(one != slice(None) for one in index[1:]):
        return -1
    return int(index[0])


def size_of(op: Op) -> int:
    """How many elements a value has."""
    return math.prod(op.spec.shape)


def is_small(op: Op) -> bool:
    """Whether a value is an array of which a call costs more than what it computes."""
    return op.is_array and size_of(op) <= SMALL


def _kind(op: Op) -> Any:
    """What is the same of operations that are alike."""
    return op.name, repr(op.attributes), op.spec, tuple([read.spec for read in op.inputs])


def _inner(found: Any) -> Iterable[Op]:
    """The operations that are done at once."""
    if isinstance(found, (Each, Products, RowSums)):
        yield from found.values
        for one in found.operands:
            yield from _inner(one)


def members_of(found: Any) -> Iterable[Values]:
    """The values that have to lie side by side."""
    if isinstance(found, Members):
        yield found.values
    elif isinstance(found, (Each, Products, RowSums)):
        for one in found.operands:
            yield from members_of(one)
