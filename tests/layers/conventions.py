"""Where differences say nothing: kinks, ties, and the edges of a domain. The numeric conventions as cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layertree import (
    Abs,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cbrt,
    Ceil,
    Concat,
    Cosh,
    CrossEntropy,
    CumulativeProd,
    CumulativeSum,
    Divide,
    Dropout,
    Exp,
    ExpandDims,
    Expm1,
    Floor,
    GELUTanh,
    GELUTanhGate,
    Hypot,
    Identity,
    Input,
    Item,
    Layer,
    LinearRecurrence,
    Literal,
    Log,
    Log1p,
    Log2,
    Log10,
    LogAddExp,
    LogSoftmax,
    LogSumExp,
    Max,
    Maximum,
    MaxPool2D,
    Mean,
    Min,
    Minimum,
    Plus,
    Power,
    Prod,
    ReLU,
    Round,
    Sigmoid,
    Sign,
    SiLU,
    Sinh,
    Softmax,
    Softplus,
    Sqrt,
    Sum,
    Take,
    Tanh,
    Times,
    Trunc,
    VectorNorm,
    Where,
    nodes,
)
from layertree.core.spec import spec_of
from layertree.rewrite.derive import push_forward
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers.checks import close, same_kind

X = Identity()
NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """A layer, the value for some input, and the delta of the input for a delta of the value."""

    id: str
    layer: Layer[Any, Any]
    input: Any
    value: Any
    delta: Any
    expected: Any

    @property
    def cls(self) -> type:
        return type(self.layer)


def image(*rows: list[float]) -> Any:
    """One image of one channel."""
    return np.array(rows, dtype=float)[None, :, :, None]


def array(*values: Any) -> Any:
    return np.array(values, dtype=float)


HALVES: Any = np.full(100_000, 0.5, np.float16)
STEPS: Any = np.arange(1, 3001)


def tiny(value: float) -> Any:
    """As many equal float16 elements as ``HALVES`` has."""
    return np.full(len(HALVES), value, np.float16)


def steps(value: float) -> Any:
    """As many equal float16 elements as ``STEPS`` has."""
    return np.full(len(STEPS), value, np.float16)


_SELECTED = Item(X, 0)
_OTHER = Item(X, 1)

CASES = [
    Case("relu-at-0", ReLU(X), array(-1, 0, 2, NAN), array(0, 0, 2, NAN), array(3, 5, 7, 0), array(0, 0, 7, 0)),
    Case("relu-at-number-0", ReLU(X), 0.0, 0.0, 3.0, 0.0),
    Case("relu-of-negative-number", ReLU(X), -2.0, 0.0, 3.0, 0.0),
    Case("abs-at-0", Abs(X), array(-2, 0, 3), array(2, 0, 3), array(5, 7, 11), array(-5, 0, 11)),
    Case("abs-at-number-0", Abs(X), 0.0, 0.0, 3.0, 0.0),
    Case("sign-at-0", Sign(X), array(-2, 0, 3), array(-1, 0, 1), array(5, 7, 11), array(0, 0, 0)),
    Case("maximum-tie", Maximum(X, 2.0), array(1, 2, 3), array(2, 2, 3), array(4, 6, 8), array(0, 3, 8)),
    Case("minimum-tie", Minimum(X, 2.0), array(1, 2, 3), array(1, 2, 2), array(4, 6, 8), array(4, 3, 0)),
    Case("maximum-of-itself", Maximum(X, X), array(1, 2), array(1, 2), array(4, 6), array(4, 6)),
    Case("maximum-tie-of-numbers", Maximum(2.0, X), 2.0, 2.0, 3.0, 1.5),
    Case("minimum-tie-of-numbers", Minimum(X, 2.0), 2.0, 2.0, 3.0, 1.5),
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
    Case("square-of-negative", Power(X, 2.0), -2.0, 4.0, 1.0, -4.0),
    Case("squares", Power(X, 2.0), array(-2, 0, 3), array(4, 0, 9), array(1, 1, 2), array(-4, 0, 12)),
    Case("power-0-at-0", Power(X, 0.0), array(0, 2), array(1, 1), array(3, 5), array(0, 0)),
    Case("power-0-at-number-0", Power(X, 0.0), 0.0, 1.0, 3.0, 0.0),
    Case("power-1-at-0", Power(X, 1.0), array(0, 2), array(0, 2), array(3, 5), array(3, 5)),
    Case("root-at-0", Power(X, 0.5), array(0, 4), array(0, 2), array(3, 4), array(INF, 1)),
    Case("exponent-at-base-0", Power(0.0, X), array(0, 2), array(1, 0), array(3, 5), array(0, 0)),
    Case("exponent-at-number-base-0", Power(0.0, X), 2.0, 0.0, 3.0, 0.0),
    Case("negative-exponent-at-base-0", Power(0.0, X), -1.0, INF, 3.0, 0.0),
    Case("exponent-at-negative-base", Power(-2.0, X), array(2), array(4), array(1), array(NAN)),
    Case("exponent-at-base-1", Power(1.0, X), array(2, 3), array(1, 1), array(1, 1), array(0, 0)),
    Case("sqrt-at-0", Sqrt(X), array(0, 4), array(0, 2), array(3, 4), array(INF, 1)),
    Case("sqrt-of-negative", Sqrt(X), -1.0, NAN, 1.0, NAN),
    Case("log-at-0", Log(X), array(0, 2), array(-INF, np.log(2)), array(3, 4), array(INF, 2)),
    Case("exp-overflow", Exp(X), 1000.0, INF, 2.0, INF),
    Case("divide-by-0", Divide(1.0, X), array(0, 2), array(INF, 0.5), array(1, 4), array(-INF, -1)),
    Case("divide-number-by-0", Divide(X, 0.0), 3.0, INF, 2.0, INF),
    Case("sigmoid-far-out", Sigmoid(X), array(-1000, 0, 1000), array(0, 0.5, 1), array(4, 4, 4), array(0, 1, 0)),
    Case("tanh-far-out", Tanh(X), array(-1000, 0, 1000), array(-1, 0, 1), array(4, 4, 4), array(0, 4, 0)),
    Case("log1p-at-minus-1", Log1p(X), array(-1, 0, 1e-20), array(-INF, 0, 1e-20), array(3, 4, 5), array(INF, 4, 5)),
    Case(
        "log2-of-powers", Log2(X), array(0, 8, 1024), array(-INF, 3, 10), array(1, 8, 0), array(INF, 1 / np.log(2), 0)
    ),
    Case("log10-of-1000", Log10(X), 1000.0, 3.0, 1000.0 * np.log(10.0), 1.0),
    Case("expm1-far-out", Expm1(X), array(-1000, 1e-20, 1000), array(-1, 1e-20, INF), array(3, 4, 5), array(0, 4, INF)),
    Case("expm1-slope-far-below", Expm1(X), -40.0, -1.0, 1.0, np.exp(-40.0)),
    Case("cbrt-at-0", Cbrt(X), array(-8, 0, 27), array(-2, 0, 3), array(12, 1, 27), array(1, INF, 1)),
    Case(
        "asin-at-the-ends",
        Asin(X),
        array(-1, 0, 1),
        array(-np.pi / 2, 0, np.pi / 2),
        array(2, 3, 4),
        array(INF, 3, INF),
    ),
    Case("asin-beyond", Asin(X), 1.5, NAN, 1.0, NAN),
    Case("asin-next-to-1", Asin(X), 1 - 2.0**-53, np.arcsin(1 - 2.0**-53), 1.0, 2.0**26),
    Case(
        "acos-at-the-ends", Acos(X), array(-1, 0, 1), array(np.pi, np.pi / 2, 0), array(2, 3, 4), array(-INF, -3, -INF)
    ),
    Case("acos-next-to-minus-1", Acos(X), -1 + 2.0**-53, np.arccos(-1 + 2.0**-53), 1.0, -(2.0**26)),
    Case("atan-far-out", Atan(X), array(-1e200, 1e200), array(-np.pi / 2, np.pi / 2), array(3, 5), array(0, 0)),
    Case("sinh-overflow", Sinh(X), 1000.0, INF, 2.0, INF),
    Case("cosh-overflow", Cosh(X), -1000.0, INF, 2.0, -INF),
    Case("asinh-far-out", Asinh(X), 1e200, np.log(2.0) + np.log(1e200), 3e200, 3.0),
    Case("acosh-at-1", Acosh(X), array(1, 0.5), array(0, NAN), array(3, 4), array(INF, NAN)),
    Case("acosh-far-out", Acosh(X), 1e200, np.log(2.0) + np.log(1e200), 3e200, 3.0),
    Case("atanh-at-the-ends", Atanh(X), array(-1, 0, 1), array(-INF, 0, INF), array(2, 3, 4), array(INF, 3, INF)),
    Case("hypot-at-0", Hypot(X, 0.0), array(0, -3, 0), array(0, 3, 0), array(5, 7, 0), array(0, -7, 0)),
    Case("hypot-far-out", Hypot(X, 4e200), 3e200, 5e200, 10.0, 6.0),
    Case("hypot-of-itself-at-0", Hypot(X, X), 0.0, 0.0, 3.0, 0.0),
    Case("atan2-far-out", Atan2(X, 1e200), 1e200, np.pi / 4, 1e200, 0.5),
    Case("atan2-on-the-axes", Atan2(X, -2.0), array(0, -0.0), array(np.pi, -np.pi), array(3, 5), array(-1.5, -2.5)),
    Case("atan2-of-nothing", Atan2(X, 0.0), 0.0, 0.0, 3.0, NAN),
    Case("floor", Floor(X), array(-1.5, -0.0, 1.5), array(-2, -0.0, 1), array(3, 4, 5), array(0, 0, 0)),
    Case("ceil", Ceil(X), array(-1.5, -0.5, 1.5), array(-1, -0.0, 2), array(3, 4, 5), array(0, 0, 0)),
    Case("trunc", Trunc(X), array(-1.5, -0.5, 1.5), array(-1, -0.0, 1), array(3, 4, 5), array(0, 0, 0)),
    Case("round-half-to-even", Round(X), array(-1.5, 0.5, 2.5), array(-2, 0, 2), array(3, 4, 5), array(0, 0, 0)),
    Case("round-number-half-to-even", Round(X), 2.5, 2.0, 3.0, 0.0),
    Case(
        "softplus-far-out",
        Softplus(X),
        array(-1000, 0, 1000),
        array(0, np.log(2), 1000),
        array(4, 4, 4),
        array(0, 2, 4),
    ),
    Case("softplus-of-inf", Softplus(X), array(-INF, INF), array(0, INF), array(4, 4), array(0, 4)),
    Case("softplus-below", Softplus(X), -40.0, np.exp(-40.0), 1.0, np.exp(-40.0)),
    Case(
        "gelu-tanh-far-out",
        GELUTanh(X),
        array(-1e200, -100, 0, 100, 1e200),
        array(0, 0, 0, 100, 1e200),
        array(4, 4, 4, 4, 4),
        array(0, 0, 2, 4, 4),
    ),
    Case("gelu-tanh-of-inf", GELUTanh(X), array(-INF, INF), array(0, INF), array(4, 4), array(0, 4)),
    Case(
        "gelu-tanh-gate-far-out",
        GELUTanhGate(X),
        array(-INF, -1e200, 0, 1e200, INF),
        array(0, 0, 0.5, 1, 1),
        array(4, 4, 4, 4, 4),
        array(0, 0, np.sqrt(8 / np.pi), 0, 0),
    ),
    Case("silu-far-out", SiLU(X), array(-1e308, 0, 1e308), array(0, 0, 1e308), array(4, 4, 4), array(0, 2, 4)),
    Case("silu-below", SiLU(X), -40.0, -40 * np.exp(-40.0), 1.0, -39 * np.exp(-40.0)),
    Case("silu-of-inf", SiLU(X), array(-INF, INF), array(0, INF), array(4, 4), array(0, 4)),
    Case("logaddexp-far-out", LogAddExp(X, 999.0), 1000.0, 1000 + np.log1p(np.exp(-1.0)), 1.0, 1 / (1 + np.exp(-1.0))),
    Case("logaddexp-of-impossible", LogAddExp(X, -INF), array(-INF, 1), array(-INF, 1), array(3, 5), array(0, 5)),
    Case("logaddexp-of-itself", LogAddExp(X, X), array(1, -INF), array(1 + np.log(2), -INF), array(3, 5), array(3, 0)),
    Case(
        "logaddexp-of-inf", LogAddExp(X, INF), array(INF, 1, -INF), array(INF, INF, INF), array(4, 4, 4), array(2, 0, 0)
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
        "where-leaves-the-other-side-alone",
        Where(np.array([True, False]), X, Log(X)),
        array(0, 1),
        array(0, 0),
        array(3, 5),
        array(3, 5),  # the side not selected receives 0, which log does not multiply by its slope 1 / 0
    ),
    Case("where-of-nan", Where(np.array([True, False]), X, NAN), array(2, 3), array(2, NAN), array(5, 7), array(5, 0)),
    Case("where-and-an-integer", Where(False, X, 0), 2.0, 0.0, 3.0, 0.0),
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
    Case("dropout-of-all", Dropout(X, np.zeros(2, bool), 1.0), array(2, 3), array(0, 0), array(5, 7), array(0, 0)),
    Case(
        "dropout-of-inf", Dropout(X, np.array([True, False]), 0.5), array(2, INF), array(4, 0), array(3, 5), array(6, 0)
    ),
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
    Case("used-twice-adds", Plus(X, Times(X, X)), 3.0, 12.0, 2.0, 14.0),
    Case("joined-twice-adds", Concat((X, X)), array(1, 2), array(1, 2, 1, 2), array(1, 2, 4, 8), array(5, 10)),
]


@dataclass(frozen=True)
class Kink:
    """A layer of a pair of numbers, a point, and the matrix of its second derivatives there."""

    id: str
    layer: Layer[Any, Any]
    point: tuple[float, float]
    hessian: list[list[float]]

    @property
    def classes(self) -> set[type]:
        return set(map(type, nodes(self.layer)))


_PAIR: Layer[Any, Any] = Concat((ExpandDims(_SELECTED, axis=0), ExpandDims(_OTHER, axis=0)), axis=0)
_FLAT = [[0.0, 0.0], [0.0, 0.0]]
_POWER: Layer[Any, Any] = Power(_SELECTED, _OTHER)
_GATES: Layer[Any, Any] = Plus(SiLU(_SELECTED), GELUTanh(_OTHER))

KINKS = [
    Kink("hypot", Hypot(_SELECTED, _OTHER), (0.0, 0.0), _FLAT),
    Kink("norm", VectorNorm(_PAIR), (0.0, 0.0), _FLAT),
    Kink("logaddexp", LogAddExp(_SELECTED, _OTHER), (-INF, -INF), _FLAT),
    Kink("power-at-base-0", _POWER, (0.0, 2.0), [[2.0, 0.0], [0.0, 0.0]]),
    Kink("power-at-exponent-0", _POWER, (2.0, 0.0), [[0.0, 0.5], [0.5, np.log(2.0) ** 2]]),
    Kink("gates-at-inf", _GATES, (INF, INF), _FLAT),
    Kink("gates-at-minus-inf", _GATES, (-INF, -INF), _FLAT),
]


def check_kink(kink: Kink) -> None:
    """The derivative of the derivative is the convention's."""
    first = derivatives(kink.layer, spec_of(kink.point))[INPUT]
    for i, row in enumerate(kink.hessian):
        second = derivatives(first[i], spec_of(kink.point)).get(INPUT, {})
        for j, wanted in enumerate(row):
            found = second[j].forward(kink.point).value if j in second else 0.0
            np.testing.assert_allclose(found, wanted, rtol=1e-14)


def is_settled(case: Case) -> bool:
    """Whether the deltas of a case are finite: then the Jacobian-vector product has to agree with them."""
    finite = all(np.isfinite(np.asarray(part, float)).all() for part in (case.expected, case.delta))
    return finite and np.size(case.input) > 0 and np.asarray(case.input).dtype != np.float16


def check_product(case: Case) -> None:
    """The product of the delta with the Jacobian-vector product is that of the gradient with the tangent."""
    tangent = np.random.default_rng(0).uniform(0.5, 1.5, np.shape(case.input))
    tangent = tangent if np.ndim(case.input) else float(tangent)
    product = push_forward(case.layer, spec_of(case.input), Identity(), Literal(tangent))
    wanted = np.sum(np.multiply(case.expected, tangent))
    given = 0.0 if product is None else np.sum(np.multiply(case.delta, product.forward(case.input).value))
    np.testing.assert_allclose(given, wanted, rtol=1e-12, atol=1e-14)


def check_case(case: Case) -> None:
    """The value and the delta are the convention's."""
    x = Input(case.input)
    tape = case.layer.forward(x)
    close(tape.value, case.value, rtol=1e-14)
    found = tape.gradients(case.delta)[x]
    same_kind(found, case.input)
    close(found, case.expected, rtol=1e-14, atol=1e-300)
