"""Windows, convolution and pooling as direct loops over positions: slow, and plain to see."""

from __future__ import annotations

from typing import Any

import numpy as np

Pair = tuple[int, int]


def positions(size: int, window: int, stride: int, dilation: int) -> range:
    """Where windows start along one axis."""
    return range(0, size - dilation * (window - 1), stride)


def windows(x: Any, window: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """All windows, stacked: (..., *sizes, C) to (..., *positions, *window, C)."""
    axes = len(window)
    lead = x.shape[: x.ndim - axes - 1]
    starts = [positions(*of_axis) for of_axis in zip(x.shape[-axes - 1 : -1], window, stride, dilation, strict=True)]
    result = np.zeros((*lead, *map(len, starts), *window, x.shape[-1]))
    for place in np.ndindex(*map(len, starts)):
        for offset in np.ndindex(*window):
            source = tuple(s[p] + o * d for s, p, o, d in zip(starts, place, offset, dilation, strict=True))
            result[(..., *place, *offset, slice(None))] = x[(..., *source, slice(None))]
    return result


def fold(x: Any, like: Any, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """Windows added back where they were taken from."""
    axes = len(stride)
    places, window = x.shape[-2 * axes - 1 : -axes - 1], x.shape[-axes - 1 : -1]
    result = np.zeros(like.shape)
    for place in np.ndindex(*places):
        for offset in np.ndindex(*window):
            target = tuple(p * s + o * d for p, s, o, d in zip(place, stride, offset, dilation, strict=True))
            result[(..., *target, slice(None))] += x[(..., *place, *offset, slice(None))]
    return result


def _taps(x: Any, kernel: Any, stride: Pair, padding: Pair, dilation: Pair, groups: int) -> Any:
    """All (output place, filters, kernel tap, image place, channels) that meet in a convolution."""
    height, width, inside, filters = kernel.shape
    rows = positions(x.shape[-3] + 2 * padding[0], height, stride[0], dilation[0])
    columns = positions(x.shape[-2] + 2 * padding[1], width, stride[1], dilation[1])
    per_group = filters // groups
    for (i, top), (j, left), u, v, group in (
        (row, column, u, v, group)
        for row in enumerate(rows)
        for column in enumerate(columns)
        for u in range(height)
        for v in range(width)
        for group in range(groups)
    ):
        y, z = top + u * dilation[0] - padding[0], left + v * dilation[1] - padding[1]
        if 0 <= y < x.shape[-3] and 0 <= z < x.shape[-2]:
            channels = slice(group * inside, (group + 1) * inside)
            outputs = slice(group * per_group, (group + 1) * per_group)
            yield (..., i, j, outputs), (u, v, slice(None), outputs), (..., y, z, channels)


def _out_shape(x: Any, kernel: Any, stride: Pair, padding: Pair, dilation: Pair) -> tuple[int, ...]:
    rows = positions(x.shape[-3] + 2 * padding[0], kernel.shape[0], stride[0], dilation[0])
    columns = positions(x.shape[-2] + 2 * padding[1], kernel.shape[1], stride[1], dilation[1])
    return (*x.shape[:-3], len(rows), len(columns), kernel.shape[-1])


def conv2d(
    x: Any, kernel: Any, stride: Pair = (1, 1), padding: Pair = (0, 0), dilation: Pair = (1, 1), groups: int = 1
) -> Any:
    """The cross-correlation, tap by tap."""
    result = np.zeros(_out_shape(x, kernel, stride, padding, dilation))
    for output, tap, image in _taps(x, kernel, stride, padding, dilation, groups):
        result[output] += x[image] @ kernel[tap]
    return result


def conv2d_deltas(
    delta: Any, x: Any, kernel: Any, stride: Pair, padding: Pair, dilation: Pair, groups: int
) -> tuple[Any, Any]:
    """The deltas of images and kernel, tap by tap."""
    images, weights = np.zeros(x.shape), np.zeros(kernel.shape)
    for output, tap, image in _taps(x, kernel, stride, padding, dilation, groups):
        images[image] += delta[output] @ kernel[tap].T
        seen, told = x[image], delta[output]
        weights[tap] += seen.reshape(-1, seen.shape[-1]).T @ told.reshape(-1, told.shape[-1])
    return images, weights


def _pool_windows(x: Any, window: Pair, stride: Pair, padding: Pair) -> Any:
    """The places of each window within the image, without the padding."""
    rows = positions(x.shape[-3] + 2 * padding[0], window[0], stride[0], 1)
    columns = positions(x.shape[-2] + 2 * padding[1], window[1], stride[1], 1)
    for i, top in enumerate(rows):
        for j, left in enumerate(columns):
            ys = slice(max(top - padding[0], 0), max(min(top - padding[0] + window[0], x.shape[-3]), 0))
            zs = slice(max(left - padding[1], 0), max(min(left - padding[1] + window[1], x.shape[-2]), 0))
            yield (..., i, j, slice(None)), (..., ys, zs, slice(None))


def _pool_shape(x: Any, window: Pair, stride: Pair, padding: Pair) -> tuple[int, ...]:
    rows = positions(x.shape[-3] + 2 * padding[0], window[0], stride[0], 1)
    columns = positions(x.shape[-2] + 2 * padding[1], window[1], stride[1], 1)
    return (*x.shape[:-3], len(rows), len(columns), x.shape[-1])


def max_pool2d(x: Any, window: Pair, stride: Pair, padding: Pair = (0, 0)) -> Any:
    """The largest element of each window; the padding never wins."""
    result = np.full(_pool_shape(x, window, stride, padding), -np.inf)
    for output, image in _pool_windows(x, window, stride, padding):
        result[output] = x[image].max(axis=(-3, -2), initial=-np.inf)
    return result


def max_pool2d_delta(delta: Any, x: Any, window: Pair, stride: Pair, padding: Pair) -> Any:
    """The delta of the images: each window's goes to its largest elements, in equal parts."""
    result = np.zeros(x.shape)
    for output, image in _pool_windows(x, window, stride, padding):
        seen = x[image]
        attains = seen == seen.max(axis=(-3, -2), keepdims=True, initial=-np.inf)
        share = attains / attains.sum(axis=(-3, -2), keepdims=True)
        result[image] += share * delta[output][..., None, None, :]
    return result


def max_unpool2d(x: Any, output: Any, like: Any, window: Pair, stride: Pair, padding: Pair = (0, 0)) -> Any:
    """``x`` where the largest elements of ``like`` are, which ``output`` shows."""
    assert np.array_equal(output, max_pool2d(like, window, stride, padding))
    return max_pool2d_delta(x, like, window, stride, padding)
