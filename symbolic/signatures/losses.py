"""The type of the cross entropy."""

from __future__ import annotations

from typing import Any, Literal, overload

from layertree import Layer, Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import A, Array, B, C, Given, Guard, Loose, N, R, S, Shaped, W, X


@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Guard, R]],
    labels: Array[Given[X], Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Any, R]],
    labels: Array[Given[X], Guard, W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B], R]],
    labels: Array[Given[X], tuple[A], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B, C], R]],
    labels: Array[Given[X], tuple[A, B], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[S, R]],
    labels: Array[Given[X], S, R],
    /,
    *,
    label_smoothing: float = ...,
    reduction: Literal["mean", "sum"] = ...,
) -> Symbolic[Given[X], Tape[R, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Guard, R]],
    labels: Array[Given[X], Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Any, R]],
    labels: Array[Given[X], Guard, W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B], R]],
    labels: Array[Given[X], tuple[A], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B, C], R]],
    labels: Array[Given[X], tuple[A, B], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[S, R]],
    labels: Array[Given[X], S, R],
    /,
    *,
    label_smoothing: float = ...,
    reduction: Literal["parts"],
) -> Symbolic[Given[X], Tape[tuple[R, R], tuple[R, R]]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Guard, R]],
    labels: Array[Given[X], Any, N],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[Loose, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[Any, R]],
    labels: Array[Given[X], Guard, W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[Loose, R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B], R]],
    labels: Array[Given[X], tuple[A], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[tuple[A], R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B, C], R]],
    labels: Array[Given[X], tuple[A, B], W],
    /,
    *,
    ignore: int | None = ...,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[tuple[A, B], R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B], R]],
    labels: Array[Given[X], tuple[A, B], R],
    /,
    *,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[tuple[A], R]]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[tuple[A, B, C], R]],
    labels: Array[Given[X], tuple[A, B, C], R],
    /,
    *,
    label_smoothing: float = ...,
    reduction: Literal["none"],
) -> Symbolic[Given[X], Shaped[tuple[A, B], R]]: ...
def cross_entropy(
    logits: Any,
    labels: Any,
    /,
    *,
    ignore: int | None = None,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Any:
    """What compares scores of classes (..., classes) with labels (...) or with probabilities (..., classes)."""
