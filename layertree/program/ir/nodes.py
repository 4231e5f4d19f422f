"""Tests of the nodes of formulas; type guards, for checkers to know what ``isinstance`` has found."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeGuard

from layertree.core.layer import Layer
from layertree.core.weight import CellLayer
from layertree.program.ir.operations import AnyLayer
from layertree.sweep.plan import nodes_of

Leaf: TypeAlias = CellLayer[Any]
"""A Weight or another leaf that reads a cell."""


def is_layer(value: object) -> TypeGuard[AnyLayer]:
    """Whether an object, such as the origin of an op, is a layer; an update rule is none."""
    return isinstance(value, Layer)


def is_leaf(node: object) -> TypeGuard[Leaf]:
    """Whether a node reads a cell."""
    return isinstance(node, CellLayer)


def has_branches(root: AnyLayer) -> bool:
    """Whether there is an If in a formula."""
    return any(node.__control__ == "cond" for node in nodes_of(root))
