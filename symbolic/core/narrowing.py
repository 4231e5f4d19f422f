"""The type guard of formulas; ``layertree.core.narrowing`` has those of layers and tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from symbolic.core.formula import AnyFormula

__all__ = ["is_formula"]


def is_formula(value: object) -> TypeIs[AnyFormula]:
    """Whether a value is a formula."""
    return isinstance(value, Symbolic)
