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
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "log",
    "log1p",
    "log2",
    "log10",
    "negative",
    "positive",
    "reciprocal",
    "round",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
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


def expm1(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """exp(x) - 1 of each element, exact near 0.

    >>> from symbolic import placeholder
    >>> expm1(placeholder(float)).predict(1e-20)
    1e-20
    """
    return apply("expm1", x)


def log(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The natural logarithm of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log(placeholder(float)).predict(1.0)
    0.0
    """
    return apply("log", x)


def log1p(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """log(1 + x) of each element, exact near 0; -inf at -1, NaN below.

    >>> from symbolic import placeholder
    >>> log1p(placeholder(float)).predict(1e-20)
    1e-20
    """
    return apply("log1p", x)


def log2(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The logarithm to base 2 of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log2(placeholder(float)).predict(8.0)
    3.0
    """
    return apply("log2", x)


def log10(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The logarithm to base 10 of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log10(placeholder(float)).predict(1000.0)
    3.0
    """
    return apply("log10", x)


def sqrt(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The square root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> sqrt(placeholder(float)).predict(4.0)
    2.0
    """
    return apply("sqrt", x)


def cbrt(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The real cube root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> cbrt(placeholder(float)).predict(-1.0)
    -1.0
    """
    return apply("cbrt", x)


def square(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element times itself.

    >>> from symbolic import placeholder
    >>> square(placeholder(float)).predict(3.0)
    9.0
    """
    return apply("multiply", x, x)


def reciprocal(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """1 / x of each element; at 0 the IEEE value.

    >>> from symbolic import placeholder
    >>> reciprocal(placeholder(float)).predict(4.0)
    0.25
    """
    return apply("divide", 1.0, x)


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


def tan(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The tangent of each element, in radians.

    >>> from symbolic import placeholder
    >>> tan(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("tan", x)


def asin(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The angle in radians, -pi/2 to pi/2, whose sine each element is; NaN beyond 1.

    >>> from symbolic import placeholder
    >>> asin(placeholder(float)).predict(1.0)
    1.5707963267948966
    """
    return apply("asin", x)


def acos(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The angle in radians, 0 to pi, whose cosine each element is; NaN beyond 1.

    >>> from symbolic import placeholder
    >>> acos(placeholder(float)).predict(1.0)
    0.0
    """
    return apply("acos", x)


def atan(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The angle in radians, -pi/2 to pi/2, whose tangent each element is.

    >>> from symbolic import placeholder
    >>> atan(placeholder(float)).predict(1.0)
    0.7853981633974483
    """
    return apply("atan", x)


def sinh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The hyperbolic sine of each element.

    >>> from symbolic import placeholder
    >>> sinh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("sinh", x)


def cosh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The hyperbolic cosine of each element.

    >>> from symbolic import placeholder
    >>> cosh(placeholder(float)).predict(0.0)
    1.0
    """
    return apply("cosh", x)


def tanh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The hyperbolic tangent of each element.

    >>> from symbolic import placeholder
    >>> tanh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("tanh", x)


def asinh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The inverse hyperbolic sine of each element.

    >>> from symbolic import placeholder
    >>> asinh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("asinh", x)


def acosh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The inverse hyperbolic cosine of each element; NaN below 1.

    >>> from symbolic import placeholder
    >>> acosh(placeholder(float)).predict(1.0)
    0.0
    """
    return apply("acosh", x)


def atanh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """The inverse hyperbolic tangent of each element; inf at 1, NaN beyond.

    >>> from symbolic import placeholder
    >>> atanh(placeholder(float)).predict(0.0)
    0.0
    """
    return apply("atanh", x)


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


def ceil(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The smallest whole number that is not smaller than each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> ceil(placeholder(float)).predict(1.5)
    2.0
    """
    return apply("ceil", x)


def round(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The whole number nearest to each element, the even one of two; its derivative is 0.

    >>> from symbolic import placeholder
    >>> round(placeholder(float)).predict(2.5)
    2.0
    """
    return apply("round", x)


def trunc(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The whole number next to each element towards 0; its derivative is 0.

    >>> from symbolic import placeholder
    >>> trunc(placeholder(float)).predict(-1.5)
    -1.0
    """
    return apply("trunc", x)


def negative(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element with the other sign, as ``-x``.

    >>> from symbolic import placeholder
    >>> negative(placeholder(float)).predict(2.0)
    -2.0
    """
    return apply("negative", x)


def positive(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The formula itself, as ``+x``."""
    return as_symbolic(x)
