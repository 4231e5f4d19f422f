"""Definitions: the functions that the Array API standard lacks, each written once in functions of the standard.

A namespace without a kernel of its own for a function uses the definition, so every namespace has every function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from layertree.core.namespace import Namespace
from layertree.core.value import Axes, Value
from layertree.layers._convolution import conv2d, max_pool2d, max_unpool2d
from layertree.layers._gates import FAR, gelu_tanh_gate

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

V = TypeVar("V")


def sigmoid(xp: Namespace[V], x: V) -> V:
    """1 / (1 + exp(-x)); where exp overflows, the quotient is the limit 0."""
    return xp.divide(1.0, xp.add(1.0, xp.exp(xp.negative(x))))


def silu(xp: Namespace[V], x: V) -> V:
    """x * sigmoid(x); at -inf 0."""
    return xp.multiply(xp.maximum(x, -FAR), xp.sigmoid(x))


def gelu_tanh(xp: Namespace[V], x: V) -> V:
    """x * gelu_tanh_gate(x); at -inf 0."""
    return xp.multiply(xp.maximum(x, -FAR), xp.gelu_tanh_gate(x))


def relu(xp: Namespace[V], x: V) -> V:
    """max(x, 0); of NaN NaN."""
    return xp.maximum(x, 0)


def softplus(xp: Namespace[V], x: V) -> V:
    """log(1 + exp(x)) as max(x, 0) + log1p(exp(-abs(x))), of which exp never overflows."""
    return xp.add(xp.maximum(x, 0), xp.log1p(xp.exp(xp.negative(xp.abs(x)))))


def vector_norm(xp: Namespace[V], x: V, axis: Axes, keepdims: bool) -> V:
    """The Euclidean norm over axes."""
    return xp.sqrt(xp.sum(xp.multiply(x, x), axis=axis, keepdims=keepdims))


def _below(xp: Namespace[V], x: V, top: V) -> V:
    """``x - top``, where the maximum ``top`` of a row may be -inf: the row then stays -inf instead of NaN."""
    dtype = np.dtype(xp.dtype(x))
    return xp.subtract(x, xp.maximum(top, float(np.finfo(dtype).min)) if dtype.kind == "f" else top)


def _above(xp: Namespace[V], x: V, top: V) -> V:
    """The maximum ``top`` of rows of ``x``, where it is inf the largest finite number: ``x - top`` is inf or finite."""
    dtype = np.dtype(xp.dtype(x))
    return xp.minimum(top, float(np.finfo(dtype).max)) if dtype.kind == "f" else top


def _empty(xp: Namespace[V], x: V, axis: Axes) -> V:
    """The result of a softmax of no elements, which have no maximum: of the operand's shape, in a float dtype."""
    return xp.add(xp.exp(x), xp.sum(x, axis=axis, keepdims=True))  # the sum refuses an axis out of range


def softmax(xp: Namespace[V], x: V, axis: Axes) -> V:
    """exp(x) / sum(exp(x)) over axes, with the maximum subtracted first; zeros where all elements are -inf.

    Where elements are inf, these share 1 evenly. Without elements the result is empty.
    """
    if 0 in xp.shape(x):
        return _empty(xp, x, axis)
    top = _above(xp, x, xp.max(x, axis=axis, keepdims=True))
    share = xp.exp(xp.minimum(_below(xp, x, top), 0))
    total = xp.sum(share, axis=axis, keepdims=True)
    return xp.divide(share, xp.maximum(total, 1))  # the maximum contributes 1, unless it is -inf


def logsumexp(xp: Namespace[V], x: V, axis: Axes, keepdims: bool) -> V:
    """log(sum(exp(x))) over axes, with the maximum subtracted first; inf where an element is inf."""
    top = xp.max(x, axis=axis, keepdims=True)
    total = xp.sum(xp.exp(_below(xp, x, _above(xp, x, top))), axis=axis, keepdims=keepdims)
    return xp.add(xp.log(total), top if keepdims else xp.sum(top, axis=axis, keepdims=False))


def log_softmax(xp: Namespace[V], x: V, axis: int) -> V:
    """x - log(sum(exp(x))) along an axis, with the maximum subtracted first; -inf where all elements are -inf.

    Where an element is inf, the row is NaN: another operation on each element would slow every training step.
    """
    if 0 in xp.shape(x):
        return _empty(xp, x, axis)
    shifted = _below(xp, x, xp.max(x, axis=axis, keepdims=True))
    total = xp.sum(xp.exp(shifted), axis=axis, keepdims=True)
    return xp.subtract(shifted, xp.log(xp.maximum(total, 1)))  # the maximum contributes 1, unless it is -inf


def cross_entropy(xp: Namespace[V], x: V, labels: V) -> V:
    """The negative log-probability of each label."""
    return xp.negative(xp.pick(x, labels))


def dropout(xp: Namespace[V], x: V, mask: V, rate: float) -> V:
    """``x`` where the mask is true, divided by 1 - rate (inverted dropout, Srivastava et al., 2014); else 0."""
    scale = 1.0 / (1.0 - rate) if rate < 1.0 else 0.0
    return xp.where(xp.alike(mask, x, reason="a dropout mask has the shape of the operand"), xp.multiply(x, scale), 0)


def item(xp: Namespace[V], x: Sequence[Value], position: int) -> Value:
    """One part of a tuple."""
    return x[position]


def tuple(xp: Namespace[V], operands: Value) -> Value:
    """Several values as one: a tuple."""
    return operands


def stop_gradient(xp: Namespace[V], x: V) -> V:
    """``x``: the identity, to which the layer StopGradient gives no gradient."""
    return x


def running_average(xp: Namespace[V], x: V, average: V) -> V:
    """``x`` in the dtype of the average, which replaces ``x`` in inference mode; the contribution is a side effect."""
    return xp.cast_like(x, average)


def ones_like(xp: Namespace[V], like: V) -> V:
    """Ones in the shape and dtype of a pattern."""
    return xp.add(xp.zeros_like(like), 1)
