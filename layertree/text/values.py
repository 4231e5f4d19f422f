"""Constants, cells and attributes as text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_tuple
from layertree.core.nested import brief_text, nested_text
from layertree.core.weight import CellLayer, State, Weight

if TYPE_CHECKING:
    from layertree.core.cell import Cell

_SHOWN_ELEMENTS = 8
"""The largest array whose elements a shortened text shows."""

NONE: Mapping[Cell, str] = MappingProxyType({})
"""The suffixes of a formula whose cells have different names."""

_LONGEST = 10**600
"""The largest integer in decimal digits: Python neither writes nor reads thousands of them."""


def data_text(data: Any, full: bool) -> str:
    """A constant as code. A large array is shortened to dtype and shape unless ``full``."""
    if is_a(data, np.ndarray):
        if not full and data.size > _SHOWN_ELEMENTS:
            return f"<{data.dtype} {data.shape}>"
        return _array_text(data)
    if is_a(data, np.generic):
        text = str(data)
        # A longdouble is quoted: Python would round its digits to a float.
        plain = np.isfinite(data) and not is_a(data, np.longdouble)
        return f"{type(data).__name__}({text if plain else repr(text)})"
    if is_tuple(data):
        if full:
            return nested_text(data, lambda part: data_text(part, full))
        text = brief_text(data, lambda part: data_text(part, full))
        return text if text.startswith("(") else f"<{text}>"
    return attribute_text(data)


def _array_text(data: np.ndarray[Any, Any]) -> str:
    if data.size == 0:
        return f"empty({data.shape}, dtype={data.dtype})"
    with np.printoptions(threshold=data.size + 1, floatmode="unique", linewidth=10**9):
        return " ".join(repr(data).split())


def attribute_text(value: object) -> str:
    """An attribute as code."""
    if isinstance(value, np.dtype):
        return repr(value.name if value.isnative else value.str)
    if is_tuple(value):
        return nested_text(value, attribute_text)
    if isinstance(value, float) and value - value != 0:
        return f"float('{value}')"
    if isinstance(value, int) and abs(value) > _LONGEST:
        return hex(value)
    return repr(value)


def cell_text(layer: CellLayer[Any], full: bool, *, formula: bool, suffixes: Mapping[Cell, str] = NONE) -> str:
    """A Weight or State as code, or for a ``formula`` as a call of ``weight`` or ``state``.

    In full the name includes its scopes, and formulas show the optimizer, too. ``suffixes`` are those of cells whose
    name another cell has, too.
    """
    kind = type(layer).__name__
    parts = [data_text(layer.cell.value, full)]
    if isinstance(layer, State):
        parts.append(repr(layer.cell.rule))
    name = layer.cell.path if full else layer.cell.name
    if name is not None:
        parts.append(f"name={name + suffixes.get(layer.cell, '')!r}")
    if isinstance(layer, Weight) and layer.cell.rule is not None and (full or not formula):
        parts.append(f"optimizer={layer.cell.rule!r}")
    return f"{kind.lower() if formula else kind}({', '.join(parts)})"


def attributes_of(layer: AnyLayer) -> list[tuple[str, object]]:
    """The attributes that differ from their default, then the identity fields, each with its value."""
    cls: Any = type(layer)
    defaults = {field.name: field.default for field in attrs.fields(cls)}
    layout = layer.__layout__
    found = [(name, getattr(layer, name)) for name in layout.attributes]
    shown = [(name, value) for name, value in found if not same_attribute(value, defaults[name])]
    return shown + [(name, getattr(layer, name)) for name in layout.identities]


def same_attribute(first: object, second: object) -> bool:
    """Whether two attributes are equal: 1, 1.0 and True differ, and NaN equals NaN."""
    return type(first) is type(second) and repr(first) == repr(second)


def attribute_pieces(layer: AnyLayer, full: bool) -> list[list[str]]:
    """The attributes that differ from their default, each as one text ``name=value``."""
    identities = layer.__layout__.identities
    return [
        [f"{name}={object_text(value, full) if name in identities else attribute_text(value)}"]
        for name, value in attributes_of(layer)
    ]


def object_text(value: object, full: bool) -> str:
    """A function or another object by its name; in full in quotes, if the name is no identifier."""
    text = object_name(value)
    return text if text.isidentifier() or not full else repr(text)


def object_name(value: object) -> str:
    """The qualified name of a function or a class; of another object, its text."""
    return str(getattr(value, "__qualname__", None) or repr(value))
