"""Walks that users ask for: nodes, weights, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from layertree.core.naming import cell_names
from layertree.core.structure import children_of, post_order
from layertree.core.weight import CellLayer, Weight
from layertree.sweep.plan import nodes_of


def nodes(layer: Any) -> Iterator[Any]:
    """All distinct nodes of a formula, operands before what uses them, regions included.

    >>> from layertree import Identity, Plus
    >>> [type(node).__name__ for node in nodes(Plus(Identity(), 1.0))]
    ['Identity', 'Literal', 'Plus']
    """
    return iter(nodes_of(layer.__layer__()))


def nodes_below(tops: Iterable[Any], children: Callable[[Any], tuple[Any, ...]] = children_of) -> list[Any]:
    """All distinct nodes below and including some others, each after its children."""
    together = tuple(tops)  # walked as if it were one node
    return post_order(together, lambda node: together if node is together else children(node))[:-1]


def parameters(layer: Any) -> tuple[Weight[Any], ...]:
    """The distinct weights of a formula, in the order of their first visit.

    >>> from layertree import Identity, Times, Weight
    >>> parameters(Times(Identity(), Weight(2.0)))
    (Weight(2.0),)
    """
    return tuple({node: None for node in nodes(layer) if isinstance(node, Weight)})


def named_cells(layer: Any) -> dict[str, CellLayer[Any]]:
    """All weights and states of a formula by path name.

    One without a name is called by its role in a block, ``dense/kernel``, and the next of that name gets a number; or
    else it is a weight or a state with a number.

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
            raise ValueError(f"two different cells have the name {name!r}: give each its own, or a scope of its own")
        found[name] = node
    return found
