"""Functions of several operands, element by element: arithmetic, comparisons, logic, and choices."""

from __future__ import annotations

from typing import Any, TypeVar

from layertree import Tape
from symbolic._build import apply, if_symbolic
from symbolic._symbolic import Symbolic

__all__ = [
    "add",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_or",
    "bitwise_xor",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "if_",
    "less",
    "less_equal",
    "maximum",
    "minimum",
    "multiply",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
    "where",
]

In = TypeVar("In")
Out = TypeVar("Out")
D = TypeVar("D")
B = TypeVar("B")


def add(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The sum, as ``a + b``. Operands broadcast as in NumPy."""
    return apply("add", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def subtract(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The difference, as ``a - b``. Operands broadcast as in NumPy."""
    return apply("subtract", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def multiply(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The elementwise product, as ``a * b``. Operands broadcast as in NumPy."""
    return apply("multiply", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def divide(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The quotient, as ``a / b``; by zero the IEEE value. Operands broadcast as in NumPy."""
    return apply("divide", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def floor_divide(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The quotient rounded down, as ``a // b``; its derivative is 0. Operands broadcast as in NumPy."""
    return apply("floor_divide", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def remainder(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """``a - floor(a / b) * b``, as ``a % b``, with the sign of the divisor. Operands broadcast as in NumPy."""
    return apply("remainder", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def pow(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """``a ** b``; 0 ** 0 is 1. Operands broadcast as in NumPy."""
    return apply("pow", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def maximum(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The larger of two, element by element; on a tie each gets half of the delta. Operands broadcast as in NumPy."""
    return apply("maximum", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def minimum(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[D, D]]:
    """The smaller of two, element by element; on a tie each gets half of the delta. Operands broadcast as in NumPy."""
    return apply("minimum", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def less(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a < b``, element by element. Booleans have no delta."""
    return apply("less", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def less_equal(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a <= b``, element by element. Booleans have no delta."""
    return apply("less_equal", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def greater(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a > b``, element by element. Booleans have no delta."""
    return apply("greater", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def greater_equal(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a >= b``, element by element. Booleans have no delta."""
    return apply("greater_equal", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def equal(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a == b``, element by element. Booleans have no delta."""
    return apply("equal", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def not_equal(a: Symbolic[In, Tape[D, D]] | D, b: Symbolic[In, Tape[D, D]] | D, /) -> Symbolic[In, Tape[Any, Any]]:
    """Whether ``a != b``, element by element. Booleans have no delta."""
    return apply("not_equal", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def bitwise_and(a: Symbolic[In, Tape[B, B]] | B, b: Symbolic[In, Tape[B, B]] | B, /) -> Symbolic[In, Tape[B, B]]:
    """``a & b`` of booleans or integers, element by element."""
    return apply("bitwise_and", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def bitwise_or(a: Symbolic[In, Tape[B, B]] | B, b: Symbolic[In, Tape[B, B]] | B, /) -> Symbolic[In, Tape[B, B]]:
    """``a | b`` of booleans or integers, element by element."""
    return apply("bitwise_or", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def bitwise_xor(a: Symbolic[In, Tape[B, B]] | B, b: Symbolic[In, Tape[B, B]] | B, /) -> Symbolic[In, Tape[B, B]]:
    """``a ^ b`` of booleans or integers, element by element."""
    return apply("bitwise_xor", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def bitwise_invert(x: Symbolic[In, Tape[B, B]], /) -> Symbolic[In, Tape[B, B]]:
    """``~x`` of booleans or integers, element by element."""
    return apply("bitwise_invert", x)  # type: ignore[no-any-return]  # apply builds any formula


def where(
    condition: Symbolic[In, Tape[Any, Any]],
    then: Symbolic[In, Tape[D, D]] | D,
    otherwise: Symbolic[In, Tape[D, D]] | D,
    /,
) -> Symbolic[In, Tape[D, D]]:
    """``then`` where the condition is true, else ``otherwise``, element by element.

    Both sides are computed, and the one not selected receives exactly 0. A formula that must not see the other
    side's data at all, such as the square root of negative numbers, needs it masked first: where(x > 0, x, 1.0).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> where(x > 0.0, x, 2.0 * x).predict(-1.0)
    -2.0
    """
    return apply("where", condition, then, otherwise)  # type: ignore[no-any-return]  # apply builds any formula


def if_(
    condition: Symbolic[In, Tape[Any, Any]], then: Symbolic[In, Out], otherwise: Symbolic[In, Out], /
) -> Symbolic[In, Out]:
    """``then`` where one boolean is true, else ``otherwise``: only the branch taken is computed.

    >>> from symbolic import placeholder, sqrt
    >>> x = placeholder(float)
    >>> if_(x > 0.0, sqrt(x), 0.0 * x).predict(4.0)
    2.0
    """
    return if_symbolic(condition, then, otherwise)  # type: ignore[no-any-return]  # builds any formula
