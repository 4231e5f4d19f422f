"""Random numbers by a counter."""

from __future__ import annotations

from typing import Any

import numpy as np


def bernoulli(counter: int, shape: tuple[int, ...], probability: float, seed: int) -> Any:
    """True with a probability; the same seed and counter draw the same."""
    generator = np.random.Generator(np.random.Philox(key=np.array([seed, counter], dtype=np.uint64)))
    return generator.random(shape, dtype=np.float32) < probability
