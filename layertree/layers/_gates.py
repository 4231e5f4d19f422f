"""The gate of gelu's tanh form and how steep it is, in standard names, for any namespace."""

from __future__ import annotations

import math

import numpy as np

from layertree.core.namespace import Namespace
from layertree.core.value import Value

_LINEAR = 2.0 * math.sqrt(2.0 / math.pi)
_CUBIC = 0.044715 * _LINEAR
_FAR = 1e4
"""Where the square is larger, the gate is 0 or 1. There a square that overflows would meet a factor of 0: NaN."""


def gelu_tanh_gate(xp: Namespace, x: Value) -> Value:
    """(1 + tanh(u / 2)) / 2, which is sigmoid(u), for u = x * (_LINEAR + _CUBIC * x**2)."""
    if np.dtype(xp.dtype(x)).kind != "f":
        x = xp.multiply(1.0, x)  # integers wrap around where they are squared
    opposite = xp.multiply(x, xp.subtract(-_LINEAR, xp.multiply(_CUBIC, xp.multiply(x, x))))
    return xp.divide(1.0, xp.add(1.0, xp.exp(opposite)))


def gelu_tanh_steepness(xp: Namespace, x: Value) -> Value:
    """The derivative of u, as far as it matters: of the square that the gate computes, too."""
    return xp.add(_LINEAR, xp.multiply(3.0 * _CUBIC, xp.minimum(xp.multiply(x, x), _FAR)))
