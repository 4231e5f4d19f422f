"""Rules of tuples, and of what passes values on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import spec_text
from layertree.namespaces.spec._dims import Spec, array, require_same


def item(x: Any, position: int) -> Any:
    """A part of a tuple."""
    if not is_a(x, tuple):
        raise DTypeError(f"{spec_text(x)} is no tuple, so it has no part {position}")
    if position >= len(x):
        raise ShapeError(f"there is no part {position}: {spec_text(x)} has {len(x)} parts")
    return x[position]


def dropout(x: Spec, mask: Spec, rate: float) -> Spec:
    """The mask is boolean and has the operand's shape; a float keeps its dtype."""
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


def running_average(x: Spec, average: Spec) -> Spec:
    """The average is of the operand's shape, so that it can stand in its place."""
    x, average = array(x), array(average)
    reason = (
        f"the average is {spec_text(average)}, but the operand {spec_text(x)}: their dtypes and shapes are the same"
    )
    if x.dtype.kind != "f" or average.dtype.kind != "f":
        raise DTypeError(reason)
    if x.ndim != average.ndim:
        raise ShapeError(reason)
    for one, other in zip(x.shape, average.shape, strict=True):
        require_same(one, other, reason)
    return x


def hook(x: Any, function: Callable[[Any], Any]) -> Any:
    """What passes; the function is for values."""
    return x
