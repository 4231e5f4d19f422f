"""Reductions over axes.

Over all axes they give a NumPy scalar, such as ``np.float32``; over some of them an array whose dimensions the types do
not follow.
"""
# pyright: reportOverlappingOverload=false
# Meant: of the calls that two overloads take, those over all axes are the first one's.

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar, overload

import numpy as np

from layertree import Layer, Tape
from symbolic._arrays import A, B, D, Guard, In, Loose, Shaped, T
from symbolic._build import apply
from symbolic._symbolic import Symbolic

__all__ = ["argmax", "max", "mean", "min", "sum"]

Inexact = TypeVar("Inexact", bound=np.inexact[Any])
N = TypeVar("N", bound=np.number[Any])
W = TypeVar("W", bound=np.integer[Any] | np.bool_)

Axis: TypeAlias = int | tuple[int, ...] | None


@overload
def sum(
    x: Layer[In, Shaped[Any, N]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[N, N]]: ...
@overload
def sum(
    x: Layer[In, Shaped[Any, N]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, N]]: ...
@overload
def sum(
    x: Layer[In, Shaped[Any, np.bool_]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[np.int64, np.int64]]: ...
@overload
def sum(
    x: Layer[In, Shaped[Any, np.bool_]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, np.int64]]: ...
@overload
def sum(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]: ...
def sum(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The sum over one axis, several, or all (None); 0 over nothing."""
    return apply("sum", x, axis=axis, keepdims=keepdims)


@overload
def mean(
    x: Layer[In, Shaped[Any, Inexact]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[Inexact, Inexact]]: ...
@overload
def mean(
    x: Layer[In, Shaped[Any, Inexact]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, Inexact]]: ...
@overload
def mean(
    x: Layer[In, Shaped[Any, W]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
@overload
def mean(
    x: Layer[In, Shaped[Any, W]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, np.float64]]: ...
@overload
def mean(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]: ...
def mean(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The mean over one axis, several, or all (None); NaN over nothing."""
    return apply("mean", x, axis=axis, keepdims=keepdims)


@overload
def max(
    x: Layer[In, Shaped[Any, T]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[T, T]]: ...
@overload
def max(
    x: Layer[In, Shaped[Any, T]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def max(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]: ...
def max(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("max", x, axis=axis, keepdims=keepdims)


@overload
def min(
    x: Layer[In, Shaped[Any, T]], /, *, axis: None = ..., keepdims: Literal[False] = ...
) -> Symbolic[In, Tape[T, T]]: ...
@overload
def min(
    x: Layer[In, Shaped[Any, T]], /, *, axis: Axis = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def min(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]: ...
def min(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("min", x, axis=axis, keepdims=keepdims)


@overload
def argmax(
    x: Layer[In, Shaped[Guard, T]], /, *, axis: int = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, np.int64]]: ...
@overload
def argmax(x: Layer[In, Shaped[tuple[A], T]], /) -> Symbolic[In, Tape[np.int64, np.int64]]: ...
@overload
def argmax(x: Layer[In, Shaped[tuple[A, B], T]], /) -> Symbolic[In, Shaped[tuple[A], np.int64]]: ...
@overload
def argmax(
    x: Layer[In, Shaped[Any, T]], /, *, axis: int = ..., keepdims: bool = ...
) -> Symbolic[In, Shaped[Loose, np.int64]]: ...
def argmax(x: Any, /, *, axis: int = -1, keepdims: bool = False) -> Any:
    """The position of the largest element along an axis, the first one on a tie."""
    return apply("argmax", x, axis=axis, keepdims=keepdims)
