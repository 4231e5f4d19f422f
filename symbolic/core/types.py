"""Names for the types that the whole front end shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from layertree import Layer
    from layertree.core.spec import ArraySpec

Spec: TypeAlias = "ArraySpec[Any] | tuple[Spec, ...]"
"""The spec of one array or number, or the nested tuple of the specs of a tuple."""

AnyLayer: TypeAlias = "Layer[Any, Any]"
"""A layer whose input and output no checker knows."""

Leaf = TypeVar("Leaf")

Nested: TypeAlias = "Leaf | tuple[Nested[Leaf], ...]"
"""One value, or nested tuples of values."""
