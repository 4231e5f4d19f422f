"""The gate of the tanh form of GELU and the derivative of its argument, for any namespace."""

from __future__ import annotations

import math

import numpy as np

from layertree.core.namespace import Namespace
from layertree.core.value import Value

_LINEAR = 2.0 * math.sqrt(2.0 / math.pi)
_CUBIC = 0.044715 * _LINEAR
_STEEP = 100.0
FAR = 1e4
"""A bound beyond which a gate is 0 or 1 exactly, in every dtype: an infinite operand times 0 would be NaN."""


def gelu_tanh_gate(xp: Namespace, x: Value) -> Value:
    """(1 + tanh(u / 2)) / 2, which is sigmoid(u), for u = x * (_LINEAR + _CUBIC * x**2)."""
    if np.dtype(xp.dtype(x)).kind != "f":
        x = xp.multiply(1.0, x)  # the square of an integer could overflow
    opposite = xp.multiply(x, xp.subtract(-_LINEAR, xp.multiply(_CUBIC, xp.multiply(x, x))))
    return xp.divide(1.0, xp.add(1.0, xp.exp(opposite)))


def gelu_tanh_steepness(xp: Namespace, x: Value) -> Value:
    """The derivative of u, with the magnitude of x bounded by ``_STEEP``: farther out the gate is 0 or 1."""
    bounded = xp.minimum(xp.abs(x), _STEEP)
    return xp.add(_LINEAR, xp.multiply(3.0 * _CUBIC, xp.multiply(bounded, bounded)))
