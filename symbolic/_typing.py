"""The short name of a formula's type."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from layertree import Tape
from symbolic._symbolic import Symbolic

__all__ = ["Formula"]

X = TypeVar("X")
Y = TypeVar("Y")

Formula: TypeAlias = Symbolic[Tape[X, X], Tape[Y, Y]]
"""A formula from data X to data Y."""
