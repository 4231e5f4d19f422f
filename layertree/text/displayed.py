"""Formulas ready to print: each layer with what it is applied to, its compositions put in place or kept as calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.structure import children_of, post_order
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep

_MANY = 20_000
"""How much larger than its tree a formula may become by compositions put in place; beyond, they stay calls."""


class Shown:
    """A layer and what it is applied to: its operands, then its regions. The layer None is the input."""

    __slots__ = ("inputs", "layer")

    def __init__(self, layer: Any, inputs: tuple[Any, ...]) -> None:
        self.layer = layer
        self.inputs = inputs

    @property
    def function(self) -> str | None:
        """The function of the namespaces that the layer is."""
        function: str | None = None if self.layer is None else self.layer.__function__
        return function

    @property
    def control(self) -> str | None:
        """What sort of node the layer is, as the sweep sees it; the input is the source."""
        control: str | None = "source" if self.layer is None else self.layer.__control__
        return control

    @property
    def operator(self) -> str | None:
        """The sign of the layer, where it has one and is applied to one or two operands."""
        operator: str | None = None if self.layer is None else self.layer.__operator__
        return operator

    @property
    def number(self) -> float | int | None:
        """The Python number that the layer is, or None."""
        data = getattr(self.layer, "data", None) if self.control == "constant" else None
        return data if is_a(data, (int, float)) and not is_a(data, (bool, np.generic)) else None

    @property
    def path(self) -> tuple[int, ...] | None:
        """Which part of the input this is: () for all of it, (1, 0) for ``x[1][0]``; None for anything else."""
        positions: list[int] = []
        node = self
        while node.function == "item":
            positions.append(node.layer.position)
            node = node.inputs[0]
        return tuple(reversed(positions)) if node.control == "source" else None


def inputs_of(shown: Any) -> tuple[Any, ...]:
    """What a shown layer is applied to."""
    inputs: tuple[Any, ...] = shown.inputs
    return inputs


def by_field(shown: Any) -> dict[str, Any]:
    """What a shown layer is applied to, by the name of the field: one, or a list for a variable number."""
    layout = shown.layer.__layout__
    remaining = iter(shown.inputs)
    found: dict[str, Any] = {}
    for name in layout.names:
        if name in layout.operands:
            found[name] = next(remaining)
        elif name in layout.variadic:
            found[name] = [next(remaining) for _ in getattr(shown.layer, name)]
    found.update(zip(layout.regions, remaining, strict=True))
    return {name: found[name] for name in layout.names if name in found}


def in_place(layer: Any) -> Shown:
    """The formula as one reads it: compositions are put in place, and a part of a tuple is what was put there."""
    root = layer.__layer__()
    try:
        shown: Shown = sweep(root, Shown(None, ()), _Displaying(_MANY + 2 * len(post_order(root))))
    except _TooManyError:
        return as_built(root)
    return shown


def as_built(layer: Any) -> Shown:
    """The formula as it is built, node by node: compositions are calls."""
    made: dict[int, Shown] = {}
    source = Shown(None, ())
    order = post_order(layer.__layer__())
    for node in order:
        inputs = tuple([made[id(child)] for child in children_of(node)])
        made[id(node)] = source if node.__control__ == "source" else Shown(node, inputs)
    return made[id(order[-1])]


class _TooManyError(Exception):
    """A formula that compositions make too long to show."""


class _Displaying(Reading[Shown]):
    """The reading whose results are ``Shown``."""

    def __init__(self, limit: int) -> None:
        self.remaining = limit
        self.leaves: dict[int, Shown] = {}

    def apply(self, node: Any, inputs: list[Any]) -> Shown:
        if node.__function__ == "item" and inputs[0].function == "tuple":
            part: Shown = inputs[0].inputs[node.position]
            return part
        return self._made(node, tuple(inputs))

    def constant(self, node: Any, context: Any) -> Shown:
        return self._leaf(node)

    def cell(self, node: Any, context: Any) -> Shown:
        return self._leaf(node)

    def free(self, node: Any, context: Any) -> Shown:
        return self._leaf(node)

    def choose(self, node: Any, condition: Shown, then: Shown, otherwise: Shown) -> Shown:
        return self._made(node, (condition, then, otherwise))

    def _made(self, node: Any, inputs: tuple[Any, ...]) -> Shown:
        self.remaining -= 1
        if self.remaining < 0:
            raise _TooManyError
        return Shown(node, inputs)

    def _leaf(self, node: Any) -> Shown:
        # One leaf is one wherever it stands, so that a weight in two formulas is seen to be one weight.
        return self.leaves.setdefault(id(node), Shown(node, ()))
