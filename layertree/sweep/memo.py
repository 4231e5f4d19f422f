"""Memo: the results that a sweep knows, of one formula over one source in one context.

A branch writes into the dict of the enclosing formula and keeps an undo log, which ``close`` replays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from layertree.core.dynamic import type_of
from layertree.core.structure import operands_of
from layertree.sweep.plan import Step
from layertree.sweep.reading import unchanged

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer
    from layertree.sweep.hoisting import SharedNodes


class Remainder(NamedTuple):
    """A plan of the nodes of a formula whose results are not known yet."""

    nodes: list[Step]
    operands: tuple[int, ...]

    def steps(self, release: bool) -> Iterator[Step]:
        """The nodes in topological order; no result is released."""
        return iter(self.nodes)


class Memo:
    """The results by the id of their node.

    One dict serves a formula and all branches inside of it, so a look-up costs the same at any depth of nesting.
    ``_log`` has the keys that the branch has written, each with its value before. Only one branch is open at each
    depth, so the log can be replayed when the branch is finished.
    """

    __slots__ = ("_inherit", "_log", "_outer", "results")

    def __init__(self, outer: Memo | None = None, inherit: Callable[[Any], Any] = unchanged) -> None:
        self._outer = outer
        self._inherit = inherit
        self._log: dict[int, Any] = {}
        self.results: dict[int, Any] = {} if outer is None else outer.results

    @property
    def is_branch(self) -> bool:
        """Whether this is the memo of a branch, inside of an enclosing formula's."""
        return self._outer is not None

    def remainder_of(self, root: AnyLayer, shared: SharedNodes | None) -> Remainder:
        """The plan of the nodes below ``root`` without a result; results of enclosing formulas are inherited.

        With ``shared`` the order is that of the whole formula, in which a node that is needed anyway stands before the
        Ifs whose branches need it, and so is inherited there.
        """
        steps: list[Step] = []
        done: set[int] = set()
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if type_of(node) is tuple:  # keys of finished operands, as in a Plan
                operands, node = node, stack.pop()
                steps.append((node, id(node), operands, node.__control__, ()))
                continue
            key = id(node)
            if key in done:
                continue
            done.add(key)
            if key in self.results:
                self._take_over(key)
                continue
            if self._outer is not None:
                self._log.setdefault(key, _ABSENT)
            below = operands_of(node)
            stack.append(node)
            stack.append(tuple(map(id, below)))
            stack.extend(reversed(below))
        if shared is not None:
            steps.sort(key=shared.index_of_step)
        return Remainder(steps, steps.pop()[2] if steps else ())

    def _take_over(self, key: int) -> None:
        """Pass a result inward through each branch between the formula that computed the result and this one."""
        memo, between = self, list[Memo]()
        while memo._outer is not None and key not in memo._log:
            between.append(memo)
            memo = memo._outer
        for memo in reversed(between):
            result = memo._log[key] = self.results[key]
            self.results[key] = memo._inherit(result)

    def close(self) -> None:
        """Undo the changes of the branch."""
        for key, before in self._log.items():
            if before is _ABSENT:
                self.results.pop(key, None)
            else:
                self.results[key] = before


_ABSENT = object()
"""In the log of a branch: there was no result before."""
