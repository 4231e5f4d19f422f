"""The type of the matrix product."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any, overload

from symbolic.signatures.arrays import *


@overload
def product(a: Array[Given[X], Guard, T], b: Array[Given[X], Any, T], /) -> LooseResult[Given[X], T]: ...
@overload
def product(a: Array[Given[X], Any, T], b: Array[Given[X], Guard, T], /) -> LooseResult[Given[X], T]: ...
@overload
def product(a: Array1[Given[X], A, T], b: Array1[Given[X], A, T], /) -> Result0[Given[X], T]: ...
@overload
def product(a: Array1[Given[X], A, T], b: Array2[Given[X], A, B, T], /) -> Result1[Given[X], B, T]: ...
@overload
def product(a: Array2[Given[X], A, B, T], b: Array1[Given[X], B, T], /) -> Result1[Given[X], A, T]: ...
@overload
def product(a: Array2[Given[X], A, B, T], b: Array2[Given[X], B, C, T], /) -> Result2[Given[X], A, C, T]: ...
@overload
def product(a: Array3[Given[X], A, B, C, T], b: Array1[Given[X], C, T], /) -> Result2[Given[X], A, B, T]: ...
@overload
def product(a: Array3[Given[X], A, B, C, T], b: Array2[Given[X], C, E, T], /) -> Result3[Given[X], A, B, E, T]: ...
@overload
def product(a: Array3[Given[X], A, B, C, T], b: Array3[Given[X], A, C, E, T], /) -> Result3[Given[X], A, B, E, T]: ...
@overload
def product(
    a: Array4[Given[X], A, B, C, E, T], b: Array2[Given[X], E, F, T], /
) -> Result4[Given[X], A, B, C, F, T]: ...
@overload
def product(
    a: Array4[Given[X], A, B, C, E, T], b: Array4[Given[X], A, B, E, F, T], /
) -> Result4[Given[X], A, B, C, F, T]: ...
def product(a: object, b: object, /) -> object:
    """The matrix product ``a @ b``."""
