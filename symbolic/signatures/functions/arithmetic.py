"""The type of arithmetic that gives the kind of its operands."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import (
    A,
    Along2,
    Along3,
    Array,
    B,
    Boolean,
    C,
    D,
    E,
    Given,
    Integer,
    Mask,
    Number,
    Operand,
    R,
    S,
    Shaped,
    T,
    V,
    W,
    X,
)


@overload
def arithmetic(a: Operand[object, D], b: Operand[object, D], /) -> Symbolic[object, Tape[D, D]]: ...
@overload
def arithmetic(a: Integer[Given[X]], b: Integer[Given[X]], /) -> Symbolic[Given[X], Tape[int, int]]: ...
@overload
def arithmetic(a: Number[Given[X]], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[float, float]]: ...
@overload
def arithmetic(a: Operand[Given[X], D], b: Operand[Given[X], D], /) -> Symbolic[Given[X], Tape[D, D]]: ...
@overload
def arithmetic(a: Array[Given[X], S, R], b: Number[Given[X]], /) -> Symbolic[Given[X], Shaped[S, R]]: ...
@overload
def arithmetic(a: Number[Given[X]], b: Array[Given[X], S, R], /) -> Symbolic[Given[X], Shaped[S, R]]: ...
@overload
def arithmetic(a: Operand[Given[X], R], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def arithmetic(a: Number[Given[X]], b: Operand[Given[X], R], /) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def arithmetic(a: Array[Given[X], S, W], b: Integer[Given[X]], /) -> Symbolic[Given[X], Shaped[S, W]]: ...
@overload
def arithmetic(a: Integer[Given[X]], b: Array[Given[X], S, W], /) -> Symbolic[Given[X], Shaped[S, W]]: ...
@overload
def arithmetic(a: Operand[Given[X], W], b: Integer[Given[X]], /) -> Symbolic[Given[X], Tape[W, W]]: ...
@overload
def arithmetic(a: Integer[Given[X]], b: Operand[Given[X], W], /) -> Symbolic[Given[X], Tape[W, W]]: ...
@overload
def arithmetic(a: Array[Given[X], S, np.bool_], b: Boolean[Given[X]], /) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def arithmetic(a: Boolean[Given[X]], b: Array[Given[X], S, np.bool_], /) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def arithmetic(a: Array[Given[X], S, np.bool_], b: Integer[Given[X]], /) -> Symbolic[Given[X], Shaped[S, np.int64]]: ...
@overload
def arithmetic(a: Integer[Given[X]], b: Array[Given[X], S, np.bool_], /) -> Symbolic[Given[X], Shaped[S, np.int64]]: ...
@overload
def arithmetic(
    a: Operand[Given[X], np.bool_], b: Boolean[Given[X]], /
) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def arithmetic(
    a: Boolean[Given[X]], b: Operand[Given[X], np.bool_], /
) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def arithmetic(
    a: Operand[Given[X], np.bool_], b: Integer[Given[X]], /
) -> Symbolic[Given[X], Tape[np.int64, np.int64]]: ...
@overload
def arithmetic(
    a: Integer[Given[X]], b: Operand[Given[X], np.bool_], /
) -> Symbolic[Given[X], Tape[np.int64, np.int64]]: ...
@overload
def arithmetic(a: Array[Given[X], S, V], b: Number[Given[X]], /) -> Symbolic[Given[X], Shaped[S, np.float64]]: ...
@overload
def arithmetic(a: Number[Given[X]], b: Array[Given[X], S, V], /) -> Symbolic[Given[X], Shaped[S, np.float64]]: ...
@overload
def arithmetic(a: Operand[Given[X], V], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[np.float64, np.float64]]: ...
@overload
def arithmetic(a: Number[Given[X]], b: Operand[Given[X], V], /) -> Symbolic[Given[X], Tape[np.float64, np.float64]]: ...
@overload
def arithmetic(a: Array[Given[X], S, T], b: Operand[Given[X], T], /) -> Symbolic[Given[X], Shaped[S, T]]: ...
@overload
def arithmetic(a: Operand[Given[X], T], b: Array[Given[X], S, T], /) -> Symbolic[Given[X], Shaped[S, T]]: ...
@overload
def arithmetic(
    a: Array[Given[X], tuple[A, B], T], b: Along2[Given[X], B, T, A], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Along2[Given[X], B, T, A], b: Array[Given[X], tuple[A, B], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Array[Given[X], tuple[A, B, C], T], b: Along3[Given[X], C, T, A, B], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Along3[Given[X], C, T, A, B], b: Array[Given[X], tuple[A, B, C], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Array[Given[X], tuple[A, B, C, E], T], b: Array[Given[X], tuple[E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], T]]: ...
@overload
def arithmetic(
    a: Array[Given[X], tuple[E], T], b: Array[Given[X], tuple[A, B, C, E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, E], T]]: ...
def arithmetic(a: Any, b: Any, /) -> Any:
    """What gives the type of its operands, broadcast; Python booleans count as integers."""
