"""The types of ``@``, and of its reflected method.

A matrix times a matrix is first among those of named dimensions, and an array of unnamed ones counts as one there;
other products of such arrays go through the overloads of Guard.
"""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from layertree import Layer, Tape
from symbolic.signatures.arrays import A, Array, B, C, E, F, G, Guard, In, Loose, Shaped, T, Unread

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic


@overload
def product(a: Layer[In, Shaped[Guard, T]], b: Array[In, Any, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Array[In, tuple[B, G], T] | Unread[In], /
) -> Symbolic[In, Shaped[tuple[A, G], T]]: ...
@overload
def product(a: Layer[In, Shaped[Any, T]], b: Array[In, Guard, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A], T]], b: Array[In, tuple[A], T] | Unread[In], /
) -> Symbolic[In, Tape[T, T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A], T]], b: Array[In, tuple[A, B], T], /
) -> Symbolic[In, Shaped[tuple[B], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Array[In, tuple[B], T], /
) -> Symbolic[In, Shaped[tuple[A], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Array[In, tuple[C], T] | Unread[In], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Array[In, tuple[C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Array[In, tuple[A, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E, F], T] | Unread[In], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[A, B, E, F], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
def product(a: Any, b: Any, /) -> Any:
    """The matrix product ``a @ b``."""


# The same, as the method of the right operand.
@overload
def reflected_product(b: Layer[In, Shaped[Guard, T]], a: Array[In, Any, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def reflected_product(b: Layer[In, Shaped[Any, T]], a: Array[In, Guard, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def reflected_product(b: Layer[In, Shaped[tuple[A], T]], a: Array[In, tuple[A], T], /) -> Symbolic[In, Tape[T, T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[A, B], T]], a: Array[In, tuple[A], T], /
) -> Symbolic[In, Shaped[tuple[B], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[B], T]], a: Array[In, tuple[A, B], T], /
) -> Symbolic[In, Shaped[tuple[A], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[B, C], T]], a: Array[In, tuple[A, B], T], /
) -> Symbolic[In, Shaped[tuple[A, C], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[C], T]], a: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[C, E], T]], a: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[A, C, E], T]], a: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, E], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[E, F], T]], a: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
@overload
def reflected_product(
    b: Layer[In, Shaped[tuple[A, B, E, F], T]], a: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, F], T]]: ...
def reflected_product(b: Any, a: Any, /) -> Any:
    """The matrix product ``a @ b``, as the method of ``b``."""
