"""Inference for matrix products, windows, convolution and pooling."""

from __future__ import annotations

from functools import lru_cache

from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import ArraySpec, Dim, shape_text, spec_text
from layertree.core.value import Pair, Shape, Sizes
from layertree.core.window_geometry import pad_widths, window_count
from layertree.namespaces.spec._dims import array, broadcast, require_same
from layertree.namespaces.spec.elementwise import promoted
from layertree.namespaces.spec.shape import pad as _pad


@lru_cache(maxsize=4096, typed=True)
def matmul(a: ArraySpec, b: ArraySpec) -> ArraySpec:
    """(..., i, k) and (..., k, j) to (..., i, j); the leading axes broadcast. A vector has k alone."""
    a, b = array(a), array(b)
    if a.ndim == 0 or b.ndim == 0:
        raise ShapeError(
            "a matrix product takes vectors, matrices or stacks of them, no single numbers: use * for those"
        )
    inner = b.shape[-2] if b.ndim > 1 else b.shape[-1]
    require_same(
        a.shape[-1],
        inner,
        f"shapes {shape_text(a.shape)} and {shape_text(b.shape)} do not fit: the last axis of the first is "
        f"{a.shape[-1]}, so the {'second last' if b.ndim > 1 else 'only'} axis of the second has to be "
        f"{a.shape[-1]}, not {inner}",
    )
    stack = broadcast(ArraySpec(a.shape[:-2], a.dtype), ArraySpec(b.shape[:-2], b.dtype))
    rows = a.shape[-2:-1]
    columns = b.shape[-1:] if b.ndim > 1 else ()
    return ArraySpec((*stack, *rows, *columns), promoted("matmul", (a, b)))


def _count(dim: Dim, window: Dim, stride: int, dilation: int) -> Dim:
    """The number of windows along an axis; None where a size is not known."""
    if isinstance(dim, int) and isinstance(window, int):
        return window_count(dim, window, stride, dilation)
    return None


def windows(x: ArraySpec, window: Shape, stride: Sizes, dilation: Sizes) -> ArraySpec:
    """(..., H, W, C) to (..., OH, OW, KH, KW, C)."""
    x = array(x)
    axes = len(window)
    if len(stride) != axes or len(dilation) != axes:
        raise ShapeError(
            f"window {tuple(window)}, stride {stride} and dilation {dilation} have different numbers of axes"
        )
    if x.ndim < axes + 1:
        raise ShapeError(f"{shape_text(x.shape)} has too few axes: {axes} to slide over and the channels are wanted")
    lead = x.ndim - axes - 1
    positions = map(_count, x.shape[lead:-1], window, stride, dilation)
    return ArraySpec((*x.shape[:lead], *positions, *window, x.shape[-1]), x.dtype)


def conv2d(x: ArraySpec, kernel: ArraySpec, stride: Pair, padding: Pair, dilation: Pair, groups: int) -> ArraySpec:
    """(..., H, W, C) and (KH, KW, C / groups, F) to (..., OH, OW, F)."""
    x, kernel = array(x), array(kernel)
    if kernel.ndim != 4:
        raise ShapeError(f"the kernel is {shape_text(kernel.shape)}: (KH, KW, channels / groups, filters) is wanted")
    if x.ndim < 3:
        raise ShapeError(f"images are (..., H, W, channels), but these are {shape_text(x.shape)}")
    height, width, channels, filters = kernel.shape
    wanted = channels * groups if isinstance(channels, int) else None
    require_same(
        x.shape[-1],
        wanted,
        f"the images {shape_text(x.shape)} have {x.shape[-1]} channels, but the kernel {shape_text(kernel.shape)} with "
        f"groups={groups} takes {wanted}; channels come last",
    )
    if isinstance(filters, int) and filters % groups:
        raise ShapeError(f"{filters} filters do not fall into {groups} groups")
    seen = windows(_padded(x, padding), (height, width), stride, dilation)
    return ArraySpec((*seen.shape[:-3], filters), promoted("matmul", (x, kernel)))


def max_unpool2d(
    x: ArraySpec, output: ArraySpec, like: ArraySpec, window: Pair, stride: Pair, padding: Pair
) -> ArraySpec:
    """The shape of ``like``; ``x`` and ``output`` have the shape that pooling ``like`` gives."""
    x, output = array(x), array(output)
    pooled = max_pool2d(like, window, stride, padding)
    for given in (x, output):
        reason = f"pooling makes {spec_text(pooled)} of it, but this is {spec_text(given)}"
        if given.ndim != pooled.ndim:
            raise ShapeError(reason)
        for one, other in zip(given.shape, pooled.shape, strict=True):
            require_same(one, other, reason)
    return ArraySpec(array(like).shape, x.dtype)


def max_pool2d(x: ArraySpec, window: Pair, stride: Pair, padding: Pair) -> ArraySpec:
    """(..., H, W, C) to (..., OH, OW, C)."""
    x = array(x)
    if x.ndim < 3:
        raise ShapeError(f"images are (..., H, W, channels), but these are {shape_text(x.shape)}")
    if padding != (0, 0) and x.dtype.kind not in "fc":
        raise DTypeError(f"{spec_text(x)} cannot be padded with -inf: cast it to float")
    seen = windows(_padded(x, padding), window, stride, (1, 1))
    return ArraySpec((*seen.shape[:-3], x.shape[-1]), x.dtype)


def _padded(x: ArraySpec, padding: Pair) -> ArraySpec:
    return _pad(x, pad_widths(padding), 0.0)
