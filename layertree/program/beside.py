"""Values side by side, written as operations: stacks, what is done of all in one, and sums over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from layertree.core.spec import ArraySpec
from layertree.program._ops import Graph, Op, over, rewritten
from layertree.program.alike import Members, Products, RowSums, Same, Slices, Sum, Values
from layertree.program.runs import Factor, Found, Run, found_in


def together(graph: Graph, given: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with what is alike computed at once, and what stands for the ``given`` operations in it."""
    given = list(given)
    found = found_in(graph, given)
    if found is None:
        return graph, given
    ops, made = _Writer(found).written(graph.ops)
    return rewritten(graph, ops, made, given)


class _Writer:
    """Writes the operations anew."""

    def __init__(self, found: Found) -> None:
        sums, runs = found.sums, found.runs
        self.facts = found.facts
        self.made: dict[Op, Op] = {}
        self.ops: list[Op] = []
        self.sums = {one.head: one for one in sums}
        self.late: dict[int, list[Op]] = defaultdict(list)
        for op, position in found.late.items():
            self.late[position].append(op)
        self.dropped = {op for one in sums for op in one.inner} | found.late.keys()
        self.dropped.update(op for one in found.factors for op in one.inner)
        self.factored = {product: factor for factor in found.factors for product in factor.products}
        self.groups = {
            member: (run, place) for run in runs if run.starts is not None for place, member in enumerate(run.members)
        }
        self.ends: dict[int, list[Run]] = defaultdict(list)
        self.places: dict[Op, tuple[Run, int]] = {}
        for run in runs:
            if run.starts is None:
                self.ends[run.position].append(run)
                self.places.update((member, (run, place)) for place, member in enumerate(run.members))
        self.wholes: dict[int, Op] = {}

    def written(self, ops: list[Op]) -> tuple[list[Op], dict[Op, Op]]:
        """The operations, and what stands for those that were there."""
        for position, op in enumerate(ops):
            if op in self.factored:
                self._product(op, self.factored[op])
            elif op in self.groups:
                self._member(op, *self.groups[op])
            elif op in self.sums and op not in self.dropped:
                self._sum(self.sums[op])
            elif op not in self.dropped:
                self.ops.append(over(op, self.made))
            for run in self.ends.get(position, ()):
                self._stack(run)
            for one in sorted(self.late.get(position, ()), key=self.facts.positions.__getitem__):
                if one in self.sums:
                    self._sum(self.sums[one])
                else:
                    self.ops.append(over(one, self.made))
        return self.ops, self.made

    def _add(self, name: str, inputs: Values, attributes: dict[str, Any], spec: Any, layer: Any) -> Op:
        op = Op(name, inputs, attributes, spec, layer)
        self.ops.append(op)
        return op

    def _sum(self, one: Sum) -> None:
        head, terms = one.head, one.terms
        if isinstance(terms, Products):
            turned, rows = map(self._rows, terms.operands)
            columns = self._view("transpose", turned, turned.spec.shape[::-1], {"axes": (1, 0)})
            made = self._add("matmul", (columns, rows), {}, head.spec, head.layer)
        elif isinstance(terms, RowSums):
            made = self._add("sum_of_rows", (self._rows(terms.operands[0]),), {}, head.spec, head.layer)
        else:
            made = self._add("sum", (self._whole(terms),), {"axis": (0,)}, head.spec, head.layer)
        self.made[head] = made

    def _view(self, name: str, op: Op, shape: tuple[int, ...], attributes: dict[str, Any]) -> Op:
        return self._add(name, (op,), attributes, ArraySpec(shape, op.spec.dtype), op.layer)

    def _rows(self, found: Members | Slices) -> Op:
        """The rows of all matrices, one below the other."""
        whole = self._whole(found)
        count, rows, width = whole.spec.shape
        return self._view("reshape", whole, (count * rows, width), {"shape": (count * rows, width)})

    def _whole(self, found: Any) -> Op:
        """All values as one, or the one that is the same for all."""
        if isinstance(found, Same):
            return self.made.get(found.value, found.value)
        if isinstance(found, Members):
            run, place = self.places[found.values[0]]
            return self._part(run, place, len(found.values))
        if isinstance(found, Slices):
            source = self.made.get(found.source, found.source)
            shape = (len(found.values), *found.values[0].spec.shape)
            return self._view("getitem", source, shape, {"index": found.index})
        inputs = tuple(map(self._whole, found.operands))
        return self._of_all(found.values[0], inputs, len(found.values))

    def _of_all(self, like: Op, inputs: Values, count: int) -> Op:
        spec = ArraySpec((count, *like.spec.shape), like.spec.dtype)
        return self._add(like.name, inputs, like.attributes, spec, like.layer)

    def _part(self, run: Run, start: int, count: int) -> Op:
        """Some of what lies side by side."""
        whole = self.wholes[id(run)]
        if count == len(run.members):
            return whole
        spec = ArraySpec((count, *whole.spec.shape[1:]), whole.spec.dtype)
        return self._add("getitem", (whole,), {"index": (slice(start, start + count),)}, spec, whole.layer)

    def _member(self, op: Op, run: Run, place: int) -> None:
        """A value that one operation makes with others of its run."""
        if id(run) not in self.wholes:
            like, starts = run.members[0], run.starts or {}
            parts = {read: self._part(base, start, len(run.members)) for read, (base, start) in starts.items()}
            inputs = tuple([parts.get(read) or self.made.get(read, read) for read in like.inputs])
            self.wholes[id(run)] = self._of_all(like, inputs, len(run.members))
        self.made[op] = self._add("getitem", (self.wholes[id(run)],), {"index": (place,)}, op.spec, op.layer)

    def _product(self, op: Op, factor: Factor) -> None:
        """A product whose factor is multiplied with all members of a run."""
        start, count = min(place for place, _ in factor.products.values()), len(factor.products)
        if id(factor) not in self.wholes:
            inputs = self._part(factor.run, start, count), self.made.get(factor.value, factor.value)
            self.wholes[id(factor)] = self._of_all(op, inputs, count)
        place, rest = factor.products[op]
        index = {"index": (place - start,)}
        member = self._add("getitem", (self.wholes[id(factor)],), index, op.spec, op.layer)
        self.made[op] = self._add("multiply", (self.made.get(rest, rest), member), {}, op.spec, op.layer)

    def _stack(self, run: Run) -> None:
        """Values that are made one by one; what is no array of its own is copied."""
        members = [self._own(member) for member in run.members]
        first = members[0].spec
        spec = ArraySpec((len(members), *first.shape), first.dtype)
        self.wholes[id(run)] = self._add("stack", tuple(members), {}, spec, run.members[0].layer)

    def _own(self, member: Op) -> Op:
        op = self.made.get(member, member)
        if self.facts.is_own(member) and self.facts.is_own(op):
            return op
        return self._add("astype", (op,), {"dtype": op.spec.dtype}, op.spec, member.layer)
