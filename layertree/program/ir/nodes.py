"""Type guards for the nodes of formulas, for checkers to know what ``isinstance`` has found."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeGuard

from layertree.core.layer import Layer
from layertree.core.weight import CellLayer
from layertree.program.ir.operations import AnyLayer

Leaf: TypeAlias = CellLayer[Any]
"""A Weight or another leaf that reads a cell."""


def is_layer(value: object) -> TypeGuard[AnyLayer]:
    """Whether an object, such as the origin of an op, is a layer; an update rule is none."""
    return isinstance(value, Layer)


def is_leaf(node: object) -> TypeGuard[Leaf]:
    """Whether a node reads a cell."""
    return isinstance(node, CellLayer)
