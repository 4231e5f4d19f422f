"""Rerolling of unrolled loops: operations of the same form, one a step, become one operation on stacked values.

``rerolling_terms`` and ``rerolling_stacks`` decide what is stacked; this module writes the graph anew by their plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from layertree.core.spec import ArraySpec
from layertree.program.ir.operations import AnyLayer, Attributes, Graph, Op, ValueSpec, remapped, rewritten
from layertree.program.passes.rerolling_stacks import CommonFactor, Rerolling, Stack, rerolling_of
from layertree.program.passes.rerolling_terms import (
    Column,
    Invariant,
    ProductTerms,
    RowSumTerms,
    StackMembers,
    StackSlices,
    UnrolledSum,
    Values,
)


def rerolled(graph: Graph, destinations: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with its unrolled loops rerolled, and the replacements of ``destinations`` in it."""
    destinations = list(destinations)
    plan = rerolling_of(graph, destinations)
    if plan is None:
        return graph, destinations
    ops, made = _Writer(plan).written(graph.ops)
    return rewritten(graph, ops, made, destinations)


class _Writer:
    """Writes the operations anew; ``made`` maps an operation to its replacement."""

    def __init__(self, plan: Rerolling) -> None:
        sums, stacks = plan.sums, plan.stacks
        self.uses = plan.uses
        self.made: dict[Op, Op] = {}
        self.ops: list[Op] = []
        self.sums = {one.head: one for one in sums}
        self.deferred: dict[int, list[Op]] = defaultdict(list)
        for op, position in plan.deferred.items():
            self.deferred[position].append(op)
        self.dropped = {op for one in sums for op in one.inner} | plan.deferred.keys()
        self.dropped.update(op for one in plan.factors for op in one.inner)
        self.factored = {product: factor for factor in plan.factors for product in factor.products}
        self.fused = {
            member: (stack, index)
            for stack in stacks
            if stack.starts is not None
            for index, member in enumerate(stack.members)
        }
        self.completed: dict[int, list[Stack]] = defaultdict(list)
        self.indices: dict[Op, tuple[Stack, int]] = {}
        for stack in stacks:
            if stack.starts is None:
                self.completed[stack.position].append(stack)
                self.indices.update((member, (stack, index)) for index, member in enumerate(stack.members))
        self.wholes: dict[int, Op] = {}
        """The operation that gives a whole stack, or all products of a factor, by the identity of that."""

    def written(self, ops: list[Op]) -> tuple[list[Op], dict[Op, Op]]:
        """The new operations, and the replacements of the old ones."""
        for position, op in enumerate(ops):
            if op in self.factored:
                self._product(op, self.factored[op])
            elif op in self.fused:
                self._member(op, *self.fused[op])
            elif op in self.sums and op not in self.dropped:
                self._sum(self.sums[op])
            elif op not in self.dropped:
                self.ops.append(remapped(op, self.made))
            for stack in self.completed.get(position, ()):
                self._stack(stack)
            for one in sorted(self.deferred.get(position, ()), key=self.uses.positions.__getitem__):
                if one in self.sums:
                    self._sum(self.sums[one])
                else:
                    self.ops.append(remapped(one, self.made))
        return self.ops, self.made

    def _add(self, name: str, inputs: Values, attributes: Attributes, spec: ValueSpec, layer: AnyLayer | None) -> Op:
        op = Op(name, inputs, attributes, spec, layer)
        self.ops.append(op)
        return op

    def _sum(self, one: UnrolledSum) -> None:
        """A sum as one product of stacked matrices, or one reduction of a stack."""
        head, terms = one.head, one.terms
        if isinstance(terms, ProductTerms):
            left, rows = map(self._rows, terms.operands)
            columns = self._view("transpose", left, left.shape[::-1], {"axes": (1, 0)})
            made = self._add("matmul", (columns, rows), {}, head.spec, head.layer)
        elif isinstance(terms, RowSumTerms):
            made = self._add("sum_of_rows", (self._rows(terms.operands[0]),), {}, head.spec, head.layer)
        else:
            made = self._add("sum", (self._whole(terms),), {"axis": (0,)}, head.spec, head.layer)
        self.made[head] = made

    def _view(self, name: str, op: Op, shape: tuple[int, ...], attributes: Attributes) -> Op:
        return self._add(name, (op,), attributes, ArraySpec(shape, op.dtype), op.layer)

    def _rows(self, found: StackMembers | StackSlices) -> Op:
        """The rows of all matrices as one matrix."""
        whole = self._whole(found)
        count, rows, width = whole.shape
        return self._view("reshape", whole, (count * rows, width), {"shape": (count * rows, width)})

    def _whole(self, column: Column) -> Op:
        """A column as one value: a stack, a part of an array, an operation on whole columns, or the invariant value."""
        if isinstance(column, Invariant):
            return self.made.get(column.value, column.value)
        if isinstance(column, StackMembers):
            stack, index = self.indices[column.values[0]]
            return self._part(stack, index, len(column.values))
        if isinstance(column, StackSlices):
            source = self.made.get(column.source, column.source)
            shape = (len(column.values), *column.values[0].shape)
            return self._view("getitem", source, shape, {"index": column.taken})
        inputs = tuple(map(self._whole, column.operands))
        return self._on_stacks(column.values[0], inputs, len(column.values))

    def _on_stacks(self, like: Op, inputs: Values, count: int) -> Op:
        """An operation like one of a step, on ``count`` stacked values."""
        spec = ArraySpec((count, *like.shape), like.dtype)
        return self._add(like.name, inputs, like.attributes, spec, like.layer)

    def _part(self, stack: Stack, start: int, count: int) -> Op:
        """Some successive members of a stack."""
        whole = self.wholes[id(stack)]
        if count == len(stack.members):
            return whole
        spec = ArraySpec((count, *whole.shape[1:]), whole.dtype)
        return self._add("getitem", (whole,), {"index": (slice(start, start + count),)}, spec, whole.layer)

    def _member(self, op: Op, stack: Stack, index: int) -> None:
        """A member of a stack that one operation computes: a part of that operation's value."""
        if id(stack) not in self.wholes:
            like, starts = stack.members[0], stack.starts or {}
            parts = {read: self._part(base, start, len(stack.members)) for read, (base, start) in starts.items()}
            inputs = tuple([parts.get(read) or self.made.get(read, read) for read in like.inputs])
            self.wholes[id(stack)] = self._on_stacks(like, inputs, len(stack.members))
        self.made[op] = self._add("getitem", (self.wholes[id(stack)],), {"index": (index,)}, op.spec, op.layer)

    def _product(self, op: Op, factor: CommonFactor) -> None:
        """A product whose factor is multiplied with all members of a stack at once."""
        start, count = min(index for index, _ in factor.products.values()), len(factor.products)
        if id(factor) not in self.wholes:
            inputs = self._part(factor.stack, start, count), self.made.get(factor.value, factor.value)
            self.wholes[id(factor)] = self._on_stacks(op, inputs, count)
        index, rest = factor.products[op]
        member = self._add("getitem", (self.wholes[id(factor)],), {"index": (index - start,)}, op.spec, op.layer)
        self.made[op] = self._add("multiply", (self.made.get(rest, rest), member), {}, op.spec, op.layer)

    def _stack(self, stack: Stack) -> None:
        """A stack whose members exist. Members that are no arrays of their own are copied."""
        members = [self._own(member) for member in stack.members]
        first = members[0].spec
        spec = ArraySpec((len(members), *first.shape), first.dtype)
        self.wholes[id(stack)] = self._add("stack", tuple(members), {}, spec, stack.members[0].layer)

    def _own(self, member: Op) -> Op:
        op = self.made.get(member, member)
        if self.uses.is_own_array(member) and self.uses.is_own_array(op):
            return op
        return self._add("astype", (op,), {"dtype": op.dtype}, op.spec, member.layer)
