"""The names that the Array API standard lacks, each written once in standard names.

Every namespace that has no faster kernel of its own takes these, so that each of them exists everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.layers._convolution import conv2d, max_pool2d, max_unpool2d
from layertree.layers._gates import gelu_tanh_gate

__all__ = [
    "conv2d",
    "cross_entropy",
    "dropout",
    "gelu_tanh",
    "gelu_tanh_gate",
    "item",
    "log_softmax",
    "logsumexp",
    "max_pool2d",
    "max_unpool2d",
    "ones_like",
    "relu",
    "running_average",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "stop_gradient",
    "tuple",
    "vector_norm",
]

Value = Any


def sigmoid(xp: Any, x: Value) -> Value:
    """1 / (1 + exp(-x)): where exp overflows, the limit 0 is exact."""
    return xp.divide(1.0, xp.add(1.0, xp.exp(xp.negative(x))))


def silu(xp: Any, x: Value) -> Value:
    """x * sigmoid(x)."""
    return xp.multiply(x, xp.sigmoid(x))


def gelu_tanh(xp: Any, x: Value) -> Value:
    """x times its gate."""
    return xp.multiply(x, xp.gelu_tanh_gate(x))


def relu(xp: Any, x: Value) -> Value:
    """max(x, 0); NaN stays NaN."""
    return xp.maximum(x, 0)


def softplus(xp: Any, x: Value) -> Value:
    """log(1 + exp(x)), of which exp of a large number is no part."""
    return xp.add(xp.maximum(x, 0), xp.log1p(xp.exp(xp.negative(xp.abs(x)))))


def vector_norm(xp: Any, x: Value, axis: Any, keepdims: bool) -> Value:
    """The root of the sum of squares over axes."""
    return xp.sqrt(xp.sum(xp.multiply(x, x), axis=axis, keepdims=keepdims))


def _below(xp: Any, x: Value, top: Value) -> Value:
    """``x - top``, for which a row that is all -inf stays so."""
    dtype = np.dtype(xp.dtype(x))
    return xp.subtract(x, xp.maximum(top, float(np.finfo(dtype).min)) if dtype.kind == "f" else top)


def softmax(xp: Any, x: Value, axis: Any) -> Value:
    """exp(x) / sum(exp(x)) over axes, with the maximum subtracted first; where all are -inf, zeros."""
    share = xp.exp(_below(xp, x, xp.max(x, axis=axis, keepdims=True)))
    total = xp.sum(share, axis=axis, keepdims=True)
    return xp.divide(share, xp.maximum(total, 1))  # the largest gives 1, if it is not -inf


def logsumexp(xp: Any, x: Value, axis: Any, keepdims: bool) -> Value:
    """log(sum(exp(x))) over axes, with the maximum subtracted first."""
    top = xp.max(x, axis=axis, keepdims=True)
    total = xp.sum(xp.exp(_below(xp, x, top)), axis=axis, keepdims=keepdims)
    return xp.add(xp.log(total), top if keepdims else xp.sum(top, axis=axis, keepdims=False))


def log_softmax(xp: Any, x: Value, axis: int) -> Value:
    """x - log(sum(exp(x))) along an axis, with the maximum subtracted first.

    A row that is all -inf stays so: its softmax is a row of zeros.
    """
    shifted = _below(xp, x, xp.max(x, axis=axis, keepdims=True))
    total = xp.sum(xp.exp(shifted), axis=axis, keepdims=True)
    return xp.subtract(shifted, xp.log(xp.maximum(total, 1)))  # the largest gives 1, if it is not -inf


def cross_entropy(xp: Any, x: Value, labels: Value) -> Value:
    """The negative log-probability of each label."""
    return xp.negative(xp.pick(x, labels))


def dropout(xp: Any, x: Value, mask: Value, rate: float) -> Value:
    """``x`` where the mask is true, divided by the rate that is kept."""
    scale = 1.0 / (1.0 - rate) if rate < 1.0 else 0.0
    return xp.where(xp.alike(mask, x, reason="a dropout mask has the shape of the operand"), xp.multiply(x, scale), 0)


def item(xp: Any, x: Value, position: int) -> Value:
    """One part of a tuple."""
    return x[position]


def tuple(xp: Any, operands: Value) -> Value:
    """Several values as one."""
    return operands


def stop_gradient(xp: Any, x: Value) -> Value:
    """``x``; deltas end here."""
    return x


def running_average(xp: Any, x: Value, average: Value) -> Value:
    """``x``; what the average is told is not a matter of values."""
    return x


def ones_like(xp: Any, like: Value) -> Value:
    """1 in the kind of the pattern."""
    return xp.add(xp.zeros_like(like), 1)
