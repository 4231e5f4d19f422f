"""Type guards: ``isinstance`` for classes with type parameters.

A strict checker narrows ``isinstance(value, tuple)`` to a tuple of unknown types; these guards narrow to ``Any``.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeIs

from layertree.core.layer import AnyLayer, Layer
from layertree.core.literal import Literal
from layertree.core.weight import CellLayer

__all__ = ["is_cell", "is_layer", "is_literal", "is_sequence", "is_tuple"]


def is_tuple(value: object) -> TypeIs[tuple[Any, ...]]:
    """Whether a value is a tuple."""
    return isinstance(value, tuple)


def is_sequence(value: object) -> TypeIs[tuple[Any, ...] | list[Any]]:
    """Whether a value is a tuple or a list."""
    return isinstance(value, (tuple, list))


def is_layer(value: object) -> TypeIs[AnyLayer]:
    """Whether a value is a layer."""
    return isinstance(value, Layer)


def is_literal(value: object) -> TypeIs[Literal[Any]]:
    """Whether a layer is a constant."""
    return isinstance(value, Literal)


def is_cell(value: object) -> TypeIs[CellLayer[Any]]:
    """Whether a layer is a Weight or State."""
    return isinstance(value, CellLayer)
