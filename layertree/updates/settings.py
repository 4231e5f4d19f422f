"""The fields of optimizers and schedules: attrs fields whose values are checked for type and bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, NoReturn, TypeAlias, TypeVar

import attrs
import numpy as np

from layertree.core.attribute import Rule
from layertree.core.errors import FrozenError

_field: Callable[..., Any] = attrs.field  # the type of a field is its annotation, not that of the default
_Field: TypeAlias = "attrs.Attribute[object]"
_Class = TypeVar("_Class", bound=type)

_ELSEWHERE = {
    "lr": ("rate",),
    "learning_rate": ("rate",),
    "weight_decay": ("decay",),
    "alpha": ("decay",),
    "rho": ("decay",),
    "gamma": ("decay",),
    "betas": ("beta1", "beta2"),
    "beta_1": ("beta1",),
    "beta_2": ("beta2",),
    "b1": ("beta1",),
    "b2": ("beta2",),
    "eps": ("epsilon",),
    "initial_accumulator_value": ("initial",),
}
"""Settings by their names in other libraries."""

_CLASSES = {
    "weight_decay": "AdamW(decay=...) has weight decay",
    "momentum": "Momentum(rate, momentum) has momentum",
    "nesterov": "Momentum(rate, momentum, nesterov=True) has it",
}
"""Settings that only another class has."""


def explained(cls: _Class) -> _Class:
    """A class decorator: a keyword that is no setting of the class is a TypeError with the name of the setting here.

    The error of an assignment to a setting says how to make a changed copy.

    Checkers see the ``__init__`` of attrs, and refuse the same keywords.
    """
    construct: Callable[..., None] = vars(cls)["__init__"]
    type.__setattr__(cls, "__setattr__", _refuse_to_set)
    own = tuple(signature(construct).parameters)[1:]

    @wraps(construct)
    def init(self: object, *values: object, **settings: object) -> None:
        for name in settings:
            if name not in own:
                raise TypeError(f"{type(self).__name__} has no setting {name!r}: {_way_out(name, own)}")
        construct(self, *values, **settings)

    cls.__init__ = init  # type: ignore[misc]  # of this class itself, not of an instance
    return cls


def _refuse_to_set(owner: object, name: str, value: object) -> NoReturn:
    """``__setattr__`` of optimizers and schedules."""
    own: Any = type(owner)
    fields = [field.name for field in attrs.fields(own)]
    changed = ", ".join([f"{field}=..." for field in ([name] if name in fields else fields)])
    advice = f". attrs.evolve(rule, {changed}) makes a changed copy" if changed else ""
    raise FrozenError(f"{own.__name__}.{name} cannot be set: a setting never changes{advice}")


def _way_out(name: str, own: tuple[str, ...]) -> str:
    """What takes the place of an unknown setting."""
    names = _ELSEWHERE.get(name, ())
    # ``decay`` is that of the weight beside beta1, and elsewhere, as in RMSprop, that of the mean.
    is_other_decay = names == ("decay",) and (name == "weight_decay") != ("beta1" in own)
    if names and set(names) <= set(own) and not is_other_decay:
        return f"the name is {' and '.join(names)} here, {', '.join([f'{one}=...' for one in names])}"
    return _CLASSES.get(name, f"the settings are {', '.join(own)}" if own else "the class has no settings")


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
