"""Functions of one operand, element by element, under the names of the Array API standard."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from layertree import Layer, Tape
from symbolic._arrays import D, In
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

Inexact = TypeVar("Inexact", bound="complex | np.ndarray[Any, np.dtype[np.inexact[Any]]] | np.inexact[Any]")
"""What a smooth function keeps the type of. Of integers it makes floats, so checkers want arrays of them cast first."""


def exp(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """e to the power of each element.

    >>> from symbolic import placeholder
    >>> exp(placeholder(float)).predict(1.0)
    2.718281828459045
    """
    return apply("exp", x)


def log(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The natural logarithm of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log(placeholder(float)).predict(1.0)
    0.0
    """
    return apply("log", x)


def sin(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The sine of each element, in radians.

    >>> from symbolic import placeholder
    >>> sin(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("sin", x)


def cos(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The cosine of each element, in radians.

    >>> from symbolic import placeholder
    >>> cos(placeholder(float)).predict(0.0)
    1.0
    """
    return apply("cos", x)


def sqrt(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The square root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> sqrt(placeholder(float)).predict(4.0)
    2.0
    """
    return apply("sqrt", x)


def tanh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The hyperbolic tangent of each element.

    >>> from symbolic import placeholder
    >>> tanh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("tanh", x)


def sigmoid(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """1 / (1 + exp(-x)) of each element, stable at any magnitude.

    >>> from symbolic import placeholder
    >>> sigmoid(placeholder(float)).predict(0.0)
    0.5
    """
    return apply("sigmoid", x)


def relu(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """max(x, 0) of each element; the derivative at 0 is 0, and NaN stays NaN.

    >>> from symbolic import placeholder
    >>> relu(placeholder(float)).predict(-1.0)
    0.0
    """
    return apply("relu", x)


def abs(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The magnitude of each element; the derivative at 0 is 0.

    >>> from symbolic import placeholder
    >>> abs(placeholder(float)).predict(-2.0)
    2.0
    """
    return apply("abs", x)


def sign(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """-1, 0 or 1 for each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> sign(placeholder(float)).predict(-2.0)
    -1.0
    """
    return apply("sign", x)


def floor(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The largest whole number that is not larger than each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> floor(placeholder(float)).predict(1.5)
    1.0
    """
    return apply("floor", x)


def negative(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element with the other sign, as ``-x``.

    >>> from symbolic import placeholder
    >>> negative(placeholder(float)).predict(2.0)
    -2.0
    """
    return apply("negative", x)


def square(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element times itself.

    >>> from symbolic import placeholder
    >>> square(placeholder(float)).predict(3.0)
    9.0
    """
    return apply("multiply", x, x)


def positive(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The formula itself, as ``+x``."""
    return as_symbolic(x)
