"""What nodes say: the family, the title and the texts of a layer, and values as texts or heat maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.brief import counted, name_of
from layertree.core.deltas import Parts
from layertree.core.dynamic import is_a, type_of
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell, is_literal, is_tuple
from layertree.core.spec import spec_of, spec_text
from layertree.core.weight import State
from layertree.drawing.heatmap import picture_of, statistics
from layertree.drawing.model import Chip
from layertree.text.values import attribute_pieces, data_text

_FAMILIES = "layertree.layers."
_SMALLEST = 2
"""The size from which an array is a heat map."""


def family_of(layer: AnyLayer | None) -> str:
    """The family of a layer: the module of ``layertree.layers`` that has its class, or a kind of leaf."""
    if layer is None or layer.__control__ == "source":
        return "input"
    if is_literal(layer):
        return "constant"
    if is_cell(layer):
        return "weight"
    home = type_of(layer).__module__
    return home.removeprefix(_FAMILIES) if home.startswith(_FAMILIES) else "control"


def title_of(layer: AnyLayer) -> str:
    """The class of an operation, the name of a weight, the text of a constant."""
    if is_literal(layer):
        return data_text(layer.data, False) if not is_tuple(layer.data) and np.ndim(layer.data) == 0 else "Literal"
    if is_cell(layer):
        return layer.path or type(layer).__name__
    return type(layer).__name__


def attributes_text(layer: AnyLayer) -> str:
    """The attributes that differ from their defaults, in one line."""
    return ", ".join("".join(piece) for piece in attribute_pieces(layer, False)) if layer.__layout__.names else ""


def hint_of(layer: AnyLayer) -> str:
    """What hovering over a node shows: the class, the function, the attributes."""
    if is_cell(layer):
        rule = layer.cell.rule
        return f"{type(layer).__name__} {layer.path or ''}" + ("" if rule is None else f", {rule!r}")
    if is_literal(layer):
        return f"constant {data_text(layer.data, False)}"
    return f"{type(layer).__name__}: {name_of(layer)} ({family_of(layer)}) {attributes_text(layer)}".rstrip()


def cell_chips(layer: Any, trains: bool) -> list[Chip]:
    """Value or spec of a cell, and whether the cell trains."""
    state = "state" if is_a(layer, State) else "trains" if trains else "frozen"
    return [Chip(short(layer.value), "plain"), Chip(state, "update" if trains else "caption")]


def number_text(value: Any) -> str:
    """A number with four digits at most.

    >>> number_text(2.0), number_text(1 / 3), number_text(True), number_text(10**30)
    ('2.0', '0.3333', 'True', '1e+30')
    """
    if is_a(value, (bool, np.bool_)):
        return str(bool(value))
    if is_a(value, (int, np.integer)):
        return str(value) if abs(int(value)) < 10**6 else f"{int(value):.4g}" if abs(int(value)) < 10**300 else "huge"
    short = f"{float(value):.4g}"
    return short if any(sign in short for sign in ".en") else f"{short}.0"


def short(value: Any) -> str:
    """A number as a number, an array or a tuple as its dtype and shape, deltas of a tuple as their count.

    >>> short(2.0), short(np.zeros(3)), short(Parts({0: 1.0, 1: 2.0})), short(None)
    ('2.0', 'float64 (3,)', 'deltas of 2 parts', 'None')
    """
    if value is None:
        return "None"
    if isinstance(value, Parts):
        return f"deltas of {counted(len(value), 'part')}"
    if is_tuple(value) or np.ndim(value):
        return spec_text(spec_of(value))
    return number_text(value)


def value_chip(value: Any, style: str, before: str = "") -> Chip:
    """A value: an array as a heat map or an image, other data as in ``short``."""
    space = f"{before} " if before else ""
    if isinstance(value, Parts) or is_tuple(value):
        return Chip(f"{space}{short(value)}", style)
    if np.ndim(value) == 0:
        is_huge = is_a(value, int) and abs(value) >= 10**300
        return Chip(f"{space}{short(value)}", style, f"{style} {short(value) if is_huge else repr(value)}")
    array = np.asarray(value)
    hint = f"{style} {statistics(array)}"
    if array.size >= _SMALLEST:
        return Chip(before, style, hint, picture_of(array))
    return Chip(f"{space}[{short(array.item())}]" if array.size else f"{space}{short(array)}", style, hint)
