"""Layers as Python code that rebuilds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.structure import children_of
from layertree.text.printer import Ref, Style, joined, printed
from layertree.text.values import attribute_pieces, cell_text, data_text


def code(layer: Any, *, full: bool = False) -> str:
    """Python that rebuilds the layer; shortened above 200 nodes unless ``full``."""
    return printed(layer.__layer__(), CODE, full=full)


def _code_pieces(layer: Any, full: bool) -> list[Any]:
    if layer.__control__ == "constant":
        return [f"Literal({data_text(layer.data, full)})"]
    if layer.__control__ == "free":
        return [f"Free({layer.spec!r})"]
    if layer.__control__ == "cell":
        return [cell_text(layer, full, formula=False)]
    layout = layer.__layout__
    parts: list[list[Any]] = []
    for name in layout.names:
        value = getattr(layer, name)
        if name in layout.operands or name in layout.regions:
            parts.append([Ref(value)])
        elif name in layout.variadic:
            inner = joined([[Ref(item)] for item in value])
            parts.append(["(", *inner, ",)" if len(value) == 1 else ")"])
    return [type(layer).__name__, "(", *joined(parts + attribute_pieces(layer, full)), ")"]


def is_code_atom(layer: Any) -> bool:
    """What is printed again rather than named: leaves that are equal by what they say."""
    control = layer.__control__
    return bool(control == "source" or (control == "constant" and not isinstance(layer.data, np.ndarray)))


def _tightest(layer: Any) -> int:
    return 0


CODE = Style(children_of, _code_pieces, _tightest, is_code_atom)
