"""Activations: what stands between the layers of a network, element by element."""

from __future__ import annotations

import math
from typing import Any

from layertree import Layer, Tape
from symbolic._arrays import D, In
from symbolic._build import apply
from symbolic._checks import floats
from symbolic._symbolic import Symbolic
from symbolic.functions.elementwise import Inexact

__all__ = ["elu", "gelu_tanh", "leaky_relu", "relu", "sigmoid", "silu", "softplus", "softsign"]

_TWICE_ROOT = 2.0 * math.sqrt(2.0 / math.pi)


def relu(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """max(x, 0) of each element; the derivative at 0 is 0, and NaN stays NaN.

    >>> from symbolic import placeholder
    >>> relu(placeholder(float)).predict(-1.0)
    0.0
    """
    return apply("relu", x)


def sigmoid(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """1 / (1 + exp(-x)) of each element, stable at any magnitude.

    >>> from symbolic import placeholder
    >>> sigmoid(placeholder(float)).predict(0.0)
    0.5
    """
    return apply("sigmoid", x)


def softplus(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """log(1 + exp(x)) of each element, stable at any magnitude: a smooth relu.

    >>> from symbolic import placeholder
    >>> softplus(placeholder(float)).predict(1000.0)
    1000.0
    """
    return apply("softplus", x)


def softsign(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """x / (1 + abs(x)) of each element.

    >>> from symbolic import placeholder
    >>> softsign(placeholder(float)).predict(3.0)
    0.75
    """
    symbol: Any = floats(x, "softsign")
    return symbol / (1.0 + apply("abs", symbol))  # type: ignore[no-any-return]  # builds any formula


def silu(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """x * sigmoid(x) of each element (Elfwing, Uchibe and Doya, 2017), known as swish, too.

    >>> from symbolic import placeholder
    >>> silu(placeholder(float)).predict(0.0)
    0.0
    """
    symbol: Any = floats(x, "silu")
    return symbol * apply("sigmoid", symbol)  # type: ignore[no-any-return]  # builds any formula


def gelu_tanh(x: Layer[In, Tape[Inexact, Inexact]], /) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2 of each element (Hendrycks and Gimpel, 2016).

    It approximates x * Phi(x), with the normal distribution Phi, to 0.0005: what GPT-2 is made with.

    >>> from symbolic import placeholder
    >>> gelu_tanh(placeholder(float)).predict(0.0)
    0.0
    """
    symbol: Any = floats(x, "gelu_tanh")
    # (1 + tanh(u)) / 2 is sigmoid(2 u). Past 100 it is 0 or 1, and a square that overflows must not come near that.
    square = apply("minimum", symbol * symbol, 1e4)
    return symbol * apply("sigmoid", symbol * (_TWICE_ROOT + 0.044715 * _TWICE_ROOT * square))  # type: ignore[no-any-return]  # builds any formula


def elu(x: Layer[In, Tape[Inexact, Inexact]], /, *, alpha: float = 1.0) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """x of each element above 0, else alpha * (exp(x) - 1) (Clevert, Unterthiner and Hochreiter, 2015).

    >>> from symbolic import placeholder
    >>> elu(placeholder(float)).predict(2.0)
    2.0
    """
    symbol: Any = floats(x, "elu")
    below = apply("expm1", apply("where", symbol > 0, 0.0, symbol))  # a large exp is no part of the other side
    return apply("where", symbol > 0, symbol, alpha * below)


def leaky_relu(x: Layer[In, Tape[Inexact, Inexact]], /, *, slope: float = 0.01) -> Symbolic[In, Tape[Inexact, Inexact]]:
    """x of each element above 0, else slope * x; the derivative at 0 is the slope (Maas, Hannun and Ng, 2013).

    >>> from symbolic import placeholder
    >>> leaky_relu(placeholder(float)).predict(-2.0)
    -0.02
    """
    symbol: Any = floats(x, "leaky_relu")
    return apply("where", symbol > 0, symbol, slope * symbol)
