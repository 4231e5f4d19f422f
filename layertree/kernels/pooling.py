"""Pooling by whole shifted images: each element of a window is a strided view of all windows at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def unpool_room(shape: tuple[int, ...], dtype: Any, places: int) -> list[tuple[tuple[int, ...], Any]]:
    """The shapes and dtypes of ``masks``, ``counts`` and ``share`` to unpool an ``x`` of a shape to so many places."""
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
    if any(size % step for size, step in zip(out.shape[-3:-1], window, strict=True)):
        out.fill(0)  # what no window reaches
    places, targets = _shifted(like, window, window, sizes), _shifted(out, window, window, sizes)
    _unpool(x, output, places, targets, masks, counts, share)


def max_unpool(x: Any, output: Any, like: Any, out: Any, masks: Any, counts: Any, share: Any) -> None:
    """``x`` where the largest along the first axis of ``like`` is, in equal shares on ties; else 0.

    The arguments are those of ``max_unpool2d``; places are along the first axis of ``like`` and ``out``.

    >>> like = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> out = np.empty((2, 2))
    >>> room = [np.empty(shape, dtype) for shape, dtype in unpool_room((2,), np.dtype(float), 2)]
    >>> max_unpool(np.array([10.0, 20.0]), like.max(axis=0), like, out, *room)
    >>> out.tolist()
    [[0.0, 10.0], [10.0, 10.0]]
    """
    _unpool(x, output, like, out, masks, counts, share)


def _unpool(
    x: Any, output: Any, places: Iterable[Any], targets: Iterable[Any], masks: Any, counts: Any, share: Any
) -> None:
    """``x`` to the ``targets`` of those places that hold the largest."""
    for mask, place in zip(masks, places, strict=True):
        np.equal(place, output, out=mask)
    np.add.reduce(masks.view(np.uint8), axis=0, dtype=counts.dtype, out=counts)
    if counts.size and not (counts.min() == 1 == counts.max()):  # ties, or NaN
        np.copyto(share, counts)
        x = np.divide(x, share, out=share)
    for mask, target in zip(masks, targets, strict=True):
        np.multiply(x, mask, out=target)
