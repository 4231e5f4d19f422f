"""Functions of one operand, element by element, under the names of the Array API standard."""

from __future__ import annotations

from typing import TypeVar

from layertree import Tape
from symbolic._build import apply, as_symbolic
from symbolic._symbolic import Symbolic

__all__ = [
    "abs",
    "cos",
    "exp",
    "floor",
    "log",
    "negative",
    "positive",
    "relu",
    "sigmoid",
    "sign",
    "sin",
    "sqrt",
    "square",
    "tanh",
]

In = TypeVar("In")
D = TypeVar("D")


def exp(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """e to the power of each element.

    >>> from symbolic import placeholder
    >>> exp(placeholder(float)).predict(1.0)
    2.718281828459045
    """
    return apply("exp", x)  # type: ignore[no-any-return]  # apply builds any formula


def log(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The natural logarithm of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log(placeholder(float)).predict(1.0)
    0.0
    """
    return apply("log", x)  # type: ignore[no-any-return]  # apply builds any formula


def sin(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The sine of each element, in radians.

    >>> from symbolic import placeholder
    >>> sin(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("sin", x)  # type: ignore[no-any-return]  # apply builds any formula


def cos(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The cosine of each element, in radians.

    >>> from symbolic import placeholder
    >>> cos(placeholder(float)).predict(0.0)
    1.0
    """
    return apply("cos", x)  # type: ignore[no-any-return]  # apply builds any formula


def sqrt(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The square root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> sqrt(placeholder(float)).predict(4.0)
    2.0
    """
    return apply("sqrt", x)  # type: ignore[no-any-return]  # apply builds any formula


def tanh(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The hyperbolic tangent of each element.

    >>> from symbolic import placeholder
    >>> tanh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("tanh", x)  # type: ignore[no-any-return]  # apply builds any formula


def sigmoid(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """1 / (1 + exp(-x)) of each element, stable at any magnitude.

    >>> from symbolic import placeholder
    >>> sigmoid(placeholder(float)).predict(0.0)
    0.5
    """
    return apply("sigmoid", x)  # type: ignore[no-any-return]  # apply builds any formula


def relu(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """max(x, 0) of each element; the derivative at 0 is 0, and NaN stays NaN.

    >>> from symbolic import placeholder
    >>> relu(placeholder(float)).predict(-1.0)
    0.0
    """
    return apply("relu", x)  # type: ignore[no-any-return]  # apply builds any formula


def abs(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The magnitude of each element; the derivative at 0 is 0.

    >>> from symbolic import placeholder
    >>> abs(placeholder(float)).predict(-2.0)
    2.0
    """
    return apply("abs", x)  # type: ignore[no-any-return]  # apply builds any formula


def sign(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """-1, 0 or 1 for each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> sign(placeholder(float)).predict(-2.0)
    -1.0
    """
    return apply("sign", x)  # type: ignore[no-any-return]  # apply builds any formula


def floor(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The largest whole number that is not larger than each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> floor(placeholder(float)).predict(1.5)
    1.0
    """
    return apply("floor", x)  # type: ignore[no-any-return]  # apply builds any formula


def negative(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element with the other sign, as ``-x``.

    >>> from symbolic import placeholder
    >>> negative(placeholder(float)).predict(2.0)
    -2.0
    """
    return apply("negative", x)  # type: ignore[no-any-return]  # apply builds any formula


def square(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element times itself.

    >>> from symbolic import placeholder
    >>> square(placeholder(float)).predict(3.0)
    9.0
    """
    return apply("multiply", x, x)  # type: ignore[no-any-return]  # apply builds any formula


def positive(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The formula itself, as ``+x``."""
    return as_symbolic(x)  # type: ignore[no-any-return]  # it gives any formula
