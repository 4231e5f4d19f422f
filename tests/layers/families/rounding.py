"""Samples of rounding."""

from typing import Any

import numpy as np

from layertree.layers.rounding import Ceil, Floor, Round, Trunc
from tests.layers.families.elementwise import all_unary

FUNCTIONS: list[tuple[type, Any, float, float]] = [
    (Floor, np.floor, -2.0, 2.0),
    (Ceil, np.ceil, -2.0, 2.0),
    (Round, np.round, -2.0, 2.0),
    (Trunc, np.trunc, -2.0, 2.0),
]

SAMPLES = all_unary(FUNCTIONS)
