"""Noise: a program run with rounding errors of random signs, to see which digits of its value the program determines.

This is random arithmetic (Vignes, 1978; Parker, 1997): each result is off by a few units in its last place, and so are
the operands of an operation that adds many of them up. Two readings of one program may differ by as much as two such
runs do. What is exact stays: zeros, infinities, and elements that an operation only moves, so that ties remain ties.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.elementwise import ElementwiseFunctions
from layertree.sweep.sweep import sweep
from layertree.tape.run import Evaluating
from tests.layers.checks import leaves, mapped
from tests.layers.sample import is_float

UNITS = 4.0
"""The size of an error, in units of the last place."""


def noisy(layer: Any, data: Any, seed: int) -> Any:
    """The value of a layer, with a rounding error in each operation."""
    root = layer.__layer__()
    with np.errstate(all="ignore"):
        return sweep(root, data, Noisy(root, seed))


class Noisy(Evaluating):
    """The evaluating reading with errors."""

    def __init__(self, root: Any, seed: int) -> None:
        super().__init__(root)
        self.generator = np.random.default_rng(seed)

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        value = super().apply(node, inputs)
        if is_moved(value, inputs):
            return value
        if not hasattr(ElementwiseFunctions, node.__function__ or "") and any(map(is_float, leaves(value))):
            value = super().apply(node, [mapped(one, self._with_error) for one in inputs])
        return mapped(value, self._with_error)

    def _with_error(self, value: Any) -> Any:
        return with_error(value, self.generator)


def is_moved(value: Any, inputs: list[Any]) -> bool:
    """Whether each element is one of the operands', or the negative of one, or exact in itself."""
    known = [np.asarray(leaf, np.float64).ravel() for one in inputs for leaf in leaves(one)]
    exact = np.concatenate([np.array([0.0, np.inf]), *known])
    return all(
        np.isin(np.abs(np.asarray(leaf, np.float64)), np.abs(exact)).all() for leaf in leaves(value) if is_float(leaf)
    )


def with_error(value: Any, generator: np.random.Generator) -> Any:
    """Floats that are off by a few units in the last place, or by a few of the smallest numbers."""
    if not is_float(value):
        return value
    dtype = np.asarray(value).dtype
    info = np.finfo(dtype)
    wide = np.asarray(value, np.longdouble)
    error = generator.uniform(-UNITS, UNITS, np.shape(value)).astype(np.longdouble)
    found = wide * (1 + error * info.eps)
    small = (wide != 0) & (np.abs(wide) < info.tiny)
    found = np.where(small, wide + np.rint(error) * info.smallest_subnormal, found)
    found = np.where(np.abs(found) > info.max, wide, found)  # an error makes no infinity
    return found.astype(dtype)[()] if isinstance(value, (np.ndarray, np.generic)) else float(found)
