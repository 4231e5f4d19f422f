"""Samples of trigonometric and hyperbolic functions, their inverses, and polar coordinates."""

from typing import Any

import numpy as np

from layertree.layers.trigonometric import (
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cos,
    Cosh,
    Hypot,
    Sin,
    Sinh,
    Tan,
    Tanh,
)
from tests.layers.families.arithmetic import binary
from tests.layers.families.elementwise import all_unary
from tests.layers.sample import sample, spread

FUNCTIONS: list[tuple[type, Any, float, float]] = [
    (Sin, np.sin, -3.0, 3.0),
    (Cos, np.cos, -3.0, 3.0),
    (Tan, np.tan, -1.0, 1.0),
    (Asin, np.arcsin, -0.75, 0.75),
    (Acos, np.arccos, -0.75, 0.75),
    (Atan, np.arctan, -3.0, 3.0),
    (Sinh, np.sinh, -2.0, 2.0),
    (Cosh, np.cosh, -2.0, 2.0),
    (Tanh, np.tanh, -2.0, 2.0),
    (Asinh, np.arcsinh, -3.0, 3.0),
    (Acosh, np.arccosh, 1.5, 4.0),
    (Atanh, np.arctanh, -0.75, 0.75),
]

SAMPLES = [
    *all_unary(FUNCTIONS),
    *binary(Hypot, np.hypot, (-2.0, 2.0), (0.5, 2.0)),
    *binary(Atan2, np.arctan2, (0.5, 2.0), (0.5, 2.0)),
    sample(Atan2, "any-quadrant", spread(6, seed=1), spread(6, seed=2) + 1 / 128, reference=np.arctan2, batch=(0, 1)),
]
