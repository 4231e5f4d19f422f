"""Shapes that begin with unknown dimensions of a formula."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layertree import ShapeError
from layertree.core.brief import brief_formula
from layertree.core.spec import Dim, shape_text, spec_text
from symbolic.building.operations import apply

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula

__all__ = ["reshaped_behind"]


def reshaped_behind(x: AnyFormula, shape: tuple[Dim, ...]) -> AnyFormula:
    """A formula in a shape that begins with unknown dimensions of it.

    Raises ShapeError for unknown dimensions elsewhere, and for sizes that do not fit.
    """
    text = f"reshape({brief_formula(x)}: {spec_text(x.spec)}, {shape})"
    old = x.shape
    pairs = enumerate(zip(old, shape, strict=False))
    count = next((i for i, (kept, given) in pairs if kept != given), min(len(old), len(shape)))
    sizes = [size for size in shape[count:] if isinstance(size, int)]
    if len(sizes) < len(shape) - count or sizes.count(-1) > 1:
        raise ShapeError(
            f"{text}: dimensions that are not known stand at the front, as in {shape_text(old)}, before sizes"
        )
    if count == len(shape) == len(old):
        return x
    merged = apply("expand_dims", x, axis=-1) if count == len(old) else x
    if count < len(old) - 1:
        merged = apply("merge_dims", x, start=count - len(old), stop=0)
    total = merged.shape[-1]
    if -1 in sizes and isinstance(total, int):
        rest = math.prod(size for size in sizes if size != -1)
        if rest and total % rest == 0:
            sizes[sizes.index(-1)] = total // rest
    if not isinstance(total, int) and (not sizes or sizes[-1] != -1):
        raise ShapeError(f"{text}: the axes after the first {count} have an unknown size: give -1 as the last one")
    if isinstance(total, int) and (-1 in sizes or math.prod(sizes) != total):
        raise ShapeError(
            f"{text}: the axes after the first {count} have {total} elements, which are not of these sizes"
        )
    if not sizes:
        return merged[..., 0]
    for size in sizes[:-1]:
        merged = apply("split_dim", merged, parts=size)
    return merged
