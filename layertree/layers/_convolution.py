"""Convolution and pooling written in standard names over ``windows`` and ``fold``, for any namespace.

Images are (..., H, W, C) and kernels (KH, KW, C / groups, filters). With groups, the group is the first axis of
windows, kernel and result, so that one stacked matrix product serves all of them.
"""

from __future__ import annotations

from typing import Any

Value = Any


def conv2d(
    xp: Any,
    x: Value,
    kernel: Value,
    stride: tuple[int, int],
    padding: tuple[int, int],
    dilation: tuple[int, int],
    groups: int,
) -> Value:
    """The cross-correlation of images with a kernel, as one matrix product over all windows (im2col)."""
    padded = pad2d(xp, x, padding, 0.0)
    windows = xp.windows(padded, window=xp.shape(kernel)[:2], stride=stride, dilation=dilation)
    columns = merge_window(xp, group_windows(xp, windows, groups))
    return ungroup_last(xp, xp.matmul(columns, kernel_matrix(xp, kernel, groups, xp.ndim(x))), groups)


def max_pool2d(xp: Any, x: Value, window: tuple[int, int], stride: tuple[int, int], padding: tuple[int, int]) -> Value:
    """The largest element of each window."""
    padded = pad2d(xp, x, padding, -float("inf"))
    return xp.max(xp.windows(padded, window=window, stride=stride, dilation=(1, 1)), axis=(-3, -2))


def max_unpool2d(
    xp: Any,
    x: Value,
    output: Value,
    like: Value,
    window: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
) -> Value:
    """``x`` where the largest element of each window of ``like`` is, in equal shares on ties."""
    attained, total = attaining(xp, x, output, like, window, stride, padding)
    share = xp.divide(x, total)
    shares = xp.multiply(attained, xp.expand_dims(xp.expand_dims(share, axis=-2), axis=-3))
    padded = pad2d(xp, like, padding, -float("inf"))
    return crop2d(xp, xp.fold(shares, padded, stride=stride, dilation=(1, 1)), padding)


def attaining(
    xp: Any,
    x: Value,
    output: Value,
    like: Value,
    window: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
) -> tuple[Value, Value]:
    """1 where an element of a window is its largest, else 0, and how many there are in each; in the dtype of ``x``."""
    padded = pad2d(xp, like, padding, -float("inf"))
    windows = xp.windows(padded, window=window, stride=stride, dilation=(1, 1))
    largest = xp.expand_dims(xp.expand_dims(output, axis=-2), axis=-3)
    attained = xp.cast_like(xp.equal(windows, largest), x)
    return attained, xp.sum(attained, axis=(-3, -2))


def pad2d(xp: Any, x: Value, padding: tuple[int, int], value: float) -> Value:
    """Images with a border of constant elements."""
    if padding == (0, 0):
        return x
    down, across = padding
    return xp.pad(x, widths=((down, down), (across, across), (0, 0)), value=value)


def crop2d(xp: Any, x: Value, padding: tuple[int, int]) -> Value:
    """Images without their border."""
    if padding == (0, 0):
        return x
    rows, columns = [(border, -border or None, None) for border in padding]
    return xp.getitem(x, index=("...", rows, columns, (None, None, None)))


def merge_window(xp: Any, windows: Value) -> Value:
    """The three axes of a window as one."""
    return xp.merge_dims(windows, start=-3, stop=0)


def group_windows(xp: Any, windows: Value, groups: int) -> Value:
    """(..., KH, KW, C) as (groups, ..., KH, KW, C / groups)."""
    return windows if groups == 1 else group_last(xp, windows, groups)


def ungroup_windows(xp: Any, windows: Value, groups: int) -> Value:
    """The way back, with the channels still split: (..., KH, KW, groups, C / groups)."""
    return windows if groups == 1 else _first_to_second_last(xp, windows)


def group_last(xp: Any, x: Value, groups: int) -> Value:
    """(..., C) as (groups, ..., C / groups)."""
    if groups == 1:
        return x
    split = xp.split_dim(x, parts=groups)
    ndim = xp.ndim(split)
    return xp.permute_dims(split, axes=(-2, *range(-ndim, -2), -1))


def ungroup_last(xp: Any, x: Value, groups: int) -> Value:
    """(groups, ..., C / groups) as (..., C)."""
    if groups == 1:
        return x
    return xp.merge_dims(_first_to_second_last(xp, x), start=-2, stop=0)


def _first_to_second_last(xp: Any, x: Value) -> Value:
    ndim = xp.ndim(x)
    return xp.permute_dims(x, axes=(*range(-ndim + 1, -1), -ndim, -1))


def group_kernel(xp: Any, kernel: Value, groups: int) -> Value:
    """(KH, KW, C / groups, F) as (groups, KH, KW, C / groups, F / groups)."""
    return group_last(xp, kernel, groups)


def ungroup_kernel(xp: Any, kernel: Value, groups: int) -> Value:
    """The way back, with the filters still split; the axes of the window may be one."""
    return kernel if groups == 1 else _first_to_second_last(xp, kernel)


def kernel_matrix(xp: Any, kernel: Value, groups: int, ndim: int) -> Value:
    """The kernel as a matrix (window, filters); with groups a stack of them that fits images of ``ndim`` axes."""
    matrix = xp.merge_dims(group_kernel(xp, kernel, groups), start=-4, stop=-1)
    if groups == 1:
        return matrix
    for _ in range(ndim - 2):
        matrix = xp.expand_dims(matrix, axis=-3)
    return matrix
