"""Maximum pooling by strided views of whole images: one view for each offset in a window, of all windows at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from layertree.core.value import Array, Pair, Sizes

Buffer: TypeAlias = tuple[Sizes, np.dtype[Any]]
"""The shape and the dtype of a workspace."""


def _shifted(x: Array, window: Pair, stride: Pair, sizes: Pair) -> Iterator[Array]:
    """For each offset in a window, the elements of all windows at this offset, as a view."""
    (down, across), (height, width) = stride, sizes
    for i, j in product(*map(range, window)):
        yield x[..., i : i + down * (height - 1) + 1 : down, j : j + across * (width - 1) + 1 : across, :]


def max_pool2d(x: Array, out: Array, window: Pair, stride: Pair) -> None:
    """The maximum of each window of images (..., H, W, C)."""
    first, *others = _shifted(x, window, stride, out.shape[-3:-1])
    if not others:
        np.copyto(out, first)
    for view in others:
        np.maximum(first, view, out=out)
        first = out


def unpool_room(shape: Sizes, dtype: np.dtype[Any], places: int) -> list[Buffer]:
    """The workspaces ``masks``, ``counts`` and ``share`` for an ``x`` of a shape and windows of ``places`` offsets."""
    counts = np.dtype(np.uint8 if places < 256 else np.int64)
    return [((places, *shape), np.dtype(np.bool_)), (shape, counts), (shape, dtype)]


def max_unpool2d(
    x: Array, output: Array, like: Array, out: Array, masks: Array, counts: Array, share: Array, window: Pair
) -> None:
    """``x`` at the maximum of each window of ``like``, in equal shares on ties; else 0.

    The stride is the window, so windows do not overlap. ``masks``, ``counts`` and ``share`` are the workspaces of
    ``unpool_room``: one boolean mask an offset in a window, the number of ties, and the quotient by that number.
    """
    sizes = x.shape[-3:-1]
    if any(size % step for size, step in zip(out.shape[-3:-1], window, strict=True)):
        out.fill(0)  # elements in no window
    places, targets = _shifted(like, window, window, sizes), _shifted(out, window, window, sizes)
    _unpool(x, output, places, targets, masks, counts, share)


def max_unpool(x: Array, output: Array, like: Array, out: Array, masks: Array, counts: Array, share: Array) -> None:
    """``x`` at the maximum along the first axis of ``like``, in equal shares on ties; else 0.

    The arguments are those of ``max_unpool2d``; offsets in a window are the first axis of ``like`` and ``out``.

    >>> like = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> out = np.empty((2, 2))
    >>> room = [np.empty(shape, dtype) for shape, dtype in unpool_room((2,), np.dtype(float), 2)]
    >>> max_unpool(np.array([10.0, 20.0]), like.max(axis=0), like, out, *room)
    >>> out.tolist()
    [[0.0, 10.0], [10.0, 10.0]]
    """
    _unpool(x, output, like, out, masks, counts, share)


def _unpool(
    x: Array,
    output: Array,
    places: Iterable[Array],
    targets: Iterable[Array],
    masks: Array,
    counts: Array,
    share: Array,
) -> None:
    """``x`` written to the ``targets`` of those places that attain ``output``, zeros to the others."""
    for mask, place in zip(masks, places, strict=True):
        np.equal(place, output, out=mask)
    np.add.reduce(masks.view(np.uint8), axis=0, dtype=counts.dtype, out=counts)
    if counts.size and not (counts.min() == 1 == counts.max()):  # ties, or NaN
        np.copyto(share, counts)
        x = np.divide(x, share, out=share)
    for mask, target in zip(masks, targets, strict=True):
        np.multiply(x, mask, out=target)
