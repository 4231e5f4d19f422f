"""The conventions of functions along axes: reductions, scans, probabilities, pooling, indexing, joining."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree import (
    Concat,
    CrossEntropy,
    CumulativeProd,
    CumulativeSum,
    LinearRecurrence,
    LogSoftmax,
    LogSumExp,
    Max,
    MaxPool2D,
    Mean,
    Min,
    Prod,
    Softmax,
    Sum,
    Take,
    VectorNorm,
)
from tests.layers.conventions.case import INF, NAN, Case, X, array


def image(*rows: list[float]) -> Any:
    """One image of one channel."""
    return np.array(rows, dtype=float)[None, :, :, None]


HALVES: Any = np.full(100_000, 0.5, np.float16)
STEPS: Any = np.arange(1, 3001)


def tiny(value: float) -> Any:
    """As many equal float16 elements as ``HALVES`` has."""
    return np.full(len(HALVES), value, np.float16)


def steps(value: float) -> Any:
    """As many equal float16 elements as ``STEPS`` has."""
    return np.full(len(STEPS), value, np.float16)


CASES = [
    Case("max-three-ties", Max(X), array(1, 4, 4, 4), 4.0, 3.0, array(0, 1, 1, 1)),
    Case("min-three-ties", Min(X), array(1, 1, 1, 4), 1.0, 3.0, array(1, 1, 1, 0)),
    Case("max-all-ties", Max(X, axis=1), np.ones((2, 4)), array(1, 1), array(4, 8), array([1] * 4, [2] * 4)),
    Case("max-of-inf", Max(X), array(INF, 1, INF), INF, 3.0, array(1.5, 0, 1.5)),
    Case(
        "max-pool-four-ties",
        MaxPool2D(X, (2, 2), (2, 2)),
        image([1, 1, 0, 5], [1, 1, 5, 5]),
        image([1, 5]),
        image([4, 6]),
        image([1, 1, 0, 2], [1, 1, 2, 2]),
    ),
    Case(
        "max-pool-padding-never-wins",
        MaxPool2D(X, (2, 2), (2, 2), padding=(1, 1)),
        image([-1, -2], [-3, -4]),
        image([-1, -2], [-3, -4]),
        image([2, 3], [5, 7]),
        image([2, 3], [5, 7]),
    ),
    Case(
        "max-pool-of-inf",
        MaxPool2D(X, (2, 2), (2, 2), padding=(1, 1)),
        image([INF, 1]),
        image([INF, 1]),
        image([2, 3]),
        image([2, 3]),
    ),
    Case(
        "max-pool-overlap-adds",
        MaxPool2D(X, (1, 2), (1, 1)),
        image([1, 9, 2]),
        image([9, 9]),
        image([2, 3]),
        image([0, 5, 0]),
    ),
    Case("prod-with-a-zero", Prod(X), array(2, 0, 3), 0.0, 1.0, array(0, 6, 0)),
    Case("prod-with-two-zeros", Prod(X), array(2, 0, 3, 0), 0.0, 1.0, array(0, 0, 0, 0)),
    Case("prod-that-overflows", Prod(X), array(1e200, 1e-200, 1e200), 1e200, 1.0, array(1, INF, 1)),
    Case("prod-of-nothing", Prod(X), np.ones((0, 2)), 1.0, 1.0, np.ones((0, 2))),
    Case(
        "cumulative-prod-with-zeros",
        CumulativeProd(X, axis=0),
        array(2, 0, 3, 0, 5),
        array(2, 0, 0, 0, 0),
        array(1, 1, 1, 1, 1),
        array(1, 2 + 6, 0, 0, 0),
    ),
    Case(
        "cumulative-sum",
        CumulativeSum(X, axis=0),
        array(1, 2, 4),
        array(1, 3, 7),
        array(1, 10, 100),
        array(111, 110, 100),
    ),
    Case(
        "recurrence-without-memory",
        LinearRecurrence(np.array([INF, 0.0, 0.0]), X, axis=0),
        array(1, 2, 4),
        array(1, 2, 4),
        array(3, 5, 7),
        array(3, 5, 7),
    ),
    Case("norm-at-0", VectorNorm(X), array(0, 0), 0.0, 3.0, array(0, 0)),
    Case("norm-by-row", VectorNorm(X, axis=1), array([3, 4], [0, 0]), array(5, 0), array(10, 7), array([6, 8], [0, 0])),
    Case("norm-of-number-0", VectorNorm(X), 0.0, 0.0, 3.0, 0.0),
    Case("norm-of-nothing", VectorNorm(X), np.ones((0,)), 0.0, 3.0, np.ones((0,))),
    Case("logsumexp-far-out", LogSumExp(X), array(1000, 1000), 1000 + np.log(2), 3.0, array(1.5, 1.5)),
    Case("logsumexp-of-inf", LogSumExp(X), array(0, INF, -INF), INF, 3.0, array(0, 3, 0)),
    Case("logsumexp-of-several-inf", LogSumExp(X), array(INF, 1e308, INF), INF, 3.0, array(1.5, 0, 1.5)),
    Case("logsumexp-of-inf-and-nan", LogSumExp(X), array(NAN, INF), NAN, 3.0, array(NAN, NAN)),
    Case("softmax-of-inf", Softmax(X), array(0, INF), array(0, 1), array(3, 5), array(0, 0)),
    Case(
        "softmax-of-several-inf",
        Softmax(X),
        array(INF, -INF, INF),
        array(0.5, 0, 0.5),
        array(1, 9, 3),
        array(-0.5, 0, 0.5),
    ),
    Case("softmax-of-nan", Softmax(X), array(NAN, INF), array(NAN, NAN), array(1, 1), array(NAN, NAN)),
    Case("logsumexp-of-impossible", LogSumExp(X), array(-INF, -INF), -INF, 3.0, array(0, 0)),
    Case(
        "logsumexp-with-one-impossible",
        LogSumExp(X, axis=0, keepdims=True),
        array(-INF, 1),
        array(1),
        array(3),
        array(0, 3),
    ),
    Case(
        "softmax-of-nothing-possible",
        Softmax(X),
        array([-INF, -INF], [0, 0]),
        array([0, 0], [0.5, 0.5]),
        array([3, 5], [2, 4]),
        array([0, 0], [-0.5, 0.5]),
    ),
    Case(
        "softmax-far-out", Softmax(X), array(1000, 1000, -1000), array(0.5, 0.5, 0), array(1, 3, 9), array(-0.5, 0.5, 0)
    ),
    Case(
        "log-softmax-of-nothing-possible",
        LogSoftmax(X),
        array([-INF, -INF], [0, 0]),
        array([-INF, -INF], [-np.log(2)] * 2),
        array([3, 5], [2, 4]),
        array([0, 0], [-1, 1]),
    ),
    Case(
        "log-softmax-with-one-impossible",
        LogSoftmax(X),
        array(0, -INF, 0),
        array(-np.log(2), -INF, -np.log(2)),
        array(2, 7, 4),
        array(2 - 6.5, 7, 4 - 6.5),
    ),
    Case("log-softmax-far-out", LogSoftmax(X), array(1000, 0), array(0, -1000), array(1, 2), array(-2, 2)),
    Case(
        "cross-entropy-of-an-impossible-logit",
        CrossEntropy(LogSoftmax(X), np.array([0, 0, 1])),
        array([-INF, 0], [-1e308, 1e308], [1e308, -1e308]),
        array(INF, INF, INF),
        array(1, 1, 2),
        array([-1, 1], [-1, 1], [2, -2]),
    ),
    Case(
        "cross-entropy-of-nothing-possible",
        CrossEntropy(LogSoftmax(X), np.array([0])),
        array([-INF, -INF]),
        array(INF),
        array(3),
        array([0, 0]),
    ),
    Case("cross-entropy-of-impossible", CrossEntropy(X, 1), array(0, -INF), INF, 3.0, array(0, -3)),
    Case("mean-of-nothing", Mean(X), np.ones((0,)), NAN, 1.0, np.ones((0,))),
    Case("sum-of-nothing", Sum(X), np.ones((0, 2)), 0.0, 1.0, np.ones((0, 2))),
    Case("mean-of-many-halves", Mean(X), HALVES, np.float16(0.5), np.float16(1), tiny(1e-5)),
    Case("max-of-many-halves", Max(X), HALVES, np.float16(0.5), np.float16(1), tiny(1e-5)),
    Case("logsumexp-of-many-halves", LogSumExp(X), HALVES, np.float16(12.0129), np.float16(1), tiny(1e-5)),
    Case("softmax-of-many-halves", Softmax(X), HALVES, tiny(1e-5), tiny(1), tiny(0)),
    Case("log-softmax-of-many-halves", LogSoftmax(X), HALVES, tiny(-11.5129), tiny(1), tiny(0)),
    Case(
        "log-softmax-of-many-halves-for-one",
        LogSoftmax(X),
        HALVES,
        tiny(-11.5129),
        np.where(np.arange(len(HALVES)) == 0, tiny(1), tiny(0)),
        np.where(np.arange(len(HALVES)) == 0, tiny(1), tiny(-1e-5)),
    ),
    Case("norm-of-many-halves", VectorNorm(X), HALVES, np.float16(158.114), np.float16(1), tiny(0.00316228)),
    Case("sum-of-many-halves", Sum(X), tiny(0.1), np.float16(9997.56), np.float16(1), tiny(1)),
    Case(
        "cumulative-sum-of-many-halves",
        CumulativeSum(X, axis=0),
        steps(1),
        STEPS.astype(np.float16),
        steps(1),
        STEPS[::-1].astype(np.float16),
    ),
    Case(
        "recurrence-of-many-halves",
        LinearRecurrence(steps(1), X, axis=0),
        steps(1),
        STEPS.astype(np.float16),
        steps(1),
        STEPS[::-1].astype(np.float16),
    ),
    Case(
        "cumulative-prod-of-many-halves",
        CumulativeProd(X, axis=0),
        steps(1),
        steps(1),
        steps(1),
        STEPS[::-1].astype(np.float16),
    ),
    Case(
        "prod-of-many-halves",
        Prod(X),
        steps(1 + 2.0**-10),
        np.float16((1 + 2.0**-10) ** 3000),
        np.float16(1),
        steps((1 + 2.0**-10) ** 2999),
    ),
    Case("repeated-indices-add", Take(X, [1, 1, -1]), array(5, 7, 9), array(7, 7, 9), array(1, 2, 4), array(0, 3, 4)),
    Case("joined-twice-adds", Concat((X, X)), array(1, 2), array(1, 2, 1, 2), array(1, 2, 4, 8), array(5, 10)),
]
