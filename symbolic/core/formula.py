"""Short names for types of formulas, and checks that tell a checker the type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from layertree import Layer, Tape
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from symbolic.core.types import AnyLayer

__all__ = ["Formula"]

X = TypeVar("X")
Y = TypeVar("Y")

Formula: TypeAlias = Symbolic[Tape[X, X], Tape[Y, Y]]
"""A formula from data X to data Y."""

AnyFormula: TypeAlias = Symbolic[Any, Any]
"""A formula whose input and output no checker knows: functions that build formulas of every type take and give it."""


# To a checker ``isinstance`` leaves the parameters of a generic class unknown.
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
