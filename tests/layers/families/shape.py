"""Samples of what moves elements, and of conversions."""

from typing import Any

import numpy as np

from layertree.layers.shape import (
    Alike,
    BroadcastTo,
    Cast,
    CastLike,
    Concat,
    ConcatPart,
    ExpandDims,
    MergeDims,
    OnesLike,
    Pad,
    PermuteDims,
    Reshape,
    ReshapeLike,
    SplitDim,
    ZerosLike,
)
from tests.layers.sample import sample, spread

X = spread(2, 3, 4, seed=3)
A, B, C = spread(2, 1), spread(2, 3, seed=1), spread(2, 2, seed=2)


def _concat(axis: int) -> Any:
    return lambda *xs: Concat(xs, axis=axis)


def _concat_part(part: int, axis: int) -> Any:
    return lambda x, *likes: ConcatPart(x, likes, part=part, axis=axis)


_RESHAPES = [
    sample(Reshape, "flat", X, shape=(24,), reference=lambda x: x.reshape(24)),
    sample(Reshape, "rest", X, shape=(-1, 6), reference=lambda x: x.reshape(-1, 6), batch=(0,)),
    sample(Reshape, "rest-inside", X, shape=(4, -1, 2), reference=lambda x: x.reshape(4, 3, 2)),
    sample(Reshape, "to-rank-0", spread(1, 1), shape=(), reference=lambda x: x.reshape(())),
    sample(Reshape, "of-rank-0", spread(), shape=(1, 1), reference=lambda x: np.reshape(x, (1, 1))),
    sample(Reshape, "of-number", 1.5, shape=(1,), reference=lambda x: np.reshape(x, (1,))),
    sample(Reshape, "number", 1.5, shape=(), reference=lambda x: x),
    sample(Reshape, "nothing", spread(0, 3), shape=(3, 0), reference=lambda x: x.reshape(3, 0)),
    sample(ReshapeLike, "flat", X, spread(24), patterns=(1,), reference=lambda x, like: x.reshape(24)),
    sample(
        ReshapeLike,
        "alike",
        X,
        spread(2, 3, 4),
        patterns=(1,),
        reference=lambda x, like: x,
        batch=(0, 1),
    ),
    sample(
        ReshapeLike,
        "rows",
        X,
        spread(2, 12),
        patterns=(1,),
        reference=lambda x, like: x.reshape(like.shape),
        batch=(0, 1),
    ),
    sample(ReshapeLike, "number", spread(1), 2.5, patterns=(1,), reference=lambda x, like: x[0]),
    sample(Alike, "array", X, spread(2, 3, 4), patterns=(1,), reference=lambda x, like: x, batch=(0, 1)),
    sample(Alike, "number", 1.5, 2.5, patterns=(1,), reference=lambda x, like: x),
    sample(MergeDims, "first", X, start=-3, stop=-1, reference=lambda x: x.reshape(-1, 4), batch=(0,)),
    sample(MergeDims, "last", X, start=-2, stop=0, reference=lambda x: x.reshape(len(x), 12), batch=(0,)),
    sample(MergeDims, "one", X, start=-2, stop=-1, reference=lambda x: x, batch=(0,)),
    sample(SplitDim, "halves", X, parts=2, reference=lambda x: x.reshape(len(x), 3, 2, 2), batch=(0,)),
    sample(SplitDim, "vector", spread(6), parts=3, reference=lambda x: x.reshape(3, 2)),
]

_MOVES = [
    sample(PermuteDims, "cycle", X, axes=(2, 0, 1), reference=lambda x: x.transpose(2, 0, 1), batch=(0,)),
    sample(PermuteDims, "negative", X, axes=(1, -1, -3), reference=lambda x: x.transpose(1, 2, 0), batch=(0,)),
    sample(PermuteDims, "matrix", spread(2, 3), axes=(1, 0), reference=np.transpose, batch=(0,)),
    sample(PermuteDims, "number", 1.5, axes=(), reference=lambda x: x),
    sample(BroadcastTo, "number-to-rank-0", 1.5, shape=(), reference=lambda x: x),
    sample(BroadcastTo, "row", spread(3), shape=(2, 3), reference=lambda x: np.broadcast_to(x, (2, 3))),
    sample(BroadcastTo, "middle", spread(2, 1, 2), shape=(3, 2, 4, 2), reference=lambda x: np.tile(x, (3, 1, 4, 1))),
    sample(BroadcastTo, "rank-0", spread(), shape=(2, 2), reference=lambda x: np.full((2, 2), x)),
    sample(BroadcastTo, "number", 1.5, shape=(2, 2), reference=lambda x: np.full((2, 2), x)),
    sample(BroadcastTo, "to-nothing", spread(1, 3), shape=(0, 3), reference=lambda x: np.ones((0, 3))),
    sample(ExpandDims, "first", X, axis=0, reference=lambda x: x[None], batch=(0,)),
    sample(ExpandDims, "second", X, axis=1, reference=lambda x: x[:, None], batch=(0,)),
    sample(ExpandDims, "last", X, axis=-1, reference=lambda x: x[..., None], batch=(0,)),
    sample(ExpandDims, "last-but-one", X, axis=-2, reference=lambda x: x[:, :, None], batch=(0,)),
    sample(ExpandDims, "number", 1.5, axis=0, reference=lambda x: np.array([x])),
]

_JOINS = [
    sample(
        Concat,
        "columns",
        A,
        B,
        C,
        build=_concat(1),
        differentiable=(0, 1, 2),
        reference=lambda *xs: np.concatenate(xs, 1),
        batch=(0, 1, 2),
    ),
    sample(
        Concat,
        "last",
        A,
        B,
        build=_concat(-1),
        differentiable=(0, 1),
        reference=lambda *xs: np.concatenate(xs, -1),
        batch=(0, 1),
    ),
    sample(
        Concat,
        "rows",
        spread(2, 2),
        spread(1, 2, seed=1),
        build=_concat(0),
        differentiable=(0, 1),
        reference=lambda *xs: np.concatenate(xs, 0),
        batch=(0,),
    ),
    sample(
        Concat,
        "one",
        B,
        build=_concat(0),
        differentiable=(0,),
        reference=lambda x: x,
        batch=(0,),
    ),
    sample(
        Concat,
        "integers-too",
        B,
        np.arange(4).reshape(2, 2),
        build=_concat(1),
        differentiable=(0,),
        reference=lambda *xs: np.concatenate(xs, 1),
        batch=(0, 1),
    ),
    *[
        sample(
            ConcatPart,
            f"part-{part}",
            spread(2, 6),
            A,
            B,
            C,
            build=_concat_part(part, -1),
            differentiable=(0,),
            reference=lambda x, a, b, c, part=part: np.split(x, [1, 4], axis=1)[part],
            batch=(0, 1, 2, 3),
        )
        for part in range(3)
    ],
    sample(
        ConcatPart,
        "rows",
        spread(3, 2),
        spread(1, 2),
        spread(2, 2),
        build=_concat_part(1, 0),
        differentiable=(0,),
        reference=lambda x, *likes: x[1:],
    ),
    sample(
        ConcatPart,
        "other-dtype",
        spread(3),
        np.float32([1.0]),
        np.float32([1.0, 2.0]),
        build=_concat_part(0, 0),
        differentiable=(0,),
        reference=lambda x, *likes: x[:1],
    ),
]

_PADS = [
    sample(Pad, "last", X, widths=((1, 2),), reference=lambda x: np.pad(x, ((0, 0), (0, 0), (1, 2))), batch=(0,)),
    sample(
        Pad,
        "one-sided",
        X,
        widths=((0, 2), (1, 0)),
        value=1.5,
        reference=lambda x: np.pad(x, ((0, 0), (0, 2), (1, 0)), constant_values=1.5),
        batch=(0,),
    ),
    sample(Pad, "number", 1.5, widths=(), reference=lambda x: x),
    sample(Pad, "none", X, widths=((0, 0), (0, 0)), reference=lambda x: x, batch=(0,)),
    sample(Pad, "all", spread(2, 2), widths=((1, 1), (2, 1)), reference=lambda x: np.pad(x, ((1, 1), (2, 1)))),
]

_KINDS = [
    sample(ZerosLike, "array", X, reference=np.zeros_like, batch=(0,)),
    sample(ZerosLike, "number", 1.5, reference=lambda x: 0.0),
    sample(OnesLike, "array", X, reference=np.ones_like, batch=(0,)),
    sample(OnesLike, "number", 1.5, reference=lambda x: 1.0),
    sample(Cast, "narrower", spread(2, 3), dtype=np.float32, reference=lambda x: x.astype(np.float32), batch=(0,)),
    sample(Cast, "same", spread(2, 3), dtype=np.float64, reference=lambda x: x.astype(np.float64), batch=(0,)),
    sample(Cast, "wider", np.float32([1.5, 2.5]), dtype="float64", reference=np.float64, batch=(0,)),
    sample(Cast, "rank-0", spread(), dtype=np.float32, reference=np.float32),
    sample(Cast, "number", 1.5, dtype=np.float32, reference=np.float32),
    sample(Cast, "integers", np.array([1, 2]), dtype=np.float64, reference=np.float64, batch=(0,)),
    sample(
        Cast,
        "to-integers",
        spread(3),
        dtype=np.int64,
        differentiable=(),
        reference=lambda x: x.astype(np.int64),
        batch=(0,),
    ),
    sample(
        CastLike,
        "narrower",
        spread(2, 3),
        np.float32([1.0]),
        patterns=(1,),
        reference=lambda x, like: x.astype(np.float32),
        batch=(0,),
    ),
    sample(CastLike, "same", spread(2, 3), spread(2), patterns=(1,), reference=lambda x, like: x, batch=(0,)),
    sample(CastLike, "number", spread(), 2.5, patterns=(1,), reference=lambda x, like: float(x)),
]

SAMPLES = [*_RESHAPES, *_MOVES, *_JOINS, *_PADS, *_KINDS]
