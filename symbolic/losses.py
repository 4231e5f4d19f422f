"""Losses: formulas of a mean over elements or rows, and the accuracy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from layertree import Layer, Tape
from layertree.core.attribute import Rule
from layertree.core.public import listed
from layertree.core.spec import spec_text
from symbolic.building.checks import in_shape_of, narrowed, widened
from symbolic.building.operations import apply, as_symbolic
from symbolic.core.symbolic import Symbolic
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
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

    _Loss: TypeAlias = Callable[[AnyFormula, AnyFormula], AnyFormula]
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


def __dir__() -> list[str]:
    return listed(globals())


_REDUCTIONS = ("mean", "sum", "none", "parts")


def log_softmax(x: Layer[In, Shaped[S, R]], /, *, axis: int = -1) -> Result[In, S, R]:
    """The logarithm of the softmax, stable at any magnitude; of an axis without elements an empty array."""
    return apply("log_softmax", x, axis=axis)


def softmax(x: Layer[In, Shaped[S, R]], /, *, axis: int | tuple[int, ...] = -1) -> Result[In, S, R]:
    """exp(x) / sum(exp(x)) over axes, stable at any magnitude; a row of -inf alone gives zeros.

    Of an axis without elements it is an empty array.
    """
    return apply("softmax", x, axis=axis)


@typed(of_logits_and_labels)
def cross_entropy(
    logits: object,
    labels: object,
    /,
    *,
    ignore: int | None = None,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> AnyFormula:
    """The cross entropy of the softmax of ``logits`` (..., classes) with integer ``labels`` (...) or probabilities.

    Rows whose label is ``ignore`` count neither in the sum nor in the mean; without any other row the loss is 0;
    ``ignore`` with probabilities is a ValueError. With
    smoothing s the loss is (1 - s) times that of the label plus s times the mean over all classes (Szegedy et al.,
    2016).

    ``reduction`` is "mean", "sum", "none", or "parts" for the pair (sum, count).

    Running it raises IndexRangeError for a label outside of 0 to classes - 1.
    """
    if reduction not in _REDUCTIONS:
        raise ValueError(f"cross_entropy: reduction = {reduction!r} is not allowed: give one of {_REDUCTIONS}")
    label_smoothing = Rule(0.0, 1.0, None).conform(label_smoothing, float, "cross_entropy: label_smoothing")
    ignore = Rule(None, None, None).conform(ignore, int | None, "cross_entropy: ignore")
    log_p, target = apply("log_softmax", logits, axis=-1), as_symbolic(labels)
    counted: AnyFormula | None = None
    if target.dtype.kind == "f":
        if ignore is not None:
            raise ValueError(
                f"cross_entropy: ignore = {ignore} is for integer labels, and the target is {spec_text(target.spec)}, "
                'probabilities: multiply the rows of reduction="none" by 0 instead'
            )
        loss = _of_probabilities(log_p, target)
    else:
        if ignore is not None:
            counted = apply("not_equal", target, ignore)
            target = apply("where", counted, target, 0)
        loss = apply("cross_entropy", log_p, target)
    if label_smoothing:
        mean = apply("mean", log_p, axis=-1)
        loss = apply(
            "subtract", apply("multiply", 1.0 - label_smoothing, loss), apply("multiply", label_smoothing, mean)
        )
    return _reduced(loss, counted, reduction)


def _of_probabilities(log_p: AnyFormula, target: AnyFormula) -> AnyFormula:
    """The cross entropy of each row with probabilities.

    0 log 0 is 0. The logarithm in that product alone is masked, so that the loss still has a gradient by a
    probability of 0.
    """
    reason = "cross_entropy: probabilities have the shape of the logits"
    is_zero = apply("bitwise_and", apply("equal", target, 0), apply("equal", log_p, -float("inf")))
    finite = apply("where", is_zero, 0, log_p)
    product = apply("multiply", in_shape_of(target, log_p, reason), finite)
    return apply("negative", apply("sum", product, axis=-1))


def _reduced(loss: AnyFormula, counted: AnyFormula | None, reduction: str) -> AnyFormula:
    """A loss of each element or row, reduced over those that are counted."""
    if counted is not None:
        loss = apply("where", counted, loss, 0)
    if reduction == "none":
        return loss
    if reduction == "mean" and loss.dtype == np.float16:  # sum and count may be too large for float16
        return narrowed(_reduced(widened(loss), counted, reduction), loss)
    total = apply("sum", loss)
    if reduction == "sum":
        return total
    ones = apply("ones_like", loss) if counted is None else apply("astype", counted, dtype=loss.dtype)
    count = apply("sum", ones)
    if reduction == "parts":
        return apply("tuple", (total, count))
    return apply("divide", total, apply("maximum", count, 1))


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
def mean_squared_error(prediction: object, target: object, /, *, reduction: str = "mean") -> AnyFormula:
    """The mean of the squared differences, 0 for no elements.

    The target has the shape of the prediction, without broadcasting. ``reduction`` is "mean", "sum", "none", or
    "parts" for the pair (sum, count).
    """
    return _compared("mean_squared_error", prediction, target, reduction, _squared_error)


@typed(mean_squared_error)
def mean_absolute_error(prediction: object, target: object, /, *, reduction: str = "mean") -> AnyFormula:
    """The mean of the magnitudes of the differences, 0 for no elements.

    The target and ``reduction`` are those of ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> mean_absolute_error(placeholder(float), 1.0).predict(3.5)
    2.5
    """
    return _compared("mean_absolute_error", prediction, target, reduction, _absolute_error)


@typed(mean_squared_error)
def hinge(prediction: object, target: object, /, *, reduction: str = "mean") -> AnyFormula:
    """The mean of ``max(0, 1 - prediction * target)`` for targets -1 and 1 (Cortes and Vapnik, 1995).

    It is 0 for no elements. The target has the shape of the prediction, and ``reduction`` is that of
    ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> hinge(placeholder(float), -1.0).predict(0.5)
    1.5
    """
    return _compared("hinge", prediction, target, reduction, _hinge)


@typed(mean_squared_error)
def binary_cross_entropy(logits: object, target: object, /, *, reduction: str = "mean") -> AnyFormula:
    """The mean cross entropy of ``sigmoid(logits)`` with probabilities of class 1, 0 for no elements.

    Stable at any magnitude. The target has the shape of the logits. ``reduction`` is that of ``mean_squared_error``.

    >>> from symbolic import placeholder
    >>> binary_cross_entropy(placeholder(float), 0.0).predict(1000.0)
    1000.0
    """
    return _compared("binary_cross_entropy", logits, target, reduction, _binary_cross_entropy)


def _squared_error(x: AnyFormula, y: AnyFormula) -> AnyFormula:
    return apply("multiply", apply("subtract", x, y), apply("subtract", x, y))


def _absolute_error(x: AnyFormula, y: AnyFormula) -> AnyFormula:
    return apply("abs", apply("subtract", x, y))


def _hinge(x: AnyFormula, y: AnyFormula) -> AnyFormula:
    return apply("relu", apply("subtract", 1.0, apply("multiply", x, y)))


def _binary_cross_entropy(x: AnyFormula, y: AnyFormula) -> AnyFormula:
    """softplus(low) - doubt * low for low = -abs(x), where ``doubt`` is the probability of the less likely class.

    For a certain target ``doubt`` is 0, and the rest is accurate relatively. The branch at 0 is smooth, unlike abs.
    """
    is_positive = apply("greater", x, 0)
    low = apply("where", is_positive, apply("negative", x), x)
    doubt = apply("where", is_positive, apply("subtract", 1.0, y), y)
    is_certain = apply("bitwise_and", apply("equal", doubt, 0), apply("equal", low, -float("inf")))
    return apply("subtract", apply("softplus", low), apply("multiply", doubt, apply("where", is_certain, 0, low)))


def _compared(name: str, prediction: object, target: object, reduction: str, loss: _Loss) -> AnyFormula:
    """A loss of each element of a prediction and the same element of the target, reduced."""
    if reduction not in _REDUCTIONS:
        raise ValueError(f"{name}: reduction = {reduction!r} is not allowed: give one of {_REDUCTIONS}")
    predicted = as_symbolic(prediction)
    wanted = in_shape_of(target, predicted, f"{name}: the target has the shape of the prediction")
    return _reduced(loss(predicted, wanted), None, reduction)


@overload
def accuracy(logits: LooseRank[Given[X], R], labels: Array[Given[X], Any, W], /) -> Result0[Given[X], np.float32]: ...
@overload
def accuracy(logits: Rank2[Given[X], A, B, R], labels: Array1[Given[X], A, W], /) -> Result0[Given[X], np.float32]: ...
@overload
def accuracy(
    logits: Rank3[Given[X], A, B, C, R], labels: Array2[Given[X], A, B, W], /
) -> Result0[Given[X], np.float32]: ...
def accuracy(logits: object, labels: object, /) -> AnyFormula:
    """The share of rows whose largest logit is that of the label: a metric, without a gradient."""
    best = apply("argmax", logits, axis=-1)
    hit = apply("equal", best, in_shape_of(labels, best, "accuracy: there is one label for each row"))
    return apply("mean", apply("astype", hit, dtype=np.dtype(np.float32)))
