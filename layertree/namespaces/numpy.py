"""Kernels over NumPy arrays: what NumPy lacks or names differently, and the definitions it can do faster."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from layertree import kernels
from layertree.core.data import PYTHON_NUMBERS
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import ShapeError
from layertree.core.static_index import decode_index
from layertree.kernels.checks import check_labels
from layertree.kernels.gather import scatter_add as scatter_add
from layertree.kernels.gather import take as take
from layertree.kernels.stacks import embed_diagonal as embed_diagonal
from layertree.kernels.stacks import eye_like as eye_like
from layertree.kernels.stacks import reshape_last as reshape_last
from layertree.kernels.stacks import scatter_each as scatter_each
from layertree.kernels.stacks import take_diagonal as take_diagonal
from layertree.kernels.stacks import take_each as take_each
from layertree.kernels.windows import windows as windows
from layertree.namespaces import definitions
from layertree.namespaces._namespace import over_namespace

Array = Any

_cumprod: Callable[..., Any] = np.cumprod  # whose operand has no type in NumPy


def dtype(x: Array) -> Any:
    """The dtype; of a Python number its type, which is weak."""
    return type_of(x) if type_of(x) in PYTHON_NUMBERS else x.dtype


def sum_to(x: Array, like: Array) -> Array:
    """``x`` summed over the axes in which ``like`` was broadcast to it, in the dtype of ``like``."""
    if type(like) in PYTHON_NUMBERS:
        return type(like)(np.sum(x))
    shape = like.shape
    if np.shape(x) != shape:
        extra = np.ndim(x) - len(shape)
        axes = tuple(range(extra)) + tuple(
            extra + i for i, size in enumerate(shape) if size == 1 and x.shape[extra + i] != 1
        )
        x = np.add.reduce(x, axis=axes, keepdims=True).reshape(shape)
    return cast_like(x, like)


def cast_like(x: Array, like: Array) -> Array:
    """``x`` in the dtype of ``like``."""
    if type(like) in PYTHON_NUMBERS:
        return type(like)(x)
    if is_a(x, np.ndarray):
        if x.dtype != like.dtype:
            x = x.astype(like.dtype)
        return x if x.ndim else x[()]
    return like.dtype.type(x)


def zeros_like(like: Array) -> Array:
    """0 in the kind and shape of ``like``."""
    return np.zeros_like(like) if is_a(like, np.ndarray) else type(like)(0)


def ones_like(like: Array) -> Array:
    """1 in the kind and shape of ``like``."""
    return np.ones_like(like) if is_a(like, np.ndarray) else type(like)(1)


def broadcast_like(x: Array, like: Array) -> Array:
    """A view of ``x`` in the shape of ``like``."""
    return x if np.shape(x) == np.shape(like) else np.broadcast_to(x, np.shape(like))


def mean(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """The mean over axes; NaN over nothing."""
    return np.true_divide(np.sum(x, axis=axis, keepdims=keepdims), axis_size(x, axis))


def axis_size(x: Array, axis: tuple[int, ...]) -> int:
    """How many elements lie along some axes."""
    shape = np.shape(x)
    return math.prod([shape[one] for one in axis])


def cumulative_sum(x: Array, axis: int) -> Array:
    """Running sums along an axis."""
    return np.cumsum(x, axis=axis)


def cumulative_prod(x: Array, axis: int) -> Array:
    """Running products along an axis."""
    return _cumprod(x, axis=axis)


def linear_recurrence(factors: Array, terms: Array, axis: int) -> Array:
    """Along an axis each element is ``factor * the one before + term``."""
    factors = alike(factors, terms, "the factors of a recurrence have the shape of its terms")
    result = np.array(terms, dtype=np.result_type(factors, terms))
    steps, gains = np.moveaxis(result, axis, 0), np.moveaxis(factors, axis, 0)
    for i in range(1, len(steps)):
        steps[i] += gains[i] * steps[i - 1]
    return result


def reshape(x: Array, shape: tuple[int, ...]) -> Array:
    """``x`` in another shape, as a view where the layout allows it."""
    return np.reshape(x, shape)


def alike(x: Array, like: Array, reason: str) -> Array:
    """``x``, if it has the shape of ``like``; else a ShapeError."""
    if np.shape(x) != np.shape(like):
        raise ShapeError(f"{reason}, but they are {np.shape(x)} and {np.shape(like)}")
    return x


def reshape_like(x: Array, like: Array) -> Array:
    """``x`` in the shape of ``like``."""
    shape = np.shape(like)
    return x if np.shape(x) == shape else np.reshape(x, shape)


def merge_dims(x: Array, start: int, stop: int) -> Array:
    """Neighbouring axes made one."""
    ndim = x.ndim
    first, last = ndim + start, ndim + stop
    return x.reshape(*x.shape[:first], math.prod(x.shape[first:last]), *x.shape[last:])


def split_dim(x: Array, parts: int) -> Array:
    """The last axis as two, of which the first has size ``parts``."""
    return x.reshape(*x.shape[:-1], parts, x.shape[-1] // parts)


def matmul(a: Array, b: Array) -> Array:
    """``a @ b``; a stack of matrices times one matrix is one product."""
    if b.ndim == 2 and a.ndim > 2 and a.flags.c_contiguous:
        rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
        return np.matmul(rows, b).reshape(*a.shape[:-1], b.shape[-1])
    return np.matmul(a, b)


def max_pool2d(x: Array, window: tuple[int, int], stride: tuple[int, int], padding: tuple[int, int]) -> Array:
    """The largest element of each window, by comparing whole shifted images rather than one window at a time."""
    if padding != (0, 0):
        x = pad(x, ((padding[0], padding[0]), (padding[1], padding[1]), (0, 0)), -np.inf)
    views = windows(x, window, stride, (1, 1))
    offsets = list(product(*map(range, window)))
    result = views[..., *offsets[0], :].copy()
    for offset in offsets[1:]:
        np.maximum(result, views[..., *offset, :], out=result)
    return result


@over_namespace
def max_unpool2d(
    xp: Any,
    x: Array,
    output: Array,
    like: Array,
    window: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
) -> Array:
    """``x`` where the largest elements are; where windows neither overlap nor reach over, by whole shifted images."""
    if stride != window or padding != (0, 0):
        return definitions.max_unpool2d(xp, x, output, like, window, stride, padding)
    out = np.empty(like.shape, x.dtype)
    masks, counts, share = [np.empty(*kind) for kind in kernels.unpool_room(x.shape, x.dtype, math.prod(window))]
    kernels.max_unpool2d(x, output, like, out, masks, counts, share, window=window)
    return out


def permute_dims(x: Array, axes: tuple[int, ...]) -> Array:
    """``x`` with its axes in another order, as a view."""
    return np.transpose(x, axes)


def astype(x: Array, dtype: Any) -> Array:
    """``x`` in another dtype."""
    return np.asarray(x).astype(dtype)[()] if np.ndim(x) == 0 else x.astype(dtype)


def concat(operands: tuple[Array, ...], axis: int) -> Array:
    """The operands one behind the other along an axis."""
    return np.concatenate(operands, axis)


def concat_part(x: Array, likes: tuple[Array, ...], part: int, axis: int) -> Array:
    """The part of a concatenation that one of its operands was."""
    start = sum(like.shape[axis] for like in likes[:part])
    index = [slice(None)] * x.ndim
    index[axis] = slice(start, start + likes[part].shape[axis])
    return x[tuple(index)]


def getitem(x: Array, index: tuple[Any, ...]) -> Array:
    """``x[index]`` for a static index."""
    return np.asarray(x)[decode_index(index)]


def put(x: Array, like: Array, index: tuple[Any, ...]) -> Array:
    """Zeros in the shape of ``like`` with ``x`` at ``index``: the adjoint of ``getitem``."""
    result = np.zeros(np.shape(like), dtype=np.asarray(x).dtype)
    result[decode_index(index)] = x
    return result


def pick(x: Array, labels: Array) -> Array:
    """The element of each row (the last axis of ``x``) that its label names."""
    if np.shape(labels) != x.shape[:-1]:
        # NumPy would broadcast one label over all rows.
        raise ShapeError(f"the rows are {x.shape[:-1]}, but the labels are {np.shape(labels)}: one for each row")
    check_labels(labels, x.shape[-1])
    return np.take_along_axis(x, np.asarray(labels)[..., None], axis=-1)[..., 0]


def unpick(x: Array, labels: Array, like: Array) -> Array:
    """Zeros in the shape of ``like`` with ``x`` where ``pick`` took it from: its adjoint."""
    x = np.asarray(x)
    result = np.zeros(like.shape, dtype=x.dtype)
    np.put_along_axis(result, np.asarray(labels)[..., None], x[..., None], axis=-1)
    return result


def pad(x: Array, widths: tuple[tuple[int, int], ...], value: float) -> Array:
    """``x`` with its last axes padded: (before, after) for each."""
    x = np.asarray(x)
    lead = x.ndim - len(widths)
    sizes = [size + sum(width) for size, width in zip(x.shape[lead:], widths, strict=True)]
    result = np.full((*x.shape[:lead], *sizes), value, dtype=x.dtype)
    inner: tuple[Any, ...] = tuple(
        slice(before, before + size) for size, (before, _) in zip(x.shape[lead:], widths, strict=True)
    )
    result[(..., *inner)] = x
    return result


def fold(x: Array, like: Array, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Array:
    """Windows added back where they were taken from, in the shape of ``like``: the adjoint of ``windows``."""
    out = np.empty(like.shape, dtype=x.dtype)
    kernels.fold(x, out, np.empty(kernels.fold_room(x.shape, stride, dilation), x.dtype), stride, dilation)
    return out


def bernoulli(like: Array, counter: int, probability: float, seed: int) -> Array:
    """True with a probability, in the shape of ``like``; the same seed and counter draw the same."""
    drawn = kernels.bernoulli(counter, np.shape(like), probability, seed)
    return drawn if np.ndim(like) else bool(drawn)


def hook(x: Array, function: Callable[[Any], Any]) -> Array:
    """``x``, after ``function(x)``."""
    function(x)
    return x
