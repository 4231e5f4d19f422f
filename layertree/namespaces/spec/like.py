"""Inference for functions whose result has the shape of a pattern."""

from __future__ import annotations

import numpy as np

from layertree.core.errors import ShapeError
from layertree.core.spec import WEAK, ArraySpec, shape_text
from layertree.core.static_index import EncodedIndex
from layertree.core.value import Sizes
from layertree.namespaces.spec._dims import array, in_shape, require_same, size_of


def sum_to(x: ArraySpec, like: ArraySpec) -> ArraySpec:
    """The spec of the pattern."""
    return array(like)


def broadcast_like(x: ArraySpec, like: ArraySpec) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``; a number broadcast to the shape () stays weak."""
    x, like = array(x), array(like)
    return in_shape(x, like.shape)


def reshape_like(x: ArraySpec, like: ArraySpec) -> ArraySpec:
    """The shape of the pattern; ShapeError where it has another number of elements."""
    x, like = array(x), array(like)
    mine, wanted = size_of(x.shape), size_of(like.shape)
    if mine is not None and wanted is not None and mine != wanted:
        raise ShapeError(f"{shape_text(x.shape)} has {mine} elements, but {shape_text(like.shape)} has {wanted}")
    return in_shape(x, like.shape)


def cast_like(x: ArraySpec, like: ArraySpec) -> ArraySpec:
    """The dtype of the pattern, the shape of ``x``."""
    x, like = array(x), array(like)
    if like.weak:
        return like if x.ndim == 0 else ArraySpec(x.shape, like.dtype)
    return ArraySpec(x.shape, like.dtype)


def alike(x: ArraySpec, like: ArraySpec, reason: str) -> ArraySpec:
    """The spec of ``x`` with the dimensions of both; ShapeError where the shapes differ."""
    x, like = array(x), array(like)
    reason = f"{reason}, but they are {shape_text(x.shape)} and {shape_text(like.shape)}"
    if x.ndim != like.ndim:
        raise ShapeError(reason)
    dims = tuple(require_same(one, other, reason) for one, other in zip(x.shape, like.shape, strict=True))
    return x if x.weak else ArraySpec(dims, x.dtype)


def zeros_like(like: ArraySpec) -> ArraySpec:
    """The spec of the pattern."""
    return array(like)


def ones_like(like: ArraySpec) -> ArraySpec:
    """The spec of the pattern."""
    return array(like)


def put(x: ArraySpec, like: ArraySpec, index: EncodedIndex) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``."""
    return ArraySpec(array(like).shape, array(x).dtype)


def scatter_add(x: ArraySpec, indices: ArraySpec, like: ArraySpec, axis: int) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``."""
    return ArraySpec(array(like).shape, array(x).dtype)


def unpick(x: ArraySpec, labels: ArraySpec, like: ArraySpec) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``."""
    return ArraySpec(array(like).shape, array(x).dtype)


def fold(x: ArraySpec, like: ArraySpec, stride: Sizes, dilation: Sizes) -> ArraySpec:
    """The shape of the pattern, the dtype of ``x``."""
    return ArraySpec(array(like).shape, array(x).dtype)


def concat_part(x: ArraySpec, likes: tuple[ArraySpec, ...], part: int, axis: int) -> ArraySpec:
    """The shape of pattern ``part``, the dtype of ``x``."""
    return ArraySpec(array(likes[part]).shape, array(x).dtype)


def bernoulli(like: ArraySpec, counter: ArraySpec, probability: float, seed: int) -> ArraySpec:
    """Booleans in the shape of the pattern."""
    like = array(like)
    return WEAK[bool] if like.weak else ArraySpec(like.shape, np.bool_)
