"""Rerolling, the analysis of sums: long sums whose terms are isomorphic expressions, one a step of an unrolled loop.

A recurrence that is written out (backpropagation through time) adds a term of each step to the delta of a weight. A sum
of n small terms takes n calls; over a stack of the values it is one reduction, and a sum of matrix products is one
product of stacked matrices. Isomorphic expressions are found as in superword-level parallelism (Larsen and Amarasinghe,
2000): column by column, from the sum's terms to their operands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from layertree.program.ir.operations import Graph, Op, ValueSpec, users_of
from layertree.program.ir.primitives import fills_a_buffer, is_elementwise
from layertree.program.ir.views import VIEWS

LEAST_TERMS = 8
"""From how many terms on a sum is rerolled."""
MOST_ELEMENTS = 1 << 10
"""Up to how many elements each value has: with more, a call costs little compared with its arithmetic."""
MOST_TOGETHER = 1 << 17
"""Up to how many elements the values have together."""
MOST_STACKED = 1 << 22
"""Up to how many elements a stack has that is an operand of one product."""

DEPTH = 20
"""How many operations of each term the analysis follows."""

Values: TypeAlias = tuple[Op, ...]
"""A column: one value for each step."""


class Invariant(NamedTuple):
    """A column that holds the same value at each step."""

    value: Op


class StackMembers(NamedTuple):
    """A column of distinct values, which have to be members of a stack in this order."""

    values: Values


class StackSlices(NamedTuple):
    """A column of values that are the parts of one array along its first axis: the array at ``taken``."""

    values: Values
    source: Op
    taken: tuple[slice, ...]


class Isomorphic(NamedTuple):
    """A column of values computed by the same elementwise primitive, with a column for each operand."""

    values: Values
    operands: tuple[Column, ...]


Column: TypeAlias = "Invariant | StackMembers | StackSlices | Isomorphic"


class ProductTerms(NamedTuple):
    """Terms of a sum that are products of a transposed matrix and a matrix: sum of A_i^T B_i."""

    values: Values
    operands: tuple[StackMembers | StackSlices, StackMembers | StackSlices]


class RowSumTerms(NamedTuple):
    """Terms of a sum that are sums over rows."""

    values: Values
    operands: tuple[StackMembers | StackSlices]


Terms: TypeAlias = "Isomorphic | StackMembers | ProductTerms | RowSumTerms"


class UnrolledSum(NamedTuple):
    """A sum of many terms: ``head`` is its last addition; ``inner`` are the operations that rerolling removes."""

    head: Op
    terms: Terms
    inner: Values


class DefUse:
    """The position and the users of each value of a graph, and the values that are read outside of it."""

    def __init__(self, graph: Graph, destinations: Sequence[Op]) -> None:
        self.positions: dict[Op, int] = {op: position for position, op in enumerate(graph.ops)}
        self.kept: set[Op] = {*graph.results(), *destinations}
        self.users: dict[Op, list[Op]] = users_of(graph)

    def has_one_use(self, op: Op) -> bool:
        """Whether a value is read once, inside of the graph and outside of its branches."""
        return len(self.users.get(op, ())) == 1 and op not in self.kept and op in self.positions

    def is_own_array(self, op: Op) -> bool:
        """Whether an operation can write into a stack; the value of any other operation is copied into the stack."""
        return fills_a_buffer(op.name) and op.name not in VIEWS and op not in self.kept

    def unrolled_sum(self, op: Op) -> UnrolledSum | None:
        """The sum of many terms whose last addition is an op; None where there is none, or it is a part of another."""
        if not op.is_array or not self._adds(op, op.spec) or self._is_part_of_a_sum(op):
            return None
        terms: list[Op] = []
        inner: list[Op] = []
        rest = op
        while self._adds(rest, op.spec):
            sums = [one for one in rest.inputs if self._adds(one, op.spec) and self.has_one_use(one)]
            before = sums[0] if sums else rest.inputs[0]
            terms.append(rest.inputs[1] if before is rest.inputs[0] else rest.inputs[0])
            inner.append(rest)
            rest = before
            if not sums:
                break
        terms.append(rest)
        if len(terms) < LEAST_TERMS or any(term.spec != op.spec for term in terms):
            return None
        found = self._terms(tuple(reversed(terms)))
        if found is not None:
            found = self._terms(self._in_order(found))
        if found is None or any(map(self._has_many_copies, stacks_of(found))):
            return None
        return UnrolledSum(op, found, (*inner[1:], *_removed(found)))

    def _terms(self, values: Values) -> Terms | None:
        """The form that all terms share; None where they share none, or are too large."""
        first = values[0]
        if len({*map(_signature, values)}) == 1 and all(map(self.has_one_use, values)):
            rows = [value.inputs[-1] for value in values]
            if first.name == "sum_of_rows":
                return RowSumTerms(values, (_stack_or_slices(tuple(rows)),))
            if first.name == "matmul" and all(value.inputs[0].name == "transpose" for value in values):
                left = [value.inputs[0].inputs[0] for value in values]
                if first.ndim == 2 and max(map(size_of, (rows[0], left[0]))) * len(values) <= MOST_STACKED:
                    return ProductTerms(values, (_stack_or_slices(tuple(left)), _stack_or_slices(tuple(rows))))
        if not is_small(first) or size_of(first) * len(values) > MOST_TOGETHER:
            return None
        found = self._column(values)
        return None if isinstance(found, (Invariant, StackSlices)) else found

    def _in_order(self, found: Terms) -> Values:
        """The terms in the order in which their last members are computed, in which sums of the same values agree."""
        keys: list[int] = [0] * len(found.values)
        for values in stacks_of(found):
            keys = max(keys, [self.positions[value] for value in values], key=max)
        return tuple([found.values[place] for place in sorted(range(len(keys)), key=keys.__getitem__)])

    def _has_many_copies(self, values: Values) -> bool:
        return sum(not self.is_own_array(value) for value in values) * LEAST_TERMS > len(values)

    def _adds(self, op: Op, spec: ValueSpec) -> bool:
        return op.name == "add" and op.spec == spec and op.inputs[0].spec == op.inputs[1].spec == spec

    def _is_part_of_a_sum(self, op: Op) -> bool:
        return self.has_one_use(op) and self._adds(self.users[op][0], op.spec)

    def _column(self, values: Values, depth: int = DEPTH) -> Column:
        """The form of a column, from the operations that compute its values."""
        first = values[0]
        if all(value is first for value in values):
            return Invariant(first)
        is_alike = is_elementwise(first.name) and len({*map(_signature, values)}) == 1
        if depth and is_alike and all(map(self.has_one_use, values)):
            columns = [self._column(one, depth - 1) for one in zip(*[value.inputs for value in values], strict=True)]
            varying = [one for one in columns if not isinstance(one, Invariant)]
            if varying and all(one.values[0].shape == first.shape for one in varying):
                return Isomorphic(values, tuple(columns))
        return _stack_or_slices(values)


def _stack_or_slices(values: Values) -> StackMembers | StackSlices:
    """A column of distinct values: slices of one array, where they are its parts in order, else members of a stack."""
    source = values[0].inputs[0] if values[0].name == "getitem" else None
    steps = [_step_of(value) if value.name == "getitem" and value.inputs[0] is source else -1 for value in values]
    stride = steps[1] - steps[0]
    if source is None or min(steps) < 0 or stride not in (1, -1) or any(b - a != stride for a, b in pairwise(steps)):
        return StackMembers(values)
    stop = steps[-1] + stride
    return StackSlices(values, source, (slice(steps[0], None if stop < 0 else stop, stride),))


def _step_of(op: Op) -> int:
    """The index along the first axis of which a ``getitem`` takes everything; -1 for any other ``getitem``."""
    given = op.index if isinstance(op.index, tuple) else (op.index,)
    index = [one for one in given if one is not Ellipsis]
    is_of_first = len(index) == len(given) or len(index) == op.inputs[0].ndim
    if not is_of_first or not index or any(one != slice(None) for one in index[1:]):
        return -1
    return index[0] if type(index[0]) is int else -1


def size_of(op: Op) -> int:
    """How many elements a value has."""
    return math.prod(op.shape)


def is_small(op: Op) -> bool:
    """Whether a value is an array so small that a call on it costs more than its arithmetic."""
    return op.is_array and size_of(op) <= MOST_ELEMENTS


def _signature(op: Op) -> tuple[object, ...]:
    """What isomorphic operations have in common: primitive, attributes, and the specs of result and operands."""
    return op.name, repr(op.attributes), op.spec, tuple([read.spec for read in op.inputs])


def _removed(found: Terms | Column) -> Iterable[Op]:
    """The operations of all steps that one operation replaces."""
    if isinstance(found, (Isomorphic, ProductTerms, RowSumTerms)):
        yield from found.values
        for one in found.operands:
            yield from _removed(one)


def stacks_of(found: Terms | Column) -> Iterable[Values]:
    """The columns whose values have to be stacked."""
    if isinstance(found, StackMembers):
        yield found.values
    elif isinstance(found, (Isomorphic, ProductTerms, RowSumTerms)):
        for one in found.operands:
            yield from stacks_of(one)
