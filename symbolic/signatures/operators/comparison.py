"""The types of comparisons, and of the logic of booleans and bits."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.signatures.arrays import *


@overload
def comparison(
    a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Operand[In, T] | Number[In] | Unread[In], /
) -> Result[In, S, np.bool_]: ...
@overload
def comparison(a: Rank2[In, A, B, T], b: Along2[In, B, T, A], /) -> Result2[In, A, B, np.bool_]: ...
@overload
def comparison(a: Layer[In, Thin2[B, T, A]], b: Array2[In, A, B, T], /) -> Result2[In, A, B, np.bool_]: ...
@overload
def comparison(a: Rank3[In, A, B, C, T], b: Along3[In, C, T, A, B], /) -> Result3[In, A, B, C, np.bool_]: ...
@overload
def comparison(a: Layer[In, Thin3[C, T, A, B]], b: Array3[In, A, B, C, T], /) -> Result3[In, A, B, C, np.bool_]: ...
@overload
def comparison(a: Rank4[In, A, B, C, E, T], b: Array1[In, E, T], /) -> Result4[In, A, B, C, E, np.bool_]: ...
@overload
def comparison(a: Rank1[In, E, T], b: Array4[In, A, B, C, E, T], /) -> Result4[In, A, B, C, E, np.bool_]: ...
@overload
def comparison(a: Layer[In, NumberTape], b: Number[In], /) -> Result0[In, bool]: ...
@overload
def comparison(a: Layer[In, Tape[Scalar[T], Any]], b: Operand[In, T] | Number[In], /) -> Result0[In, np.bool_]: ...
@overload
def comparison(a: Layer[In, Tape[Scalar[T], Any]], b: Array[In, S, T], /) -> Result[In, S, np.bool_]: ...
@overload
def comparison(a: Layer[In, NumberTape], b: Array[In, S, T], /) -> Result[In, S, np.bool_]: ...
def comparison(a: object, b: object, /) -> object:
    """An operation that gives booleans in the broadcast shape of its operands."""


@overload
def logic(
    a: Layer[In, Mask[S]], b: Array[In, S, np.bool_] | Operand[In, np.bool_] | Boolean[In] | Unread[In], /
) -> Result[In, S, np.bool_]: ...
@overload
def logic(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[np.integer[Any]]], Any]], b: Array[In, S, W], /
) -> Result[In, S, W]: ...
@overload
def logic(a: Layer[In, Tape[bool, bool]], b: Boolean[In], /) -> Result0[In, bool]: ...
@overload
def logic(a: Layer[In, WholeTape], b: Integer[In], /) -> Result0[In, int]: ...
@overload
def logic(a: Layer[In, Tape[np.bool_, Any]], b: Operand[In, np.bool_] | Boolean[In], /) -> Result0[In, np.bool_]: ...
@overload
def logic(
    a: Layer[In, Tape[np.bool_, Any] | Tape[bool, bool]], b: Array[In, S, np.bool_], /
) -> Result[In, S, np.bool_]: ...
def logic(a: object, b: object, /) -> object:
    """An operation on booleans, or on the bits of integers, element by element."""
