"""The types of comparisons, and of the logic of booleans and bits."""
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
    S,
    Scalar,
    Shaped,
    T,
    Thin2,
    Thin3,
    Unread,
    W,
    WholeTape,
)

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic


@overload
def comparison(
    a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Operand[In, T] | Number[In] | Unread[In], /
) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Layer[In, Shaped[tuple[A, B], T]], b: Along2[In, B, T, A], /) -> Symbolic[In, Mask[tuple[A, B]]]: ...
@overload
def comparison(a: Layer[In, Thin2[B, T, A]], b: Array[In, tuple[A, B], T], /) -> Symbolic[In, Mask[tuple[A, B]]]: ...
@overload
def comparison(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Layer[In, Thin3[C, T, A, B]], b: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Mask[tuple[A, B, C, E]]]: ...
@overload
def comparison(
    a: Layer[In, Shaped[tuple[E], T]], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Mask[tuple[A, B, C, E]]]: ...
@overload
def comparison(a: Layer[In, NumberTape], b: Number[In], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def comparison(
    a: Layer[In, Tape[Scalar[T], Any]], b: Operand[In, T] | Number[In], /
) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(a: Layer[In, Tape[Scalar[T], Any]], b: Array[In, S, T], /) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Layer[In, NumberTape], b: Array[In, S, T], /) -> Symbolic[In, Mask[S]]: ...
def comparison(a: Any, b: Any, /) -> Any:
    """What gives booleans in the shape of its operands, broadcast."""


@overload
def logic(
    a: Layer[In, Mask[S]], b: Array[In, S, np.bool_] | Operand[In, np.bool_] | Boolean[In] | Unread[In], /
) -> Symbolic[In, Mask[S]]: ...
@overload
def logic(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[np.integer[Any]]], Any]], b: Array[In, S, W], /
) -> Symbolic[In, Shaped[S, W]]: ...
@overload
def logic(a: Layer[In, Tape[bool, bool]], b: Boolean[In], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def logic(a: Layer[In, WholeTape], b: Integer[In], /) -> Symbolic[In, Tape[int, int]]: ...
@overload
def logic(
    a: Layer[In, Tape[np.bool_, Any]], b: Operand[In, np.bool_] | Boolean[In], /
) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def logic(
    a: Layer[In, Tape[np.bool_, Any] | Tape[bool, bool]], b: Array[In, S, np.bool_], /
) -> Symbolic[In, Mask[S]]: ...
def logic(a: Any, b: Any, /) -> Any:
    """What combines booleans, or integers, element by element."""
