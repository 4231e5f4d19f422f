"""Samples of reductions: axes from both ends, several of them, none at all; with ties."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.layers.reduction import ArgMax, AxisSize, Max, Mean, Min, Prod, Sum, VectorNorm
from tests.layers.sample import Sample, sample, spread

X = spread(2, 3, 4, seed=3)
AXES: list[tuple[str, int | tuple[int, ...] | None, bool]] = [
    ("all", None, False),
    ("all-kept", None, True),
    ("first", 0, False),
    ("middle", 1, False),
    ("middle-kept", 1, True),
    ("last", -1, False),
    ("last-kept", -1, True),
    ("outer", (0, -1), False),
    ("reversed", (2, 1), False),
    ("outer-kept", (-3, 2), True),
    ("no-axis", (), False),
]


def _norm(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return np.sqrt(np.sum(np.square(x), axis=axis, keepdims=keepdims))


REDUCTIONS: list[tuple[type, Any]] = [
    (Sum, np.sum),
    (Mean, np.mean),
    (Max, np.max),
    (Min, np.min),
    (Prod, np.prod),
    (VectorNorm, _norm),
]
ZEROS = np.array([[2.0, 0.0, 3.0, -1.5], [0.0, 1.5, 0.0, 2.5], [0.5, -1.0, 1.5, 2.0]])
TIES = np.array([[1.0, 3.0, 3.0, -1.0, -1.0], [2.0, 2.0, 0.0, 0.0, 1.0]])


def _samples() -> Iterator[Sample]:
    for cls, reference in REDUCTIONS:
        choice = cls in (Max, Min)
        for label, axis, keepdims in AXES:

            def expected(x: Any, reference: Any = reference, axis: Any = axis, keepdims: bool = keepdims) -> Any:
                return reference(x, axis=axis, keepdims=keepdims)

            over_rows = axis is None or axis == 0 or (isinstance(axis, tuple) and not {0, -3}.isdisjoint(axis))
            batch = () if choice and over_rows else (0,)
            yield sample(cls, label, X, reference=expected, batch=batch, axis=axis, keepdims=keepdims)
        yield sample(cls, "vector", spread(3), reference=reference, axis=0)
        yield sample(cls, "rank-0", spread(), reference=reference)
        yield sample(cls, "number", 1.5, reference=reference)
        if choice:
            yield sample(cls, "tie", TIES, axis=1, reference=lambda x, f=reference: f(x, axis=1), batch=(0,), kink=True)
    for keepdims in (False, True):
        yield sample(
            ArgMax,
            "kept" if keepdims else "middle",
            X,
            axis=1,
            keepdims=keepdims,
            reference=lambda x, k=keepdims: np.argmax(x, axis=1, keepdims=k),
            batch=(0,),
        )


SAMPLES = [
    *_samples(),
    sample(Sum, "nothing", np.ones((2, 0)), axis=1, reference=lambda x: x.sum(1), batch=(0,)),
    sample(Prod, "nothing", np.ones((2, 0)), axis=1, reference=lambda x: x.prod(1), batch=(0,)),
    sample(Prod, "zeros", ZEROS, axis=1, reference=lambda x: x.prod(1), batch=(0,)),
    sample(Prod, "one-zero", ZEROS[0], reference=lambda x: x.prod()),
    sample(Prod, "zeros-over-all", ZEROS[:, :2] + 0.25 * (ZEROS[:, :2] == 1.5), reference=lambda x: x.prod()),
    sample(ArgMax, "default", X, reference=lambda x: np.argmax(x, axis=-1), batch=(0,)),
    sample(ArgMax, "tie", TIES, axis=-1, reference=lambda x: np.argmax(x, axis=-1), batch=(0,)),
    sample(AxisSize, "all", X, reference=lambda x: x.size, batch=(0,)),
    sample(AxisSize, "several", X, axis=(0, -1), reference=lambda x: x.shape[0] * x.shape[2], batch=(0,)),
    sample(AxisSize, "number", 1.5, reference=lambda x: 1),
]
