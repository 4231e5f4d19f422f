"""Pooling by whole shifted images: each element of a window is a strided view of all windows at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np


def _shifted(x: Any, window: tuple[int, int], stride: tuple[int, int], sizes: tuple[int, int]) -> Iterator[Any]:
    """For each place of a window, the elements that all windows have there."""
    (down, across), (height, width) = stride, sizes
    for i, j in product(*map(range, window)):
        yield x[..., i : i + down * (height - 1) + 1 : down, j : j + across * (width - 1) + 1 : across, :]


def max_pool2d(x: Any, out: Any, window: tuple[int, int], stride: tuple[int, int]) -> None:
    """The largest element of each window of images (..., H, W, C)."""
    first, *others = _shifted(x, window, stride, out.shape[-3:-1])
    if not others:
        np.copyto(out, first)
    for view in others:
        np.maximum(first, view, out=out)
        first = out


def unpool_room(shape: tuple[int, ...], dtype: Any, window: tuple[int, int]) -> list[tuple[tuple[int, ...], Any]]:
    """The shapes and dtypes of ``masks``, ``counts`` and ``share`` of ``max_unpool2d``, for an ``x`` of a shape."""
    places = window[0] * window[1]
    counts = np.dtype(np.uint8 if places < 256 else np.int64)
    return [((places, *shape), np.dtype(np.bool_)), (shape, counts), (shape, dtype)]


def max_unpool2d(
    x: Any, output: Any, like: Any, out: Any, masks: Any, counts: Any, share: Any, window: tuple[int, int]
) -> None:
    """``x`` where the largest element of each window of ``like`` is, in equal shares on ties; else 0.

    Windows lie side by side. ``masks`` are booleans, one array of the shape of ``x`` for each place of a window;
    ``counts`` are integers that can count these places, ``share`` is an array like ``x``.
    """
    sizes = x.shape[-3:-1]
    for mask, view in zip(masks, _shifted(like, window, window, sizes), strict=True):
        np.equal(view, output, out=mask)
    np.add.reduce(masks.view(np.uint8), axis=0, dtype=counts.dtype, out=counts)
    if counts.size and not (counts.min() == 1 == counts.max()):  # ties, or NaN
        np.copyto(share, counts)
        x = np.divide(x, share, out=share)
    if any(size % step for size, step in zip(out.shape[-3:-1], window, strict=True)):
        out.fill(0)  # what no window reaches
    for mask, view in zip(masks, _shifted(out, window, window, sizes), strict=True):
        np.multiply(x, mask, out=view)
