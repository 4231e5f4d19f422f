"""Reductions over axes."""

from __future__ import annotations

from typing import Any, TypeVar

from layertree import Tape
from symbolic._build import apply
from symbolic._symbolic import Symbolic

__all__ = ["argmax", "max", "mean", "min", "sum"]

In = TypeVar("In")
Axis = int | tuple[int, ...] | None


def sum(x: Symbolic[In, Any], /, *, axis: Axis = None, keepdims: bool = False) -> Symbolic[In, Tape[Any, Any]]:
    """The sum over one axis, several, or all (None); 0 over nothing."""
    return apply("sum", x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # apply builds any formula


def mean(x: Symbolic[In, Any], /, *, axis: Axis = None, keepdims: bool = False) -> Symbolic[In, Tape[Any, Any]]:
    """The mean over one axis, several, or all (None); NaN over nothing."""
    return apply("mean", x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # apply builds any formula


def max(x: Symbolic[In, Any], /, *, axis: Axis = None, keepdims: bool = False) -> Symbolic[In, Tape[Any, Any]]:
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("max", x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # apply builds any formula


def min(x: Symbolic[In, Any], /, *, axis: Axis = None, keepdims: bool = False) -> Symbolic[In, Tape[Any, Any]]:
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("min", x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # apply builds any formula


def argmax(x: Symbolic[In, Any], /, *, axis: int = -1, keepdims: bool = False) -> Symbolic[In, Tape[Any, Any]]:
    """The position of the largest element along an axis, the first one on a tie."""
    return apply("argmax", x, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # apply builds any formula
