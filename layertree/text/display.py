"""Display trees: formulas ready to print, each layer with its inputs, compositions inlined or kept as calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_literal
from layertree.core.structure import children_of, post_order
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep

_MOST_GROWTH = 20_000
"""By how many nodes the inlining of compositions may enlarge a formula; beyond, compositions stay calls."""


class DisplayNode:
    """A layer and the nodes that it is applied to: operands, then regions. The layer None is the input."""

    __slots__ = ("inputs", "layer")

    inputs: tuple[DisplayNode, ...]

    def __init__(self, layer: AnyLayer | None, inputs: tuple[DisplayNode, ...]) -> None:
        self.layer: Any = layer
        self.inputs = inputs

    @property
    def function(self) -> str | None:
        """The function of the namespaces that the layer computes."""
        function: str | None = None if self.layer is None else self.layer.__function__
        return function

    @property
    def control(self) -> str | None:
        """The kind of the node for a sweep, None for an operation; the input is ``source``."""
        control: str | None = "source" if self.layer is None else self.layer.__control__
        return control

    @property
    def operator(self) -> str | None:
        """The operator sign of the layer, if it has one."""
        operator: str | None = None if self.layer is None else self.layer.__operator__
        return operator

    @property
    def number(self) -> float | None:
        """The value of a constant that is a Python number; None for any other node."""
        data = self.layer.data if is_literal(self.layer) else None
        return data if isinstance(data, (int, float)) and not isinstance(data, (bool, np.generic)) else None

    @property
    def path(self) -> tuple[int, ...] | None:
        """The position of a part of the input: () for the whole, (1, 0) for ``x[1][0]``; None for any other node."""
        positions: list[int] = []
        node = self
        while node.function == "item":
            positions.append(node.layer.position)
            node = node.inputs[0]
        return tuple(reversed(positions)) if node.control == "source" else None


def inputs_of(node: DisplayNode) -> tuple[DisplayNode, ...]:
    """The nodes that a node is applied to."""
    return node.inputs


def by_field(node: DisplayNode) -> dict[str, DisplayNode | list[DisplayNode]]:
    """The inputs of a node by the name of the field: one node, or a list for a variadic field."""
    layout = node.layer.__layout__
    remaining = iter(node.inputs)
    found: dict[str, DisplayNode | list[DisplayNode]] = {}
    for name in layout.names:
        if name in layout.operands:
            found[name] = next(remaining)
        elif name in layout.variadic:
            found[name] = [next(remaining) for _ in getattr(node.layer, name)]
    found.update(zip(layout.regions, remaining, strict=True))
    return {name: found[name] for name in layout.names if name in found}


def inlined(layer: AnyLayer) -> DisplayNode:
    """The formula with compositions inlined, and parts of tuples resolved to the part."""
    root = layer.__layer__()
    reading = _Displaying(_MOST_GROWTH + 2 * len(post_order(root)))
    try:
        return sweep(root, DisplayNode(None, ()), reading)
    except _TooLargeError:
        return with_calls(root)


def with_calls(layer: AnyLayer) -> DisplayNode:
    """The formula node by node, with compositions as calls."""
    found: dict[int, DisplayNode] = {}
    source = DisplayNode(None, ())
    order = post_order(layer.__layer__())
    for node in order:
        inputs = tuple([found[id(child)] for child in children_of(node)])
        found[id(node)] = source if node.__control__ == "source" else DisplayNode(node, inputs)
    return found[id(order[-1])]


class _TooLargeError(Exception):
    """Compositions make a formula too large to show inlined."""


class _Displaying(Reading[DisplayNode]):
    """The reading whose results are display nodes. Raises _TooLargeError after ``limit`` operations."""

    def __init__(self, limit: int) -> None:
        self.remaining = limit
        self.leaves: dict[int, DisplayNode] = {}

    def apply(self, node: Any, inputs: list[DisplayNode]) -> DisplayNode:
        if node.__function__ == "item" and inputs[0].function == "tuple":
            position: int = node.position
            return inputs[0].inputs[position]
        return self._operation(node, tuple(inputs))

    def constant(self, node: AnyLayer, context: object) -> DisplayNode:
        return self._leaf(node)

    def cell(self, node: AnyLayer, context: object) -> DisplayNode:
        return self._leaf(node)

    def free(self, node: AnyLayer, context: object) -> DisplayNode:
        return self._leaf(node)

    def choose(self, node: AnyLayer, condition: DisplayNode, then: DisplayNode, otherwise: DisplayNode) -> DisplayNode:
        return self._operation(node, (condition, then, otherwise))

    def _operation(self, node: AnyLayer, inputs: tuple[DisplayNode, ...]) -> DisplayNode:
        self.remaining -= 1
        if self.remaining < 0:
            raise _TooLargeError
        return DisplayNode(node, inputs)

    def _leaf(self, node: AnyLayer) -> DisplayNode:
        # One display node for each leaf: a weight in two inlined formulas prints as one weight.
        return self.leaves.setdefault(id(node), DisplayNode(node, ()))
