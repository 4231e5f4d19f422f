"""Type variables and aliases of signatures: arrays by shape and dtype, and the operands of formulas.

``Array[In, tuple[A, B], T]`` is an operand with two axes, a formula or plain data; ``Shaped[tuple[A, B], T]`` is the
tape of such an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from typing_extensions import TypeVar

from layertree import Layer, Tape

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic

In = TypeVar("In")
"""The tape of a formula's input."""
X = TypeVar("X")
"""The data of the input."""
Given: TypeAlias = Tape[X, X]
"""The input of all operands of a function. A tape of X is a tape of nothing else, so that operands of two inputs are an
error. With a plain variable for the input, checkers would find one that all operands accept: Never, if no other."""

T = TypeVar("T", bound=np.generic)
"""The type of an array's elements."""
R = TypeVar("R", bound=np.floating[Any])
"""The type of elements that are floats."""
N = TypeVar("N", bound=np.number[Any])
"""The type of elements that are numbers, which booleans are not."""
W = TypeVar("W", bound=np.integer[Any])
"""The type of elements that are integers."""
V = TypeVar("V", bound="np.integer[Any] | np.bool_")
"""The type of elements that are integers or booleans: combined with a Python float they become float64."""
S = TypeVar("S", bound=tuple[int, ...])
"""A whole shape; A, B, C, E, F and H are dimensions."""
A = TypeVar("A", bound=int)
B = TypeVar("B", bound=int)
C = TypeVar("C", bound=int)
E = TypeVar("E", bound=int)
F = TypeVar("F", bound=int)
H = TypeVar("H", bound=int)
G = TypeVar("G", bound=int, default=Any)
"""A dimension, which is Any for an array with unnamed dimensions."""

D = TypeVar("D", bound="complex | np.ndarray[Any, Any] | np.generic")
"""Any data that is computed with element by element."""

Bits: TypeAlias = int | np.integer[Any] | np.bool_ | np.ndarray[Any, np.dtype[np.integer[Any] | np.bool_]]
"""Booleans and integers, which ``~`` inverts."""
Quantity: TypeAlias = float | np.number[Any] | np.ndarray[Any, np.dtype[np.number[Any]]]
"""Data that has a sign."""
Whole: TypeAlias = np.integer[Any] | np.bool_
"""NumPy scalars that become float64 when combined with a Python float."""

T_co = TypeVar("T_co", bound=np.generic, covariant=True)


class Scalar(Protocol[T_co]):
    """A NumPy scalar of type T.

    mypy ignores the bounds of type variables in the type of ``self``, where one bound by ``np.generic`` would fit
    a tuple, too.
    """

    @property
    def shape(self) -> tuple[()]:
        """The shape of a scalar, without axes."""
        ...

    @property
    def dtype(self) -> np.dtype[T_co]:
        """The dtype of the scalar."""
        ...


class _NoData:
    """A type of data that no formula has."""


Unread: TypeAlias = Layer[In, Tape[_NoData, _NoData]]
"""The type of no operand. In a union with it, mypy infers the type of an argument such as ``weight(normal(hid, feat))``
without the parameter as context, so that its message names the types of both operands."""

One: TypeAlias = Literal[1]
"""The dimension of an axis that a reduction kept."""

Operand: TypeAlias = Layer[In, Tape[D, D]] | D
Boolean: TypeAlias = Layer[In, Tape[bool, bool]] | bool
Integer: TypeAlias = Layer[In, Tape[int, int]] | Layer[In, Tape[bool, bool]] | int
Number: TypeAlias = Layer[In, Tape[float, float]] | Layer[In, Tape[int, int]] | Layer[In, Tape[bool, bool]] | float
WholeTape: TypeAlias = Tape[int, Any]
"""The tape of a Python int or bool."""
NumberTape: TypeAlias = Tape[float, float] | Tape[int, Any]
"""The tape of any Python number."""

Shaped: TypeAlias = Tape[np.ndarray[S, np.dtype[T]], np.ndarray[S, np.dtype[T]]]
Mask: TypeAlias = Tape[np.ndarray[S, np.dtype[np.bool_]], np.ndarray[S, np.dtype[np.bool_]]]
Array: TypeAlias = Layer[In, Shaped[S, T]] | np.ndarray[S, np.dtype[T]]

Thin2: TypeAlias = Shaped[tuple[B], T] | Shaped[tuple[A, One], T] | Shaped[tuple[One, B], T]
"""An array that broadcasts to (A, B): a vector along the last axis, or a matrix with an axis of size 1."""
Thin3: TypeAlias = Shaped[tuple[C], T] | Shaped[tuple[A, B, One], T] | Shaped[tuple[A, One, C], T]
"""An array that broadcasts to (A, B, C), likewise."""
Along2: TypeAlias = Array[In, tuple[B], T] | Array[In, tuple[A, One], T] | Array[In, tuple[One, B], T]
Along3: TypeAlias = Array[In, tuple[C], T] | Array[In, tuple[A, B, One], T] | Array[In, tuple[A, One, C], T]

Loose: TypeAlias = tuple[Any, ...]
"""The shape of an array with unnamed dimensions, such as ``NDArray[np.float32]``."""
High: TypeAlias = tuple[Any, Any, Any, Any, *tuple[Any, ...]]
"""The shapes of four axes and more."""
Guard: TypeAlias = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]
"""A shape that only ``Loose`` fits, since no typed array has nine axes.

Its overloads precede those whose result has dimensions of an operand, where a loose array would have dimensions Never.
An overload for ``Loose`` itself would take every array, and lose its shape.
"""

Rank0: TypeAlias = Layer[In, Tape[T, T]]
"""A formula of a NumPy scalar."""
Rank1: TypeAlias = Layer[In, Shaped[tuple[A], T]]
"""A formula of an array with one axis; likewise of two to four."""
Rank2: TypeAlias = Layer[In, Shaped[tuple[A, B], T]]
Rank3: TypeAlias = Layer[In, Shaped[tuple[A, B, C], T]]
Rank4: TypeAlias = Layer[In, Shaped[tuple[A, B, C, E], T]]
AnyRank: TypeAlias = Layer[In, Shaped[Any, T]]
HighRank: TypeAlias = Layer[In, Shaped[High, T]]
LooseRank: TypeAlias = Layer[In, Shaped[Guard, T]]
"""A formula of an array with unnamed dimensions."""

Array1: TypeAlias = Array[In, tuple[A], T]
"""A formula or plain data with one axis; likewise with two to four."""
Array2: TypeAlias = Array[In, tuple[A, B], T]
Array3: TypeAlias = Array[In, tuple[A, B, C], T]
Array4: TypeAlias = Array[In, tuple[A, B, C, E], T]

Result0: TypeAlias = "Symbolic[In, Tape[D, D]]"
"""The formula of a number, or of other data, as the result of an operation."""
Result: TypeAlias = "Symbolic[In, Shaped[S, T]]"
"""The formula of an array, as the result of an operation; likewise with one to four axes, or unnamed dimensions."""
Result1: TypeAlias = "Symbolic[In, Shaped[tuple[A], T]]"
Result2: TypeAlias = "Symbolic[In, Shaped[tuple[A, B], T]]"
Result3: TypeAlias = "Symbolic[In, Shaped[tuple[A, B, C], T]]"
Result4: TypeAlias = "Symbolic[In, Shaped[tuple[A, B, C, E], T]]"
LooseResult: TypeAlias = "Symbolic[In, Shaped[Loose, T]]"
Pair: TypeAlias = "Symbolic[In, Tape[tuple[D, D], tuple[D, D]]]"
"""The formula of two values of one type."""
