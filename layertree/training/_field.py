"""The checked fields of configurations: numbers within bounds, and switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from layertree._attribute import Rule

_field: Callable[..., Any] = attrs.field


def checked(kind: Any, minimum: Any = None, maximum: Any = None, *, default: Any = attrs.NOTHING) -> Any:
    """A field of a kind of JSON values, which an error names with its class where it is given something else."""
    rule = Rule(minimum, maximum, None)

    def conform(value: Any, owner: Any, field: Any) -> Any:
        return rule.conform(value, kind, f"{type(owner).__name__}.{field.name}")

    return _field(default=default, converter=attrs.Converter(conform, takes_self=True, takes_field=True))


def number(minimum: float | None = None, maximum: float | None = None, *, default: Any = attrs.NOTHING) -> Any:
    """A field that is a float."""
    return checked(float, minimum, maximum, default=default)
