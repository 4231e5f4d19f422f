"""Buffer assignment: each buffer gets a slice of one arena, which others reuse after its last use.

A linear scan over the program takes the smallest free gap that fits (best fit), and lets an operation overwrite an
operand in place where the last use of that operand is this operation.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Collection, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from layertree.core.alignment import ALIGNMENT
from layertree.program.codegen.layout import counted_by_columns
from layertree.program.codegen.liveness import Liveness, liveness_of
from layertree.program.ir.operations import DType, Op
from layertree.program.ir.primitives import primitive
from layertree.program.passes.loop_nest import Chain
from layertree.program.runtime.arena import ArenaSlice


class LiveRange(NamedTuple):
    """A slice of the arena in use: by which op first, and from which position in the program to which."""

    op: Op
    offset: int
    nbytes: int
    start: int
    stop: int


class LoopNestPlan(NamedTuple):
    """The liveness of the operations of a loop nest in one block, and where in a block's own arena their values lie."""

    liveness: Liveness
    memory: BufferAssignment


class BufferAssignment(NamedTuple):
    """The slices of buffers and workspaces. ``overwritten`` maps an op to the operand that it overwrites in place.

    ``nbytes`` is the size of the arena, ``without_reuse`` the size if no memory was reused. ``nests`` has the plan of
    each ``fused`` op, ``by_columns`` the gathers, scatters and positions that count elements of a matrix by columns.
    """

    slices: dict[Op, ArenaSlice]
    workspaces: dict[Op, tuple[ArenaSlice, ...]]
    overwritten: dict[Op, Op]
    nbytes: int
    without_reuse: int
    live_ranges: tuple[LiveRange, ...] = ()
    nests: Mapping[Op, LoopNestPlan] = MappingProxyType({})
    by_columns: frozenset[Op] = frozenset()

    def at_the_peak(self) -> list[LiveRange]:
        """The live ranges at the first position at which most bytes are in use."""
        changes: dict[int, int] = {}
        for live in self.live_ranges:
            changes[live.start] = changes.get(live.start, 0) + live.nbytes
            changes[live.stop + 1] = changes.get(live.stop + 1, 0) - live.nbytes
        positions = sorted(changes)
        in_use = dict(zip(positions, accumulate(changes[position] for position in positions), strict=True))
        peak = max(positions, key=in_use.__getitem__, default=0)
        return [live for live in self.live_ranges if live.start <= peak <= live.stop]


def assign_buffers(liveness: Liveness, by_columns: Collection[Op] = ()) -> BufferAssignment:
    """The buffer assignment of a program; the buffers in ``by_columns`` are column-major."""
    return _Assigner(liveness, by_columns).assignment()


class _Assigner:
    """The scan over a program, which assigns a slice to each buffer where its value is computed."""

    def __init__(self, liveness: Liveness, by_columns: Collection[Op]) -> None:
        self.liveness = liveness
        self.by_columns = by_columns
        self.ranges = _LiveRanges()
        self.slices: dict[Op, ArenaSlice] = {}
        self.workspaces: dict[Op, tuple[ArenaSlice, ...]] = {}
        self.overwritten: dict[Op, Op] = {}
        self.nests: dict[Op, LoopNestPlan] = {}
        self.without_reuse = 0
        self.nest_results = _nest_results(liveness)
        self.stacks = {
            member: (op, number)
            for op in liveness.order
            if op.name == "stack"
            for number, member in enumerate(op.inputs)
        }

    def assignment(self) -> BufferAssignment:
        """The assignment for the whole program."""
        order, locations, ranges = self.liveness.order, self.liveness.locations, self.ranges
        for position, op in enumerate(order):
            if op.name == "fused":
                self._loop_nest(op, position)
            elif op.name not in ("result", "stack"):
                if locations[op] == "buffer":
                    self._buffer(op, position)
                if locations[op] in ("buffer", "output", "given"):
                    self._workspaces(op, position)
            ranges.expire(position)
        return BufferAssignment(
            self.slices,
            self.workspaces,
            self.overwritten,
            ranges.nbytes,
            self.without_reuse,
            ranges.all(len(order)),
            self.nests,
            counted_by_columns(self.liveness, self.by_columns),
        )

    def _loop_nest(self, op: Op, position: int) -> None:
        """An arena for the blocks of each thread, and the results, whose memory is in use before the first block."""
        chain: Chain = op.attributes["chain"]
        liveness = liveness_of(chain.graph, chain.results)
        inner = assign_buffers(liveness)
        self.nests[op] = LoopNestPlan(liveness, inner)
        self.without_reuse += inner.without_reuse
        shape = (inner.nbytes * chain.threads,)
        self.workspaces[op] = (self.ranges.take(op, shape, np.dtype(np.uint8), position, position),)
        for result in self.nest_results.get(op, ()):
            self._take(result, op, position)

    def _buffer(self, op: Op, position: int) -> None:
        operand = None if op in self.stacks else _overwritable(op, self.liveness, position)
        if operand is None or not self.ranges.is_whole(self.slices[operand]):
            self._take(op, op, position)
            return
        taken = self.slices[op] = self.slices[operand]
        self.overwritten[op] = operand
        self.ranges.extend(taken, position, self._until(op, position))
        self.without_reuse += self.ranges.size_of(taken)

    def _take(self, op: Op, first_user: Op, position: int) -> None:
        """A slice for a value that is computed at a position; a member of a stack gets a part of the stack's."""
        whole, number = self.stacks.get(op, (op, None))
        if whole not in self.slices:
            until, by_columns = self._until(whole, position), whole in self.by_columns
            self.slices[whole] = self.ranges.take(first_user, whole.shape, whole.dtype, position, until, by_columns)
            self.without_reuse += self.ranges.size_of(self.slices[whole])
        if number is not None:
            self.slices[op] = self.slices[whole].part(number)

    def _until(self, op: Op, position: int) -> int:
        return max(position, self.liveness.last_use.get(op, position))

    def _workspaces(self, op: Op, position: int) -> None:
        """Slices that the line of an op needs while it runs."""
        slices: list[ArenaSlice] = []
        for shape, dtype in primitive(op.name).workspaces(op):
            by_columns = op in self.by_columns and shape == op.shape
            slices.append(self.ranges.take(op, shape, dtype, position, position, by_columns))
        self.workspaces[op] = tuple(slices)


def _nest_results(liveness: Liveness) -> dict[Op, list[Op]]:
    """The results of each loop nest that live in the arena."""
    found: dict[Op, list[Op]] = {}
    for op in liveness.order:
        if op.name == "result" and liveness.locations[op] == "buffer":
            found.setdefault(op.inputs[0], []).append(op)
    return found


def _overwritable(op: Op, liveness: Liveness, position: int) -> Op | None:
    """An operand whose buffer the result can overwrite, since this is its last use; None where there is none."""
    for operand in op.inputs:
        if (
            liveness.locations[operand] == "buffer"
            and liveness.last_use[operand] == position
            and (operand.shape, operand.dtype) == (op.shape, op.dtype)
            and not any(other is not operand and operand in liveness.bases[other] for other in op.inputs)
            and primitive(op.name).overwrites(op, operand)
        ):
            return operand
    return None


class _LiveRanges:
    """The slices in use: for each the op that used it first, the position from which on, and the size."""

    def __init__(self) -> None:
        self._arena = _FreeList()
        self._taken: dict[ArenaSlice, tuple[Op, int, int]] = {}
        self._ends: dict[int, list[ArenaSlice]] = {}
        self._stops: dict[ArenaSlice, int] = {}

    @property
    def nbytes(self) -> int:
        """The size of the arena."""
        return self._arena.size

    def take(
        self, op: Op, shape: tuple[int, ...], dtype: DType, position: int, until: int, by_columns: bool = False
    ) -> ArenaSlice:
        """A slice for an array, in use from one position to another."""
        nbytes = _aligned(math.prod(shape) * dtype.itemsize)
        taken = ArenaSlice(self._arena.take(nbytes), shape, dtype, by_columns)
        self._taken[taken] = (op, position, nbytes)
        self._ends.setdefault(until, []).append(taken)
        return taken

    def is_whole(self, taken: ArenaSlice) -> bool:
        """Whether a slice is not a part of a larger one, as that of a member of a stack is."""
        return taken in self._taken

    def size_of(self, taken: ArenaSlice) -> int:
        """How many bytes a slice takes."""
        return self._taken[taken][2]

    def extend(self, taken: ArenaSlice, position: int, until: int) -> None:
        """Keep a slice that would have been free after a position until a later one."""
        self._ends[position].remove(taken)
        self._ends.setdefault(until, []).append(taken)

    def expire(self, position: int) -> None:
        """Free the slices whose last use is at a position."""
        for taken in self._ends.pop(position, ()):
            self._arena.free(taken.offset, self._taken[taken][2])
            self._stops[taken] = position

    def all(self, last: int) -> tuple[LiveRange, ...]:
        """All live ranges; a slice that was never freed is in use up to the ``last`` position."""
        return tuple(
            [
                LiveRange(op, taken.offset, nbytes, start, self._stops.get(taken, last))
                for taken, (op, start, nbytes) in self._taken.items()
            ]
        )


def _aligned(nbytes: int) -> int:
    return max(-(-nbytes // ALIGNMENT), 1) * ALIGNMENT


class _FreeList:
    """The free gaps of a growing arena, by offset and by size; gaps that touch are merged."""

    def __init__(self) -> None:
        self.size = 0
        self._gaps: list[tuple[int, int]] = []
        self._by_size: list[tuple[int, int]] = []

    def take(self, nbytes: int) -> int:
        """The offset of the smallest gap that fits, or of new memory at the end."""
        fitting = bisect_left(self._by_size, (nbytes, 0))
        if fitting < len(self._by_size):
            size, offset = self._by_size[fitting]
            self._remove(bisect_left(self._gaps, (offset, size)))
            if size > nbytes:
                self._add(offset + nbytes, size - nbytes)
            return offset
        offset = self.size
        if self._gaps and sum(self._gaps[-1]) == self.size:  # the last gap grows
            offset, _ = self._remove(len(self._gaps) - 1)
        self.size = offset + nbytes
        return offset

    def free(self, offset: int, nbytes: int) -> None:
        """Make a stretch free again."""
        after = bisect_left(self._gaps, (offset, 0))
        if after < len(self._gaps) and self._gaps[after][0] == offset + nbytes:
            nbytes += self._remove(after)[1]
        if after and sum(self._gaps[after - 1]) == offset:
            offset, before = self._remove(after - 1)
            nbytes += before
        self._add(offset, nbytes)

    def _add(self, offset: int, nbytes: int) -> None:
        insort(self._gaps, (offset, nbytes))
        insort(self._by_size, (nbytes, offset))

    def _remove(self, position: int) -> tuple[int, int]:
        offset, nbytes = self._gaps.pop(position)
        del self._by_size[bisect_left(self._by_size, (nbytes, offset))]
        return offset, nbytes
