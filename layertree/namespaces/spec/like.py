"""Rules of what takes its shape from a pattern."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.errors import ShapeError
from layertree.core.spec import WEAK, ArraySpec, shape_text
from layertree.namespaces.spec._dims import Spec, array, in_shape, require_same, size_of


def sum_to(x: Spec, like: Spec) -> Spec:
    """The pattern's spec."""
    return array(like)


def broadcast_like(x: Spec, like: Spec) -> Spec:
    """The pattern's shape; a number that is broadcast to no axes stays one."""
    x, like = array(x), array(like)
    return in_shape(x, like.shape)


def reshape_like(x: Spec, like: Spec) -> Spec:
    """The pattern's shape, which has as many elements."""
    x, like = array(x), array(like)
    mine, wanted = size_of(x.shape), size_of(like.shape)
    if mine is not None and wanted is not None and mine != wanted:
        raise ShapeError(f"{shape_text(x.shape)} has {mine} elements, but {shape_text(like.shape)} has {wanted}")
    return in_shape(x, like.shape)


def cast_like(x: Spec, like: Spec) -> Spec:
    """The pattern's dtype."""
    x, like = array(x), array(like)
    if like.weak:
        return like if x.ndim == 0 else ArraySpec(x.shape, like.dtype)
    return ArraySpec(x.shape, like.dtype)


def alike(x: Spec, like: Spec, reason: str) -> Spec:
    """Both shapes are the same, as far as they are known."""
    x, like = array(x), array(like)
    reason = f"{reason}, but they are {shape_text(x.shape)} and {shape_text(like.shape)}"
    if x.ndim != like.ndim:
        raise ShapeError(reason)
    dims = tuple(require_same(one, other, reason) for one, other in zip(x.shape, like.shape, strict=True))
    return x if x.weak else ArraySpec(dims, x.dtype)


def zeros_like(like: Spec) -> Spec:
    """The pattern's spec."""
    return array(like)


def ones_like(like: Spec) -> Spec:
    """The pattern's spec."""
    return array(like)


def put(x: Spec, like: Spec, index: Any) -> Spec:
    """The pattern's shape."""
    return ArraySpec(array(like).shape, array(x).dtype)


def scatter_add(x: Spec, indices: Spec, like: Spec, axis: int) -> Spec:
    """The pattern's shape."""
    return ArraySpec(array(like).shape, array(x).dtype)


def unpick(x: Spec, labels: Spec, like: Spec) -> Spec:
    """The pattern's shape."""
    return ArraySpec(array(like).shape, array(x).dtype)


def fold(x: Spec, like: Spec, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Spec:
    """The pattern's shape."""
    return ArraySpec(array(like).shape, array(x).dtype)


def concat_part(x: Spec, likes: tuple[Spec, ...], part: int, axis: int) -> Spec:
    """The shape of one of the patterns."""
    return ArraySpec(array(likes[part]).shape, array(x).dtype)


def bernoulli(like: Spec, counter: Spec, probability: float, seed: int) -> Spec:
    """Booleans in the pattern's shape."""
    like = array(like)
    return WEAK[bool] if like.weak else ArraySpec(like.shape, np.bool_)
