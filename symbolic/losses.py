"""Losses: formulas whose value is the mean over what counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from layertree import Layer, Tape
from layertree._attribute import Rule
from symbolic.building.operations import apply, as_symbolic
from symbolic.core.symbolic import Symbolic
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.signatures.arrays import (
        A,
        Array,
        Array1,
        Array2,
        B,
        C,
        Given,
        In,
        LooseRank,
        Operand,
        R,
        Rank2,
        Rank3,
        Result,
        Result0,
        S,
        Shaped,
        W,
        X,
    )
    from symbolic.signatures.losses import cross_entropy as of_logits_and_labels
else:
    of_logits_and_labels = None

__all__ = [
    "accuracy",
    "binary_cross_entropy",
    "cross_entropy",
    "hinge",
    "log_softmax",
    "mean_absolute_error",
    "mean_squared_error",
    "softmax",
]

_REDUCTIONS = ("mean", "sum", "none", "parts")


def log_softmax(x: Layer[In, Shaped[S, R]], /, *, axis: int = -1) -> Result[In, S, R]:
    """The logarithm of the softmax, stable at any magnitude."""
    return apply("log_softmax", x, axis=axis)


def softmax(x: Layer[In, Shaped[S, R]], /, *, axis: int | tuple[int, ...] = -1) -> Result[In, S, R]:
    """exp(x) / sum(exp(x)) over axes, stable at any magnitude; a row that is all -inf gives zeros."""
    return apply("softmax", x, axis=axis)


@typed(of_logits_and_labels)
def cross_entropy(
    logits: Any, labels: Any, /, *, ignore: int | None = None, label_smoothing: float = 0.0, reduction: str = "mean"
) -> Any:
    """The cross entropy of the softmax of ``logits`` (..., classes) with integer ``labels`` (...) or probabilities.

    Rows whose label is ``ignore`` count neither in the sum nor in the mean; where nothing counts the loss is 0. With
    smoothing s the loss is (1 - s) of the label's and s of the mean over all classes (Szegedy et al., 2016).
    ``reduction`` is "mean", "sum", "none", or "parts" for the pair (sum, count).

    Running it raises IndexRangeError for a label outside of 0 to classes - 1.
    """
    if reduction not in _REDUCTIONS:
        raise ValueError(f"cross_entropy: reduction = {reduction!r} is not allowed: give one of {_REDUCTIONS}")
    label_smoothing = Rule(0.0, 1.0, None).conform(label_smoothing, float, "cross_entropy: label_smoothing")
    ignore = Rule(None, None, None).conform(ignore, int | None, "cross_entropy: ignore")
    log_p, labels = log_softmax(as_symbolic(logits)), as_symbolic(labels)
    counted: Any = None
    if labels.dtype.kind == "f":
        # 0 log 0 is 0: the one product that is masked, so that a class of probability 0 still has its slope.
        product = (
            apply("alike", labels, log_p, reason="cross_entropy: probabilities have the shape of the logits") * log_p
        )
        loss = -apply("sum", apply("where", (labels == 0) & (log_p == -float("inf")), 0, product), axis=-1)
    else:
        if ignore is not None:
            counted = labels != ignore
            labels = apply("where", counted, labels, 0)
        loss = apply("cross_entropy", log_p, labels)
    if label_smoothing:
        loss = (1.0 - label_smoothing) * loss - label_smoothing * apply("mean", log_p, axis=-1)
    return _reduced(loss, counted, reduction)


def _reduced(loss: Any, counted: Any, reduction: str) -> Any:
    if counted is not None:
        loss = apply("where", counted, loss, 0)
    if reduction == "none":
        return loss
    total = apply("sum", loss)
    if reduction == "sum":
        return total
    ones = apply("ones_like", loss) if counted is None else apply("astype", counted, dtype=loss.dtype)
    count = apply("sum", ones)
    return apply("tuple", (total, count)) if reduction == "parts" else total / apply("maximum", count, 1)


@overload
def mean_squared_error(
    prediction: Layer[Given[X], Shaped[S, R]],
    target: Array[Given[X], S, R],
    /,
    *,
    reduction: Literal["mean", "sum"] = ...,
) -> Result0[Given[X], R]: ...
@overload
def mean_squared_error(
    prediction: Layer[Given[X], Tape[float, float]],
    target: Operand[Given[X], float],
    /,
    *,
    reduction: Literal["mean", "sum", "none"] = ...,
) -> Result0[Given[X], float]: ...
@overload
def mean_squared_error(
    prediction: Layer[Given[X], Shaped[S, R]], target: Array[Given[X], S, R], /, *, reduction: Literal["none"]
) -> Result[Given[X], S, R]: ...
@overload
def mean_squared_error(
    prediction: Layer[Given[X], Shaped[S, R]], target: Array[Given[X], S, R], /, *, reduction: Literal["parts"]
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
def mean_squared_error(prediction: Any, target: Any, /, *, reduction: str = "mean") -> Any:
    """The mean of the squared differences, 0 of nothing.

    The target has the shape of the prediction: they are not broadcast. ``reduction`` is "mean", "sum", "none", or
    "parts" for the pair (sum, count).
    """
    return _compared("mean_squared_error", prediction, target, reduction, lambda x, y: (x - y) * (x - y))


@typed(mean_squared_error)
def mean_absolute_error(prediction: Any, target: Any, /, *, reduction: str = "mean") -> Any:
    """The mean of the magnitudes of the differences, 0 of nothing; the rest is as for ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> mean_absolute_error(placeholder(float), 1.0).predict(3.5)
    2.5
    """
    return _compared("mean_absolute_error", prediction, target, reduction, lambda x, y: apply("abs", x - y))


@typed(mean_squared_error)
def hinge(prediction: Any, target: Any, /, *, reduction: str = "mean") -> Any:
    """The mean of ``max(0, 1 - prediction * target)`` for targets -1 and 1, 0 of nothing (Cortes and Vapnik, 1995).

    The target has the shape of the prediction. ``reduction`` is as for ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> hinge(placeholder(float), -1.0).predict(0.5)
    1.5
    """
    return _compared("hinge", prediction, target, reduction, lambda x, y: apply("relu", 1.0 - x * y))


@typed(mean_squared_error)
def binary_cross_entropy(logits: Any, target: Any, /, *, reduction: str = "mean") -> Any:
    """The mean cross entropy of ``sigmoid(logits)`` with probabilities of yes, 0 of nothing.

    Stable at any magnitude. The target has the shape of the logits. ``reduction`` is as for ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> binary_cross_entropy(placeholder(float), 0.0).predict(1000.0)
    1000.0
    """
    return _compared("binary_cross_entropy", logits, target, reduction, lambda x, y: apply("softplus", x) - x * y)


def _compared(name: str, prediction: Any, target: Any, reduction: str, loss: Callable[[Any, Any], Any]) -> Any:
    """A loss of each element of a prediction and the one of its target, reduced."""
    if reduction not in _REDUCTIONS:
        raise ValueError(f"{name}: reduction = {reduction!r} is not allowed: give one of {_REDUCTIONS}")
    prediction = as_symbolic(prediction)
    target = apply("alike", target, prediction, reason=f"{name}: the target has the shape of the prediction")
    return _reduced(loss(prediction, target), None, reduction)


@overload
def accuracy(logits: LooseRank[Given[X], R], labels: Array[Given[X], Any, W], /) -> Result0[Given[X], np.float32]: ...
@overload
def accuracy(logits: Rank2[Given[X], A, B, R], labels: Array1[Given[X], A, W], /) -> Result0[Given[X], np.float32]: ...
@overload
def accuracy(
    logits: Rank3[Given[X], A, B, C, R], labels: Array2[Given[X], A, B, W], /
) -> Result0[Given[X], np.float32]: ...
def accuracy(logits: Any, labels: Any, /) -> Any:
    """The share of rows whose largest logit is at the label: a metric, without a gradient."""
    best = apply("argmax", logits, axis=-1)
    hit = best == apply("alike", labels, best, reason="accuracy: there is one label for each row")
    return apply("mean", apply("astype", hit, dtype=np.dtype(np.float32)))
