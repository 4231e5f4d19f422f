"""The fields of optimizers and schedules: attrs fields whose values are checked for type and bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
import numpy as np

from layertree.core.attribute import Rule

_field: Callable[..., Any] = attrs.field  # the type of a field is its annotation, not that of the default
_Field: TypeAlias = "attrs.Attribute[object]"


def _converted(conform: Callable[[object, str], object], default: object = attrs.NOTHING) -> Any:
    """A field whose values a function makes fit; the function is given the place, ``Class.field``, for its errors."""

    def convert(value: object, owner: object, field: _Field) -> object:
        return conform(value, f"{type(owner).__name__}.{field.name}")

    return _field(default=default, converter=attrs.Converter(convert, takes_self=True, takes_field=True))


def checked(
    kind: object, minimum: float | None = None, maximum: float | None = None, *, default: object = attrs.NOTHING
) -> Any:
    """A field with a type of JSON values and inclusive bounds; an error names the class and the field."""
    rule = Rule(minimum, maximum, None)
    return _converted(lambda value, place: rule.conform(value, kind, place), default)


def number(minimum: float | None = None, maximum: float | None = None, *, default: object = attrs.NOTHING) -> Any:
    """A field with a finite float within inclusive bounds."""
    return finite(float, minimum, maximum, default=default)


def finite(
    kind: object, minimum: float | None = None, maximum: float | None = None, *, default: object = attrs.NOTHING
) -> Any:
    """``checked`` for a float or a tuple of floats, none of them infinite: an infinite setting makes weights NaN."""
    rule = Rule(minimum, maximum, None)

    def conform(value: object, place: str) -> object:
        found: Any = rule.conform(value, kind, place)
        if not np.isfinite(np.asarray(found, dtype=float)).all():
            raise ValueError(f"{place} = {value!r} is not allowed: give finite numbers")
        return found

    return _converted(conform, default)


def refuse(owner: object, name: str, reason: str) -> None:
    """Raise ValueError for a setting that does not go with the others."""
    raise ValueError(f"{type(owner).__name__}.{name} = {getattr(owner, name)!r} is not allowed: {reason}")


def instance(kind: type) -> Any:
    """A field with an instance of a class."""

    def conform(value: object, place: str) -> object:
        if not isinstance(value, kind):
            raise TypeError(f"{place} = {value!r} is not allowed: give an object of a class of {kind.__name__}")
        return value

    return _converted(conform)
