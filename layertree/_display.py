"""The graph that formula text shows: layers with what they are applied to, compositions put in place."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from layertree._sweep import Request, sweep


class Shown:
    """A layer and what it is applied to, ready to print."""

    __slots__ = ("inputs", "layer")

    def __init__(self, layer: Any, inputs: tuple[Any, ...]) -> None:
        self.layer = layer
        self.inputs = inputs


class _Displaying:
    """The reading whose results are ``Shown``."""

    def apply(self, node: Any, inputs: list[Any]) -> Shown:
        return Shown(node, tuple(inputs))

    def constant(self, node: Any, context: Any) -> Shown:
        return Shown(node, ())

    def cell(self, node: Any, context: Any) -> Shown:
        return Shown(node, ())

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Shown]:
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        return Shown(node, (inputs[0], then, otherwise))

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        return (yield Request(node.outer, inputs[0], context))


def display(root: Any) -> Shown:
    """The graph of a layer's formula text."""
    from layertree._identity import Identity

    shown: Shown = sweep(root, Shown(Identity(), ()), _Displaying())
    return shown
