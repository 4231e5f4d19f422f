"""The types of what rules compute with: values, their closures of deltas, and the attributes of functions over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from layertree.core.spec import Dim

__all__ = ["Array", "Axes", "DType", "Pair", "Pullbacks", "Shape", "Sizes", "Value", "Widths"]

Value: TypeAlias = object
"""What a namespace computes with: a number, an array, a spec, a layer. A rule cannot look into it; ``xp`` does."""

Pullbacks: TypeAlias = tuple[Callable[[], Value] | None, ...]
"""One closure an operand, which computes the delta of the operand; None for an operand without a delta."""

Array: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
"""An array of any shape and dtype."""

Shape: TypeAlias = tuple[Dim, ...]
"""One size an axis; a name or None for a size that is not known before there are data."""

Sizes: TypeAlias = tuple[int, ...]
"""One number an axis, such as a known size, a stride, or the index of an axis."""

Axes: TypeAlias = int | tuple[int, ...]
"""One axis or several, counted from the end."""

Pair: TypeAlias = tuple[int, int]
"""One number for each of two axes, the height and the width of images."""

Widths: TypeAlias = tuple[Pair, ...]
"""How many elements to add, (before, after), one pair an axis."""

DType: TypeAlias = np.dtype[Any] | type
"""A dtype; or the type of a Python number, whose dtype is weak and never promotes that of an array."""
