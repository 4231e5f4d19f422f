"""Inlining: a Python number with one use becomes a part of the expression that uses it.

Python frees a float that no variable holds at once, and reuses its memory for the next one, which is quicker than to
keep all numbers until a function returns; and nested expressions are easier to read. For the numbers that keep a
variable this module also finds the last use, after which the variable's name may be reused.
"""

from __future__ import annotations

from layertree.program.codegen.liveness import Liveness
from layertree.program.codegen.templates import is_infix
from layertree.program.ir.operations import LEAVES, Graph, Op, all_ops

_LONGEST = 60
"""Up to how many characters an expression is inlined."""


class Inlining:
    """The numbers that may be inlined, and how many uses of each other number are still to come."""

    def __init__(self, graph: Graph, liveness: Liveness) -> None:
        self._locations = locations = liveness.locations
        # Values that are also read elsewhere: as results, or inside of branches.
        self._kept = set(graph.results())
        for op in graph.ops:
            for body in op.bodies:
                self._kept.update(body.results, *[inner.inputs for inner in all_ops(body.ops)])
        user: dict[Op, Op] = {}
        self._left: dict[Op, int] = {}
        for op in graph.ops:
            for read in op.inputs:
                if user.get(read) is not op:
                    user[read] = op
                    self._left[read] = self._left.get(read, 0) + 1
        self._single = {
            op
            for op, left in self._left.items()
            if left == 1 and locations[op] == "number" and op not in self._kept and self._is_inlinable(op, user[op])
        }
        self._pending: dict[Op, list[Op]] = {}

    def _is_inlinable(self, op: Op, user: Op) -> bool:
        """Whether a number is computed from numbers, and occurs once in the expression of another number."""
        return (
            self._locations[user] == "number"
            and op.name != "hook"
            and user.name != "hook"
            and user.inputs.count(op) == 1
            and not any(read.is_array for read in op.inputs)
        )

    def inlines(self, op: Op, text: str) -> bool:
        """Whether the expression of an operation is inlined into that of its user."""
        if op not in self._single or len(text) > _LONGEST:
            return False
        self._pending[op] = self._variables(op)
        return True

    def ended(self, op: Op) -> list[Op]:
        """The numbers with variables whose last use is in the line of an operation."""
        found: list[Op] = []
        for number in dict.fromkeys(self._variables(op)):
            left = self._left[number] = self._left.get(number, 0) - 1
            if left == 0 and number not in self._kept:
                found.append(number)
        return found

    def _variables(self, op: Op) -> list[Op]:
        """The numbers with variables in the expression of an operation, through inlined ones."""
        found: list[Op] = []
        for read in op.inputs:
            if read in self._pending:
                found += self._pending[read]
            elif self._locations[read] == "number":
                found.append(read)
        return found


def parenthesized(op: Op, user: Op, text: str) -> str:
    """The expression of an operation inside of its user's, in parentheses where precedence needs them."""
    binds = op.name in LEAVES or not is_infix(op)
    if binds or not is_infix(user):
        return text
    if op.name == "multiply" and user.name in ("add", "subtract"):
        return text
    if op.name == "add" and user.name == "add" and user.inputs[0] is op and user.inputs[1] is not op:
        return text
    return f"({text})"
