"""The short text of a formula, and its name, for messages. What prints formulas loads when there is a message."""

from __future__ import annotations

from typing import Any


def brief_formula(layer: Any, length: int = 60) -> str:
    """The formula in one short line, for messages."""
    from layertree._formula_text import FORMULA
    from layertree._shown import in_place
    from layertree._text import brief

    return brief(in_place(layer), FORMULA, length)


def name_of(layer: Any) -> str:
    """The function that builds the layer, as formulas show it."""
    return function_name(type(layer))


def function_name(cls: Any) -> str:
    """The function that builds layers of a class, as formulas show it."""
    name: str | None = cls._function
    return name or ("if_" if cls.__name__ == "If" else cls.__name__.lower())
