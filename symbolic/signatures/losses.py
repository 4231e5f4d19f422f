"""The types of losses of logits and labels."""
# mypy: disable-error-code="overload-overlap"
# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict, overload

from typing_extensions import Unpack

from layertree import Layer
from symbolic.signatures.arrays import *

Total: TypeAlias = Literal["mean", "sum"]
Parts: TypeAlias = Literal["parts"]
Each: TypeAlias = Literal["none"]


class OfProbabilities(TypedDict, total=False):
    """The options for labels that are probabilities."""

    label_smoothing: float


class OfLabels(OfProbabilities, total=False):
    """The options for labels that are integers."""

    ignore: int | None


@overload
def cross_entropy(
    logits: LooseRank[Given[X], R],
    labels: Array[Given[X], Any, N],
    /,
    *,
    reduction: Total = ...,
    **options: Unpack[OfLabels],
) -> Result0[Given[X], R]: ...
@overload
def cross_entropy(
    logits: AnyRank[Given[X], R],
    labels: Array[Given[X], Guard, W],
    /,
    *,
    reduction: Total = ...,
    **options: Unpack[OfLabels],
) -> Result0[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Rank2[Given[X], A, B, R],
    labels: Array1[Given[X], A, W],
    /,
    *,
    reduction: Total = ...,
    **options: Unpack[OfLabels],
) -> Result0[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Rank3[Given[X], A, B, C, R],
    labels: Array2[Given[X], A, B, W],
    /,
    *,
    reduction: Total = ...,
    **options: Unpack[OfLabels],
) -> Result0[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[S, R]],
    labels: Array[Given[X], S, R],
    /,
    *,
    reduction: Total = ...,
    **options: Unpack[OfProbabilities],
) -> Result0[Given[X], R]: ...
@overload
def cross_entropy(
    logits: LooseRank[Given[X], R], labels: Array[Given[X], Any, N], /, *, reduction: Parts, **options: Unpack[OfLabels]
) -> Pair[Given[X], R]: ...
@overload
def cross_entropy(
    logits: AnyRank[Given[X], R], labels: Array[Given[X], Guard, W], /, *, reduction: Parts, **options: Unpack[OfLabels]
) -> Pair[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Rank2[Given[X], A, B, R],
    labels: Array1[Given[X], A, W],
    /,
    *,
    reduction: Parts,
    **options: Unpack[OfLabels],
) -> Pair[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Rank3[Given[X], A, B, C, R],
    labels: Array2[Given[X], A, B, W],
    /,
    *,
    reduction: Parts,
    **options: Unpack[OfLabels],
) -> Pair[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Layer[Given[X], Shaped[S, R]],
    labels: Array[Given[X], S, R],
    /,
    *,
    reduction: Parts,
    **options: Unpack[OfProbabilities],
) -> Pair[Given[X], R]: ...
@overload
def cross_entropy(
    logits: LooseRank[Given[X], R], labels: Array[Given[X], Any, N], /, *, reduction: Each, **options: Unpack[OfLabels]
) -> LooseResult[Given[X], R]: ...
@overload
def cross_entropy(
    logits: AnyRank[Given[X], R], labels: Array[Given[X], Guard, W], /, *, reduction: Each, **options: Unpack[OfLabels]
) -> LooseResult[Given[X], R]: ...
@overload
def cross_entropy(
    logits: Rank2[Given[X], A, B, R], labels: Array1[Given[X], A, W], /, *, reduction: Each, **options: Unpack[OfLabels]
) -> Result1[Given[X], A, R]: ...
@overload
def cross_entropy(
    logits: Rank3[Given[X], A, B, C, R],
    labels: Array2[Given[X], A, B, W],
    /,
    *,
    reduction: Each,
    **options: Unpack[OfLabels],
) -> Result2[Given[X], A, B, R]: ...
@overload
def cross_entropy(
    logits: Rank2[Given[X], A, B, R],
    labels: Array2[Given[X], A, B, R],
    /,
    *,
    reduction: Each,
    **options: Unpack[OfProbabilities],
) -> Result1[Given[X], A, R]: ...
@overload
def cross_entropy(
    logits: Rank3[Given[X], A, B, C, R],
    labels: Array3[Given[X], A, B, C, R],
    /,
    *,
    reduction: Each,
    **options: Unpack[OfProbabilities],
) -> Result2[Given[X], A, B, R]: ...
def cross_entropy(logits: object, labels: object, /, *, reduction: str = "mean", **options: Unpack[OfLabels]) -> object:
    """The loss of logits (..., classes) with labels (...) or with probabilities (..., classes)."""
