"""Names for the types that the whole front end shares."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from layertree.core.layer import AnyLayer as AnyLayer
from layertree.core.spec import SpecTree as Spec

__all__ = ["AnyLayer", "Leaf", "Nested", "Spec"]

Leaf = TypeVar("Leaf")

Nested: TypeAlias = "Leaf | tuple[Nested[Leaf], ...]"
"""One value, or nested tuples of values."""
