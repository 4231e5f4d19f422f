"""Derivatives at a point, as the tests of conventions ask for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import symbolic as sy
from layertree import Input
from layertree.typing import ArraySpec


def vector(size: int, dtype: Any = np.float64) -> Any:
    return sy.placeholder(ArraySpec((size,), dtype))


def slope(formula: Any, data: Any) -> Any:
    """The derivative of a formula at some data; of several elements the derivative of their sum."""
    x = Input(data)
    with formula.forward(x) as tape:
        value = tape.value
        return tape.gradients(np.ones_like(value) if np.ndim(value) else 1.0)[x]


def both_slopes(formula: Any, first: Any, second: Any) -> tuple[Any, Any]:
    a, b = Input(first), Input(second)
    with formula.forward((a, b)) as tape:
        value = tape.value
        found = tape.gradients(np.ones_like(value) if np.ndim(value) else 1.0)
    return found[a], found[b]
