"""Rules whose pattern is rooted in a layer of ``layers/shape.py``."""

from __future__ import annotations

from collections.abc import Callable

from layertree.core.layer import AnyLayer
from layertree.layers.arithmetic import BroadcastLike
from layertree.layers.shape import (
    Alike,
    BroadcastTo,
    Cast,
    CastLike,
    ExpandDims,
    MergeDims,
    OnesLike,
    PermuteDims,
    Reshape,
    ReshapeLike,
    SplitDim,
    ZerosLike,
)
from layertree.rewrite.pattern import ComputedAttribute, Rule, form
from layertree.rewrite.rules.variables import (
    a,
    axes,
    axis,
    b,
    c,
    d,
    dtype,
    first,
    parts,
    reason,
    scalar,
    second,
    shape,
    start,
    stop,
)


def _is_identity(axes: tuple[int, ...]) -> bool:
    """Whether a permutation of axes changes nothing."""
    return all(axis % len(axes) == position for position, axis in enumerate(axes))


def _composed(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation of axes that is as good as two of them, one after the other."""
    return tuple([first[axis] for axis in second])


RESHAPES: tuple[Callable[[AnyLayer], AnyLayer], ...] = (
    lambda term: ReshapeLike(term, d),
    lambda term: form(Reshape, term, shape=first),
    lambda term: form(MergeDims, term, start=start, stop=stop),
    lambda term: form(SplitDim, term, parts=parts),
    lambda term: form(ExpandDims, term, axis=axis),
)
"""The operations that keep all elements in row-major order, and change the shape alone."""

SHAPES = (
    Rule(form(BroadcastTo, form(BroadcastTo, a, shape=first), shape=second), form(BroadcastTo, a, shape=second)),
    *[Rule(ReshapeLike(reshape(a), c), ReshapeLike(a, c)) for reshape in RESHAPES],
    *[Rule(form(Reshape, reshape(a), shape=second), form(Reshape, a, shape=second)) for reshape in RESHAPES],
    Rule(form(PermuteDims, a, axes=axes), a, when=_is_identity),
    Rule(
        form(PermuteDims, form(PermuteDims, a, axes=first), axes=second),
        form(PermuteDims, a, axes=ComputedAttribute(_composed)),
    ),
)
"""Two reshapes, broadcasts or permutations in sequence become one."""

BROADCASTS = (
    Rule(form(ExpandDims, BroadcastLike(scalar, b), axis=axis), BroadcastLike(scalar, form(ExpandDims, b, axis=axis))),
    Rule(ReshapeLike(BroadcastLike(scalar, b), c), BroadcastLike(scalar, c)),
    *[
        Rule(form(ExpandDims, form(cls, b), axis=axis), form(cls, form(ExpandDims, b, axis=axis)))
        for cls in (OnesLike, ZerosLike)
    ],
    *[Rule(ReshapeLike(form(cls, b), c), form(cls, c)) for cls in (OnesLike, ZerosLike)],
)
"""A reshape of an array with equal elements moves to the pattern that gives the shape of the array."""

SAME_SHAPE = (
    Rule(ReshapeLike(a, a), a),
    Rule(ReshapeLike(a, b), a),
    Rule(CastLike(a, b), a),
    Rule(form(Alike, a, b, reason=reason), a),
    Rule(form(Cast, a, dtype=dtype), a),
    Rule(form(Reshape, a, shape=shape), a),
    Rule(form(BroadcastTo, a, shape=shape), a),
)
"""A conversion to the shape or dtype that its operand already has vanishes."""

RULES = SHAPES + BROADCASTS + SAME_SHAPE
