"""The names that the Array API standard lacks, each written once in standard names.

Every namespace that has no faster kernel of its own takes these, so that each of them exists everywhere.
"""

from __future__ import annotations

from typing import Any

from layertree.layers._convolution import conv2d, max_pool2d

__all__ = [
    "conv2d",
    "cross_entropy",
    "dropout",
    "item",
    "log_softmax",
    "max_pool2d",
    "ones_like",
    "relu",
    "running_average",
    "sigmoid",
    "stop_gradient",
    "tuple",
]

Value = Any


def sigmoid(xp: Any, x: Value) -> Value:
    """1 / (1 + exp(-x)): where exp overflows, the limit 0 is exact."""
    return xp.divide(1.0, xp.add(1.0, xp.exp(xp.negative(x))))


def relu(xp: Any, x: Value) -> Value:
    """max(x, 0); NaN stays NaN."""
    return xp.maximum(x, 0)


def log_softmax(xp: Any, x: Value, axis: int) -> Value:
    """x - log(sum(exp(x))) along an axis, with the maximum subtracted first.

    A row that is all -inf stays so: its softmax is a row of zeros.
    """
    top = xp.max(x, axis=axis, keepdims=True)
    shifted = xp.subtract(x, xp.where(xp.equal(top, -float("inf")), 0, top))
    total = xp.sum(xp.exp(shifted), axis=axis, keepdims=True)
    return xp.subtract(shifted, xp.where(xp.equal(total, 0), 0, xp.log(total)))


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
