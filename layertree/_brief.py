"""The short text of a formula, for messages. What prints formulas loads when there is a message."""

from __future__ import annotations

from typing import Any


def brief_formula(layer: Any, length: int = 60) -> str:
    """The formula in one short line, for messages."""
    from layertree._formula_text import FORMULA
    from layertree._shown import in_place
    from layertree._text import brief

    return brief(in_place(layer), FORMULA, length)
