"""Layout assignment: matrices of many short rows become column-major.

Broadcasting along a row of a few elements, or a reduction of it, runs one loop for each row; over columns NumPy runs a
few long loops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from layertree.program.codegen.liveness import Liveness
from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import SHORT, is_elementwise

_REDUCTIONS = frozenset(("max_of_last", "sum_of_last", "sum_of_rows", "sum", "max", "min"))
_AT_POSITIONS = frozenset(("pick_at", "unpick_at", "add_at"))


def column_major(liveness: Liveness) -> set[Op]:
    """The buffers that are better column-major.

    Operands of one elementwise operation share a layout. So all matrices of such a group are column-major, or none: a
    leaf, an output, or a user that needs the rows contiguous makes the group row-major.
    """
    narrow = {op for op in liveness.order if _is_narrow(op)}
    if not narrow:
        return set()
    groups = _LayoutGroups(liveness, narrow)
    for op in liveness.order:
        groups.constrain(op)
    return {op for op in groups.column_major() if op.name != "places"}


def counted_by_columns(liveness: Liveness, by_columns: Collection[Op]) -> frozenset[Op]:
    """The gathers from and scatters to matrices that are column-major, with the positions that these read."""
    if not by_columns:
        return frozenset()
    at = [op for op in liveness.order if op.name in _AT_POSITIONS and _matrix_of(op) in by_columns]
    return frozenset([*at, *[op.inputs[-1] for op in at]])


def _matrix_of(op: Op) -> Op:
    """The matrix in which a gather or a scatter counts its positions."""
    return op.inputs[0] if op.name == "pick_at" else op


def _is_narrow(op: Op) -> bool:
    """Whether a value is a matrix of many short rows that takes memory of its own."""
    if op.name == "broadcast_to" or op.is_filled:
        return False
    return op.ndim == 2 and 1 < op.shape[1] <= SHORT <= op.shape[0]


class _LayoutGroups:
    """A union-find of values that share a layout: ``parents`` lead to the representative of a group.

    ``fixed`` are members that have to be row-major, ``gaining`` those that are quicker column-major.
    """

    def __init__(self, liveness: Liveness, narrow: set[Op]) -> None:
        self.locations = liveness.locations
        self.narrow = narrow
        self.parents: dict[Op, Op] = {}
        self.fixed: set[Op] = set()
        self.gaining: set[Op] = set()
        self.transposed: dict[Op, Op] = {}
        """Matrices by the operation that transposes them."""

    def constrain(self, op: Op) -> None:
        """Enter the constraints of an operation on the layouts of its operands and of its result."""
        for read in op.inputs:
            if read in self.transposed and op.name != "matmul":
                self.fixed.add(self.transposed[read])
        narrow = [one for one in (*op.inputs, op) if one in self.narrow]
        narrow += [one for body in op.bodies for one in body.results if one in self.narrow]
        if not narrow and op.name not in _AT_POSITIONS:
            return
        self.parents.update((one, one) for one in narrow if one not in self.parents)
        self.fixed.update(one for one in narrow if self.locations[one] != "buffer")
        if op.name in _AT_POSITIONS:
            self._at_positions(op)
        elif is_elementwise(op.name) or op.name == "astype":
            self._join(narrow)
            if any(read.is_array and read not in narrow for read in op.inputs):
                self.gaining.update(narrow)
        elif op.name in _REDUCTIONS:
            self.gaining.update(narrow)
        elif op.name == "transpose":
            self.transposed[op] = op.inputs[0]
        elif op.name != "matmul":
            self.fixed.update(narrow)

    def _at_positions(self, op: Op) -> None:
        """A matrix and the flat positions in it share a layout; positions in any other array count by rows.

        A gather fills its result row by row.
        """
        *_, positions = op.inputs
        if op.name == "pick_at":
            self.fixed.add(op)
        values = [_matrix_of(op)]
        if op.name == "add_at":
            values.append(op.inputs[0])
        if not self.narrow.issuperset(values):
            self.fixed.add(positions)
        self._join([positions, *values])

    def _join(self, members: Iterable[Op]) -> None:
        roots = [self._root(one) for one in members]
        for root in roots[1:]:
            self.parents[root] = roots[0]

    def _root(self, op: Op) -> Op:
        parent = self.parents.setdefault(op, op)
        while parent is not op:
            op, parent = parent, self.parents[parent]
        return op

    def column_major(self) -> set[Op]:
        """The members of groups of which one gains and none is fixed."""
        fixed = {self._root(op) for op in self.fixed}
        gaining = {self._root(op) for op in self.gaining} - fixed
        return {op for op in self.parents if self._root(op) in gaining}
