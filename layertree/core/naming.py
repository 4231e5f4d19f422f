"""Names of cells: the path of a weight or state, or a numbered role where the user gave no name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from layertree.core.dynamic import is_a
from layertree.core.structure import post_order
from layertree.core.weight import CellLayer, State, Weight

if TYPE_CHECKING:
    from layertree.core.cell import Cell
    from layertree.core.layer import AnyLayer


def cell_names(layer: AnyLayer) -> Iterator[tuple[CellLayer[Any], str]]:
    """The distinct weights and states in post-order, each with its name; two cells may have one name."""
    cells: dict[CellLayer[Any], None] = {node: None for node in post_order(layer.__layer__()) if is_a(node, CellLayer)}
    numbers: dict[str, Iterator[str]] = {}
    for node in cells:
        if node.path is not None:
            yield node, node.path
            continue
        base = _base(node)
        if base not in numbers:
            numbers[base] = _numbered(base, node.cell.role is not None)
        yield node, next(numbers[base])


def suffixes(layer: AnyLayer) -> dict[Cell, str]:
    """What a text appends to the names of cells that share one: nothing for the first one, ``_1`` for the second.

    A teacher beside a student made from its copy has two cells of each name. Only the other cells are in the result.
    """
    paths: dict[Cell, str] = {}
    for node in post_order(layer.__layer__()):
        if node.__control__ == "cell" and node.path is not None:  # faster than isinstance
            paths.setdefault(node.cell, node.path)
    taken = set(paths.values())
    if len(taken) == len(paths):
        return {}
    found: dict[Cell, str] = {}
    seen: set[str] = set()
    for cell, path in paths.items():
        if path not in seen:
            seen.add(path)
            continue
        found[cell] = next(suffix for suffix in map("_{}".format, count(1)) if path + suffix not in taken)
        taken.add(path + found[cell])
    return found


def _base(node: CellLayer[Any]) -> str:
    """The name of a cell that has none of its own, before a number is appended."""
    kind = "weight" if isinstance(node, Weight) else "state" if isinstance(node, State) else "cell"
    stem = node.cell.role or kind
    return f"{node.cell.scope}/{stem}" if node.cell.scope else stem


def _numbered(base: str, begins_without: bool) -> Iterator[str]:
    if begins_without:
        yield base
    yield from (f"{base}_{number}" for number in count(int(begins_without)))
