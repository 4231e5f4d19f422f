"""Samples of arithmetic: the ways in which two operands broadcast."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.layers.arithmetic import (
    BroadcastLike,
    Divide,
    FloorDivide,
    Maximum,
    Minimum,
    Minus,
    Negative,
    Plus,
    Power,
    Remainder,
    SumTo,
    Times,
)
from tests.layers.sample import Sample, sample, spread

ANY = (-2.0, 2.0)
POSITIVE = (0.5, 2.0)
LARGE = (3.0, 7.0)

BINARY: list[tuple[type, Any, tuple[float, float], tuple[float, float]]] = [
    (Plus, np.add, ANY, ANY),
    (Minus, np.subtract, ANY, ANY),
    (Times, np.multiply, ANY, ANY),
    (Divide, np.divide, ANY, POSITIVE),
    (FloorDivide, np.floor_divide, LARGE, POSITIVE),
    (Remainder, np.remainder, LARGE, POSITIVE),
    (Power, np.power, POSITIVE, ANY),
    (Maximum, np.maximum, ANY, ANY),
    (Minimum, np.minimum, ANY, ANY),
]


def _pairs(first: tuple[float, float], second: tuple[float, float]) -> Iterator[tuple[str, Any, Any, tuple[int, ...]]]:
    def a(*shape: int) -> Any:
        return spread(*shape, low=first[0], high=first[1], seed=1)

    def b(*shape: int) -> Any:
        nudge = 1 / 128 if second == ANY else 0.0  # no ties with the first operand
        return spread(*shape, low=second[0], high=second[1], seed=2) + nudge

    yield "alike", a(2, 3), b(2, 3), (0, 1)
    yield "row", a(2, 3), b(3), (0,)
    yield "row-first", a(3), b(2, 3), (1,)
    yield "column-and-row", a(2, 1), b(1, 3), (0,)
    yield "rank-3", a(2, 3, 1), b(3, 2), (0,)
    yield "rank-0", a(), b(2), (1,)
    yield "all-rank-0", a(), b(), ()
    yield "array-and-number", a(2, 2), float(b()), (0,)
    yield "number-and-array", float(a()), b(2, 2), (1,)
    yield "numbers", float(a()), float(b()), ()
    yield "nothing", a(0, 3), b(1, 3), ()


def binary(cls: type, reference: Any, first: tuple[float, float], second: tuple[float, float]) -> Iterator[Sample]:
    """Samples of a function of two operands between their bounds."""
    for label, a, b, batch in _pairs(first, second):
        yield sample(cls, label, a, b, reference=reference, batch=batch)


def _ties() -> Iterator[Sample]:
    a, b = np.array([1.0, 2.0, 3.0]), np.array([[1.0], [2.5]])
    for cls, reference in ((Maximum, np.maximum), (Minimum, np.minimum)):
        yield sample(cls, "tie", a, b, reference=reference, batch=(1,), kink=True)


def _shared() -> Iterator[Sample]:
    for cls, reference in ((Times, np.multiply), (Divide, np.divide), (Minus, np.subtract)):
        yield sample(
            cls,
            "of-itself",
            spread(2, 3, low=0.5),
            build=lambda x, cls=cls: cls(x, x),
            reference=lambda x, reference=reference: reference(x, x),
            batch=(0,),
        )


def _patterned() -> Iterator[Sample]:
    x = spread(2, 3, seed=3)
    yield sample(SumTo, "alike", x, spread(2, 3), patterns=(1,), batch=(0, 1), reference=lambda x, like: x)
    yield sample(SumTo, "row", x, spread(3), patterns=(1,), batch=(0,), reference=lambda x, like: x.sum(0))
    yield sample(
        SumTo, "column", x, spread(2, 1), patterns=(1,), batch=(0, 1), reference=lambda x, like: x.sum(1, keepdims=True)
    )
    yield sample(
        SumTo,
        "rank-3",
        spread(2, 3, 2, seed=4),
        spread(3, 1),
        patterns=(1,),
        batch=(0,),
        reference=lambda x, like: x.sum((0, 2))[:, None],
    )
    yield sample(SumTo, "rank-0", x, spread(), patterns=(1,), batch=(0,), reference=lambda x, like: x.sum())
    yield sample(SumTo, "number", x, 0.5, patterns=(1,), batch=(0,), reference=lambda x, like: x.sum())
    yield sample(SumTo, "numbers", 1.25, 0.5, patterns=(1,), reference=lambda x, like: x)
    single = np.float32([0.5, 1.5, 2.5])
    yield sample(SumTo, "other-dtype", x, single, patterns=(1,), batch=(0,), reference=lambda x, like: x.sum(0))
    wide = spread(2, 3, seed=5)
    yield sample(
        BroadcastLike, "row", spread(3), wide, patterns=(1,), batch=(1,), reference=lambda x, like: x + 0 * like
    )
    yield sample(
        BroadcastLike, "column", spread(2, 1), wide, patterns=(1,), batch=(0, 1), reference=lambda x, like: x + 0 * like
    )
    yield sample(BroadcastLike, "alike", x, wide, patterns=(1,), batch=(0, 1), reference=lambda x, like: x)
    yield sample(
        BroadcastLike, "rank-0", spread(), wide, patterns=(1,), batch=(1,), reference=lambda x, like: x + 0 * like
    )
    yield sample(BroadcastLike, "number", 1.5, wide, patterns=(1,), batch=(1,), reference=lambda x, like: x + 0 * like)
    yield sample(BroadcastLike, "numbers", 1.5, 2.5, patterns=(1,), reference=lambda x, like: x)


SAMPLES = [
    *[made for function in BINARY for made in binary(*function)],
    *_ties(),
    *_shared(),
    *_patterned(),
    sample(Negative, "array", spread(2, 3), reference=np.negative, batch=(0,)),
    sample(Negative, "number", 1.5, reference=np.negative),
    *[
        sample(
            Power,
            f"of-any-base-to-{exponent}",
            spread(6),
            build=lambda x, exponent=exponent: Power(x, exponent),
            differentiable=(0,),
            reference=lambda x, exponent=exponent: np.power(x, exponent),
            batch=(0,),
        )
        for exponent in (2.0, 3, 0, -1.0)
    ],
    sample(Remainder, "signs", np.array([5.25, -5.25]), np.array([-2.0, 2.0]), reference=np.remainder, batch=(0, 1)),
]
