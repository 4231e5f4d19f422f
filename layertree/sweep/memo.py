"""What a sweep knows where it is: the results of a formula, and inside of a branch those of the formula around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from layertree.core.dynamic import type_of
from layertree.core.structure import operands_of

if TYPE_CHECKING:
    from layertree.sweep.hoisting import Sharing

Step: TypeAlias = tuple[Any, int, tuple[int, ...], str | None, tuple[int, ...]]
"""A node with its key, those of its operands, its control, and the keys of what is let go after it."""


def as_it_is(result: Any) -> Any:
    """How a branch sees results that are the same inside of it."""
    return result


class Rest(NamedTuple):
    """As a Plan, of the nodes that are not known yet where the formula is read."""

    nodes: list[Step]
    operands: tuple[int, ...]

    def steps(self, release: bool) -> Iterator[Step]:
        """The nodes in their order; here nothing is let go."""
        return iter(self.nodes)


class Scope:
    """The results by node of what is read over one source in one context.

    A branch works in the dict of the formula around it, so that a look-up is one however deep it is. What it puts
    there is ``own``, with what was there before, and is taken back when the branch has been read: what runs meanwhile
    is inside of it.
    """

    __slots__ = ("_inherit", "_outer", "_own", "results")

    def __init__(self, outer: Scope | None = None, inherit: Callable[[Any], Any] = as_it_is) -> None:
        self._outer = outer
        self._inherit = inherit
        self._own: dict[int, Any] = {}
        self.results: dict[int, Any] = {} if outer is None else outer.results

    @property
    def is_branch(self) -> bool:
        """Whether there is a formula around it."""
        return self._outer is not None

    def rest_of(self, root: Any, sharing: Sharing | None) -> Rest:
        """The plan of a formula as far as it is to be read here still; what is known around here is inherited.

        What is needed here anyway comes before the Ifs that read it in a branch, which so inherit it.
        """
        steps: list[Step] = []
        done: set[int] = set()
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if type_of(node) is tuple:  # as in a Plan
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
                self._own.setdefault(key, _NOTHING)
            below = operands_of(node)
            stack.append(node)
            stack.append(tuple(map(id, below)))
            stack.extend(reversed(below))
        if sharing is not None:
            steps.sort(key=sharing.place_of_step)
        return Rest(steps, steps.pop()[2] if steps else ())

    def _take_over(self, key: int) -> None:
        """Pass a result inward, through each branch between where it was read and here."""
        scope, between = self, list[Scope]()
        while scope._outer is not None and key not in scope._own:
            between.append(scope)
            scope = scope._outer
        for scope in reversed(between):
            result = scope._own[key] = self.results[key]
            self.results[key] = scope._inherit(result)

    def close(self) -> None:
        """Leave the results as they were before the branch."""
        for key, before in self._own.items():
            if before is _NOTHING:
                self.results.pop(key, None)
            else:
                self.results[key] = before


_NOTHING = object()
"""What was there before a result that is new."""
