"""What both sides of an If need: one of them runs, so it can be read before them without running anything in vain."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from layertree.core.structure import operands_of, post_order, regions_of

_THEN, _OTHERWISE, _SETTLED = 1, 2, 4
_BOTH = _THEN | _OTHERWISE
_LEAD = 4
"""How many steps what is settled runs ahead at each other one, so that it catches up along a long chain."""


class Sharing:
    """For each If of a formula, the nodes that both of its sides need whichever way they go.

    A node counts that is needed on all paths, also behind an If inside of a side; one that some path does without
    does not. Leaves do not count, as nothing is computed for them.
    """

    def __init__(self, root: Any) -> None:
        self._nodes = post_order(root)
        self._places = {id(node): place for place, node in enumerate(self._nodes)}
        self._shared: dict[int, tuple[Any, ...]] = {}
        self._acting: set[int] = set()
        self._find_acting()
        for node in self._nodes:
            if node.__control__ == "cond":
                self._shared[id(node)] = _Meeting(self, node).shared()

    def of(self, node: Any) -> tuple[Any, ...]:
        """What both sides of an If need, each after what it needs itself."""
        return self._shared[id(node)]

    def place(self, node: Any) -> int:
        """A number that is greater than those of all that the node needs."""
        return self._places[id(node)]

    def place_of_step(self, step: tuple[Any, int, *tuple[Any, ...]]) -> int:
        """The place of a step's node, by its key."""
        return self._places[step[1]]

    def node(self, place: int) -> Any:
        """The node of a number."""
        return self._nodes[place]

    def needed(self, node: Any) -> tuple[Any, ...]:
        """What is read whenever the node is."""
        return operands_of(node) + self._shared.get(id(node), ())

    def acts(self, node: Any) -> bool:
        """Whether reading the node does something besides giving a value: order matters there."""
        return id(node) in self._acting

    def acts_itself(self, node: Any) -> bool:
        """The same without its operands."""
        return node.__acts__ or any(map(self.acts, regions_of(node)))

    def _find_acting(self) -> None:
        for node in self._nodes:
            if self.acts_itself(node) or any(map(self.acts, operands_of(node))):
                self._acting.add(id(node))


class _Meeting:
    """Where the needs of two sides meet: a walk down both, the last nodes first, which ends where they are one.

    What the condition needs is read before them anyway. To go down there at each If would take a square along a
    chain of them, and not to go there as well: so the two walks take turns.
    """

    def __init__(self, sharing: Sharing, node: Any) -> None:
        self._sharing = sharing
        self._marks: dict[int, int] = {}
        self._open: list[int] = []
        self._settled: list[int] = []
        for operand in operands_of(node):
            self._mark(operand, _SETTLED)
        self._mark(node.then, _THEN)
        self._mark(node.otherwise, _OTHERWISE)

    def _mark(self, node: Any, mark: int) -> None:
        if not operands_of(node):
            return
        place = self._sharing.place(node)
        known = self._marks.get(place, 0)
        self._marks[place] = known | mark
        if mark == _SETTLED:
            if not known & _SETTLED:
                heappush(self._settled, -place)
        elif not known & _BOTH:
            heappush(self._open, -place)

    def shared(self) -> tuple[Any, ...]:
        """The nodes where the sides meet, in the order of their places."""
        sharing = self._sharing
        found: list[Any] = []
        acts = False  # whether one side alone does something
        while self._open:
            self._settle()
            place = -heappop(self._open)
            node, mark = sharing.node(place), self._marks[place]
            if mark & _SETTLED:
                continue
            if mark == _BOTH:
                found.append(node)
                self._mark(node, _SETTLED)
                continue
            acts = acts or sharing.acts_itself(node)
            for needed in sharing.needed(node):
                self._mark(needed, mark)
        acting = sum(map(sharing.acts, found))
        if acting > 1 or (acting and acts):  # read ahead, they would act in another order than the sides have
            found = [node for node in found if not sharing.acts(node)]
        return tuple(reversed(found))

    def _settle(self) -> None:
        """Go on below what is settled, as far as the next open node."""
        for _ in range(_LEAD):
            if not self._settled or self._settled[0] >= self._open[0]:
                return
            for needed in self._sharing.needed(self._sharing.node(-heappop(self._settled))):
                self._mark(needed, _SETTLED)
