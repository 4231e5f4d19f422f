"""Inference for tuples and for functions whose result is their operand."""

from __future__ import annotations

from collections.abc import Callable

from layertree.core.brief import counted
from layertree.core.data import Data
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import ArraySpec, Spec, spec_text
from layertree.namespaces.spec._dims import array, require_same
from layertree.namespaces.spec.like import cast_like


def item(x: Spec, position: int) -> Spec:
    """One part of a tuple."""
    if not is_a(x, tuple):
        raise DTypeError(f"{spec_text(x)} is no tuple, so it has no part {position}")
    if position >= len(x):
        raise ShapeError(f"there is no part {position}: {spec_text(x)} has {counted(len(x), 'part')}")
    return x[position]


def dropout(x: ArraySpec, mask: ArraySpec, rate: float) -> ArraySpec:
    """The spec of the operand, a float; the mask is boolean, in the shape of the operand."""
    x, mask = array(x), array(mask)
    if x.dtype.kind not in "fc":
        raise DTypeError(f"{spec_text(x)} has no dropout: cast it to float")
    if mask.dtype.kind != "b":
        raise DTypeError(f"the mask is {spec_text(mask)}: booleans are wanted")
    if x.ndim != mask.ndim:
        raise ShapeError(f"the mask is {spec_text(mask)}, but the operand {spec_text(x)}: their shapes are the same")
    for one, other in zip(x.shape, mask.shape, strict=True):
        require_same(one, other, f"the mask is {spec_text(mask)}, but the operand {spec_text(x)}")
    return x


def running_average(x: ArraySpec, average: ArraySpec) -> ArraySpec:
    """The spec of the average, which replaces the operand in inference mode: both are floats of one shape."""
    x, average = array(x), array(average)
    reason = f"the average is {spec_text(average)}, but the operand {spec_text(x)}: both are floats of one shape"
    if x.dtype.kind != "f" or average.dtype.kind != "f":
        raise DTypeError(reason)
    if x.ndim != average.ndim:
        raise ShapeError(reason)
    for one, other in zip(x.shape, average.shape, strict=True):
        require_same(one, other, reason)
    return cast_like(x, average)


def hook(x: Spec, function: Callable[[Data], object]) -> Spec:
    """The spec of the operand; the function is called with data alone."""
    return x
