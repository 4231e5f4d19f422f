"""Types that the modules of this room share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer
    from layertree.namespaces.hash_consing import TreeValue

Layers: TypeAlias = "AnyLayer | tuple[Layers, ...]"
"""A formula; of a tuple value the formulas of the parts, in the nesting of the value."""

Derivative: TypeAlias = "AnyLayer | Mapping[int, Derivative] | None"
"""The derivative by a target as a formula; by a tuple those by the parts, by position; None where there is none."""

DerivativeValue: TypeAlias = "TreeValue | Mapping[int, DerivativeValue] | None"
"""A ``Derivative`` in the tree namespace."""
