"""The type of ``/``, and of its reflected method. It is that of the other arithmetic, but whole numbers give floats."""
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
    C,
    E,
    In,
    Number,
    NumberTape,
    One,
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
    Whole,
)

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic


@overload
def division(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[Whole]], Any]],
    b: Array[In, S, V] | Operand[In, V] | Number[In] | Unread[In],
    /,
) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def division(a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Unread[In], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B], np.dtype[Whole]], Any]], b: Along2[In, B, V, A], /
) -> Symbolic[In, Shaped[tuple[A, B], np.float64]]: ...
@overload
def division(
    a: Layer[
        In,
        Tape[
            np.ndarray[tuple[B], np.dtype[Whole]]
            | np.ndarray[tuple[A, One], np.dtype[Whole]]
            | np.ndarray[tuple[One, B], np.dtype[Whole]],
            Any,
        ],
    ],
    b: Array[In, tuple[A, B], V],
    /,
) -> Symbolic[In, Shaped[tuple[A, B], np.float64]]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B, C], np.dtype[Whole]], Any]], b: Along3[In, C, V, A, B], /
) -> Symbolic[In, Shaped[tuple[A, B, C], np.float64]]: ...
@overload
def division(
    a: Layer[
        In,
        Tape[
            np.ndarray[tuple[C], np.dtype[Whole]]
            | np.ndarray[tuple[A, B, One], np.dtype[Whole]]
            | np.ndarray[tuple[A, One, C], np.dtype[Whole]],
            Any,
        ],
    ],
    b: Array[In, tuple[A, B, C], V],
    /,
) -> Symbolic[In, Shaped[tuple[A, B, C], np.float64]]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B, C, E], np.dtype[Whole]], Any]], b: Array[In, tuple[E], V], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], np.float64]]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[E], np.dtype[Whole]], Any]], b: Array[In, tuple[A, B, C, E], V], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], np.float64]]: ...
@overload
def division(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Along2[In, B, T, A], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def division(a: Layer[In, Thin2[B, T, A]], b: Array[In, tuple[A, B], T], /) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def division(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def division(
    a: Layer[In, Thin3[C, T, A, B]], b: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def division(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
@overload
def division(
    a: Layer[In, Shaped[tuple[E], T]], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
@overload
def division(a: Layer[In, NumberTape], b: Number[In], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def division(a: Layer[In, Shaped[S, T]], b: Operand[In, T] | Number[In], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def division(
    a: Layer[In, Tape[Whole, Any]], b: Operand[In, V] | Number[In], /
) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
@overload
def division(a: Layer[In, Tape[Scalar[T], Any]], b: Operand[In, T] | Number[In], /) -> Symbolic[In, Tape[T, T]]: ...
@overload
def division(a: Layer[In, Tape[Whole, Any]], b: Array[In, S, V], /) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def division(a: Layer[In, Tape[Scalar[T], Any]], b: Array[In, S, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def division(a: Layer[In, NumberTape], b: Array[In, S, R], /) -> Symbolic[In, Shaped[S, R]]: ...
@overload
def division(a: Layer[In, NumberTape], b: Operand[In, R], /) -> Symbolic[In, Tape[R, R]]: ...
@overload
def division(a: Layer[In, NumberTape], b: Array[In, S, V], /) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def division(a: Layer[In, NumberTape], b: Operand[In, V], /) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
def division(a: Any, b: Any, /) -> Any:
    """What gives floats in the shape of its operands, broadcast."""
