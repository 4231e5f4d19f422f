"""Values of expressions, and their conversion to operands: plain data, layers, and tuples with layers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from layertree import Layer, Literal, Tuple
from layertree.core.dynamic import is_a
from layertree.core.narrowing import is_layer, is_sequence

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer

_DEEPEST = 32


class OperandError(ValueError):
    """The reason why a value is no operand, or no attribute; ``keyword`` is the name of the argument, if it has one."""

    def __init__(self, message: str, keyword: str | None = None) -> None:
        super().__init__(message)
        self.keyword = keyword


@attrs.frozen
class LeftOut:
    """The placeholder of a shortened text for parts that it leaves out."""

    text: str


@attrs.frozen
class Mixed:
    """A tuple with formulas in it: several operands, or one tuple of formulas."""

    parts: tuple[AnyLayer, ...]


def tuple_of(items: list[object]) -> Mixed | tuple[object, ...]:
    """A tuple of plain values; with a formula among the items a tuple of layers."""
    if any(is_a(item, (Layer, Mixed, LeftOut)) for item in items):
        return Mixed(tuple(map(as_layer, items)))
    return tuple(items)


def as_layer(value: object) -> AnyLayer:
    """A value as an operand: a layer as it is, data as a constant. Raises OperandError for anything else."""
    if is_layer(value):
        return value
    if isinstance(value, Mixed):
        return Tuple(value.parts)
    if isinstance(value, LeftOut):
        raise OperandError(f"{value.text} is left out of this text: format(formula, 'full') writes all of it")
    if is_a(value, (bool, int, float, np.ndarray, np.generic, tuple)):
        _require_shallow(value)
        return Literal(value)
    raise OperandError(f"a formula or data is wanted here, not {_kind(value)}")


def as_layers(value: object) -> tuple[AnyLayer, ...]:
    """Several operands, from a list or a tuple of them."""
    if isinstance(value, Mixed):
        return value.parts
    if is_sequence(value):
        return tuple(map(as_layer, value))
    raise OperandError(f"a list of operands is wanted here, not {_kind(value)}")


def as_plain(value: Any) -> Any:
    """A value as an attribute, which may be of any type. Raises OperandError for a formula."""
    if isinstance(value, LeftOut):
        return as_layer(value)
    if isinstance(value, (Layer, Mixed)):
        raise OperandError("a plain value is wanted here, and this is a formula")
    _require_shallow(value)
    return value


def _require_shallow(value: object) -> None:
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [part for one in level if is_sequence(one) for part in one]
        if not level:
            return
    raise OperandError(f"tuples of data are nested at most {_DEEPEST} deep")


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list):
        return "a list: several formulas are a tuple, (x, y)"
    return f"{getattr(value, '__name__', None) or type(value).__name__}"
