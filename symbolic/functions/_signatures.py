"""The types of functions of two operands, which take formulas and plain data in either order.

They say of functions what ``symbolic._signatures`` says of operators, in the same order and for the same reasons.
"""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Tape
from symbolic._arrays import (
    A,
    Along2,
    Along3,
    Array,
    B,
    C,
    D,
    E,
    F,
    Floats,
    Guard,
    In,
    Integer,
    Integers,
    Loose,
    Mask,
    Number,
    Operand,
    S,
    Shaped,
    T,
    W,
)
from symbolic._symbolic import Symbolic


@overload
def arithmetic(a: Operand[In, D], b: Operand[In, D], /) -> Symbolic[In, Tape[D, D]]: ...
@overload
def arithmetic(a: Operand[In, Floats], b: Number[In], /) -> Symbolic[In, Tape[Floats, Floats]]: ...
@overload
def arithmetic(a: Number[In], b: Operand[In, Floats], /) -> Symbolic[In, Tape[Floats, Floats]]: ...
@overload
def arithmetic(a: Operand[In, Integers], b: Integer[In], /) -> Symbolic[In, Tape[Integers, Integers]]: ...
@overload
def arithmetic(a: Integer[In], b: Operand[In, Integers], /) -> Symbolic[In, Tape[Integers, Integers]]: ...
@overload
def arithmetic(a: Array[In, S, T], b: Operand[In, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(a: Operand[In, T], b: Array[In, S, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(a: Array[In, tuple[A, B], T], b: Along2[In, B, T, A], /) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(a: Along2[In, B, T, A], b: Array[In, tuple[A, B], T], /) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Array[In, tuple[A, B, C], T], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Along3[In, C, T, A, B], b: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Array[In, tuple[A, B, C, E], T], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
@overload
def arithmetic(
    a: Array[In, tuple[E], T], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
def arithmetic(a: Any, b: Any, /) -> Any:
    """What gives the type of its operands, broadcast."""


@overload
def comparison(a: Array[In, S, T], b: Array[In, S, T] | Operand[In, T] | Number[In], /) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Operand[In, T] | Number[In], b: Array[In, S, T], /) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Operand[In, T], b: Operand[In, T] | Number[In], /) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(a: Number[In], b: Operand[In, T], /) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(a: Number[In], b: Number[In], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def comparison(a: Array[In, tuple[A, B], T], b: Along2[In, B, T, A], /) -> Symbolic[In, Mask[tuple[A, B]]]: ...
@overload
def comparison(a: Along2[In, B, T, A], b: Array[In, tuple[A, B], T], /) -> Symbolic[In, Mask[tuple[A, B]]]: ...
@overload
def comparison(a: Array[In, tuple[A, B, C], T], b: Along3[In, C, T, A, B], /) -> Symbolic[In, Mask[tuple[A, B, C]]]: ...
@overload
def comparison(a: Along3[In, C, T, A, B], b: Array[In, tuple[A, B, C], T], /) -> Symbolic[In, Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Array[In, tuple[A, B, C, E], T], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Mask[tuple[A, B, C, E]]]: ...
@overload
def comparison(
    a: Array[In, tuple[E], T], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Mask[tuple[A, B, C, E]]]: ...
def comparison(a: Any, b: Any, /) -> Any:
    """What gives booleans in the shape of its operands, broadcast."""


@overload
def logic(a: Operand[In, bool], b: Operand[In, bool], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def logic(a: Operand[In, int], b: Operand[In, int], /) -> Symbolic[In, Tape[int, int]]: ...
@overload
def logic(a: Array[In, S, np.bool_], b: Array[In, S, np.bool_] | Operand[In, bool], /) -> Symbolic[In, Mask[S]]: ...
@overload
def logic(a: Operand[In, bool], b: Array[In, S, np.bool_], /) -> Symbolic[In, Mask[S]]: ...
@overload
def logic(a: Array[In, S, W], b: Array[In, S, W], /) -> Symbolic[In, Shaped[S, W]]: ...
def logic(a: Any, b: Any, /) -> Any:
    """What combines booleans, or integers, element by element."""


@overload
def product(a: Array[In, Guard, T], b: Array[In, Any, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(a: Array[In, Any, T], b: Array[In, Guard, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(a: Array[In, tuple[A], T], b: Array[In, tuple[A], T], /) -> Symbolic[In, Tape[T, T]]: ...
@overload
def product(a: Array[In, tuple[A], T], b: Array[In, tuple[A, B], T], /) -> Symbolic[In, Shaped[tuple[B], T]]: ...
@overload
def product(a: Array[In, tuple[A, B], T], b: Array[In, tuple[B], T], /) -> Symbolic[In, Shaped[tuple[A], T]]: ...
@overload
def product(a: Array[In, tuple[A, B], T], b: Array[In, tuple[B, C], T], /) -> Symbolic[In, Shaped[tuple[A, C], T]]: ...
@overload
def product(a: Array[In, tuple[A, B, C], T], b: Array[In, tuple[C], T], /) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def product(
    a: Array[In, tuple[A, B, C], T], b: Array[In, tuple[C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Array[In, tuple[A, B, C], T], b: Array[In, tuple[A, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Array[In, tuple[A, B, C, E], T], b: Array[In, tuple[E, F], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
@overload
def product(
    a: Array[In, tuple[A, B, C, E], T], b: Array[In, tuple[A, B, E, F], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
def product(a: Any, b: Any, /) -> Any:
    """The matrix product ``a @ b``."""
