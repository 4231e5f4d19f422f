"""The words that the types of operations are made of: arrays by shape and dtype, and what may stand beside a formula.

``Array[In, tuple[A, B], T]`` is an operand with two axes, a formula or plain data; ``Shaped[tuple[A, B], T]`` is the
tape of such an array.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from typing_extensions import TypeVar

from layertree import Layer, Tape

In = TypeVar("In")

T = TypeVar("T", bound=np.generic)
"""The type of an array's elements."""
R = TypeVar("R", bound=np.floating[Any])
"""The type of an array's elements where they are floats."""
W = TypeVar("W", bound=np.integer[Any])
"""The type of an array's elements where they are integers."""
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
Floats = TypeVar("Floats", bound="np.ndarray[Any, np.dtype[np.inexact[Any]]] | np.inexact[Any]")
"""Arrays and NumPy scalars that a Python float beside them leaves as they are."""
Integers = TypeVar("Integers", bound="np.ndarray[Any, np.dtype[np.integer[Any]]] | np.integer[Any]")
"""Arrays and NumPy scalars that a Python int beside them leaves as they are."""

Bits: TypeAlias = int | np.integer[Any] | np.bool_ | np.ndarray[Any, np.dtype[np.integer[Any] | np.bool_]]
"""Booleans and integers, which ``~`` inverts."""
Whole: TypeAlias = np.integer[Any] | np.bool_
"""NumPy scalars that become float64 beside a Python float."""

One: TypeAlias = Literal[1]
"""The dimension of an axis that a reduction kept."""

Operand: TypeAlias = Layer[In, Tape[D, D]] | D
Number: TypeAlias = Layer[In, Tape[float, float]] | Layer[In, Tape[int, int]] | float
Integer: TypeAlias = Layer[In, Tape[int, int]] | int

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
Guard: TypeAlias = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]
"""A shape that only ``Loose`` fits, since no array that is typed has nine axes.

Overloads for it come before those that pick a dimension of the result from an operand: there a loose array would give
dimensions that are Never; and an overload for ``Loose`` itself would take every array, and forget its shape.
"""
