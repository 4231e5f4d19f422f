"""Matrices of many short rows are laid out column after column.

What runs along a row of a few elements, an operand that is broadcast or a reduction, takes a loop of its own for each
row. Over columns it takes a few long ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from layertree.program import phrases
from layertree.program._ops import Op
from layertree.program.storage import Storage

SHORT = 32
"""Up to how many elements a short row has, and from how many rows on there are many."""

_REDUCTIONS = frozenset(("max_of_last", "sum_of_last", "sum_of_rows", "sum", "max", "min"))
_AT_PLACES = frozenset(("pick_at", "unpick_at", "add_at"))


def laid_by_columns(storage: Storage) -> set[Op]:
    """The buffers that lie so; operations that look for places in one of them are told.

    Matrices that meet element by element lie the same way. So a group of them does, unless one of it is given as it
    is, handed out, or read as something else than a matrix.
    """
    narrow = {op for op in storage.order if _is_narrow(op)}
    if not narrow:
        return set()
    groups = _Groups(storage, narrow)
    for op in storage.order:
        groups.see(op)
    chosen = groups.chosen()
    for op in storage.order:
        if (op.name == "places" and op in chosen) or (op.name in _AT_PLACES and op.inputs[-1] in chosen):
            op.attributes["by_columns"] = True
    return {op for op in chosen if op.name != "places"}


def _is_narrow(op: Op) -> bool:
    """Whether a value is such a matrix, which is read as it is."""
    shape = op.spec.shape
    if op.name == "broadcast_to" or "fill" in op.attributes:
        return False
    return len(shape) == 2 and 1 < shape[1] <= SHORT <= shape[0]


class _Groups:
    """Groups of values that lie the same way: each refers to another one of its group, up to one that has all."""

    def __init__(self, storage: Storage, narrow: set[Op]) -> None:
        self.kinds = storage.kinds
        self.narrow = narrow
        self.parents: dict[Op, Op] = {}
        self.fixed: set[Op] = set()
        self.gaining: set[Op] = set()
        self.turned: dict[Op, Op] = {}
        """Matrices, by what transposes them."""

    def see(self, op: Op) -> None:
        """What an operation says of its operands and of its result."""
        for read in op.inputs:
            if read in self.turned and op.name != "matmul":
                self.fixed.add(self.turned[read])
        narrow = [one for one in (*op.inputs, op) if one in self.narrow]
        narrow += [one for body in op.bodies for one in body.results if one in self.narrow]
        if not narrow and op.name not in _AT_PLACES:
            return
        self.parents.update((one, one) for one in narrow if one not in self.parents)
        self.fixed.update(one for one in narrow if self.kinds[one] != "buffer")
        if op.name in _AT_PLACES:
            self._at_places(op)
        elif phrases.is_elementwise(op.name) or op.name == "astype":
            self._join(narrow)
            if any(read.is_array and read not in narrow for read in op.inputs):
                self.gaining.update(narrow)
        elif op.name in _REDUCTIONS:
            self.gaining.update(narrow)
        elif op.name == "transpose":
            self.turned[op] = op.inputs[0]
        elif op.name != "matmul":
            self.fixed.update(narrow)

    def _at_places(self, op: Op) -> None:
        """The matrix at whose places something is, and those places; what is no such matrix has them by rows.

        What is picked is filled row after row.
        """
        *_, places = op.inputs
        if op.name == "pick_at":
            self.fixed.add(op)
        values = [op.inputs[0]] if op.name == "pick_at" else [op]
        if op.name == "add_at":
            values.append(op.inputs[0])
        if not self.narrow.issuperset(values):
            self.fixed.add(places)
        self._join([places, *values])

    def _join(self, members: Iterable[Op]) -> None:
        roots = [self._root(one) for one in members]
        for root in roots[1:]:
            self.parents[root] = roots[0]

    def _root(self, op: Op) -> Op:
        parent = self.parents.setdefault(op, op)
        while parent is not op:
            op, parent = parent, self.parents[parent]
        return op

    def chosen(self) -> set[Op]:
        """The members of groups that gain from it, and have none that is fixed."""
        fixed = {self._root(op) for op in self.fixed}
        gaining = {self._root(op) for op in self.gaining} - fixed
        return {op for op in self.parents if self._root(op) in gaining}
