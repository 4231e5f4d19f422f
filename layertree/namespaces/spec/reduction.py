"""Inference for reductions and cumulative functions."""

from __future__ import annotations

import numpy as np

from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import WEAK, ArraySpec, spec_text
from layertree.core.value import Axes, Shape, Sizes
from layertree.namespaces.spec import elementwise
from layertree.namespaces.spec._dims import array, axis_of, size_of
from layertree.namespaces.spec.like import alike


def _reduced(x: ArraySpec, axis: Sizes, keepdims: bool) -> Shape:
    """The shape without some axes; with ``keepdims`` these have size 1."""
    axes = [axis_of(one, x.ndim) for one in axis]
    if len(set(axes)) != len(axes):
        raise ShapeError(f"axis {axis} names an axis twice")
    if keepdims:
        return tuple(1 if i in axes else dim for i, dim in enumerate(x.shape))
    return tuple(dim for i, dim in enumerate(x.shape) if i not in axes)


def sum(x: ArraySpec, axis: Axes, keepdims: bool = False) -> ArraySpec:
    """Floats keep their dtype; booleans and integers become the default integer."""
    x = array(x)
    axes = (axis,) if isinstance(axis, int) else axis
    shape = _reduced(x, axes, keepdims)
    if x.weak:
        return x if x.dtype.kind != "b" else WEAK[int]
    return ArraySpec(shape, np.add.reduce(np.zeros(1, x.dtype)).dtype)


prod = sum


def mean(x: ArraySpec, axis: Sizes, keepdims: bool = False) -> ArraySpec:
    """Floats keep their dtype; others become float64."""
    x = array(x)
    shape = _reduced(x, axis, keepdims)
    if x.weak:
        return WEAK[float]
    return ArraySpec(shape, x.dtype if x.dtype.kind in "fc" else np.float64)


def max(x: ArraySpec, axis: Axes, keepdims: bool = False) -> ArraySpec:
    """The dtype of the operand; ShapeError for a maximum over no elements."""
    x = array(x)
    axes = (axis,) if isinstance(axis, int) else axis
    shape = _reduced(x, axes, keepdims)
    if size_of([x.shape[axis_of(one, x.ndim)] for one in axes]) == 0:
        raise ShapeError(f"{spec_text(x)} has nothing to choose from along axis {axes}: its size is 0")
    return x if x.weak else ArraySpec(shape, x.dtype)


min = max


def argmax(x: ArraySpec, axis: int, keepdims: bool = False) -> ArraySpec:
    """One position for each row."""
    x = array(x)
    if x.ndim == 0:
        raise DTypeError(f"{spec_text(x)} has no axis to search along")
    return ArraySpec(max(x, (axis,), keepdims).shape, np.int64)


def axis_size(x: ArraySpec, axis: Sizes) -> ArraySpec:
    """A Python integer."""
    _reduced(array(x), axis, False)
    return WEAK[int]


def cumulative_sum(x: ArraySpec, axis: int) -> ArraySpec:
    """The shape of the operand, the dtype of a sum."""
    x = array(x)
    return ArraySpec(x.shape, sum(x, axis).dtype)


cumulative_prod = cumulative_sum


def linear_recurrence(factors: ArraySpec, terms: ArraySpec, axis: int) -> ArraySpec:
    """The common shape of both; dtypes promote."""
    factors, terms = array(factors), array(terms)
    spec = alike(factors, terms, "the factors of a recurrence have the shape of its terms")
    axis_of(axis, spec.ndim)
    return ArraySpec(spec.shape, elementwise.promoted("multiply", (factors, terms)))
