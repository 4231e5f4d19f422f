"""Samples of what formulas over stacks are made of."""

from typing import Any

import numpy as np

from layertree.layers.stacks import EmbedDiagonal, EyeLike, ReshapeLast, ScatterEach, TakeDiagonal, TakeEach
from tests.layers.sample import sample, spread

X = spread(2, 3, 4, seed=3)
A = spread(2, 3, seed=4)
EACH = np.array([[2, 0], [1, 1]])
NEGATIVE = np.array([-1, 0])


def _take_each(axis: int) -> Any:
    return lambda x, indices: np.stack([np.take(row, own, axis) for row, own in zip(x, indices, strict=True)])


def _scatter_each(axis: int) -> Any:
    def one(x: Any, indices: Any, like: Any) -> Any:
        result = np.zeros(like.shape)
        width = np.ndim(indices)
        place = like.ndim + axis
        rows = np.moveaxis(x, tuple(range(place, place + width)), tuple(range(width)))
        moved = np.moveaxis(result, axis, 0)
        for index in np.ndindex(np.shape(indices)):
            moved[indices[index]] += rows[index]
        return result

    return lambda x, indices, like: np.stack([one(*parts) for parts in zip(x, indices, like, strict=True)])


SAMPLES = [
    sample(EyeLike, "vector", spread(3), reference=lambda x: np.eye(3)),
    sample(EyeLike, "matrix", spread(2, 3), reference=lambda x: np.eye(6).reshape(2, 3, 2, 3)),
    sample(EyeLike, "nothing", spread(0), reference=lambda x: np.zeros((0, 0))),
    sample(EyeLike, "number", 1.5, reference=lambda x: 1.0),
    sample(EyeLike, "rank-0", spread(), reference=lambda x: np.float64(1.0)),
    sample(EmbedDiagonal, "vector", spread(3), axes=1, reference=np.diag),
    sample(EmbedDiagonal, "stack", spread(2, 3), axes=1, reference=lambda x: x[..., None] * np.eye(3), batch=(0,)),
    sample(EmbedDiagonal, "matrix", A, axes=2, reference=lambda x: np.diag(x.ravel()).reshape(2, 3, 2, 3)),
    sample(EmbedDiagonal, "nothing", spread(2, 0), axes=1, reference=lambda x: np.zeros((2, 0, 0)), batch=(0,)),
    sample(EmbedDiagonal, "no-axes", spread(2), axes=0, reference=lambda x: x, batch=(0,)),
    sample(EmbedDiagonal, "rank-0", spread(), axes=0, reference=lambda x: x),
    sample(EmbedDiagonal, "number", 1.5, axes=0, reference=lambda x: x),
    sample(TakeDiagonal, "matrix", spread(3, 3), axes=1, reference=np.diag),
    sample(TakeDiagonal, "stack", spread(2, 3, 3), axes=1, reference=lambda x: x[:, range(3), range(3)], batch=(0,)),
    sample(
        TakeDiagonal, "pairs", spread(2, 3, 2, 3), axes=2, reference=lambda x: np.diag(x.reshape(6, 6)).reshape(2, 3)
    ),
    sample(TakeDiagonal, "no-axes", spread(2), axes=0, reference=lambda x: x, batch=(0,)),
    sample(TakeDiagonal, "rank-0", spread(), axes=0, reference=lambda x: x),
    sample(TakeDiagonal, "number", 1.5, axes=0, reference=lambda x: x),
    sample(ReshapeLast, "one", X, axes=1, shape=(2, 2), reference=lambda x: x.reshape(len(x), 3, 2, 2), batch=(0,)),
    sample(ReshapeLast, "two", X, axes=2, shape=(12,), reference=lambda x: x.reshape(len(x), 12), batch=(0,)),
    sample(ReshapeLast, "rest", X, axes=2, shape=(6, -1), reference=lambda x: x.reshape(len(x), 6, 2), batch=(0,)),
    sample(ReshapeLast, "none", X, axes=0, shape=(1,), reference=lambda x: x[..., None], batch=(0,)),
    sample(ReshapeLast, "rest-of-nothing", spread(2, 0), axes=1, shape=(3, -1), reference=lambda x: np.ones((2, 3, 0))),
    sample(ReshapeLast, "number", 1.5, axes=0, shape=(1,), reference=lambda x: np.array([x])),
    sample(TakeEach, "last", X[0, :2], EACH, axis=-1, shared=1, reference=_take_each(-1), batch=(0, 1)),
    sample(TakeEach, "inner", X, EACH, axis=-2, shared=1, reference=_take_each(-2), batch=(0, 1)),
    sample(TakeEach, "behind", X, EACH, axis=-1, shared=1, reference=_take_each(-1), batch=(0, 1)),
    sample(TakeEach, "one", X, NEGATIVE, axis=-2, shared=1, reference=_take_each(-2), batch=(0, 1)),
    sample(
        TakeEach,
        "two-shared",
        spread(2, 2, 3),
        EACH,
        axis=-1,
        shared=2,
        reference=lambda x, indices: np.take_along_axis(x, indices[..., None], -1)[..., 0],
        batch=(0, 1),
    ),
    sample(
        ScatterEach,
        "last",
        spread(2, 2),
        EACH,
        spread(2, 4),
        axis=-1,
        shared=1,
        patterns=(2,),
        reference=_scatter_each(-1),
        batch=(0, 1, 2),
    ),
    sample(
        ScatterEach,
        "inner",
        spread(2, 2, 2),
        EACH,
        spread(2, 3, 2),
        axis=-2,
        shared=1,
        patterns=(2,),
        reference=_scatter_each(-2),
        batch=(0, 1, 2),
    ),
    sample(
        ScatterEach,
        "behind",
        spread(2, 3, 2),
        EACH,
        spread(2, 3, 4),
        axis=-1,
        shared=1,
        patterns=(2,),
        reference=_scatter_each(-1),
        batch=(0, 1, 2),
    ),
    sample(
        ScatterEach,
        "one",
        spread(2, 4),
        NEGATIVE,
        spread(2, 3, 4),
        axis=-2,
        shared=1,
        patterns=(2,),
        reference=_scatter_each(-2),
        batch=(0, 1, 2),
    ),
]
