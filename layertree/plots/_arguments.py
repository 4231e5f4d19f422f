"""The arguments of plots: each is of its class, or an error says what fits and where one comes from."""

from __future__ import annotations

from typing import Any, TypeVar

from layertree.core.data import described
from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer, Layer
from layertree.training.history import History

T = TypeVar("T")


def required(given: object, kind: type[T], place: str, wanted: str) -> T:
    """An argument of a class. Raises TypeError with the place, what was given, what is wanted and where it comes from.

    >>> required(2.0, int, "plot: the number", "an integer is wanted, such as len(...)")
    Traceback (most recent call last):
      ...
    TypeError: plot: the number is a float, but an integer is wanted, such as len(...)
    """
    value: Any = given
    if not is_a(value, kind):
        raise TypeError(f"{place} is {_shown(value)}, but {wanted}")
    return value  # type: ignore[no-any-return]  # of the class


def required_history(given: object, function: str) -> History:
    """The History that a function draws."""
    return required(given, History, f"{function}: the record", "a History is wanted, which fit(...) returns")


def required_formula(given: object, function: str) -> AnyLayer:
    """The formula that a function draws."""
    wanted = "a formula or a layer is wanted, such as the model that was trained"
    return required(given, Layer, f"{function}: the formula", wanted)


def _shown(given: object) -> str:
    """A value by what it is."""
    return f"the class {given.__name__}" if isinstance(given, type) else described(given)
