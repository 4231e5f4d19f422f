"""The memory plan: each buffer's place in one arena, taken again as soon as its value is not read any more."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Collection
from itertools import accumulate
from typing import Any

import numpy as np

from layertree._record import record
from layertree.core.alignment import ALIGNMENT
from layertree.program import phrases
from layertree.program._ops import Op
from layertree.program.storage import Storage, storage_of


@record(eq=False)
class Place:
    """A stretch of the arena, seen as an array, row after row or column after column."""

    offset: int
    shape: tuple[int, ...]
    dtype: Any
    by_columns: bool = False

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return math.prod(self.shape) * int(self.dtype.itemsize)

    def part(self, number: int) -> Place:
        """One of the arrays that lie side by side in it."""
        shape = self.shape[1:]
        return Place(self.offset + number * math.prod(shape) * int(self.dtype.itemsize), shape, self.dtype)


@record(eq=False)
class Life:
    """How long a stretch of the arena is taken, by positions in the program, and by which op first."""

    op: Op
    offset: int
    nbytes: int
    start: int
    stop: int


@record(eq=False)
class MemoryPlan:
    """The places of buffers and workspaces. ``same`` is the op whose buffer an op takes over, in place."""

    places: dict[Op, Place]
    workspaces: dict[Op, tuple[Place, ...]]
    same: dict[Op, Op]
    nbytes: int
    without_reuse: int
    lives: tuple[Life, ...] = ()

    def at_the_peak(self) -> list[Life]:
        """What is taken at the moment at which most is."""
        changes: dict[int, int] = {}
        for life in self.lives:
            changes[life.start] = changes.get(life.start, 0) + life.nbytes
            changes[life.stop + 1] = changes.get(life.stop + 1, 0) - life.nbytes
        moments = sorted(changes)
        taken = dict(zip(moments, accumulate(changes[moment] for moment in moments), strict=True))
        moment = max(moments, key=taken.__getitem__, default=0)
        return [life for life in self.lives if life.start <= moment <= life.stop]


def plan_memory(storage: Storage, columns: Collection[Op] = ()) -> MemoryPlan:
    """Lay out the arena in the order of the program: the smallest gap that fits, in place where that is allowed.

    The buffers in ``columns`` lie column after column.
    """
    return _Planner(storage, columns).plan()


class _Planner:
    """Goes through a program, and gives each value a place when it is made."""

    def __init__(self, storage: Storage, columns: Collection[Op]) -> None:
        self.storage = storage
        self.columns = columns
        self.stretches = _Stretches()
        self.places: dict[Op, Place] = {}
        self.workspaces: dict[Op, tuple[Place, ...]] = {}
        self.same: dict[Op, Op] = {}
        self.without_reuse = 0
        self.chains = _chain_results(storage)
        self.stacks = {
            member: (op, number)
            for op in storage.order
            if op.name == "stack"
            for number, member in enumerate(op.inputs)
        }

    def plan(self) -> MemoryPlan:
        """The plan of the whole program."""
        order, kinds, stretches = self.storage.order, self.storage.kinds, self.stretches
        for position, op in enumerate(order):
            if op.name == "fused":
                self._chain(op, position)
            elif op.name not in ("result", "stack"):
                if kinds[op] == "buffer":
                    self._buffer(op, position)
                if kinds[op] in ("buffer", "output", "given"):
                    self._work(op, position)
            stretches.free(position)
        lives = stretches.lives(len(order))
        return MemoryPlan(self.places, self.workspaces, self.same, stretches.nbytes, self.without_reuse, lives)

    def _chain(self, op: Op, position: int) -> None:
        """Room for blocks, and for the results, which are there as soon as the chain begins."""
        _, inner = inner_plan(op)
        self.without_reuse += inner.without_reuse
        room = (inner.nbytes * op.attributes["chain"].threads,)
        self.workspaces[op] = (self.stretches.take(op, room, np.dtype(np.uint8), position, position),)
        for result in self.chains.get(op, ()):
            self._take(result, op, position)

    def _buffer(self, op: Op, position: int) -> None:
        taken = None if op in self.stacks else _taken_over(op, self.storage, position)
        if taken is None or not self.stretches.has(self.places[taken]):
            self._take(op, op, position)
            return
        place = self.places[op] = self.places[taken]
        self.same[op] = taken
        self.stretches.keep(place, position, self._until(op, position))
        self.without_reuse += self.stretches.size_of(place)

    def _take(self, op: Op, maker: Op, position: int) -> None:
        """A place for a value that is made at a position; for one that lies beside others, among them."""
        whole, number = self.stacks.get(op, (op, None))
        if whole not in self.places:
            shape, dtype, until = whole.spec.shape, whole.spec.dtype, self._until(whole, position)
            self.places[whole] = self.stretches.take(maker, shape, dtype, position, until, whole in self.columns)
            self.without_reuse += self.stretches.size_of(self.places[whole])
        if number is not None:
            self.places[op] = self.places[whole].part(number)

    def _until(self, op: Op, position: int) -> int:
        return max(position, self.storage.last_use.get(op, position))

    def _work(self, op: Op, position: int) -> None:
        """Room for what the line of an op needs meanwhile."""
        places: list[Place] = []
        for shape, dtype in phrases.workspaces(op):
            by_columns = op in self.columns and shape == op.spec.shape
            places.append(self.stretches.take(op, shape, dtype, position, position, by_columns))
        self.workspaces[op] = tuple(places)


def _chain_results(storage: Storage) -> dict[Op, list[Op]]:
    """The results of each chain that live in the arena: they are there as soon as the chain begins."""
    found: dict[Op, list[Op]] = {}
    for op in storage.order:
        if op.name == "result" and storage.kinds[op] == "buffer":
            found.setdefault(op.inputs[0], []).append(op)
    return found


def inner_plan(op: Op) -> tuple[Storage, MemoryPlan]:
    """Where the values of a chain live for a block, and the memory that takes, planned once."""
    plan: tuple[Storage, MemoryPlan] | None = op.attributes.get("plan")
    if plan is None:
        chain = op.attributes["chain"]
        storage = storage_of(chain.graph, chain.results)
        plan = op.attributes["plan"] = (storage, plan_memory(storage))
    return plan


def _round(nbytes: int) -> int:
    return max(-(-nbytes // ALIGNMENT), 1) * ALIGNMENT


def _taken_over(op: Op, storage: Storage, position: int) -> Op | None:
    """An operand whose buffer the result can take, since this is its last use."""
    for operand in op.inputs:
        if (
            storage.kinds[operand] == "buffer"
            and storage.last_use[operand] == position
            and (operand.spec.shape, operand.spec.dtype) == (op.spec.shape, op.spec.dtype)
            and not any(other is not operand and operand in storage.roots[other] for other in op.inputs)
            and phrases.may_overwrite(op, operand)
        ):
            return operand
    return None


class _Stretches:
    """What is taken of an arena: by which op first, from which position on, and up to which."""

    def __init__(self) -> None:
        self._arena = _Arena()
        self._taken: dict[Place, tuple[Op, int, int]] = {}
        self._ends: dict[int, list[Place]] = {}
        self._stops: dict[Place, int] = {}

    @property
    def nbytes(self) -> int:
        """The size of the arena."""
        return self._arena.size

    def take(
        self, op: Op, shape: tuple[int, ...], dtype: Any, position: int, until: int, by_columns: bool = False
    ) -> Place:
        """A place for an array."""
        nbytes = _round(math.prod(shape) * dtype.itemsize)
        place = Place(self._arena.take(nbytes), shape, dtype, by_columns)
        self._taken[place] = (op, position, nbytes)
        self._ends.setdefault(until, []).append(place)
        return place

    def has(self, place: Place) -> bool:
        """Whether a place is all of a stretch, and not a part of one that others lie in, too."""
        return place in self._taken

    def size_of(self, place: Place) -> int:
        """How much a place takes."""
        return self._taken[place][2]

    def keep(self, place: Place, position: int, until: int) -> None:
        """A place that was to be free after a position is free only after a later one."""
        self._ends[position].remove(place)
        self._ends.setdefault(until, []).append(place)

    def free(self, position: int) -> None:
        """Give back what is not read after a position."""
        for place in self._ends.pop(position, ()):
            self._arena.give(place.offset, self._taken[place][2])
            self._stops[place] = position

    def lives(self, last: int) -> tuple[Life, ...]:
        """How long each place is taken; what is not given back, up to the ``last`` position."""
        return tuple(
            [
                Life(op, place.offset, nbytes, start, self._stops.get(place, last))
                for place, (op, start, nbytes) in self._taken.items()
            ]
        )


class _Arena:
    """Free stretches, merged where they touch: by offset, and by size."""

    def __init__(self) -> None:
        self.size = 0
        self._free: list[tuple[int, int]] = []
        self._by_size: list[tuple[int, int]] = []

    def take(self, nbytes: int) -> int:
        """The offset of the smallest free stretch that fits, else of a new one at the end."""
        fitting = bisect_left(self._by_size, (nbytes, 0))
        if fitting < len(self._by_size):
            size, offset = self._by_size[fitting]
            self._remove(bisect_left(self._free, (offset, size)))
            if size > nbytes:
                self._add(offset + nbytes, size - nbytes)
            return offset
        offset = self.size
        if self._free and sum(self._free[-1]) == self.size:  # the last stretch grows
            offset, _ = self._remove(len(self._free) - 1)
        self.size = offset + nbytes
        return offset

    def give(self, offset: int, nbytes: int) -> None:
        """A stretch that is free from here on."""
        after = bisect_left(self._free, (offset, 0))
        if after < len(self._free) and self._free[after][0] == offset + nbytes:
            nbytes += self._remove(after)[1]
        if after and sum(self._free[after - 1]) == offset:
            offset, before = self._remove(after - 1)
            nbytes += before
        self._add(offset, nbytes)

    def _add(self, offset: int, nbytes: int) -> None:
        insort(self._free, (offset, nbytes))
        insort(self._by_size, (nbytes, offset))

    def _remove(self, position: int) -> tuple[int, int]:
        offset, nbytes = self._free.pop(position)
        del self._by_size[bisect_left(self._by_size, (nbytes, offset))]
        return offset, nbytes
