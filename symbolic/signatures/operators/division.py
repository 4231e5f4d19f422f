"""The type of ``/``, and of its reflected method. It is that of the other arithmetic, but whole numbers give floats."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.signatures.arrays import *


@overload
def division(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[Whole]], Any]],
    b: Array[In, S, V] | Operand[In, V] | Number[In] | Unread[In],
    /,
) -> Result[In, S, np.float64]: ...
@overload
def division(a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Unread[In], /) -> Result[In, S, T]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B], np.dtype[Whole]], Any]], b: Along2[In, B, V, A], /
) -> Result2[In, A, B, np.float64]: ...
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
    b: Array2[In, A, B, V],
    /,
) -> Result2[In, A, B, np.float64]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B, C], np.dtype[Whole]], Any]], b: Along3[In, C, V, A, B], /
) -> Result3[In, A, B, C, np.float64]: ...
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
    b: Array3[In, A, B, C, V],
    /,
) -> Result3[In, A, B, C, np.float64]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[A, B, C, E], np.dtype[Whole]], Any]], b: Array1[In, E, V], /
) -> Result4[In, A, B, C, E, np.float64]: ...
@overload
def division(
    a: Layer[In, Tape[np.ndarray[tuple[E], np.dtype[Whole]], Any]], b: Array4[In, A, B, C, E, V], /
) -> Result4[In, A, B, C, E, np.float64]: ...
@overload
def division(a: Rank2[In, A, B, T], b: Along2[In, B, T, A], /) -> Result2[In, A, B, T]: ...
@overload
def division(a: Layer[In, Thin2[B, T, A]], b: Array2[In, A, B, T], /) -> Result2[In, A, B, T]: ...
@overload
def division(a: Rank3[In, A, B, C, T], b: Along3[In, C, T, A, B], /) -> Result3[In, A, B, C, T]: ...
@overload
def division(a: Layer[In, Thin3[C, T, A, B]], b: Array3[In, A, B, C, T], /) -> Result3[In, A, B, C, T]: ...
@overload
def division(a: Rank4[In, A, B, C, E, T], b: Array1[In, E, T], /) -> Result4[In, A, B, C, E, T]: ...
@overload
def division(a: Rank1[In, E, T], b: Array4[In, A, B, C, E, T], /) -> Result4[In, A, B, C, E, T]: ...
@overload
def division(a: Layer[In, NumberTape], b: Number[In], /) -> Result0[In, float]: ...
@overload
def division(a: Layer[In, Shaped[S, T]], b: Operand[In, T] | Number[In], /) -> Result[In, S, T]: ...
@overload
def division(a: Layer[In, Tape[Whole, Any]], b: Operand[In, V] | Number[In], /) -> Result0[In, np.float64]: ...
@overload
def division(a: Layer[In, Tape[Scalar[T], Any]], b: Operand[In, T] | Number[In], /) -> Result0[In, T]: ...
@overload
def division(a: Layer[In, Tape[Whole, Any]], b: Array[In, S, V], /) -> Result[In, S, np.float64]: ...
@overload
def division(a: Layer[In, Tape[Scalar[T], Any]], b: Array[In, S, T], /) -> Result[In, S, T]: ...
@overload
def division(a: Layer[In, NumberTape], b: Array[In, S, R], /) -> Result[In, S, R]: ...
@overload
def division(a: Layer[In, NumberTape], b: Operand[In, R], /) -> Result0[In, R]: ...
@overload
def division(a: Layer[In, NumberTape], b: Array[In, S, V], /) -> Result[In, S, np.float64]: ...
@overload
def division(a: Layer[In, NumberTape], b: Operand[In, V], /) -> Result0[In, np.float64]: ...
def division(a: object, b: object, /) -> object:
    """An operation that gives floats in the broadcast shape of its operands."""
