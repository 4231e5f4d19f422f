"""The arithmetic of windows."""

from __future__ import annotations

from collections.abc import Sequence

from layertree.core.errors import ShapeError


def out_size(size: int, window: int, stride: int, dilation: int) -> int:
    """How many windows fit along one axis; ShapeError where none does."""
    reach = dilation * (window - 1) + 1
    if size < reach:
        raise ShapeError(f"a window that reaches over {reach} does not fit an axis of size {size}")
    return (size - reach) // stride + 1


def out_sizes(
    sizes: Sequence[int], window: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> tuple[int, ...]:
    """The same along several axes."""
    return tuple(map(out_size, sizes, window, stride, dilation))
