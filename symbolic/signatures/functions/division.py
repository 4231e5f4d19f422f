"""The type of the quotient: that of the other arithmetic, but whole numbers give floats."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import A, Along2, Along3, Array, B, C, E, Given, Number, Operand, R, S, Shaped, T, V, X


@overload
def division(a: Array[object, S, R], b: Array[object, S, R], /) -> Symbolic[object, Shaped[S, R]]: ...
@overload
def division(a: Number[Given[X]], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[float, float]]: ...
@overload
def division(a: Array[Given[X], S, R], b: Array[Given[X], S, R], /) -> Symbolic[Given[X], Shaped[S, R]]: ...
@overload
def division(a: Operand[Given[X], R], b: Operand[Given[X], R], /) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def division(a: Array[Given[X], S, R], b: Number[Given[X]], /) -> Symbolic[Given[X], Shaped[S, R]]: ...
@overload
def division(a: Number[Given[X]], b: Array[Given[X], S, R], /) -> Symbolic[Given[X], Shaped[S, R]]: ...
@overload
def division(a: Operand[Given[X], R], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def division(a: Number[Given[X]], b: Operand[Given[X], R], /) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def division(a: Array[Given[X], S, V], b: Array[Given[X], S, V], /) -> Symbolic[Given[X], Shaped[S, np.float64]]: ...
@overload
def division(
    a: Array[Given[X], S, V], b: Number[Given[X]] | Operand[Given[X], V], /
) -> Symbolic[Given[X], Shaped[S, np.float64]]: ...
@overload
def division(
    a: Number[Given[X]] | Operand[Given[X], V], b: Array[Given[X], S, V], /
) -> Symbolic[Given[X], Shaped[S, np.float64]]: ...
@overload
def division(
    a: Operand[Given[X], V], b: Operand[Given[X], V], /
) -> Symbolic[Given[X], Tape[np.float64, np.float64]]: ...
@overload
def division(a: Operand[Given[X], V], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[np.float64, np.float64]]: ...
@overload
def division(a: Number[Given[X]], b: Operand[Given[X], V], /) -> Symbolic[Given[X], Tape[np.float64, np.float64]]: ...
@overload
def division(a: Array[Given[X], S, T], b: Operand[Given[X], T], /) -> Symbolic[Given[X], Shaped[S, T]]: ...
@overload
def division(a: Operand[Given[X], T], b: Array[Given[X], S, T], /) -> Symbolic[Given[X], Shaped[S, T]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B], V], b: Along2[Given[X], B, V, A], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], np.float64]]: ...
@overload
def division(
    a: Along2[Given[X], B, V, A], b: Array[Given[X], tuple[A, B], V], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], np.float64]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B, C], V], b: Along3[Given[X], C, V, A, B], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], np.float64]]: ...
@overload
def division(
    a: Along3[Given[X], C, V, A, B], b: Array[Given[X], tuple[A, B, C], V], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], np.float64]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B, C, E], V], b: Array[Given[X], tuple[E], V], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], np.float64]]: ...
@overload
def division(
    a: Array[Given[X], tuple[E], V], b: Array[Given[X], tuple[A, B, C, E], V], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], np.float64]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B], T], b: Along2[Given[X], B, T, A], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def division(
    a: Along2[Given[X], B, T, A], b: Array[Given[X], tuple[A, B], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B, C], T], b: Along3[Given[X], C, T, A, B], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], T]]: ...
@overload
def division(
    a: Along3[Given[X], C, T, A, B], b: Array[Given[X], tuple[A, B, C], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], T]]: ...
@overload
def division(
    a: Array[Given[X], tuple[A, B, C, E], T], b: Array[Given[X], tuple[E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], T]]: ...
@overload
def division(
    a: Array[Given[X], tuple[E], T], b: Array[Given[X], tuple[A, B, C, E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], T]]: ...
def division(a: Any, b: Any, /) -> Any:
    """What gives floats in the shape of its operands, broadcast."""
