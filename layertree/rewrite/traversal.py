"""Traversal: the nodes, weights and cells of a formula, in topological order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import written_at
from layertree.core.layer import AnyLayer
from layertree.core.naming import cell_names
from layertree.core.structure import children_of, post_order
from layertree.core.weight import CellLayer, Weight
from layertree.sweep.plan import nodes_of


def nodes(layer: AnyLayer) -> Iterator[Any]:
    """All distinct nodes of a formula, operands before their users, regions included.

    >>> from layertree import Identity, Plus
    >>> [type(node).__name__ for node in nodes(Plus(Identity(), 1.0))]
    ['Identity', 'Literal', 'Plus']
    """
    return iter(nodes_of(layer.__layer__()))


def nodes_below(tops: Iterable[AnyLayer]) -> list[AnyLayer]:
    """All distinct nodes below and including some others, each after its children."""
    roots = tuple(tops)  # traversed as the children of a virtual root, which comes last
    return post_order(roots, lambda node: roots if node is roots else children_of(node))[:-1]


def parameters(layer: AnyLayer) -> tuple[Weight[Any], ...]:
    """The distinct weights of a formula, in the order of their first visit.

    >>> from layertree import Identity, Times, Weight
    >>> parameters(Times(Identity(), Weight(2.0)))
    (Weight(2.0),)
    """
    return tuple({node: None for node in nodes(layer) if isinstance(node, Weight)})


def named_cells(layer: AnyLayer) -> dict[str, CellLayer[Any]]:
    """All weights and states of a formula by path name.

    A cell without a name is named for its role in a block, ``dense/kernel``, with a number from the second one on, or
    is ``weight`` or ``state`` with a number.

    Raises ValueError for two cells of one name.

    >>> from layertree import Identity, Times, Weight, scope
    >>> with scope("encoder"):
    ...     formula = Times(Weight(2.0), Weight(3.0, name="slope"))
    >>> named_cells(formula)
    {'encoder/weight_0': Weight(2.0), 'encoder/slope': Weight(3.0, name='slope')}
    """
    found: dict[str, CellLayer[Any]] = {}
    for node, name in cell_names(layer):
        if name in found:
            raise ValueError(
                f"two different cells have the name {name!r}: give each its own, or a scope of its own"
                f"{_places(layer, found[name], node)}"
            )
        found[name] = node
    return found


def _places(layer: AnyLayer, *cells: AnyLayer) -> str:
    """The operations that use some cells, a line for each with its place in the user's code."""
    users = {id(child): node for node in post_order(layer.__layer__()) for child in children_of(node)}
    found = [users[id(cell)] for cell in cells if id(cell) in users]
    return "".join([f"\n  one in {brief_formula(user)}{written_at(user)}" for user in found])
