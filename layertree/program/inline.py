"""Numbers inside of the expression that reads them, and how long the others are read.

A Python float that no variable holds is freed at once, and the next one takes its place: that is quicker than to keep
all of them until a function returns, and reads better.
"""

from __future__ import annotations

from layertree.program import phrases
from layertree.program._ops import LEAVES, Graph, Op, all_ops
from layertree.program.storage import Storage

_LONGEST = 60
"""Up to how many characters an expression stands inside of another."""


class Inlining:
    """Which numbers stand inside of other expressions, and which names are free after an operation."""

    def __init__(self, graph: Graph, storage: Storage) -> None:
        self._kinds = kinds = storage.kinds
        # What is read elsewhere, too: by whoever gets the results, or in branches.
        self._kept = set(graph.results())
        for op in graph.ops:
            for body in op.bodies:
                self._kept.update(body.results, *[inner.inputs for inner in all_ops(body.ops)])
        reader: dict[Op, Op] = {}
        self._left: dict[Op, int] = {}
        for op in graph.ops:
            for read in op.inputs:
                if reader.get(read) is not op:
                    reader[read] = op
                    self._left[read] = self._left.get(read, 0) + 1
        self._single = {
            op
            for op, left in self._left.items()
            if left == 1 and kinds[op] == "number" and op not in self._kept and self._stands_alone(op, reader[op])
        }
        self._pending: dict[Op, list[Op]] = {}

    def _stands_alone(self, op: Op, reader: Op) -> bool:
        """Whether a number is computed from numbers, and stands at one place of the one that is computed from it."""
        return (
            self._kinds[reader] == "number"
            and op.name != "hook"
            and reader.name != "hook"
            and reader.inputs.count(op) == 1
            and not any(read.is_array for read in op.inputs)
        )

    def inlines(self, op: Op, text: str) -> bool:
        """Whether an operation stands inside of the one that reads it."""
        if op not in self._single or len(text) > _LONGEST:
            return False
        self._pending[op] = self._named(op)
        return True

    def ended(self, op: Op) -> list[Op]:
        """The numbers with a name of their own that are read for the last time by an operation on a line of its own."""
        found: list[Op] = []
        for number in dict.fromkeys(self._named(op)):
            left = self._left[number] = self._left.get(number, 0) - 1
            if left == 0 and number not in self._kept:
                found.append(number)
        return found

    def _named(self, op: Op) -> list[Op]:
        """The numbers with a name of their own that the expression of an operation reads."""
        found: list[Op] = []
        for read in op.inputs:
            if read in self._pending:
                found += self._pending[read]
            elif self._kinds[read] == "number":
                found.append(read)
        return found


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
