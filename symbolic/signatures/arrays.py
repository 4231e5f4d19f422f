"""The words that the types of operations are made of: arrays by shape and dtype, and what may stand beside a formula.

``Array[In, tuple[A, B], T]`` is an operand with two axes, a formula or plain data; ``Shaped[tuple[A, B], T]`` is the
tape of such an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from layertree import Layer, Tape
from layertree._generic import TypeVar

if TYPE_CHECKING:
    from symbolic.core.symbolic import Symbolic

In = TypeVar("In")
"""The tape of a formula's input."""
X = TypeVar("X")
"""The data of the input."""
Given: TypeAlias = Tape[X, X]
"""The input that all operands of a function have: a tape of X is no tape of anything else, so that for operands of two
inputs there is no X; but any input would be one that several operands accept: nothing's, if need be."""

T = TypeVar("T", bound=np.generic)
"""The type of an array's elements."""
R = TypeVar("R", bound=np.floating[Any])
"""The type of an array's elements where they are floats."""
N = TypeVar("N", bound=np.number[Any])
"""The type of an array's elements where they are numbers, which booleans are not."""
W = TypeVar("W", bound=np.integer[Any])
"""The type of an array's elements where they are integers."""
V = TypeVar("V", bound="np.integer[Any] | np.bool_")
"""The type of an array's elements where they are integers or booleans: beside a float they become float64."""
S = TypeVar("S", bound=tuple[int, ...])
"""A whole shape; A, B, C, E, F and H are dimensions."""
A = TypeVar("A", bound=int)
B = TypeVar("B", bound=int)
C = TypeVar("C", bound=int)
E = TypeVar("E", bound=int)
F = TypeVar("F", bound=int)
H = TypeVar("H", bound=int)
G = TypeVar("G", bound=int, default=Any)
"""A dimension that nothing says where an array's dimensions have no names."""

D = TypeVar("D", bound="complex | np.ndarray[Any, Any] | np.generic")
"""Any data that is computed with element by element."""

Bits: TypeAlias = int | np.integer[Any] | np.bool_ | np.ndarray[Any, np.dtype[np.integer[Any] | np.bool_]]
"""Booleans and integers, which ``~`` inverts."""
Quantity: TypeAlias = float | np.number[Any] | np.ndarray[Any, np.dtype[np.number[Any]]]
"""Data that has a sign."""
Whole: TypeAlias = np.integer[Any] | np.bool_
"""NumPy scalars that become float64 beside a Python float."""

T_co = TypeVar("T_co", bound=np.generic, covariant=True)


class Scalar(Protocol[T_co]):
    """A NumPy scalar of type T. mypy does not look at the bounds of variables in the type of ``self``, where a variable
    bound by ``np.generic`` would be a tuple, too."""

    @property
    def shape(self) -> tuple[()]:
        """It has no axes."""
        ...

    @property
    def dtype(self) -> np.dtype[T_co]:
        """It is of this type."""
        ...


class _NoData:
    """What no formula gives."""


Unread: TypeAlias = Layer[In, Tape[_NoData, _NoData]]
"""No operand's type. Where it is one of several, mypy does not read ``weight(normal(hid, feat))`` in the light of what
is wanted in its place, and so its message names both operands as they are."""

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
"""What broadcasts to (A, B): a vector along the last axis, or a matrix with an axis of size 1."""
Thin3: TypeAlias = Shaped[tuple[C], T] | Shaped[tuple[A, B, One], T] | Shaped[tuple[A, One, C], T]
"""What broadcasts to (A, B, C), likewise."""
Along2: TypeAlias = Array[In, tuple[B], T] | Array[In, tuple[A, One], T] | Array[In, tuple[One, B], T]
Along3: TypeAlias = Array[In, tuple[C], T] | Array[In, tuple[A, B, One], T] | Array[In, tuple[A, One, C], T]

Loose: TypeAlias = tuple[Any, ...]
"""The shape of an array whose dimensions nobody named, as in ``NDArray[np.float32]``."""
High: TypeAlias = tuple[Any, Any, Any, Any, *tuple[Any, ...]]
"""The shapes of four axes and more."""
Guard: TypeAlias = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]
"""A shape that only ``Loose`` fits, since no array that is typed has nine axes.

Overloads for it come before those that pick a dimension of the result from an operand: there a loose array would give
dimensions that are Never; and an overload for ``Loose`` itself would take every array, and forget its shape.
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
