"""The short text of a formula, the name of a layer's function, and numbers with their nouns, for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree.core.facade import FACADE

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


def brief_formula(layer: AnyLayer, length: int = 60) -> str:
    """The formula in one line of a length at most, for messages."""
    return FACADE.brief(layer, length)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 axis``, ``2 axes``. ``many`` is the plural where it is not ``one`` with an s.

    >>> counted(1, "node"), counted(2000, "node"), counted(0, "axis", "axes")
    ('1 node', '2,000 nodes', '0 axes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def name_of(layer: AnyLayer) -> str:
    """The name of the function that builds the layer, as formulas show it."""
    return function_name(type(layer))


def function_name(cls: Any) -> str:
    """The name of the function that builds layers of a class, as formulas show it."""
    name: str | None = cls.__function__
    return name or ("if_" if cls.__name__ == "If" else cls.__name__.lower())
