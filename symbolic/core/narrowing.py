"""Checks of types that narrow: to a checker ``isinstance`` leaves the parameters of a generic class unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layertree.core.layer import Layer
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer

__all__ = ["is_formula", "is_layer", "is_sequence", "is_tuple"]


def is_formula(value: object) -> TypeIs[AnyFormula]:
    """Whether a value is a formula."""
    return isinstance(value, Symbolic)


def is_layer(value: object) -> TypeIs[AnyLayer]:
    """Whether a value is a layer, which a formula is, too."""
    return isinstance(value, Layer)


def is_tuple(value: object) -> TypeIs[tuple[object, ...]]:
    """Whether a value is a tuple."""
    return isinstance(value, tuple)


def is_sequence(value: object) -> TypeIs[tuple[object, ...] | list[object]]:
    """Whether a value is a tuple or a list."""
    return isinstance(value, (tuple, list))
