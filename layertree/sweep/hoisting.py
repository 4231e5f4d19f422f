"""Code hoisting: the nodes that both branches of an If need, so that they are computed once, before the If.

Such nodes are computed whichever branch is taken ("very busy expressions" in compiler textbooks), so hoisting computes
nothing in vain.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from layertree.core.structure import operands_of, post_order, regions_of
from layertree.sweep.plan import Step

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer
    from layertree.layers.control import If

_THEN, _OTHERWISE, _COMPUTED = 1, 2, 4
_BOTH = _THEN | _OTHERWISE
_LEAD = 4
"""Steps of the walk below computed nodes for each step of the walk down the branches, so that the first walk keeps up
along a long chain."""


class SharedNodes:
    """For each If of a formula, the nodes that both of its branches need on all of their paths.

    A node inside of a nested If counts where both branches of that If need the node. Leaves do not count, as nothing is
    computed for a leaf.
    """

    def __init__(self, root: AnyLayer) -> None:
        self._nodes = post_order(root)
        self._indices = {id(node): index for index, node in enumerate(self._nodes)}
        self._shared: dict[int, tuple[Any, ...]] = {}
        self._acting: set[int] = set()
        self._find_acting()
        for node in self._nodes:
            if node.__control__ == "cond":
                self._shared[id(node)] = _Intersection(self, node).nodes()

    def of(self, node: AnyLayer) -> tuple[Any, ...]:
        """The nodes that both branches of an If need, in topological order."""
        return self._shared[id(node)]

    def index(self, node: AnyLayer) -> int:
        """The index of a node in the post-order of the formula, greater than the indices of all nodes it needs."""
        return self._indices[id(node)]

    def index_of_step(self, step: Step) -> int:
        """The index of a step's node."""
        return self._indices[step[1]]

    def node(self, index: int) -> Any:
        """The node at an index."""
        return self._nodes[index]

    def needed(self, node: AnyLayer) -> tuple[Any, ...]:
        """The nodes that are computed whenever the node is: its operands, and the shared nodes of an If."""
        return operands_of(node) + self._shared.get(id(node), ())

    def acts(self, node: AnyLayer) -> bool:
        """Whether computing the node, operands included, has a side effect, whose order must stay."""
        return id(node) in self._acting

    def acts_itself(self, node: AnyLayer) -> bool:
        """Whether the node has a side effect apart from its operands."""
        return node.__acts__ or any(map(self.acts, regions_of(node)))

    def _find_acting(self) -> None:
        for node in self._nodes:
            if self.acts_itself(node) or any(map(self.acts, operands_of(node))):
                self._acting.add(id(node))


class _Intersection:
    """The intersection of the needs of two branches: a walk down both, largest index first.

    A walk below the nodes that are computed anyway, for the condition, ends the search there. Walking down from the
    condition to the leaves at each If would take quadratic time along a chain of Ifs, as would not walking there; so
    both walks advance in turns.
    """

    def __init__(self, shared: SharedNodes, node: If[Any, Any, Any]) -> None:
        self._shared = shared
        self._marks: dict[int, int] = {}
        self._open: list[int] = []
        self._computed: list[int] = []
        for operand in operands_of(node):
            self._mark(operand, _COMPUTED)
        self._mark(node.then, _THEN)
        self._mark(node.otherwise, _OTHERWISE)

    def _mark(self, node: AnyLayer, mark: int) -> None:
        if not operands_of(node):
            return
        index = self._shared.index(node)
        known = self._marks.get(index, 0)
        self._marks[index] = known | mark
        if mark == _COMPUTED:
            if not known & _COMPUTED:
                heappush(self._computed, -index)
        elif not known & _BOTH:
            heappush(self._open, -index)

    def nodes(self) -> tuple[Any, ...]:
        """The first nodes that both branches need, in topological order."""
        shared = self._shared
        found: list[Any] = []
        one_side_acts = False
        while self._open:
            self._advance_computed()
            index = -heappop(self._open)
            node, mark = shared.node(index), self._marks[index]
            if mark & _COMPUTED:
                continue
            if mark == _BOTH:
                found.append(node)
                self._mark(node, _COMPUTED)
                continue
            one_side_acts = one_side_acts or shared.acts_itself(node)
            for needed in shared.needed(node):
                self._mark(needed, mark)
        acting = sum(map(shared.acts, found))
        if acting > 1 or (acting and one_side_acts):  # hoisting would change the order of the side effects
            found = [node for node in found if not shared.acts(node)]
        return tuple(reversed(found))

    def _advance_computed(self) -> None:
        """Walk below the computed nodes, no further than the next open node."""
        for _ in range(_LEAD):
            if not self._computed or self._computed[0] >= self._open[0]:
                return
            for needed in self._shared.needed(self._shared.node(-heappop(self._computed))):
                self._mark(needed, _COMPUTED)
