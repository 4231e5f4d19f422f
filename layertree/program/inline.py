"""Numbers inside of the expression that reads them, and how long the others are read.

A Python float that no variable holds is freed at once, and the next one takes its place: that is quicker than to keep
all of them until a function returns, and reads better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from layertree.program import phrases
from layertree.program._ops import LEAVES, Op
from layertree.program.storage import Storage

_LONGEST = 60
"""Up to how many characters an expression stands inside of another."""


class Inlining:
    """Which numbers stand inside of other expressions, and which names are free after an operation."""

    def __init__(self, ops: list[Op], storage: Storage, uses: Counter[Op]) -> None:
        self._storage = storage
        inside = {read for op in ops for body in op.bodies for one in body.ops for read in one.inputs}
        self._readers: dict[Op, list[Op]] = {}
        for op in ops:
            for read in op.inputs:
                self._readers.setdefault(read, []).append(op)
        self._single = {op for op in ops if uses[op] == 1 and op not in inside and self._stands_alone(op)}
        self._left = Counter({op: len(set(found)) for op, found in self._readers.items()})
        self._kept = inside | {op for op in ops if uses[op] > len(self._readers.get(op, ()))}
        self._pending: dict[Op, set[Op]] = {}

    def _stands_alone(self, op: Op) -> bool:
        """Whether it is a number, computed from numbers, that one other number is computed from."""
        kinds, readers = self._storage.kinds, self._readers.get(op, [])
        return (
            kinds[op] == "number"
            and op.name != "hook"
            and len(readers) == 1
            and kinds[readers[0]] == "number"
            and readers[0].name != "hook"
            and not any(read.is_array for read in op.inputs)
        )

    def inlines(self, op: Op, text: str) -> bool:
        """Whether an operation stands inside of the one that reads it."""
        if op not in self._single or len(text) > _LONGEST:
            return False
        self._pending[op] = {one for read in op.inputs for one in self._pending.get(read, {read})}
        return True

    def ended(self, op: Op) -> Iterable[Op]:
        """The numbers with a name of their own that are read for the last time by an operation on a line of its own."""
        for number in {one for read in op.inputs for one in self._pending.get(read, {read})}:
            yield from self._read(number)

    def _read(self, op: Op) -> Iterable[Op]:
        self._left[op] -= 1
        if self._left[op] == 0 and op not in self._kept and self._storage.kinds[op] == "number":
            yield op


def inside(op: Op, reader: Op, text: str) -> str:
    """An expression inside of another one, in brackets where they are needed."""
    binds = op.name in LEAVES or not phrases.is_infix(op)
    if binds or not phrases.is_infix(reader):
        return text
    if op.name == "multiply" and reader.name in ("add", "subtract"):
        return text
    if op.name == "add" and reader.name == "add" and reader.inputs[0] is op and reader.inputs[1] is not op:
        return text
    return f"({text})"
