"""Reductions over axes."""

from __future__ import annotations

from typing import Any

from symbolic._build import apply
from symbolic._signatures import typed
from symbolic.functions._reductions import Axis, average, extreme, position, total

__all__ = ["argmax", "max", "mean", "min", "sum"]


@typed(total)
def sum(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The sum over one axis, several, or all (None); 0 over nothing."""
    return apply("sum", x, axis=axis, keepdims=keepdims)


@typed(average)
def mean(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The mean over one axis, several, or all (None); NaN over nothing."""
    return apply("mean", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def max(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("max", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def min(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("min", x, axis=axis, keepdims=keepdims)


@typed(position)
def argmax(x: Any, /, *, axis: int = -1, keepdims: bool = False) -> Any:
    """The position of the largest element along an axis, the first one on a tie."""
    return apply("argmax", x, axis=axis, keepdims=keepdims)
