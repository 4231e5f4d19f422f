"""The data of leaves: what a sample has, in other dtypes, other numbers of rows, and with special values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.layers.sample import Sample, is_float

DTYPES = (np.float64, np.float64, np.float64, np.float32, np.float32, np.float16)
"""The dtypes of programs, each as often as it is here."""

FLAVOURS = ("tame", "tame", "even", "special")
"""What data look like: away from kinks; small multiples of 1/2, with ties and zeros; anything that a float may be."""

ROWS = (0, 1, 1, 2, 3, 5)


def resized(sample: Sample, generator: np.random.Generator) -> list[Any]:
    """The operands of a sample with another size of the first axis, where any size is possible."""
    operands = list(sample.operands)
    if sample.batch and generator.random() < 0.4:
        rows = generator.choice(ROWS)
        for i in sample.batch:
            data = operands[i]
            operands[i] = np.resize(data, (rows, *data.shape[1:])) if data.size or not rows else data[:rows]
        if len({len(operands[i]) for i in sample.batch}) > 1:
            return list(sample.operands)
    return operands


def data_like(wanted: Any, flavour: str, dtype: Any, generator: np.random.Generator) -> Any:
    """Data of the shape of an operand, in the dtype of the program; integers and booleans as they are."""
    if not is_float(wanted):
        return wanted
    shape = np.shape(wanted)
    values = np.array(wanted, np.float64) if flavour == "tame" else _drawn(flavour, dtype, shape, generator)
    if flavour == "tame" and generator.random() < 0.5 and np.size(wanted):  # the sample's own values, in another order
        values = generator.permutation(values.ravel()).reshape(shape)
    if not isinstance(wanted, (np.ndarray, np.generic)):
        return float(values)
    return values.astype(dtype)[()]


def _drawn(flavour: str, dtype: Any, shape: Sequence[int], generator: np.random.Generator) -> Any:
    values = generator.integers(-4, 5, shape) / 2.0
    if flavour == "special":
        chosen = generator.choice(specials(dtype), shape)
        values = np.where(generator.random(shape) < 0.3, chosen, values)
    return np.asarray(values)


def specials(dtype: Any) -> Any:
    """Special values of a dtype: zeros of both signs, infinities, NaN, the extremes, values that round to others."""
    info = np.finfo(dtype)
    found = [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, -info.tiny]
    return np.array([*found, info.smallest_subnormal, info.eps, 1.0 + info.eps, -1.0, 88.75, -745.0, 40.0, 1e-20])
