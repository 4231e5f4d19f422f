"""Losses: formulas whose value is the mean over what counts."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, overload

import numpy as np

from layertree import Layer, ShapeError, Tape
from layertree._attribute import Rule
from layertree._formula_text import brief_formula
from layertree._spec import spec_text
from layertree.namespaces.spec._dims import same_dim
from symbolic._arrays import A, Array, B, C, D, Guard, In, Loose, Operand, R, S, Shaped, W
from symbolic._build import apply, as_symbolic
from symbolic._symbolic import Symbolic

__all__ = ["accuracy", "cross_entropy", "log_softmax", "mean_squared_error", "softmax"]

N = TypeVar("N", bound=np.number[Any])

_REDUCTIONS = ("mean", "sum", "none", "parts")


def log_softmax(x: Layer[In, Tape[D, D]], /, *, axis: int = -1) -> Symbolic[In, Tape[D, D]]:
    """The logarithm of the softmax, stable at any magnitude."""
    return apply("log_softmax", x, axis=axis)


def softmax(x: Layer[In, Tape[D, D]], /, *, axis: int = -1) -> Symbolic[In, Tape[D, D]]:
    """exp(x) / sum(exp(x)) along an axis; a row that is all -inf gives zeros."""
    return apply("exp", log_softmax(x, axis=axis))


@overload
def cross_entropy(
    logits: Layer[In, Shaped[Guard, R]],
    labels: Array[In, Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[Any, R]],
    labels: Array[In, Guard, W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[tuple[A, B], R]],
    labels: Array[In, tuple[A], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[tuple[A, B, C], R]],
    labels: Array[In, tuple[A, B], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[S, R]],
    labels: Array[In, S, R],
    /,
    *,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[Any, R]],
    labels: Array[In, Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[In, Shaped[Loose, R]]: ...
@overload
def cross_entropy(
    logits: Layer[In, Shaped[Any, R]],
    labels: Array[In, Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[In, Tape[tuple[R, R], tuple[R, R]]]: ...
def cross_entropy(
    logits: Any,
    labels: Any,
    /,
    *,
    ignore: int | None = None,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
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
        _require_alike("cross_entropy", log_p, labels, "probabilities have the shape of the logits")
        loss = -apply("sum", apply("where", labels == 0, 0, labels * log_p), axis=-1)
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


def _require_alike(loss: str, first: Any, second: Any, reason: str) -> None:
    """ShapeError unless two operands have one shape: broadcast against each other they would give another loss."""
    one, other = first.shape, second.shape
    if len(one) != len(other) or any(same_dim(a, b) is NotImplemented for a, b in zip(one, other, strict=True)):
        operands = ", ".join(f"{brief_formula(x)}: {spec_text(x.spec)}" for x in (first, second))
        raise ShapeError(f"{loss}({operands}): {reason}")


@overload
def mean_squared_error(prediction: Layer[In, Shaped[S, R]], target: Array[In, S, R], /) -> Symbolic[In, Tape[R, R]]: ...
@overload
def mean_squared_error(
    prediction: Layer[In, Tape[float, float]], target: Operand[In, float], /
) -> Symbolic[In, Tape[float, float]]: ...
def mean_squared_error(prediction: Any, target: Any, /) -> Any:
    """The mean of the squared differences."""
    prediction, target = as_symbolic(prediction), as_symbolic(target)
    _require_alike("mean_squared_error", prediction, target, "the target has the shape of the prediction")
    difference = prediction - target
    return apply("mean", difference * difference)


def accuracy(
    logits: Layer[In, Shaped[Any, R]], labels: Array[In, Any, W], /
) -> Symbolic[In, Tape[np.float32, np.float32]]:
    """The share of rows whose largest logit is at the label: a metric, without a gradient."""
    best, wanted = apply("argmax", logits, axis=-1), as_symbolic(labels)
    _require_alike("accuracy", best, wanted, "there is one label for each row")
    hit = best == wanted
    return apply("mean", apply("astype", hit, dtype=np.dtype(np.float32)))
