"""Samples of reading at positions, and of the adjoints."""

from typing import Any

import numpy as np

from layertree.layers.indexing import GetItem, Pick, Put, ScatterAdd, Take, Unpick
from tests.layers.sample import sample, spread

X = spread(3, 4, 2, seed=3)
INDICES: list[tuple[str, Any, tuple[int, ...]]] = [
    ("first", 0, ()),
    ("last", -1, ()),
    ("slice", slice(1, 3), ()),
    ("step", (slice(None), slice(None, None, 2)), (0,)),
    ("backwards", (slice(None), slice(None, None, -1)), (0,)),
    ("negative-step", (..., slice(3, 0, -2), 1), (0,)),
    ("ellipsis", (..., 0), (0,)),
    ("inner-ellipsis", (0, ..., 1), ()),
    ("new-axis", (slice(None), None, 2), (0,)),
    ("element", (1, 2, -2), ()),
    ("nothing", (slice(None), slice(2, 2)), (0,)),
    ("everything", (), (0,)),
]


def _put_like(index: Any) -> Any:
    def reference(x: Any, like: Any) -> Any:
        result = np.zeros(like.shape)
        result[index] = x
        return result

    return reference


def _scatter(axis: int) -> Any:
    def reference(x: Any, indices: Any, like: Any) -> Any:
        result = np.zeros(like.shape)
        moved = np.moveaxis(result, axis, 0)
        width = np.ndim(indices)
        rows = np.moveaxis(x, range(axis, axis + width), range(width))
        for position in np.ndindex(np.shape(indices)):
            moved[indices[position] if width else indices] += rows[position]
        return result

    return reference


def _pick(x: Any, labels: Any) -> Any:
    result = np.empty(np.shape(labels))
    for row in np.ndindex(np.shape(labels)):
        result[row] = x[(*row, np.asarray(labels)[row])]
    return result


def _unpick(x: Any, labels: Any, like: Any) -> Any:
    result = np.zeros(like.shape)
    for row in np.ndindex(np.shape(labels)):
        result[(*row, np.asarray(labels)[row])] = np.asarray(x)[row]
    return result


ROW_LABELS = np.array([3, 0, 3])
LABELS = np.array([[0, 3], [2, 2]])

SAMPLES = [
    *[
        sample(GetItem, label, X, index=index, reference=lambda x, i=index: x[i], batch=batch)
        for label, index, batch in INDICES
    ],
    sample(GetItem, "of-number", 1.5, index=None, reference=lambda x: np.array([x])),
    sample(GetItem, "number", 1.5, index=(), reference=lambda x: x),
    *[
        sample(
            Put,
            label,
            spread(*X[index].shape),
            X,
            index=GetItem(0, index).index,
            patterns=(1,),
            reference=_put_like(index),
            batch=(0, 1) if batch else (),
        )
        for label, index, batch in INDICES
    ],
    sample(Take, "rows", X, np.array([2, 0]), reference=lambda x, i: x[i], batch=(1,)),
    sample(Take, "repeated", X, np.array([1, 1, -2]), reference=lambda x, i: x[i], batch=(1,)),
    sample(Take, "matrix", X, np.array([[1, 1], [0, 2]]), axis=1, reference=lambda x, i: x[:, i], batch=(0,)),
    sample(Take, "last", X, np.array([1, 1, 0]), axis=-1, reference=lambda x, i: x[..., i], batch=(0,)),
    sample(Take, "one", X, np.int64(-1), axis=1, reference=lambda x, i: x[:, i], batch=(0,)),
    sample(Take, "number", X, 2, reference=lambda x, i: x[i]),
    sample(Take, "element", spread(4), np.int64(1), reference=lambda x, i: x[i]),
    sample(
        ScatterAdd,
        "rows",
        spread(3, 2),
        np.array([1, 1, -4]),
        spread(4, 2),
        patterns=(2,),
        reference=_scatter(0),
        batch=(0, 1),
    ),
    sample(
        ScatterAdd,
        "matrix",
        spread(2, 2, 2, 3),
        np.array([[1, 1], [0, 2]]),
        spread(2, 4, 3),
        axis=1,
        patterns=(2,),
        reference=_scatter(1),
        batch=(0, 2),
    ),
    sample(
        ScatterAdd,
        "last",
        spread(2, 3),
        np.array([1, 1, 0]),
        spread(2, 2),
        axis=-1,
        patterns=(2,),
        reference=_scatter(1),
        batch=(0, 2),
    ),
    sample(ScatterAdd, "one", spread(2), np.int64(-1), spread(3, 2), patterns=(2,), reference=_scatter(0)),
    sample(ScatterAdd, "element", spread(), np.int64(1), spread(3), patterns=(2,), reference=_scatter(0)),
    sample(Pick, "matrix", spread(3, 4), np.array([3, 0, 3]), reference=_pick, batch=(0, 1)),
    sample(Pick, "rank-3", spread(2, 2, 4), LABELS, reference=_pick, batch=(0, 1)),
    sample(Pick, "vector", spread(4), 2, reference=_pick),
    sample(
        Unpick,
        "matrix",
        spread(3),
        np.array([3, 0, 3]),
        spread(3, 4),
        patterns=(2,),
        reference=_unpick,
        batch=(0, 1, 2),
    ),
    sample(Unpick, "rank-3", spread(2, 2), LABELS, spread(2, 2, 4), patterns=(2,), reference=_unpick, batch=(0, 1, 2)),
    sample(Unpick, "vector", spread(), 2, spread(4), patterns=(2,), reference=_unpick),
]
