"""Constants, cells and attributes as text."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from layertree._kinds import is_a, type_of

_SHOWN_ELEMENTS = 8


def data_text(data: Any, full: bool) -> str:
    """A constant as code. Large arrays are shortened to their kind unless ``full``."""
    if is_a(data, np.ndarray):
        if not full and data.size > _SHOWN_ELEMENTS:
            return f"<{data.dtype} {data.shape}>"
        options: dict[str, Any] = {"threshold": data.size + 1, "floatmode": "unique", "linewidth": 10**9}
        with np.printoptions(**options):
            text = " ".join(repr(data).split())
        if data.size == 0:
            return f"empty({data.shape}, dtype={data.dtype})"
        return text
    if is_a(data, np.generic):
        text = str(data)
        return f"{type(data).__name__}({text if np.isfinite(data) else repr(text)})"
    if is_a(data, tuple):
        inner = ", ".join(data_text(part, full) for part in data)
        return f"({inner},)" if len(data) == 1 else f"({inner})"
    if isinstance(data, float) and data - data != 0:
        return f"float('{data}')"
    return repr(data)


def attribute_text(value: Any) -> str:
    """An attribute as code."""
    if isinstance(value, np.dtype):
        return repr(value.name)
    if isinstance(value, float) and value - value != 0:
        return f"float('{value}')"
    return repr(value)


def cell_text(layer: Any, full: bool, *, formula: bool) -> str:
    """A Weight or State as code; in formulas as the function that made it."""
    name = type(layer).__name__
    parts = [data_text(layer.cell.content.value, full)]
    if name == "State":
        parts.append(repr(layer.cell.rule))
    if layer.cell.name is not None:
        parts.append(f"name={layer.cell.name!r}")
    if name == "Weight" and layer.cell.rule is not None and not formula:
        parts.append(f"optimizer={layer.cell.rule!r}")
    return f"{name.lower() if formula else name}({', '.join(parts)})"


def attributes_of(layer: Any) -> list[list[Any]]:
    """The attributes that are not at their default, as ``name=value``."""
    defaults = {field.name: field.default for field in attrs.fields(type_of(layer))}
    shown: list[list[Any]] = []
    for name in (*layer._layout.attributes, *layer._layout.identities):
        value = getattr(layer, name)
        if name in layer._layout.identities:
            shown.append([f"{name}={getattr(value, '__qualname__', repr(value))}"])
        elif not (type(value) is type(defaults[name]) and value == defaults[name]):
            shown.append([f"{name}={attribute_text(value)}"])
    return shown
