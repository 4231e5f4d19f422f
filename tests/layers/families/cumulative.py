"""Samples of running sums and products, and of the linear recurrence: axes from both ends, one step, none; zeros."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.layers.cumulative import CumulativeProd, CumulativeSum, LinearRecurrence
from tests.layers.sample import Sample, sample, spread

X = spread(2, 3, 2, seed=3)
ZEROS = np.array([[2.0, 0.0, 3.0, -1.5], [0.0, 1.5, 0.0, 2.5]])


def recurrence(factors: Any, terms: Any, axis: int = -1) -> Any:
    """Element by element."""
    result = np.array(terms, dtype=float)
    for i in range(1, terms.shape[axis]):
        now, before = [(slice(None),) * (axis % terms.ndim) + (j,) for j in (i, i - 1)]
        result[now] = factors[now] * result[before] + terms[now]
    return result


def _samples() -> Iterator[Sample]:
    for cls, reference in ((CumulativeSum, np.cumsum), (CumulativeProd, np.cumprod)):
        for axis in (0, 1, -1, -3):

            def expected(x: Any, reference: Any = reference, axis: int = axis) -> Any:
                return reference(x, axis=axis)

            batch = () if axis in (0, -3) else (0,)
            yield sample(cls, f"axis-{axis}", X, reference=expected, batch=batch, axis=axis)
        yield sample(cls, "vector", spread(4), reference=reference, axis=0)
        yield sample(cls, "one", spread(3, 1), reference=lambda x: x, batch=(0,), axis=1)
        yield sample(cls, "nothing", spread(3, 0), reference=lambda x: x, batch=(0,), axis=1)
        yield sample(cls, "zeros", ZEROS, reference=lambda x, f=reference: f(x, axis=1), batch=(0,), axis=1)


SAMPLES = [
    *_samples(),
    *[
        sample(
            LinearRecurrence,
            f"axis-{axis}",
            spread(2, 3, 2, seed=1),
            spread(2, 3, 2, seed=2),
            reference=lambda a, b, axis=axis: recurrence(a, b, axis),
            batch=() if axis == 0 else (0, 1),
            axis=axis,
        )
        for axis in (0, 1, -1)
    ],
    sample(LinearRecurrence, "vector", spread(4, seed=1), spread(4, seed=2), reference=recurrence, axis=-1),
    sample(LinearRecurrence, "one", spread(2, 1), spread(2, 1, seed=2), reference=recurrence, batch=(0, 1), axis=-1),
    sample(LinearRecurrence, "nothing", spread(2, 0), spread(2, 0), reference=recurrence, batch=(0, 1), axis=-1),
    sample(LinearRecurrence, "zeros", ZEROS, spread(2, 4), reference=recurrence, batch=(0, 1), axis=-1),
]
