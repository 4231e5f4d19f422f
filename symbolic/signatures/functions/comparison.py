"""The types of comparisons, and of the logic of booleans and bits."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import overload

import numpy as np

from symbolic.signatures.arrays import *


@overload
def comparison(a: Array[object, S, T], b: Array[object, S, T], /) -> Result[object, S, np.bool_]: ...
@overload
def comparison(
    a: Array[Given[X], S, T], b: Array[Given[X], S, T] | Operand[Given[X], T] | Number[Given[X]], /
) -> Result[Given[X], S, np.bool_]: ...
@overload
def comparison(
    a: Operand[Given[X], T] | Number[Given[X]], b: Array[Given[X], S, T], /
) -> Result[Given[X], S, np.bool_]: ...
@overload
def comparison(a: Number[Given[X]], b: Number[Given[X]], /) -> Result0[Given[X], bool]: ...
@overload
def comparison(
    a: Operand[Given[X], T], b: Operand[Given[X], T] | Number[Given[X]], /
) -> Result0[Given[X], np.bool_]: ...
@overload
def comparison(a: Number[Given[X]], b: Operand[Given[X], T], /) -> Result0[Given[X], np.bool_]: ...
@overload
def comparison(a: Array2[Given[X], A, B, T], b: Along2[Given[X], B, T, A], /) -> Result2[Given[X], A, B, np.bool_]: ...
@overload
def comparison(a: Along2[Given[X], B, T, A], b: Array2[Given[X], A, B, T], /) -> Result2[Given[X], A, B, np.bool_]: ...
@overload
def comparison(
    a: Array3[Given[X], A, B, C, T], b: Along3[Given[X], C, T, A, B], /
) -> Result3[Given[X], A, B, C, np.bool_]: ...
@overload
def comparison(
    a: Along3[Given[X], C, T, A, B], b: Array3[Given[X], A, B, C, T], /
) -> Result3[Given[X], A, B, C, np.bool_]: ...
@overload
def comparison(
    a: Array4[Given[X], A, B, C, E, T], b: Array1[Given[X], E, T], /
) -> Result4[Given[X], A, B, C, E, np.bool_]: ...
@overload
def comparison(
    a: Array1[Given[X], E, T], b: Array4[Given[X], A, B, C, E, T], /
) -> Result4[Given[X], A, B, C, E, np.bool_]: ...
def comparison(a: object, b: object, /) -> object:
    """An operation that gives booleans in the broadcast shape of its operands."""


@overload
def logic(a: Boolean[Given[X]], b: Boolean[Given[X]], /) -> Result0[Given[X], bool]: ...
@overload
def logic(a: Integer[Given[X]], b: Integer[Given[X]], /) -> Result0[Given[X], int]: ...
@overload
def logic(
    a: Array[Given[X], S, np.bool_],
    b: Array[Given[X], S, np.bool_] | Operand[Given[X], np.bool_] | Boolean[Given[X]],
    /,
) -> Result[Given[X], S, np.bool_]: ...
@overload
def logic(
    a: Operand[Given[X], np.bool_] | Boolean[Given[X]], b: Array[Given[X], S, np.bool_], /
) -> Result[Given[X], S, np.bool_]: ...
@overload
def logic(
    a: Operand[Given[X], np.bool_], b: Operand[Given[X], np.bool_] | Boolean[Given[X]], /
) -> Result0[Given[X], np.bool_]: ...
@overload
def logic(a: Boolean[Given[X]], b: Operand[Given[X], np.bool_], /) -> Result0[Given[X], np.bool_]: ...
@overload
def logic(a: Array[Given[X], S, W], b: Array[Given[X], S, W], /) -> Result[Given[X], S, W]: ...
def logic(a: object, b: object, /) -> object:
    """An operation on booleans, or on the bits of integers, element by element."""
