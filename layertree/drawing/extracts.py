"""Parts of formulas: the nodes nearest to an output; and formulas too large for a display tree, counted by one walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from layertree.core.cell import Cell
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell
from layertree.core.structure import children_of, post_order
from layertree.text.display import DisplayNode

N = TypeVar("N")

MOST_CROSSED = 3000
"""How many ranks all edges of the picture of a whole formula or run cross together."""

OPERANDS = 16
"""How many operands of a node the picture of a part of a formula has."""

_MOST = 10**12


def nearest(root: N, children: Callable[[N], tuple[N, ...]], most: int) -> set[int]:
    """The ids of the nodes nearest to the output, breadth first, among the first operands of each."""
    found = {id(root)}
    row = [root]
    while row and len(found) < most:
        below: list[N] = []
        for node in row:
            for child in children(node)[:OPERANDS]:
                if id(child) not in found and len(found) < most:
                    found.add(id(child))
                    below.append(child)
        row = below
    return found


def sizes_of(order: Sequence[Any], below: Sequence[Sequence[Any]]) -> dict[int, int]:
    """How many nodes the tree below and including each node has, by id; ``below`` are the children by node."""
    found: dict[int, int] = {}
    for node, children in zip(order, below, strict=True):
        size = 1
        for child in children:
            size += found[id(child)]
        found[id(node)] = size if size < _MOST else _MOST
    return found


class Extract:
    """A formula that is drawn in part, from its nodes in an order in which each comes after its children.

    ``nodes`` and ``cells`` are counts, ``sizes`` the sizes of the trees below by the id of the layer, ``trained`` the
    cells that a delta can reach.
    """

    def __init__(self, order: Sequence[AnyLayer]) -> None:
        below = list(map(children_of, order))
        self.nodes: int = len(order)
        self.sizes: Mapping[int, int] = sizes_of(order, below)
        cells: list[Any] = [node for node in order if node.__control__ == "cell"]
        self.cells: int = len({id(node.cell) for node in cells})
        self.trained: set[Cell] = _reached(order, below) if cells else set()

    def near(self, root: AnyLayer, most: int) -> list[DisplayNode]:
        """The nodes nearest to a node, which is the last one, and before each its operands: of the others no further.

        Compositions are calls.
        """
        chosen = nearest(root, children_of, most)
        made: dict[int, DisplayNode] = {}
        for node in post_order(root, lambda one: children_of(one) if id(one) in chosen else ()):
            is_chosen = id(node) in chosen
            inputs = tuple([made[id(child)] for child in children_of(node)]) if is_chosen else ()
            made[id(node)] = DisplayNode(None if node.__control__ == "source" else node, inputs)
        return list(made.values())


def _reached(order: Sequence[AnyLayer], below: Sequence[Sequence[AnyLayer]]) -> set[Cell]:
    """The cells that a delta of the last node can reach, as ``rewrite.summary.reached`` finds them in display trees."""
    reached = {id(order[-1])}
    found: set[Cell] = set()
    for node, children in zip(reversed(order), reversed(below), strict=True):
        if id(node) not in reached:
            continue
        if is_cell(node):
            found.add(node.cell)
        if node.__control__ is not None or node.__has_gradient__:
            reached.update(map(id, children[1 if node.__control__ == "cond" else 0 :]))
    return found
