"""Attributes: the checked JSON values of a layer."""

from __future__ import annotations

import operator
import types
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.nested import flat


class NoMatch(Exception):
    """Raised for a value that does not conform to the annotated type."""


class Rule(NamedTuple):
    """The bounds of an attribute."""

    minimum: Any
    maximum: Any
    choices: Sequence[Any] | None

    def conform(self, value: Any, kind: Any, place: str) -> Any:
        """The value in canonical form; TypeError or ValueError names ``place`` and the allowed values."""
        try:
            value = as_type(value, kind)
        except NoMatch:
            raise TypeError(f"{place} = {value!r} is not allowed: give {self.allowed(kind)}") from None
        except OverflowError:  # an int beyond the largest float, whose digits may be too many to print
            raise ValueError(f"{place} is too large for a float: give {self.allowed(kind)}") from None
        if not self._within(value):
            raise ValueError(f"{place} = {value!r} is not allowed: give {self.allowed(kind)}")
        return value

    def _within(self, item: Any) -> bool:
        if is_a(item, tuple):
            return all(map(self._within, flat(item)))
        if self.choices is not None:
            return item in self.choices
        if item is None:
            return True
        return (self.minimum is None or item >= self.minimum) and (self.maximum is None or item <= self.maximum)

    def allowed(self, kind: Any) -> str:
        """The allowed values, as words for a message."""
        if self.choices is not None:
            return "one of " + ", ".join(map(repr, self.choices))
        words = type_text(kind)
        if self.minimum is not None and self.maximum is not None:
            return f"{words} from {self.minimum} to {self.maximum}"
        if self.minimum is not None:
            return f"{words} of at least {self.minimum}"
        if self.maximum is not None:
            return f"{words} of at most {self.maximum}"
        return words


def as_type(value: Any, kind: Any) -> Any:
    """A value converted to the annotated JSON type: a NumPy integer to int, a list to tuple. Raises NoMatch."""
    if kind is Any:
        return value
    origin = get_origin(kind)
    if origin is Annotated:
        return kind.__metadata__[0](value)
    if origin is Union or origin is types.UnionType:
        return _as_union(value, get_args(kind))
    if origin is tuple:
        return _as_tuple(value, get_args(kind))
    if origin is Literal:
        if value in get_args(kind):
            return value
        raise NoMatch
    if origin is np.dtype:
        return _as_dtype(value)
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    raise TypeError(f"an attribute cannot have the type {kind!r}: only JSON values and dtypes")


def _as_union(value: Any, kinds: tuple[Any, ...]) -> Any:
    for kind in kinds:
        try:
            return as_type(value, kind)
        except NoMatch:
            continue
    raise NoMatch


def _as_tuple(value: Any, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    if not is_a(value, (tuple, list)):
        raise NoMatch
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(as_type(item, kinds[0]) for item in value)
    if len(value) != len(kinds):
        raise NoMatch
    return tuple(as_type(item, kind) for item, kind in zip(value, kinds, strict=True))


def _as_none(value: Any) -> None:
    if value is not None:
        raise NoMatch


def _as_bool(value: Any) -> bool:
    if is_a(value, (bool, np.bool_)):
        return bool(value)
    raise NoMatch


def _as_int(value: Any) -> int:
    if isinstance(value, (bool, np.bool_, np.ndarray)):
        raise NoMatch
    try:
        return operator.index(value)
    except TypeError:
        raise NoMatch from None


def _as_float(value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or not is_a(value, (int, float, np.floating, np.integer)):
        raise NoMatch
    return float(value)


def _as_str(value: Any) -> str:
    if not isinstance(value, str):
        raise NoMatch
    return value


def _as_dtype(value: Any) -> np.dtype[Any]:
    if value is None:
        raise NoMatch
    try:
        dtype: np.dtype[Any] = np.dtype(value)
    except TypeError:
        raise NoMatch from None
    return dtype


_PLAIN: dict[Any, Any] = {
    None: _as_none,
    type(None): _as_none,
    bool: _as_bool,
    int: _as_int,
    float: _as_float,
    str: _as_str,
    np.dtype: _as_dtype,
}


def type_text(kind: Any) -> str:
    """An annotation as words for a message."""
    origin = get_origin(kind)
    if origin is Annotated:
        return str(kind.__metadata__[1])
    if origin is Union or origin is types.UnionType:
        return " or ".join(map(type_text, get_args(kind)))
    if origin is tuple:
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return f"a tuple of {type_text(inner[0])}"
        return "a tuple of (" + ", ".join(map(type_text, inner)) + ")"
    if kind is None or kind is type(None):
        return "None"
    return getattr(kind, "__name__", str(kind))
