"""Layers as Python code that rebuilds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from layertree.core.free import Free
from layertree.core.layer import AnyLayer
from layertree.core.naming import suffixes
from layertree.core.narrowing import is_cell, is_literal
from layertree.core.structure import children_of
from layertree.text.names import shown_class
from layertree.text.printer import Piece, Ref, Style, joined, printed
from layertree.text.values import NONE, attribute_pieces, cell_text, data_text

if TYPE_CHECKING:
    from layertree.core.cell import Cell


def code(layer: AnyLayer, *, full: bool = False) -> str:
    """Python code that rebuilds the layer; shortened above 200 nodes unless ``full``."""
    root = layer.__layer__()
    names = suffixes(root)
    return printed(root, CODE._replace(pieces=partial(_pieces, names=names)) if names else CODE, full=full)


def _pieces(layer: AnyLayer, full: bool, names: Mapping[Cell, str] = NONE) -> list[Piece[AnyLayer]]:
    if is_literal(layer):
        return [f"Literal({data_text(layer.data, full)})"]
    if isinstance(layer, Free):
        return [f"Free({layer.spec!r})"]
    if is_cell(layer):
        return [cell_text(layer, full, formula=False, suffixes=names)]
    layout = layer.__layout__
    parts: list[list[Piece[AnyLayer]]] = []
    for name in layout.names:
        value = getattr(layer, name)
        if name in layout.operands or name in layout.regions:
            parts.append([Ref(value)])
        elif name in layout.variadic:
            inner = joined([[Ref(item)] for item in value])
            parts.append(["(", *inner, ",)" if len(value) == 1 else ")"])
    arguments: list[Sequence[Piece[AnyLayer]]] = [*parts, *attribute_pieces(layer, full)]
    return [shown_class(type(layer)), "(", *joined(arguments), ")"]


def is_code_atom(layer: AnyLayer) -> bool:
    """Whether the text of a layer is repeated at each use instead of named: that of the input and of numbers."""
    if is_literal(layer):
        return not isinstance(layer.data, np.ndarray)
    return layer.__control__ == "source"


def _binding(layer: AnyLayer) -> float:
    """The precedence of a call, which never needs parentheses."""
    return 0


CODE: Style[AnyLayer] = Style(children_of, _pieces, _binding, is_code_atom)
