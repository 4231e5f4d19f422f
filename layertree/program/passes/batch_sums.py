"""Where sums over rows go: those that are put together to one flat array are laid side by side from the start.

So the parts of a batch are added up by one operation, and nothing is copied where an update takes all weights as one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from layertree.program.ir.operations import Graph, Op, users_of
from layertree.program.runtime.arena import arrays_of


class Slot(NamedTuple):
    """One array, or one number, that parts add up: the op that it stands for, and the sums in it one by one."""

    op: Op
    sums: tuple[Op, ...]


def slots_of(graph: Graph, sums: Sequence[Op]) -> tuple[Slot, ...]:
    """The sums, those that only a concatenation reads in a slot of their own, in the order of first sums."""
    joined = _joined(graph, set(sums))
    slots: dict[Op, Slot] = {}
    for op in sums:
        found = joined.get(op)
        slots.setdefault(found.op if found is not None else op, found or Slot(op, (op,)))
    return tuple(slots.values())


def _joined(graph: Graph, sums: set[Op]) -> dict[Op, Slot]:
    readers, results = users_of(graph), set(graph.results())
    found: dict[Op, Slot] = {}
    for op in graph.ops:
        if op.name != "concat" or len(op.shape) != 1:
            continue
        chains = [_unshaped(read) for read in op.inputs]
        members = [chain[-1] for chain in chains]
        is_own = all(len(readers[one]) == 1 and one not in results for chain in chains for one in chain)
        is_alike = all(one in sums and one.dtype == op.dtype for one in members)
        if is_own and is_alike and len(set(members)) == len(members):
            found.update(dict.fromkeys(members, Slot(op, tuple(members))))
    return found


def _unshaped(op: Op) -> list[Op]:
    """An op, and what it is a reshape of."""
    chain = [op]
    while chain[-1].name == "reshape":
        chain.append(chain[-1].inputs[0])
    return chain


class Room:
    """Arrays for all slots: ``slots`` has None for a number, ``sums`` the arrays of each sum, as views."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self.slots: list[Any] = []
        self.sums: list[Any] = []
        slots = list(slots)
        arrays = iter(arrays_of([(slot.op.shape, slot.op.dtype) for slot in slots if slot.op.is_array])[1])
        for slot in slots:
            whole = next(arrays) if slot.op.is_array else None
            self.slots.append(whole)
            if whole is None:
                continue
            start, flat = 0, whole.reshape(-1)
            for op in slot.sums:
                size = math.prod(op.shape)
                self.sums.append(flat[start : start + size].reshape(op.shape))
                start += size

    def filled(self, slots: Iterable[Slot], results: Iterable[Any]) -> list[Any]:
        """What is in each slot after the sums were written: its array, or the number among the results."""
        given = iter(results)
        found: list[Any] = []
        for slot, whole in zip(slots, self.slots, strict=True):
            numbers = [next(given) for _ in slot.sums]
            found.append(numbers[0] if whole is None else whole)
        return found
