"""The types of comparisons, and of the logic of booleans and bits."""
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
    E,
    Given,
    Integer,
    Mask,
    Number,
    Operand,
    S,
    Shaped,
    T,
    W,
    X,
)


@overload
def comparison(a: Array[object, S, T], b: Array[object, S, T], /) -> Symbolic[object, Mask[S]]: ...
@overload
def comparison(
    a: Array[Given[X], S, T], b: Array[Given[X], S, T] | Operand[Given[X], T] | Number[Given[X]], /
) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def comparison(
    a: Operand[Given[X], T] | Number[Given[X]], b: Array[Given[X], S, T], /
) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def comparison(a: Number[Given[X]], b: Number[Given[X]], /) -> Symbolic[Given[X], Tape[bool, bool]]: ...
@overload
def comparison(
    a: Operand[Given[X], T], b: Operand[Given[X], T] | Number[Given[X]], /
) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(a: Number[Given[X]], b: Operand[Given[X], T], /) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(
    a: Array[Given[X], tuple[A, B], T], b: Along2[Given[X], B, T, A], /
) -> Symbolic[Given[X], Mask[tuple[A, B]]]: ...
@overload
def comparison(
    a: Along2[Given[X], B, T, A], b: Array[Given[X], tuple[A, B], T], /
) -> Symbolic[Given[X], Mask[tuple[A, B]]]: ...
@overload
def comparison(
    a: Array[Given[X], tuple[A, B, C], T], b: Along3[Given[X], C, T, A, B], /
) -> Symbolic[Given[X], Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Along3[Given[X], C, T, A, B], b: Array[Given[X], tuple[A, B, C], T], /
) -> Symbolic[Given[X], Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Array[Given[X], tuple[A, B, C, E], T], b: Array[Given[X], tuple[E], T], /
) -> Symbolic[Given[X], Mask[tuple[A, B, C, E]]]: ...
@overload
def comparison(
    a: Array[Given[X], tuple[E], T], b: Array[Given[X], tuple[A, B, C, E], T], /
) -> Symbolic[Given[X], Mask[tuple[A, B, C, E]]]: ...
def comparison(a: Any, b: Any, /) -> Any:
    """What gives booleans in the shape of its operands, broadcast."""


@overload
def logic(a: Boolean[Given[X]], b: Boolean[Given[X]], /) -> Symbolic[Given[X], Tape[bool, bool]]: ...
@overload
def logic(a: Integer[Given[X]], b: Integer[Given[X]], /) -> Symbolic[Given[X], Tape[int, int]]: ...
@overload
def logic(
    a: Array[Given[X], S, np.bool_],
    b: Array[Given[X], S, np.bool_] | Operand[Given[X], np.bool_] | Boolean[Given[X]],
    /,
) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def logic(
    a: Operand[Given[X], np.bool_] | Boolean[Given[X]], b: Array[Given[X], S, np.bool_], /
) -> Symbolic[Given[X], Mask[S]]: ...
@overload
def logic(
    a: Operand[Given[X], np.bool_], b: Operand[Given[X], np.bool_] | Boolean[Given[X]], /
) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def logic(a: Boolean[Given[X]], b: Operand[Given[X], np.bool_], /) -> Symbolic[Given[X], Tape[np.bool_, np.bool_]]: ...
@overload
def logic(a: Array[Given[X], S, W], b: Array[Given[X], S, W], /) -> Symbolic[Given[X], Shaped[S, W]]: ...
def logic(a: Any, b: Any, /) -> Any:
    """What combines booleans, or integers, element by element."""
