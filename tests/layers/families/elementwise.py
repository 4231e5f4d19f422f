"""Samples of functions of one operand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.layers.elementwise import Abs, Cos, Exp, Floor, Log, ReLU, Sigmoid, Sign, Sin, Sqrt, Tanh
from tests.layers.sample import Sample, sample, spread

FUNCTIONS: list[tuple[type, Any, float, float]] = [
    (Exp, np.exp, -2.0, 2.0),
    (Log, np.log, 0.5, 3.0),
    (Sin, np.sin, -3.0, 3.0),
    (Cos, np.cos, -3.0, 3.0),
    (Sqrt, np.sqrt, 0.5, 3.0),
    (Tanh, np.tanh, -2.0, 2.0),
    (Sigmoid, lambda x: 1 / (1 + np.exp(-x)), -3.0, 3.0),
    (ReLU, lambda x: np.maximum(x, 0), -2.0, 2.0),
    (Abs, np.abs, -2.0, 2.0),
    (Sign, np.sign, -2.0, 2.0),
    (Floor, np.floor, -2.0, 2.0),
]


def _samples() -> Iterator[Sample]:
    for cls, reference, low, high in FUNCTIONS:

        def x(*shape: int, low: float = low, high: float = high) -> Any:
            return spread(*shape, low=low, high=high, seed=7)

        yield sample(cls, "matrix", x(2, 4), reference=reference, batch=(0,))
        yield sample(cls, "rank-0", x(), reference=reference)
        yield sample(cls, "number", float(x(2)[0]), reference=reference)
        yield sample(cls, "other-number", float(x(2)[1]), reference=reference)
        yield sample(cls, "nothing", x(0, 2), reference=reference)


SAMPLES = list(_samples())
