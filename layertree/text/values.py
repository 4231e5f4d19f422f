"""Constants, cells and attributes as text."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.nested import nested_text

_SHOWN_ELEMENTS = 8
_LONGEST = 10**600
"""Python refuses to write integers of thousands of digits in decimals, and to read them."""


def data_text(data: Any, full: bool) -> str:
    """A constant as code. Large arrays are shortened to their kind unless ``full``."""
    if is_a(data, np.ndarray):
        if not full and data.size > _SHOWN_ELEMENTS:
            return f"<{data.dtype} {data.shape}>"
        return _array_text(data)
    if is_a(data, np.generic):
        text = str(data)
        # Python would read the digits of a longer float as one of its own.
        plain = np.isfinite(data) and not is_a(data, np.longdouble)
        return f"{type(data).__name__}({text if plain else repr(text)})"
    if is_a(data, tuple):
        return nested_text(data, lambda part: data_text(part, full))
    return attribute_text(data)


def _array_text(data: Any) -> str:
    if data.size == 0:
        return f"empty({data.shape}, dtype={data.dtype})"
    options: dict[str, Any] = {"threshold": data.size + 1, "floatmode": "unique", "linewidth": 10**9}
    with np.printoptions(**options):
        return " ".join(repr(data).split())


def attribute_text(value: Any) -> str:
    """An attribute as code."""
    if is_a(value, np.dtype):
        return repr(value.name if value.isnative else value.str)
    if is_a(value, tuple):
        return nested_text(value, attribute_text)
    if isinstance(value, float) and value - value != 0:
        return f"float('{value}')"
    if isinstance(value, int) and abs(value) > _LONGEST:
        return hex(value)
    return repr(value)


def cell_text(layer: Any, full: bool, *, formula: bool) -> str:
    """A Weight or State as code; in formulas as the function that made it.

    In full its name has the scopes around it, and its optimizer is named in formulas, too.
    """
    kind = type(layer).__name__
    parts = [data_text(layer.cell.value, full)]
    if kind == "State":
        parts.append(repr(layer.cell.rule))
    name = layer.cell.path if full else layer.cell.name
    if name is not None:
        parts.append(f"name={name!r}")
    if kind == "Weight" and layer.cell.rule is not None and (full or not formula):
        parts.append(f"optimizer={layer.cell.rule!r}")
    return f"{kind.lower() if formula else kind}({', '.join(parts)})"


def attributes_of(layer: Any) -> list[tuple[str, Any]]:
    """The attributes that are not at their default, and the objects that the layer holds, by name."""
    defaults = {field.name: field.default for field in attrs.fields(type(layer))}
    layout = layer.__layout__
    found = [(name, getattr(layer, name)) for name in layout.attributes]
    shown = [(name, value) for name, value in found if not same_attribute(value, defaults[name])]
    return shown + [(name, getattr(layer, name)) for name in layout.identities]


def same_attribute(first: Any, second: Any) -> bool:
    """Whether two attributes are the same: 1, 1.0 and True differ, and NaN is itself."""
    return type(first) is type(second) and repr(first) == repr(second)


def attribute_pieces(layer: Any, full: bool) -> list[list[Any]]:
    """The attributes that are not at their default, as ``name=value``."""
    identities = layer.__layout__.identities
    return [
        [f"{name}={object_text(value, full) if name in identities else attribute_text(value)}"]
        for name, value in attributes_of(layer)
    ]


def object_text(value: Any, full: bool) -> str:
    """A function or another object by its name; in full in quotes, where that is no name that code can have."""
    text = object_name(value)
    return text if text.isidentifier() or not full else repr(text)


def object_name(value: Any) -> str:
    """The name that a function or a class has of itself; of another object, its text."""
    return str(getattr(value, "__qualname__", None) or repr(value))
