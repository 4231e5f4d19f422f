"""Activations: the nonlinear functions between the layers of a network, element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.building.checks import floats
from symbolic.building.operations import apply, unary
from symbolic.signatures import typed
from symbolic.signatures.functions import amount, floating, smooth

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.signatures.arrays import In, R, Result, Result0, S, Shaped

__all__ = ["elu", "gelu_tanh", "leaky_relu", "relu", "sigmoid", "silu", "softplus", "softsign"]


@typed(amount)
def relu(x: object, /) -> AnyFormula:
    """max(x, 0) of each element; the derivative at 0 is 0, and NaN stays NaN.

    >>> from symbolic import placeholder
    >>> relu(placeholder(float)).predict(-1.0)
    0.0
    """
    return unary("relu", x)


@typed(smooth)
def sigmoid(x: object, /) -> AnyFormula:
    """1 / (1 + exp(-x)) of each element, stable at any magnitude.

    >>> from symbolic import placeholder
    >>> sigmoid(placeholder(float)).predict(0.0)
    0.5
    """
    return unary("sigmoid", x)


@typed(smooth)
def softplus(x: object, /) -> AnyFormula:
    """log(1 + exp(x)) of each element, stable at any magnitude: a smooth relu.

    >>> from symbolic import placeholder
    >>> softplus(placeholder(float)).predict(1000.0)
    1000.0
    """
    return unary("softplus", x)


@typed(floating)
def softsign(x: object, /) -> AnyFormula:
    """x / (1 + abs(x)) of each element; at inf and -inf 1 and -1.

    >>> from symbolic import placeholder
    >>> softsign(placeholder(float)).predict(3.0)
    0.75
    """
    symbol = floats(x, "softsign")
    largest = float(np.finfo(symbol.dtype).max)  # inf / inf would be NaN
    symbol = apply("maximum", apply("minimum", symbol, largest), -largest)
    return apply("divide", symbol, apply("add", 1.0, apply("abs", symbol)))


@typed(floating)
def silu(x: object, /) -> AnyFormula:
    """x * sigmoid(x) of each element (Elfwing, Uchibe and Doya, 2017), also known as swish.

    >>> from symbolic import placeholder
    >>> silu(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("silu", floats(x, "silu"))


@typed(floating)
def gelu_tanh(x: object, /) -> AnyFormula:
    """x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2 of each element (Hendrycks and Gimpel, 2016).

    It approximates x * Phi(x), with the normal distribution function Phi, to 0.0005. GPT-2 uses it.

    >>> from symbolic import placeholder
    >>> gelu_tanh(placeholder(float)).predict(0.0)
    0.0
    """
    return unary("gelu_tanh", floats(x, "gelu_tanh"))


@overload
def elu(x: Layer[In, Shaped[S, R]], /, *, alpha: float = ...) -> Result[In, S, R]: ...
@overload
def elu(x: Layer[In, Tape[R, R]], /, *, alpha: float = ...) -> Result0[In, R]: ...
@overload
def elu(x: Layer[In, Tape[float, float]], /, *, alpha: float = ...) -> Result0[In, float]: ...
def elu(x: object, /, *, alpha: float = 1.0) -> AnyFormula:
    """x of each element above 0, else alpha * (exp(x) - 1) (Clevert, Unterthiner and Hochreiter, 2015).

    >>> from symbolic import placeholder
    >>> elu(placeholder(float)).predict(2.0)
    2.0
    """
    symbol = floats(x, "elu")
    # The operand is masked, so that exp does not overflow where its value is not selected.
    below = apply("expm1", apply("where", apply("greater", symbol, 0), 0.0, symbol))
    return apply("where", apply("greater", symbol, 0), symbol, apply("multiply", alpha, below))


@overload
def leaky_relu(x: Layer[In, Shaped[S, R]], /, *, slope: float = ...) -> Result[In, S, R]: ...
@overload
def leaky_relu(x: Layer[In, Tape[R, R]], /, *, slope: float = ...) -> Result0[In, R]: ...
@overload
def leaky_relu(x: Layer[In, Tape[float, float]], /, *, slope: float = ...) -> Result0[In, float]: ...
def leaky_relu(x: object, /, *, slope: float = 0.01) -> AnyFormula:
    """x of each element above 0, else slope * x; the derivative at 0 is the slope (Maas, Hannun and Ng, 2013).

    >>> from symbolic import placeholder
    >>> leaky_relu(placeholder(float)).predict(-2.0)
    -0.02
    """
    symbol = floats(x, "leaky_relu")
    return apply("where", apply("greater", symbol, 0), symbol, apply("multiply", slope, symbol))
