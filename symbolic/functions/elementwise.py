"""Functions of one operand, element by element, under the names of the Array API standard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layertree import Layer, Tape
from symbolic.building.operations import as_symbolic, binary, unary
from symbolic.core.symbolic import Symbolic
from symbolic.signatures import typed
from symbolic.signatures.functions import amount, quantity, smooth

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.signatures.arrays import D, In

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


@typed(smooth)
def exp(x: object, /) -> AnyFormula:
    """e to the power of each element.

    >>> from symbolic import placeholder
    >>> exp(placeholder(float)).predict(1.0)
    2.718281828459045
    """
    return unary("exp", x)


@typed(smooth)
def expm1(x: object, /) -> AnyFormula:
    """exp(x) - 1 of each element, exact near 0.

    >>> from symbolic import placeholder
    >>> expm1(placeholder(float)).predict(1e-20)
    1e-20
    """
    return unary("expm1", x)


@typed(smooth)
def log(x: object, /) -> AnyFormula:
    """The natural logarithm of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log(placeholder(float)).predict(1.0)
    0.0
    """
    return unary("log", x)


@typed(smooth)
def log1p(x: object, /) -> AnyFormula:
    """log(1 + x) of each element, exact near 0; -inf at -1, NaN below.

    >>> from symbolic import placeholder
    >>> log1p(placeholder(float)).predict(1e-20)
    1e-20
    """
    return unary("log1p", x)


@typed(smooth)
def log2(x: object, /) -> AnyFormula:
    """The logarithm to base 2 of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log2(placeholder(float)).predict(8.0)
    3.0
    """
    return unary("log2", x)


@typed(smooth)
def log10(x: object, /) -> AnyFormula:
    """The logarithm to base 10 of each element; -inf at 0, NaN below.

    >>> from symbolic import placeholder
    >>> log10(placeholder(float)).predict(1000.0)
    3.0
    """
    return unary("log10", x)


@typed(smooth)
def sqrt(x: object, /) -> AnyFormula:
    """The square root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> sqrt(placeholder(float)).predict(4.0)
    2.0
    """
    return unary("sqrt", x)


@typed(smooth)
def cbrt(x: object, /) -> AnyFormula:
    """The real cube root of each element; its derivative at 0 is inf, the IEEE value.

    >>> from symbolic import placeholder
    >>> cbrt(placeholder(float)).predict(-1.0)
    -1.0
    """
    return unary("cbrt", x)


@typed(amount)
def square(x: object, /) -> AnyFormula:
    """Each element times itself.

    >>> from symbolic import placeholder
    >>> square(placeholder(float)).predict(3.0)
    9.0
    """
    return binary("multiply", x, x)


@typed(smooth)
def reciprocal(x: object, /) -> AnyFormula:
    """1 / x of each element; at 0 the IEEE value.

    >>> from symbolic import placeholder
    >>> reciprocal(placeholder(float)).predict(4.0)
    0.25
    """
    return binary("divide", 1.0, x)


@typed(smooth)
def sin(x: object, /) -> AnyFormula:
    """The sine of each element, in radians.

    >>> from symbolic import placeholder
    >>> sin(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("sin", x)


@typed(smooth)
def cos(x: object, /) -> AnyFormula:
    """The cosine of each element, in radians.

    >>> from symbolic import placeholder
    >>> cos(placeholder(float)).predict(0.0)
    1.0
    """
    return unary("cos", x)


@typed(smooth)
def tan(x: object, /) -> AnyFormula:
    """The tangent of each element, in radians.

    >>> from symbolic import placeholder
    >>> tan(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("tan", x)


@typed(smooth)
def asin(x: object, /) -> AnyFormula:
    """The arcsine of each element, in radians from -pi/2 to pi/2; NaN for magnitudes above 1.

    >>> from symbolic import placeholder
    >>> asin(placeholder(float)).predict(1.0)
    1.5707963267948966
    """
    return unary("asin", x)


@typed(smooth)
def acos(x: object, /) -> AnyFormula:
    """The arccosine of each element, in radians from 0 to pi; NaN for magnitudes above 1.

    >>> from symbolic import placeholder
    >>> acos(placeholder(float)).predict(1.0)
    0.0
    """
    return unary("acos", x)


@typed(smooth)
def atan(x: object, /) -> AnyFormula:
    """The arctangent of each element, in radians from -pi/2 to pi/2.

    >>> from symbolic import placeholder
    >>> atan(placeholder(float)).predict(1.0)
    0.7853981633974483
    """
    return unary("atan", x)


@typed(smooth)
def sinh(x: object, /) -> AnyFormula:
    """The hyperbolic sine of each element.

    >>> from symbolic import placeholder
    >>> sinh(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("sinh", x)


@typed(smooth)
def cosh(x: object, /) -> AnyFormula:
    """The hyperbolic cosine of each element.

    >>> from symbolic import placeholder
    >>> cosh(placeholder(float)).predict(0.0)
    1.0
    """
    return unary("cosh", x)


@typed(smooth)
def tanh(x: object, /) -> AnyFormula:
    """The hyperbolic tangent of each element.

    >>> from symbolic import placeholder
    >>> tanh(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("tanh", x)


@typed(smooth)
def asinh(x: object, /) -> AnyFormula:
    """The inverse hyperbolic sine of each element.

    >>> from symbolic import placeholder
    >>> asinh(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("asinh", x)


@typed(smooth)
def acosh(x: object, /) -> AnyFormula:
    """The inverse hyperbolic cosine of each element; NaN below 1.

    >>> from symbolic import placeholder
    >>> acosh(placeholder(float)).predict(1.0)
    0.0
    """
    return unary("acosh", x)


@typed(smooth)
def atanh(x: object, /) -> AnyFormula:
    """The inverse hyperbolic tangent of each element; inf at 1, NaN for magnitudes above 1.

    >>> from symbolic import placeholder
    >>> atanh(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("atanh", x)


@typed(amount)
def abs(x: object, /) -> AnyFormula:
    """The magnitude of each element; the derivative at 0 is 0.

    >>> from symbolic import placeholder
    >>> abs(placeholder(float)).predict(-2.0)
    2.0
    """
    return unary("abs", x)


@typed(quantity)
def sign(x: object, /) -> AnyFormula:
    """-1, 0 or 1 for each element; its derivative is 0.

    >>> from symbolic import placeholder
    >>> sign(placeholder(float)).predict(-2.0)
    -1.0
    """
    return unary("sign", x)


def floor(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element rounded down to an integer; the derivative is 0.

    >>> from symbolic import placeholder
    >>> floor(placeholder(float)).predict(1.5)
    1.0
    """
    return unary("floor", x)


def ceil(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element rounded up to an integer; the derivative is 0.

    >>> from symbolic import placeholder
    >>> ceil(placeholder(float)).predict(1.5)
    2.0
    """
    return unary("ceil", x)


@typed(quantity)
def round(x: object, /) -> AnyFormula:
    """Each element rounded to the nearest integer, a tie to the even one; the derivative is 0.

    >>> from symbolic import placeholder
    >>> round(placeholder(float)).predict(2.5)
    2.0
    """
    return unary("round", x)


def trunc(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """Each element rounded towards 0 to an integer; the derivative is 0.

    >>> from symbolic import placeholder
    >>> trunc(placeholder(float)).predict(-1.5)
    -1.0
    """
    return unary("trunc", x)


@typed(quantity)
def negative(x: object, /) -> AnyFormula:
    """The negative of each element, as ``-x``.

    >>> from symbolic import placeholder
    >>> negative(placeholder(float)).predict(2.0)
    -2.0
    """
    return unary("negative", x)


def positive(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The formula itself, as ``+x``."""
    return as_symbolic(x)
