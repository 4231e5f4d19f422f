"""Primitives that are views: they move nothing, and share the memory of their operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layertree.core.dynamic import is_a
from layertree.kernels.windows import windows


def _reshape(x: Any, shape: tuple[int, ...]) -> Any:
    return np.reshape(x, shape)


def _transpose(x: Any, axes: tuple[int, ...]) -> Any:
    return np.transpose(x, axes)


def _getitem(x: Any, index: Any) -> Any:
    return x[index]


VIEWS: dict[str, Callable[..., Any]] = {
    "reshape": _reshape,
    "transpose": _transpose,
    "broadcast_to": np.broadcast_to,
    "getitem": _getitem,
    "windows": windows,
}
"""How each is made of its operand's array."""


def view_text(name: str, operand: str, attributes: dict[str, Any], ndim: int, *, of_number: bool = False) -> str:
    """A view as an expression, of an array or of a number."""
    if name == "reshape":
        if of_number:
            return f"np.reshape({operand}, {attributes['shape']})"
        return f"{operand}.reshape({_sizes(attributes['shape'])})"
    if name == "transpose":
        axes = attributes["axes"]
        if axes == (1, 0):
            return f"{operand}.T"
        if axes == (*range(ndim - 2), ndim - 1, ndim - 2):
            return f"{operand}.mT"
        return f"{operand}.transpose({_sizes(axes)})"
    if name == "getitem":
        if of_number:
            operand = f"np.asarray({operand})"
        return f"{operand}[{index_text(attributes['index'])}]"
    if name == "broadcast_to":
        return f"np.broadcast_to({operand}, {attributes['shape']})"
    given = ", ".join(f"{key}={value!r}" for key, value in attributes.items())
    return f"xp.{name}({operand}, {given})"


def _sizes(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes)) or "()"


def index_text(index: Any) -> str:
    """A static index as it stands between brackets."""
    parts = index if is_a(index, tuple) else (index,)
    return ", ".join(map(_part, parts)) or "()"


def _part(part: Any) -> str:
    if is_a(part, slice):
        first, last, step = ["" if one is None else str(one) for one in (part.start, part.stop, part.step)]
        return f"{first}:{last}" + (f":{step}" if step else "")
    return "..." if part is Ellipsis else repr(part)
