"""The type of arithmetic that gives the kind of its operands: ``+ - * // % **``, and the reflected methods.

Where nothing fits, mypy speaks of the first overload: that of two arrays of one shape.
"""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.signatures.arrays import (
    A,
    Along2,
    Along3,
    Array,
    B,
    Boolean,
    C,
    E,
    In,
    Integer,
    Mask,
    Number,
    NumberTape,
    Operand,
    R,
    S,
    Scalar,
    Shaped,
    T,
    Thin2,
    Thin3,
    Unread,
    V,
    W,
    Whole,
    WholeTape,
)

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic


@overload
def arithmetic(a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Unread[In], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Along2[In, B, T, A], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Thin2[B, T, A]], b: Array[In, tuple[A, B], T], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Thin3[C, T, A, B]], b: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[E], T]], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
# Python numbers.
@overload
def arithmetic(a: Layer[In, WholeTape], b: Integer[In], /) -> Symbolic[In, Tape[int, int]]: ...
@overload
def arithmetic(a: Layer[In, NumberTape], b: Number[In], /) -> Symbolic[In, Tape[float, float]]: ...
# Python numbers leave the type of an array or of a NumPy scalar, unless it is of a lower kind.
@overload
def arithmetic(a: Layer[In, Mask[S]], b: Boolean[In], /) -> Symbolic[In, Mask[S]]: ...
@overload
def arithmetic(a: Layer[In, Mask[S]], b: Integer[In], /) -> Symbolic[In, Shaped[S, np.int64]]: ...
@overload
def arithmetic(a: Layer[In, Shaped[S, T]], b: Integer[In] | Operand[In, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[Whole]], Any]], b: Number[In], /
) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def arithmetic(a: Layer[In, Shaped[S, T]], b: Number[In], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(a: Layer[In, Tape[np.bool_, Any]], b: Boolean[In], /) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def arithmetic(a: Layer[In, Tape[np.bool_, Any]], b: Integer[In], /) -> Symbolic[In, Tape[np.int64, np.int64]]: ...
@overload
def arithmetic(a: Layer[In, Tape[Scalar[T], Any]], b: Operand[In, T] | Integer[In], /) -> Symbolic[In, Tape[T, T]]: ...
@overload
def arithmetic(a: Layer[In, Tape[Whole, Any]], b: Number[In], /) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
@overload
def arithmetic(a: Layer[In, Tape[Scalar[T], Any]], b: Number[In], /) -> Symbolic[In, Tape[T, T]]: ...
@overload
def arithmetic(a: Layer[In, Tape[Scalar[T], Any]], b: Array[In, S, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(a: Layer[In, NumberTape], b: Array[In, S, R], /) -> Symbolic[In, Shaped[S, R]]: ...
@overload
def arithmetic(a: Layer[In, NumberTape], b: Operand[In, R], /) -> Symbolic[In, Tape[R, R]]: ...
@overload
def arithmetic(a: Layer[In, WholeTape], b: Array[In, S, W], /) -> Symbolic[In, Shaped[S, W]]: ...
@overload
def arithmetic(a: Layer[In, WholeTape], b: Operand[In, W], /) -> Symbolic[In, Tape[W, W]]: ...
@overload
def arithmetic(a: Layer[In, Tape[bool, bool]], b: Array[In, S, np.bool_], /) -> Symbolic[In, Mask[S]]: ...
@overload
def arithmetic(a: Layer[In, Tape[int, int]], b: Array[In, S, np.bool_], /) -> Symbolic[In, Shaped[S, np.int64]]: ...
@overload
def arithmetic(a: Layer[In, Tape[float, float]], b: Array[In, S, V], /) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def arithmetic(
    a: Layer[In, Tape[float, float]], b: Operand[In, V], /
) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
def arithmetic(a: Any, b: Any, /) -> Any:
    """What gives the type of its operands, broadcast; Python booleans count as integers."""
