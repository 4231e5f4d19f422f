"""Random numbers by a counter."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.namespaces import NUMPY


def bernoulli(counter: int, shape: tuple[int, ...], probability: float, seed: int) -> Any:
    """True with a probability; the same seed and counter draw the same."""
    like: Any = np.broadcast_to(np.float32(0), shape) if shape else 0.0
    return NUMPY.bernoulli(like, counter, probability, seed)
