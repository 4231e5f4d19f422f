"""Samples of smooth gates."""

from typing import Any

import numpy as np

from layertree.layers.gates import GELUTanh, GELUTanhGate, SiLU
from tests.layers.families.elementwise import all_unary


def gate(x: Any) -> Any:
    """The gate of gelu's tanh form, as its paper writes it."""
    return (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2


SAMPLES = all_unary(
    [
        (GELUTanh, lambda x: x * gate(x), -3.0, 3.0),
        (GELUTanhGate, gate, -3.0, 3.0),
        (SiLU, lambda x: x / (1 + np.exp(-x)), -3.0, 3.0),
    ]
)
