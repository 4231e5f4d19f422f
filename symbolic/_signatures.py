"""The types of the operators, one signature for each kind of operation. Checkers read them; ``typed`` alone runs.

The first operand is the formula whose method it is. Where that method fails because the left operand fits any input, as
a weight does, checkers go on to the reflected method of the right one, as Python does.

Equal operands come first, then what broadcasts: where none fits, mypy says what the first one wanted. So a matrix times
a matrix is first among the products, and an array of unnamed dimensions counts as one there; other products of such
arrays go through the overloads of Guard. Overlaps are meant: the first overload that fits says most. Where a kind of
data decides, the first operand names it, since mypy does not look at the bounds of variables in the type of ``self``.
"""
# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from layertree import Layer, Tape
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
    G,
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
    Thin2,
    Thin3,
    W,
    Whole,
)

if TYPE_CHECKING:
    from symbolic._symbolic import Symbolic

Signature = TypeVar("Signature")


def typed(like: Signature, /) -> Callable[[Callable[..., Any]], Signature]:
    """The decorator that gives a function the type of another one, and otherwise leaves it as it is."""

    def unchanged(function: Any) -> Any:
        return function

    return unchanged


@overload
def arithmetic(a: Layer[In, Tape[D, D]], b: Operand[In, D], /) -> Symbolic[In, Tape[D, D]]: ...
# Python numbers beside each other, and beside arrays and NumPy scalars, whose type they leave unless it is of integers.
@overload
def arithmetic(a: Layer[In, Tape[float, float]], b: Number[In], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def arithmetic(a: Layer[In, Tape[int, int]], b: Number[In], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def arithmetic(a: Layer[In, Tape[D, D]], b: Integer[In], /) -> Symbolic[In, Tape[D, D]]: ...
@overload
def arithmetic(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[Whole]], Any]], b: Number[In], /
) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def arithmetic(a: Layer[In, Tape[Whole, Any]], b: Number[In], /) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
@overload
def arithmetic(a: Layer[In, Tape[D, D]], b: Number[In], /) -> Symbolic[In, Tape[D, D]]: ...
@overload
def arithmetic(a: Layer[In, Tape[int, int]], b: Operand[In, Integers], /) -> Symbolic[In, Tape[Integers, Integers]]: ...
@overload
def arithmetic(a: Layer[In, Tape[float, float]], b: Operand[In, Floats], /) -> Symbolic[In, Tape[Floats, Floats]]: ...
# NumPy scalars and the last axis.
@overload
def arithmetic(a: Layer[In, Shaped[S, T]], b: Operand[In, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(a: Layer[In, Tape[T, T]], b: Array[In, S, T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Along2[In, B, T, A], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Thin2[B, T, A]], b: Array[In, tuple[A, B], T], /
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Thin3[C, T, A, B]], b: Array[In, tuple[A, B, C], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
@overload
def arithmetic(
    a: Layer[In, Shaped[tuple[E], T]], b: Array[In, tuple[A, B, C, E], T], /
) -> Symbolic[In, Shaped[tuple[A, B, C, E], T]]: ...
def arithmetic(a: Any, b: Any, /) -> Any:
    """What gives the type of its operands, broadcast: it serves the reflected methods, too."""


@overload
def comparison(
    a: Layer[In, Shaped[S, T]], b: Array[In, S, T] | Operand[In, T] | Number[In], /
) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Layer[In, Tape[float, float]], b: Number[In], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def comparison(a: Layer[In, Tape[int, int]], b: Number[In], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def comparison(a: Layer[In, Tape[bool, bool]], b: Operand[In, bool], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def comparison(a: Layer[In, Tape[float, float]], b: Array[In, S, T], /) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(
    a: Layer[In, Tape[T, T]], b: Operand[In, T] | Number[In], /
) -> Symbolic[In, Tape[np.bool_, np.bool_]]: ...
@overload
def comparison(a: Layer[In, Tape[T, T]], b: Array[In, S, T], /) -> Symbolic[In, Mask[S]]: ...
@overload
def comparison(a: Layer[In, Shaped[tuple[A, B], T]], b: Along2[In, B, T, A], /) -> Symbolic[In, Mask[tuple[A, B]]]: ...
@overload
def comparison(
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Along3[In, C, T, A, B], /
) -> Symbolic[In, Mask[tuple[A, B, C]]]: ...
@overload
def comparison(
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E], T], /
) -> Symbolic[In, Mask[tuple[A, B, C, E]]]: ...
def comparison(a: Any, b: Any, /) -> Any:
    """What gives booleans in the shape of its operands, broadcast."""


@overload
def logic(a: Layer[In, Tape[bool, bool]], b: Operand[In, bool], /) -> Symbolic[In, Tape[bool, bool]]: ...
@overload
def logic(a: Layer[In, Tape[int, int]], b: Operand[In, int], /) -> Symbolic[In, Tape[int, int]]: ...
@overload
def logic(a: Layer[In, Mask[S]], b: Array[In, S, np.bool_] | Operand[In, bool], /) -> Symbolic[In, Mask[S]]: ...
@overload
def logic(
    a: Layer[In, Tape[np.ndarray[S, np.dtype[np.integer[Any]]], Any]], b: Array[In, S, W], /
) -> Symbolic[In, Shaped[S, W]]: ...
def logic(a: Any, b: Any, /) -> Any:
    """What combines booleans, or integers, element by element."""


@overload
def product(a: Layer[In, Shaped[Guard, T]], b: Array[In, Any, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(
    a: Layer[In, Shaped[tuple[A, B], T]], b: Array[In, tuple[B, G], T], /
) -> Symbolic[In, Shaped[tuple[A, G], T]]: ...
@overload
def product(a: Layer[In, Shaped[Any, T]], b: Array[In, Guard, T], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def product(a: Layer[In, Shaped[tuple[A], T]], b: Array[In, tuple[A], T], /) -> Symbolic[In, Tape[T, T]]: ...
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
    a: Layer[In, Shaped[tuple[A, B, C], T]], b: Array[In, tuple[C], T], /
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
    a: Layer[In, Shaped[tuple[A, B, C, E], T]], b: Array[In, tuple[E, F], T], /
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
