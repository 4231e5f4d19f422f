"""The type of the matrix product."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import Any, overload

from layertree import Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import A, Array, B, C, E, F, Given, Guard, Loose, Shaped, T, X


@overload
def product(a: Array[Given[X], Guard, T], b: Array[Given[X], Any, T], /) -> Symbolic[Given[X], Shaped[Loose, T]]: ...
@overload
def product(a: Array[Given[X], Any, T], b: Array[Given[X], Guard, T], /) -> Symbolic[Given[X], Shaped[Loose, T]]: ...
@overload
def product(a: Array[Given[X], tuple[A], T], b: Array[Given[X], tuple[A], T], /) -> Symbolic[Given[X], Tape[T, T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A], T], b: Array[Given[X], tuple[A, B], T], /
) -> Symbolic[Given[X], Shaped[tuple[B], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B], T], b: Array[Given[X], tuple[B], T], /
) -> Symbolic[Given[X], Shaped[tuple[A], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B], T], b: Array[Given[X], tuple[B, C], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, C], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B, C], T], b: Array[Given[X], tuple[C], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B, C], T], b: Array[Given[X], tuple[C, E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B, C], T], b: Array[Given[X], tuple[A, C, E], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B, C, E], T], b: Array[Given[X], tuple[E, F], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, F], T]]: ...
@overload
def product(
    a: Array[Given[X], tuple[A, B, C, E], T], b: Array[Given[X], tuple[A, B, E, F], T], /
) -> Symbolic[Given[X], Shaped[tuple[A, B, C, F], T]]: ...
def product(a: Any, b: Any, /) -> Any:
    """The matrix product ``a @ b``."""
