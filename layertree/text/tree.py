"""Formulas as indented trees: a row for each layer, with the shape and dtype of its result in a second column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import MISFITS
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell, is_literal
from layertree.core.spec import SpecTree, spec_of, spec_text
from layertree.core.structure import children_of, operands_of, post_order
from layertree.core.visible import visible
from layertree.namespaces.spec import Inferring
from layertree.sweep.reading import Demands
from layertree.sweep.sweep import sweep
from layertree.text.code import is_code_atom
from layertree.text.indented import Outline, indented
from layertree.text.names import shown_class
from layertree.text.values import attribute_pieces, data_text

_SOURCE = -1
"""The key of the input's spec, which is the id of no layer."""


def tree_text(layer: AnyLayer, source: SpecTree | None = None, width: int = 80) -> str:
    """The tree in rows no wider than ``width``; shortened above 200 nodes.

    ``source`` is the spec of the input; for a formula that depends on an unknown input the rows have no specs. A shared
    layer has a name and is drawn once. A layer too deep for the width has a name and is drawn as a tree of its own.
    """
    root = layer.__layer__()
    specs = _specs(root, source)
    widest = max(map(len, map(spec_text, specs.values()))) if specs else 0
    context = None if specs is None else specs[_SOURCE]
    return indented(root, _Layers(specs), width, context=context, widest=widest)


class _Layers(Outline[AnyLayer]):
    """Layers with the specs of their results; the context of a layer is the spec of its input."""

    def __init__(self, specs: dict[int, SpecTree] | None) -> None:
        self.specs = specs

    def fields(self, node: AnyLayer) -> list[tuple[str, AnyLayer]]:
        return [] if _is_input(node) else list(_fields(node))

    def children(self, node: AnyLayer) -> tuple[AnyLayer, ...]:
        return () if _is_input(node) else children_of(node)

    def context_of(self, node: AnyLayer, role: str, context: SpecTree | None) -> SpecTree | None:
        if role == "outer: " and self.specs is not None:
            return self.specs.get(id(operands_of(node)[0]), context)
        return context

    def is_repeated(self, node: AnyLayer) -> bool:
        return is_code_atom(node) or _is_input(node)

    def text(self, node: AnyLayer) -> str:
        if _is_input(node):
            return brief_formula(node)
        parts = [class_text(node)]
        if is_literal(node):
            parts.append(self._data(node.data))
        elif is_cell(node):
            has_spec = np.ndim(node.value) and self.specs is not None  # then name and spec suffice
            parts.append("" if has_spec else self._data(node.value))
        return " ".join(filter(None, parts))

    def _data(self, data: object) -> str:
        text = data_text(data, False)
        return "" if text.startswith("<") and self.specs is not None else text

    def beside(self, node: AnyLayer, context: SpecTree | None) -> str:
        if self.specs is None:
            return ""
        if node.__control__ == "source":
            return "" if context is None else spec_text(context)
        found = self.specs.get(id(node))
        return "" if found is None else spec_text(found)


def class_text(node: AnyLayer) -> str:
    """The class of a layer with the name of a cell, or with the attributes that differ from their defaults."""
    parts = [shown_class(type(node))]
    if is_cell(node):
        parts.append(visible(node.path or ""))
    elif node.__layout__.names:
        parts += ["".join(piece) for piece in attribute_pieces(node, False)]
    return " ".join(filter(None, parts))


def _is_input(node: AnyLayer) -> bool:
    """Whether a layer is the input, or a part of it."""
    while node.__function__ == "item":
        node = children_of(node)[0]
    return node.__control__ == "source"


def _fields(node: AnyLayer) -> Iterator[tuple[str, AnyLayer]]:
    """The children of a layer, each with a label: for a region the name of its field."""
    layout = node.__layout__
    for name in layout.names:
        if name in layout.operands:
            yield "", getattr(node, name)
        elif name in layout.variadic:
            for child in getattr(node, name):
                yield "", child
        elif name in layout.regions:
            yield f"{name}: ", getattr(node, name)


def _specs(root: AnyLayer, source: Any) -> dict[int, SpecTree] | None:
    """The specs of all layers' results by id, and of the input by ``_SOURCE``; None where inference fails."""
    if source is None and any(node.__control__ == "source" for node in post_order(root)):
        return None
    reading = _Recording()
    try:
        sweep(root, source, reading)
    except MISFITS:
        return None
    reading.specs[_SOURCE] = source
    return reading.specs


class _Recording(Inferring):
    """SpecTree inference that records the spec of each node."""

    def __init__(self) -> None:
        self.specs: dict[int, Any] = {}

    def apply(self, node: AnyLayer, inputs: list[Any]) -> SpecTree:
        found: SpecTree = super().apply(node, inputs)
        self.specs[id(node)] = found
        return found

    def constant(self, node: Any, context: object) -> SpecTree:
        found: SpecTree = spec_of(node.data)
        self.specs[id(node)] = found
        return found

    def cell(self, node: Any, context: object) -> SpecTree:
        found: SpecTree = spec_of(node.value)
        self.specs[id(node)] = found
        return found

    def choose(self, node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
        found = self.specs[id(node)] = super().choose(node, condition, then, otherwise)
        return found

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        # The spec of the outer formula's input is kept by the id of the inner one, which may be the input itself.
        self.specs[id(node.inner)] = inputs[0]
        found = self.specs[id(node)] = yield from super().call(node, inputs, source, context)
        return found
