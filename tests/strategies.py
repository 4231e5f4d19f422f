"""What hypothesis draws: shapes that broadcast, and data that is quick to make."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)
"""Shapes of any rank from 0 to 4, with sizes from 0 to 3."""


def broadcasting(count: int) -> st.SearchStrategy[tuple[tuple[int, ...], ...]]:
    """Shapes that broadcast against one another, size 0 and rank 0 among them."""
    drawn = hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=3, min_side=0, max_side=3)
    return drawn.map(lambda found: found.input_shapes)


def numbers(shape: tuple[int, ...], seed: int, low: float = 0.5, high: float = 2.0) -> Any:
    """Floats of random sign, none near 0; all distinct. Rank 0 gives a NumPy scalar."""
    generator = np.random.default_rng([seed, *shape])
    size = int(np.prod(shape))
    grid = generator.permutation(np.linspace(low, high, size)) if size else np.empty(0)
    return (grid * generator.choice([-1.0, 1.0], size)).reshape(shape)[()]


seeds = st.integers(0, 2**16)
