"""Borders, parts, and windows added back, into an array that is there."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from layertree.kernels.window_sizes import out_sizes


def pad(x: Any, out: Any, widths: tuple[tuple[int, int], ...], value: float) -> None:
    """``x`` with its last axes padded: (before, after) for each."""
    out.fill(value)
    lead = x.ndim - len(widths)
    inner = [slice(before, before + size) for size, (before, _) in zip(x.shape[lead:], widths, strict=True)]
    out[(..., *inner)] = x


def put(parts: tuple[Any, ...], out: Any, indices: tuple[Any, ...], whole: bool = False) -> None:
    """Zeros with parts at static indices, which do not overlap; no zeros where they are the ``whole`` array."""
    if not whole:
        out.fill(0)
    for part, index in zip(parts, indices, strict=True):
        out[index] = part


def windows(
    x: Any,
    window: tuple[int, ...],
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
    *,
    writeable: bool = False,
) -> Any:
    """All windows over the axes before the last one, as a view: (..., *positions, *window, channels)."""
    lead = x.ndim - len(window) - 1
    positions, steps = out_sizes(x.shape[lead:-1], window, stride, dilation), x.strides[lead:-1]
    shape = (*x.shape[:lead], *positions, *window, x.shape[-1])
    strides = (
        *x.strides[:lead],
        *[step * hop for step, hop in zip(steps, stride, strict=True)],
        *[step * gap for step, gap in zip(steps, dilation, strict=True)],
        x.strides[-1],
    )
    return as_strided(x, shape, strides, writeable=writeable)


def fold(x: Any, out: Any, work: Any, stride: tuple[int, ...], dilation: tuple[int, ...]) -> None:
    """Windows added back where they were taken from; ``work`` is an array of ``fold_room``.

    Windows far enough apart do not overlap, so those are added at once: whole windows, whose elements lie beside one
    another in longer runs than the channels do.
    """
    positions, window = _positions_and_window(x.shape, len(stride))
    lead, apart = x.ndim - 2 * len(stride) - 1, _apart(positions, window, stride, dilation)
    targets = windows(out, window, stride, dilation, writeable=True)
    out.fill(0)
    for first in product(*map(range, apart)):
        part = (slice(None),) * lead + tuple([slice(i, None, hop) for i, hop in zip(first, apart, strict=True)])
        target = targets[part]
        # NumPy cannot tell that no element is there twice, and would make a copy of its own to add in place.
        room = work.reshape(-1)[: target.size].reshape(target.shape)
        np.copyto(target, np.add(target, x[part], out=room))


def fold_room(shape: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the windows that are folded at once, of an ``x`` of a shape."""
    positions, window = _positions_and_window(shape, len(stride))
    apart = _apart(positions, window, stride, dilation)
    counts = [-(-count // hop) if hop else 0 for count, hop in zip(positions, apart, strict=True)]
    return (*shape[: -2 * len(stride) - 1], *counts, *window, shape[-1])


def _positions_and_window(shape: tuple[int, ...], axes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return shape[-2 * axes - 1 : -axes - 1], shape[-axes - 1 : -1]


def _apart(
    positions: tuple[int, ...], window: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]
) -> list[int]:
    """By how many positions windows are apart, along each axis, that do not overlap; no more than there are."""
    reach = [(size - 1) * gap + 1 for size, gap in zip(window, dilation, strict=True)]
    return [min(-(-length // hop), count) for length, hop, count in zip(reach, stride, positions, strict=True)]
