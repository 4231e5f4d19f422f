"""The checked settings of optimizers and schedules, as attrs fields: numbers within bounds, switches, objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from layertree.core.attribute import Rule

_field: Callable[..., Any] = attrs.field  # the type of a field is its annotation, not that of the default
_Field: TypeAlias = "attrs.Attribute[Any]"


def checked(kind: Any, minimum: Any = None, maximum: Any = None, *, default: Any = attrs.NOTHING) -> Any:
    """A field of a kind of JSON values within inclusive bounds; an error names the class and the field."""
    rule = Rule(minimum, maximum, None)

    def conform(value: Any, owner: Any, field: _Field) -> Any:
        return rule.conform(value, kind, f"{type(owner).__name__}.{field.name}")

    return _field(default=default, converter=attrs.Converter(conform, takes_self=True, takes_field=True))


def number(minimum: float | None = None, maximum: float | None = None, *, default: Any = attrs.NOTHING) -> Any:
    """A field that is a float within inclusive bounds."""
    return checked(float, minimum, maximum, default=default)


def instance(kind: type) -> Any:
    """A field that holds an object of a class."""

    def conform(value: Any, owner: Any, field: _Field) -> Any:
        if not isinstance(value, kind):
            place = f"{type(owner).__name__}.{field.name}"
            raise TypeError(f"{place} = {value!r} is not allowed: give an object of a class of {kind.__name__}")
        return value

    return _field(converter=attrs.Converter(conform, takes_self=True, takes_field=True))
