"""Convolution and pooling as im2col: formulas over ``windows`` and its adjoint ``fold``, for any namespace.

Images are (..., H, W, C) and kernels (KH, KW, C / groups, filters). With groups, the group is the first axis of
windows, kernel and result, so that one stacked matrix product serves all groups.
"""

from __future__ import annotations

from typing_extensions import TypeVar

from layertree.core.namespace import Namespace
from layertree.core.spec import Dim
from layertree.core.static_index import WHOLE
from layertree.core.value import Pair, Sizes
from layertree.core.window_geometry import WindowGeometry, pad_widths

V = TypeVar("V")
D = TypeVar("D", bound=Dim)


def conv2d(xp: Namespace[V], x: V, kernel: V, stride: Pair, padding: Pair, dilation: Pair, groups: int) -> V:
    """The cross-correlation of images with a kernel, as one matrix product over all windows (im2col)."""
    geometry = WindowGeometry(xp.shape(kernel)[:2], stride, padding, dilation)
    windows = windows_of(xp, pad2d(xp, x, padding, 0.0), geometry)
    columns = merge_window(xp, group_windows(xp, windows, groups))
    return ungroup_last(xp, xp.matmul(columns, kernel_matrix(xp, kernel, groups, xp.ndim(x))), groups)


def max_pool2d(xp: Namespace[V], x: V, window: Pair, stride: Pair, padding: Pair) -> V:
    """The maximum of each window."""
    padded = pad2d(xp, x, padding, -float("inf"))
    return xp.max(windows_of(xp, padded, WindowGeometry(window, stride, padding)), axis=(-3, -2))


def max_unpool2d(xp: Namespace[V], x: V, output: V, like: V, window: Pair, stride: Pair, padding: Pair) -> V:
    """``x`` where the maximum of each window of ``like`` is, in equal shares on ties."""
    geometry = WindowGeometry(window, stride, padding)
    attained, count = attaining(xp, x, output, like, geometry)
    share = xp.expand_dims(xp.expand_dims(xp.divide(x, count), axis=-2), axis=-3)
    return fold_to(xp, xp.multiply(attained, share), pad2d(xp, like, padding, -float("inf")), geometry)


def attaining(xp: Namespace[V], x: V, output: V, like: V, geometry: WindowGeometry) -> tuple[V, V]:
    """1 where an element of a window is its maximum, else 0, and the number of ones a window; in the dtype of ``x``."""
    windows = windows_of(xp, pad2d(xp, like, geometry.padding, -float("inf")), geometry)
    maximum = xp.expand_dims(xp.expand_dims(output, axis=-2), axis=-3)
    attained = xp.cast_like(xp.equal(windows, maximum), x)
    return attained, xp.sum(attained, axis=(-3, -2))


def windows_of(xp: Namespace[V], padded: V, geometry: WindowGeometry[D]) -> V:
    """All windows of images that are padded already."""
    return xp.windows(padded, window=geometry.window, stride=geometry.stride, dilation=geometry.dilation)


def fold_to(xp: Namespace[V], windows: V, padded: V, geometry: WindowGeometry[D]) -> V:
    """Windows added up in the shape of padded images, without the padding: the adjoint of padding and windows."""
    return crop2d(xp, xp.fold(windows, padded, stride=geometry.stride, dilation=geometry.dilation), geometry.padding)


def pad2d(xp: Namespace[V], x: V, padding: Sizes, value: float) -> V:
    """Images with a border of constant elements."""
    if padding == (0, 0):
        return x
    return xp.pad(x, widths=pad_widths(padding), value=value)


def crop2d(xp: Namespace[V], x: V, padding: Sizes) -> V:
    """Images without their border: the adjoint of padding."""
    if padding == (0, 0):
        return x
    return xp.getitem(x, index=("...", *[(border, -border or None, None) for border in padding], WHOLE))


def merge_window(xp: Namespace[V], windows: V) -> V:
    """The axes of a window and its channels flattened to one."""
    return xp.merge_dims(windows, start=-3, stop=0)


def group_windows(xp: Namespace[V], windows: V, groups: int) -> V:
    """(..., KH, KW, C) as (groups, ..., KH, KW, C / groups)."""
    return windows if groups == 1 else group_last(xp, windows, groups)


def ungroup_windows(xp: Namespace[V], windows: V, groups: int) -> V:
    """The inverse of ``group_windows``, with the channels still split: (..., KH, KW, groups, C / groups)."""
    return windows if groups == 1 else _first_to_second_last(xp, windows)


def group_last(xp: Namespace[V], x: V, groups: int) -> V:
    """(..., C) as (groups, ..., C / groups)."""
    if groups == 1:
        return x
    split = xp.split_dim(x, parts=groups)
    ndim = xp.ndim(split)
    return xp.permute_dims(split, axes=(-2, *range(-ndim, -2), -1))


def ungroup_last(xp: Namespace[V], x: V, groups: int) -> V:
    """(groups, ..., C / groups) as (..., C)."""
    if groups == 1:
        return x
    return xp.merge_dims(_first_to_second_last(xp, x), start=-2, stop=0)


def _first_to_second_last(xp: Namespace[V], x: V) -> V:
    ndim = xp.ndim(x)
    return xp.permute_dims(x, axes=(*range(-ndim + 1, -1), -ndim, -1))


def group_kernel(xp: Namespace[V], kernel: V, groups: int) -> V:
    """(KH, KW, C / groups, F) as (groups, KH, KW, C / groups, F / groups)."""
    return group_last(xp, kernel, groups)


def ungroup_kernel(xp: Namespace[V], kernel: V, groups: int) -> V:
    """The inverse of ``group_kernel``, with the filters still split; the axes of the window may be one."""
    return kernel if groups == 1 else _first_to_second_last(xp, kernel)


def kernel_matrix(xp: Namespace[V], kernel: V, groups: int, ndim: int) -> V:
    """The kernel as a matrix (window, filters); with groups a stack of matrices that fits images of rank ``ndim``."""
    matrix = xp.merge_dims(group_kernel(xp, kernel, groups), start=-4, stop=-1)
    if groups == 1:
        return matrix
    for _ in range(ndim - 2):
        matrix = xp.expand_dims(matrix, axis=-3)
    return matrix
