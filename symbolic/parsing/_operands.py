"""Values on the way to be operands: plain data, layers, and tuples with layers in them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from layertree import Layer, Literal, Tuple
from layertree.core.dynamic import is_a

_DEEPEST = 32


class OperandError(ValueError):
    """Why a value is no operand, or no attribute; ``keyword`` is the argument that it is about."""

    def __init__(self, message: str, keyword: str | None = None) -> None:
        super().__init__(message)
        self.keyword = keyword


@dataclasses.dataclass(frozen=True, slots=True)
class LeftOut:
    """What a shortened text says in the place of something."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Mixed:
    """A tuple with formulas in it: several operands, or one tuple of formulas."""

    parts: tuple[Any, ...]


def tuple_of(items: list[Any]) -> Any:
    """A tuple: of plain values as it is, else of layers."""
    if any(is_a(item, (Layer, Mixed, LeftOut)) for item in items):
        return Mixed(tuple(map(as_layer, items)))
    return tuple(items)


def as_layer(value: Any) -> Any:
    """The layer that a value is, as an operand: data is a constant."""
    if is_a(value, Layer):
        return value
    if is_a(value, Mixed):
        return Tuple(value.parts)
    if is_a(value, LeftOut):
        raise OperandError(f"{value.text} is left out of this text: format(formula, 'full') writes all of it")
    if is_a(value, (bool, int, float, np.ndarray, np.generic, tuple)):
        _require_shallow(value)
        return Literal(value)
    raise OperandError(f"a formula or data is wanted here, not {_kind(value)}")


def as_layers(value: Any) -> tuple[Any, ...]:
    """Several operands, from a list or a tuple of them."""
    if is_a(value, Mixed):
        parts: tuple[Any, ...] = value.parts
        return parts
    if is_a(value, (list, tuple)):
        return tuple(map(as_layer, value))
    raise OperandError(f"a list of operands is wanted here, not {_kind(value)}")


def as_plain(value: Any) -> Any:
    """A value that is no formula: an attribute."""
    if is_a(value, LeftOut):
        return as_layer(value)
    if is_a(value, (Layer, Mixed)):
        raise OperandError("a plain value is wanted here, and this is a formula")
    _require_shallow(value)
    return value


def _require_shallow(value: Any) -> None:
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for one in level if is_a(one, (tuple, list)) for part in one]
        if not level:
            return
    raise OperandError(f"tuples of data are nested at most {_DEEPEST} deep")


def _kind(value: Any) -> str:
    if is_a(value, str):
        return "a string"
    if is_a(value, list):
        return "a list: several formulas are a tuple, (x, y)"
    return f"{getattr(value, '__name__', None) or type(value).__name__}"
