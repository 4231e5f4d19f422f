"""What the compiler asks of the nodes of a formula."""

from __future__ import annotations

from typing import Any, TypeAlias

from layertree.core.weight import CellLayer
from layertree.program.ir.operations import AnyLayer
from layertree.sweep.plan import nodes_of

Leaf: TypeAlias = CellLayer[Any]
"""A Weight or another leaf that reads a cell."""


def has_branches(root: AnyLayer) -> bool:
    """Whether there is an If in a formula."""
    return any(node.__control__ == "cond" for node in nodes_of(root))
