"""Pickling and deep copies without recursion, through one flat list of nodes. The copies have cells of their own."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.cell import Cell, Content, snapshot
from layertree.core.data import Data
from layertree.core.dynamic import is_a
from layertree.core.nested import flat
from layertree.core.structure import children_of, post_order, transform

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


Record = tuple[type, tuple[int, ...], dict[str, Any]]


def reduce(root: AnyLayer) -> Any:
    """The value of ``__reduce_ex__``: the distinct nodes of the tree in post-order."""
    order = post_order(root)
    position = {id(node): i for i, node in enumerate(order)}
    records: list[Record] = [
        (type(node), tuple([position[id(child)] for child in children_of(node)]), own_state(node)) for node in order
    ]
    cells = _cells(order)
    return restore, (records, cells, snapshot(cells))


def restore(records: list[Record], cells: list[Cell], contents: list[Content]) -> Any:
    """The tree of a list that ``reduce`` made, with the contents that its cells had at one time."""
    made: list[Any] = []
    for cls, children, state in records:
        made.append(_build(cls, [made[i] for i in children], state))
    # pickle reads each cell at a time of its own, between which another thread may have committed.
    for cell, content in zip(cells, contents, strict=True):
        cell.restore(content)
    return made[-1]


def _cells(order: list[Any]) -> list[Cell]:
    return list({node.cell: None for node in order if node.__control__ == "cell"})


def own_state(node: AnyLayer) -> dict[str, Any]:
    """The fields that hold no layers, and the number of layers in each variadic field."""
    layout = node.__layout__
    if not layout.names:
        return {name: value for name, value in node.__dict__.items() if name in ("data", "cell")}
    state = {name: getattr(node, name) for name in (*layout.attributes, *layout.identities)}
    for name in layout.variadic:
        state[name] = len(getattr(node, name))
    return state


def _build(cls: Any, children: list[AnyLayer], state: dict[str, Any]) -> Any:
    node: AnyLayer = object.__new__(cls)
    layout = cls.__layout__
    fields = node.__dict__
    fields.update(state)
    remaining = iter(children)
    for name in layout.names:
        if name in layout.operands:
            fields[name] = next(remaining)
        elif name in layout.variadic:
            fields[name] = tuple([next(remaining) for _ in range(state[name])])
    for name in layout.regions:
        fields[name] = next(remaining)
    if "data" in state and not layout.names:
        _freeze(state["data"])
    return node


def _freeze(data: Data) -> None:
    """Make the arrays of a new constant read-only: pickle and deepcopy return writeable ones."""
    for part in flat(data):
        if is_a(part, np.ndarray):
            part.flags.writeable = False


def deep_copy(root: AnyLayer, memo: dict[int, Any]) -> Any:
    """The tree with new cells and constants; nodes shared in the original are shared in the copy."""
    known = memo.get(id(root))
    if known is not None:
        return known
    cells = [cell for cell in _cells(post_order(root)) if id(cell) not in memo]
    for cell, content in zip(cells, snapshot(cells), strict=True):  # the contents of one time
        cell.copy_with(content, memo)

    def copied(node: AnyLayer, children: tuple[AnyLayer, ...]) -> Any:
        twin = memo.get(id(node))
        if twin is None:
            # Only leaves hold mutable state; attributes are immutable, and identities have to stay the same objects.
            leaf = not node.__layout__.names
            state = copy.deepcopy(own_state(node), memo) if leaf else own_state(node)
            twin = memo[id(node)] = _build(type(node), list(children), state)
            if "_place" in node.__dict__:
                twin.__dict__["_place"] = node.__dict__["_place"]
        return twin

    return transform(root, copied)
