"""Padding, and windows of images as views (im2col) with their adjoint (col2im)."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided

from layertree.core.static_index import StaticIndex
from layertree.core.value import Array, Sizes, Widths
from layertree.core.window_geometry import WindowGeometry


def pad(x: Array, out: Array, widths: Widths, value: float) -> None:
    """``x`` with constant elements around the last axes: (before, after), one pair an axis."""
    out.fill(value)
    lead = x.ndim - len(widths)
    inner = [slice(before, before + size) for size, (before, _) in zip(x.shape[lead:], widths, strict=True)]
    index: StaticIndex = (..., *inner)
    out[index] = x


def put(parts: tuple[Array, ...], out: Array, indices: tuple[StaticIndex, ...], whole: bool = False) -> None:
    """Zeros with parts at static indices, which do not overlap; with ``whole`` the parts cover ``out``."""
    if not whole:
        out.fill(0)
    for part, index in zip(parts, indices, strict=True):
        out[index] = part


def windows(x: Array, window: Sizes, stride: Sizes, dilation: Sizes, *, writeable: bool = False) -> Array:
    """All windows over the axes before the last one, as a view: (..., *positions, *window, channels)."""
    lead = x.ndim - len(window) - 1
    shape = (*x.shape[:lead], *_output_sizes(x.shape[lead:-1], window, stride, dilation), *window, x.shape[-1])
    steps = x.strides[lead:-1]
    strides = (
        *x.strides[:lead],
        *[step * hop for step, hop in zip(steps, stride, strict=True)],
        *[step * gap for step, gap in zip(steps, dilation, strict=True)],
        x.strides[-1],
    )
    return as_strided(x, shape, strides, writeable=writeable)


def fold(x: Array, out: Array, work: Array, stride: Sizes, dilation: Sizes) -> None:
    """Windows added up in the shape of ``out``: the adjoint of ``windows``. ``work`` is a workspace, see ``fold_room``.

    Windows ``disjoint_steps`` apart do not overlap, so all of those are added in one operation: whole windows, which
    are contiguous in longer runs than the channels alone.
    """
    axes = len(stride)
    steps, lead = _disjoint_steps(x.shape, stride, dilation), x.ndim - 2 * axes - 1
    targets = windows(out, x.shape[-axes - 1 : -1], stride, dilation, writeable=True)
    out.fill(0)
    for first in product(*map(range, steps)):
        part = (slice(None),) * lead + tuple([slice(i, None, step) for i, step in zip(first, steps, strict=True)])
        target = targets[part]
        # NumPy cannot know that the windows are disjoint: to add in place it would first copy ``target``.
        total = work.reshape(-1)[: target.size].reshape(target.shape)
        np.copyto(target, np.add(target, x[part], out=total))


def fold_room(shape: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    """The shape of the workspace of ``fold``, of ``x`` of a shape: the largest set of disjoint windows."""
    lead = len(shape) - 2 * len(stride) - 1
    steps = _disjoint_steps(shape, stride, dilation)
    sets = [-(-count // step) if step else 0 for count, step in zip(shape[lead:], steps, strict=False)]
    return (*shape[:lead], *sets, *shape[lead + len(stride) :])


# A run calls the kernels with the same shapes each time, so both results are cached.


@lru_cache(maxsize=256)
def _output_sizes(sizes: Sizes, window: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    """The number of windows along each axis."""
    return WindowGeometry(window, stride, dilation=dilation).output_sizes(sizes)


@lru_cache(maxsize=256)
def _disjoint_steps(shape: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    """``disjoint_steps`` of windows of the shape (..., *counts, *window, channels)."""
    axes = len(stride)
    geometry = WindowGeometry(shape[-axes - 1 : -1], stride, dilation=dilation)
    return geometry.disjoint_steps(shape[-2 * axes - 1 : -axes - 1])
