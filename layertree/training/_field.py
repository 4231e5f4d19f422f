"""The checked fields of configurations: numbers within bounds, and switches."""

from __future__ import annotations

from typing import Any

from layertree._attribute import Rule
from layertree._record import NOTHING, Field


def checked(kind: Any, minimum: Any = None, maximum: Any = None, *, default: Any = NOTHING) -> Any:
    """A field of a kind of JSON values, which an error names with its class where it is given something else."""
    rule = Rule(minimum, maximum, None)

    def conform(value: Any, owner: Any, field: Any) -> Any:
        return rule.conform(value, kind, f"{type(owner).__name__}.{field.name}")

    return Field(default, conform, takes_owner=True)


def number(minimum: float | None = None, maximum: float | None = None, *, default: Any = NOTHING) -> Any:
    """A field that is a float."""
    return checked(float, minimum, maximum, default=default)


def instance(kind: type) -> Any:
    """A field that holds an object of a class."""

    def conform(value: Any, owner: Any, field: Any) -> Any:
        if not isinstance(value, kind):
            place = f"{type(owner).__name__}.{field.name}"
            raise TypeError(f"{place} = {value!r} is not allowed: give an object of a class of {kind.__name__}")
        return value

    return Field(converter=conform, takes_owner=True)
