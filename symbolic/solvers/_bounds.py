"""Bounds of variables, as SciPy takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from layertree.core.brief import counted
from symbolic.solvers._packing import Packing, is_sequence
from symbolic.solvers._results import Flat

__all__ = ["inner_bounds"]


def inner_bounds(bounds: Any, packing: Packing, start: Flat, names: Sequence[str]) -> Any:
    """SciPy's Bounds as they are; a pair of bounds as a pair of flat vectors.

    Raises ValueError for another number of parts, for a lower bound that is not below the upper one, and for a start
    outside of its bounds, with the name of the variable.
    """
    limits = _packed(bounds, packing)
    lower, upper = (limits.lb, limits.ub) if limits is bounds else limits
    several = zip(names, start, *np.broadcast_arrays(lower, upper, start)[:2], strict=True)
    for name, value, low, high in several:
        if not low < high:
            raise ValueError(
                f"the bounds of {name} are {low:g} and {high:g}: the lower one has to be below the upper one"
            )
        if not low <= value <= high:
            raise ValueError(f"{name} starts at {value:g}, outside of its bounds, {low:g} to {high:g}")
    return limits


def _packed(bounds: Any, packing: Packing) -> Any:
    if not is_sequence(bounds):
        return bounds
    if len(bounds) != 2:
        raise ValueError(
            f"bounds are a pair, of the lower ones and of the upper ones: got {counted(len(bounds), 'part')}"
        )
    lower, upper = bounds
    return packing.pack(lower, "the lower bound"), packing.pack(upper, "the upper bound")
