"""Short names for types of formulas."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from layertree import Tape
from symbolic.core.symbolic import Symbolic

__all__ = ["Formula"]

X = TypeVar("X")
Y = TypeVar("Y")

Formula: TypeAlias = Symbolic[Tape[X, X], Tape[Y, Y]]
"""A formula from data X to data Y."""

AnyFormula: TypeAlias = Symbolic[Any, Any]
"""A formula whose input and output no checker knows: functions that build formulas of every type take and give it."""
