"""Samples of exponentials, logarithms, roots, activations, magnitude and sign."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from layertree.layers.elementwise import (
    Abs,
    Cbrt,
    Exp,
    Expm1,
    Log,
    Log1p,
    Log2,
    Log10,
    LogAddExp,
    ReLU,
    Sigmoid,
    Sign,
    Softplus,
    Sqrt,
)
from tests.layers.families.arithmetic import binary
from tests.layers.sample import Sample, sample, spread

FUNCTIONS: list[tuple[type, Any, float, float]] = [
    (Exp, np.exp, -2.0, 2.0),
    (Expm1, np.expm1, -2.0, 2.0),
    (Log, np.log, 0.5, 3.0),
    (Log1p, np.log1p, -0.5, 2.0),
    (Log2, np.log2, 0.5, 3.0),
    (Log10, np.log10, 0.5, 3.0),
    (Sqrt, np.sqrt, 0.5, 3.0),
    (Cbrt, lambda x: np.sign(x) * np.abs(x) ** (1 / 3), 0.5, 3.0),
    (Sigmoid, lambda x: 1 / (1 + np.exp(-x)), -3.0, 3.0),
    (ReLU, lambda x: np.maximum(x, 0), -2.0, 2.0),
    (Softplus, lambda x: np.log(1 + np.exp(x)), -3.0, 3.0),
    (Abs, np.abs, -2.0, 2.0),
    (Sign, np.sign, -2.0, 2.0),
]


def unary(cls: type, reference: Any, low: float, high: float) -> Iterator[Sample]:
    """Samples of a function of one operand between two bounds."""

    def x(*shape: int) -> Any:
        return spread(*shape, low=low, high=high, seed=7)

    yield sample(cls, "matrix", x(2, 4), reference=reference, batch=(0,))
    yield sample(cls, "rank-0", x(), reference=reference)
    yield sample(cls, "number", float(x(2)[0]), reference=reference)
    yield sample(cls, "other-number", float(x(2)[1]), reference=reference)
    yield sample(cls, "nothing", x(0, 2), reference=reference)


def all_unary(functions: Iterable[tuple[type, Any, float, float]]) -> list[Sample]:
    """Samples of several."""
    return [made for function in functions for made in unary(*function)]


SAMPLES = [
    *all_unary(FUNCTIONS),
    *binary(LogAddExp, lambda a, b: np.log(np.exp(a) + np.exp(b)), (-2.0, 2.0), (-2.0, 2.0)),
    sample(Cbrt, "negative", spread(6, low=-3.0, high=-0.5), reference=np.cbrt, batch=(0,)),
]
