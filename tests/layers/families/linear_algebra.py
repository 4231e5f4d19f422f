"""Samples of matrix products: all ranks that NumPy takes."""

import numpy as np

from layertree.layers.linear_algebra import MatMul, MatrixTranspose
from tests.layers.sample import sample, spread

SHAPES: list[tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
    ("vectors", (3,), (3,), ()),
    ("matrix-vector", (2, 3), (3,), (0,)),
    ("vector-matrix", (3,), (3, 2), ()),
    ("matrices", (2, 3), (3, 4), (0,)),
    ("stack-matrix", (2, 2, 3), (3, 2), (0,)),
    ("deep-stack-matrix", (2, 2, 2, 3), (3, 2), (0,)),
    ("matrix-stack", (2, 3), (2, 3, 2), (1,)),
    ("stacks", (2, 2, 3), (2, 3, 2), (0, 1)),
    ("vector-stack", (3,), (2, 3, 2), (1,)),
    ("stack-vector", (2, 2, 3), (3,), (0,)),
    ("broadcast-stacks", (2, 1, 2, 3), (3, 3, 2), (0,)),
    ("one-in-a-stack", (1, 2, 3), (2, 3, 2), (1,)),
    ("one-behind-a-stack", (2, 2, 3), (1, 3, 2), (0,)),
    ("nothing-inside", (2, 0), (0, 3), (0,)),
    ("stack-of-nothing-inside", (2, 2, 0), (0, 3), (0,)),
]

SAMPLES = [
    *[
        sample(MatMul, label, spread(*first), spread(*second, seed=1), reference=np.matmul, batch=batch)
        for label, first, second, batch in SHAPES
    ],
    sample(MatrixTranspose, "matrix", spread(2, 3), reference=lambda x: x.T, batch=(0,)),
    sample(MatrixTranspose, "stack", spread(2, 3, 4), reference=lambda x: x.swapaxes(1, 2), batch=(0,)),
]
