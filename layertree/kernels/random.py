"""Random numbers by a counter-based generator: Philox (Salmon et al., 2011)."""

from __future__ import annotations

import numpy as np

from layertree.core.value import Array, Sizes


def bernoulli(counter: int, shape: Sizes, probability: float, seed: int) -> Array:
    """Booleans of a shape, True with a probability; equal seeds and counters draw equal values."""
    generator = np.random.Generator(np.random.Philox(key=np.array([seed, counter], dtype=np.uint64)))
    return generator.random(shape, dtype=np.float32) < probability
