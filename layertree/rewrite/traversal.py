"""Walks that users ask for: nodes, weights, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from layertree._kinds import is_a
from layertree._structure import children_of, post_order
from layertree._sweep import nodes_of
from layertree._weight import CellLayer, State, Weight


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


def cell_names(layer: Any) -> Iterator[tuple[CellLayer[Any], str]]:
    """The distinct weights and states in the order of their first visit, each with its name, which may come twice."""
    cells: dict[CellLayer[Any], None] = {node: None for node in nodes(layer) if is_a(node, CellLayer)}
    numbers: dict[str, Iterator[str]] = {}
    for node in cells:
        if node.path is not None:
            yield node, node.path
            continue
        base = _base(node)
        if base not in numbers:
            numbers[base] = _numbered(base, node.cell.role is not None)
        yield node, next(numbers[base])


def _base(node: CellLayer[Any]) -> str:
    """What a cell without a name is called, but for a number."""
    kind = "weight" if isinstance(node, Weight) else "state" if isinstance(node, State) else "cell"
    stem = node.cell.role or kind
    return f"{node.cell.scope}/{stem}" if node.cell.scope else stem


def _numbered(base: str, begins_without: bool) -> Iterator[str]:
    if begins_without:
        yield base
    yield from (f"{base}_{number}" for number in count(int(begins_without)))
