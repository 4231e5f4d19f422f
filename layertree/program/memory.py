"""The memory plan: each buffer's place in one arena, taken again as soon as its value is not read any more."""

from __future__ import annotations

import math
from bisect import insort
from itertools import accumulate
from typing import Any

import numpy as np

from layertree._memory import ALIGNMENT
from layertree._record import record
from layertree.program import phrases
from layertree.program._ops import Op
from layertree.program.storage import Storage, storage_of


@record(eq=False)
class Place:
    """A stretch of the arena, seen as an array."""

    offset: int
    shape: tuple[int, ...]
    dtype: Any

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return math.prod(self.shape) * int(self.dtype.itemsize)


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


def plan_memory(storage: Storage) -> MemoryPlan:
    """Lay out the arena in the order of the program: the smallest gap that fits, in place where that is allowed."""
    arena = _Arena()
    places: dict[Op, Place] = {}
    workspaces: dict[Op, tuple[Place, ...]] = {}
    same: dict[Op, Op] = {}
    ends: dict[int, list[Place]] = {}
    begun: dict[Place, tuple[Op, int]] = {}
    stops: dict[Place, int] = {}
    without_reuse = 0
    chains = _chain_results(storage)
    for position, op in enumerate(storage.order):
        if op.name == "fused":
            inner = inner_plan(op)
            without_reuse += inner.without_reuse
            workspaces[op] = (arena.take((inner.nbytes * op.attributes["chain"].threads,), np.dtype(np.uint8)),)
            ends.setdefault(position, []).extend(workspaces[op])
            for result in chains.get(op, ()):
                without_reuse += _padded(result.spec)
                places[result] = arena.take(result.spec.shape, result.spec.dtype)
                ends.setdefault(max(position, storage.last_use.get(result, position)), []).append(places[result])
        elif storage.kinds[op] == "buffer" and op.name != "result":
            without_reuse += _padded(op.spec)
            taken = _taken_over(op, storage, position, places)
            if taken is not None:
                same[op], place = taken, places[taken]
                ends[position].remove(place)
            else:
                place = arena.take(op.spec.shape, op.spec.dtype)
            places[op] = place
            ends.setdefault(max(position, storage.last_use.get(op, position)), []).append(place)
        if storage.kinds[op] in ("buffer", "output", "given") and op.name != "result":
            needs = phrases.workspaces(op)
            workspaces[op] = tuple([arena.take(shape, dtype) for shape, dtype in needs])
            ends.setdefault(position, []).extend(workspaces[op])
        for place in (*workspaces.get(op, ()), *[places[one] for one in (op, *chains.get(op, ())) if one in places]):
            begun.setdefault(place, (op, position))
        for place in ends.pop(position, ()):
            arena.give(place)
            stops[place] = position
    last = len(storage.order)
    lives = [
        Life(op, place.offset, _round(place.nbytes), start, stops.get(place, last))
        for place, (op, start) in begun.items()
    ]
    return MemoryPlan(places, workspaces, same, arena.size, without_reuse, tuple(lives))


def _chain_results(storage: Storage) -> dict[Op, list[Op]]:
    """The results of each chain that live in the arena: they are there as soon as the chain begins."""
    found: dict[Op, list[Op]] = {}
    for op in storage.order:
        if op.name == "result" and storage.kinds[op] == "buffer":
            found.setdefault(op.inputs[0], []).append(op)
    return found


def inner_plan(op: Op) -> MemoryPlan:
    """The memory that a chain takes for its blocks, planned once."""
    plan = op.attributes.get("plan")
    if plan is None:
        chain = op.attributes["chain"]
        storage = storage_of(chain.graph, chain.results)
        plan = op.attributes["plan"] = (storage, plan_memory(storage))
    return plan[1]


def _padded(spec: Any) -> int:
    return _round(math.prod(spec.shape) * spec.dtype.itemsize)


def _round(nbytes: int) -> int:
    return max(-(-nbytes // ALIGNMENT), 1) * ALIGNMENT


def _taken_over(op: Op, storage: Storage, position: int, places: dict[Op, Place]) -> Op | None:
    """An operand whose buffer the result can take, since this is its last use."""
    for operand in op.inputs if op.name in phrases.IN_PLACE else ():
        if (
            storage.kinds[operand] == "buffer"
            and storage.last_use[operand] == position
            and (operand.spec.shape, operand.spec.dtype) == (op.spec.shape, op.spec.dtype)
            and not any(other is not operand and operand in storage.roots[other] for other in op.inputs)
            and phrases.may_overwrite(op, operand)
        ):
            return operand
    return None


class _Arena:
    """Free stretches by offset, merged where they touch."""

    def __init__(self) -> None:
        self.size = 0
        self._free: list[tuple[int, int]] = []

    def take(self, shape: tuple[int, ...], dtype: Any) -> Place:
        """The smallest free stretch that fits, else a new one at the end."""
        nbytes = _round(math.prod(shape) * dtype.itemsize)
        fitting = [(size, offset) for offset, size in self._free if size >= nbytes]
        if fitting:
            size, offset = min(fitting)
            self._free.remove((offset, size))
            if size > nbytes:
                insort(self._free, (offset + nbytes, size - nbytes))
            return Place(offset, shape, dtype)
        offset = self.size
        if self._free and sum(self._free[-1]) == self.size:  # the last stretch grows
            offset = self._free.pop()[0]
        self.size = offset + nbytes
        return Place(offset, shape, dtype)

    def give(self, place: Place) -> None:
        """A stretch that is free from here on."""
        offset, size = place.offset, _round(place.nbytes)
        merged: list[tuple[int, int]] = []
        for other, length in self._free:
            if other + length == offset:
                offset, size = other, length + size
            elif offset + size == other:
                size += length
            else:
                merged.append((other, length))
        insort(merged, (offset, size))
        self._free = merged
