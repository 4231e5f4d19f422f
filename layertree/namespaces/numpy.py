"""The NumPy namespace: functions that NumPy lacks or that have another name there, and faster forms of definitions.

``like`` may be a Python number: then the result is of the type of this number.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from itertools import product

import numpy as np

from layertree import kernels
from layertree.core.data import PYTHON_NUMBERS, Data
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import ShapeError
from layertree.core.namespace import Namespace
from layertree.core.static_index import EncodedIndex, StaticIndex, decode_index
from layertree.core.value import Array, Axes, DType, Pair, Sizes, Widths
from layertree.core.window_geometry import pad_widths
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
from layertree.namespaces.lookup import over_namespace

_cumprod: Callable[..., Array] = np.cumprod  # its operand has no type in NumPy


def dtype(x: Data) -> DType:
    """The dtype; of a Python number its type, which is weak."""
    found: DType = type_of(x) if type_of(x) in PYTHON_NUMBERS else x.dtype
    return found


def sum_to(x: Data, like: Data) -> Data:
    """The adjoint of broadcasting: ``x`` summed over the broadcast axes of ``like``, in the dtype of ``like``."""
    if type(like) in PYTHON_NUMBERS:
        return type(like)(np.sum(x, dtype=np.float32 if np.asarray(x).dtype.char == "e" else None))
    shape = like.shape
    if np.shape(x) != shape:
        extra = np.ndim(x) - len(shape)
        axes = tuple(range(extra)) + tuple(
            extra + i for i, size in enumerate(shape) if size == 1 and x.shape[extra + i] != 1
        )
        x = kernels.accurate_sum(x, axes, True).reshape(shape)
    return cast_like(x, like)


def cast_like(x: Data, like: Data) -> Data:
    """``x`` in the dtype of ``like``; of rank 0 a NumPy scalar."""
    if type(like) in PYTHON_NUMBERS:
        return type(like)(x)
    if is_a(x, np.ndarray):
        if x.dtype != like.dtype:
            x = x.astype(like.dtype)
        return x if x.ndim else x[()]
    return like.dtype.type(x)


def zeros_like(like: Data) -> Data:
    """Zeros in the shape and dtype of ``like``."""
    return np.zeros_like(like) if is_a(like, np.ndarray) else type(like)(0)


def ones_like(like: Data) -> Data:
    """Ones in the shape and dtype of ``like``."""
    return np.ones_like(like) if is_a(like, np.ndarray) else type(like)(1)


def broadcast_like(x: Data, like: Data) -> Data:
    """``x`` broadcast to the shape of ``like``, as a view."""
    return x if np.shape(x) == np.shape(like) else np.broadcast_to(x, np.shape(like))


def sum(x: Data, axis: Axes | None = None, keepdims: bool = False) -> Data:
    """The sum over axes, accurate also over many elements."""
    return kernels.accurate_sum(x, axis, keepdims)


def mean(x: Data, axis: Sizes, keepdims: bool) -> Data:
    """The mean over axes; NaN over no elements, without a warning."""
    return np.true_divide(sum(x, axis, keepdims), axis_size(x, axis))


def axis_size(x: Data, axis: Sizes) -> int:
    """The number of elements along axes."""
    shape = np.shape(x)
    return math.prod([shape[one] for one in axis])


def cumulative_sum(x: Array, axis: int) -> Array:
    """The cumulative sum along an axis."""
    return np.cumsum(x, axis=axis)


def cumulative_prod(x: Array, axis: int) -> Array:
    """The cumulative product along an axis."""
    return _cumprod(x, axis=axis)


def linear_recurrence(factors: Array, terms: Array, axis: int) -> Array:
    """y[i] = factors[i] * y[i - 1] + terms[i] along an axis, with y[-1] = 0."""
    factors = alike(factors, terms, "the factors of a recurrence have the shape of its terms")
    result: Array = np.array(terms, dtype=np.result_type(factors, terms))
    steps, gains = np.moveaxis(result, axis, 0), np.moveaxis(factors, axis, 0)
    for i in range(1, len(steps)):
        steps[i] += gains[i] * steps[i - 1]
    return result


def reshape(x: Data, shape: Sizes) -> Array:
    """The elements in C order in another shape, as a view where the layout allows one."""
    return np.reshape(x, shape)


def alike(x: Data, like: Data, reason: str) -> Data:
    """``x``, if its shape is that of ``like``; else a ShapeError with the reason."""
    if np.shape(x) != np.shape(like):
        raise ShapeError(f"{reason}, but they are {np.shape(x)} and {np.shape(like)}")
    return x


def reshape_like(x: Data, like: Data) -> Data:
    """The elements of ``x`` in C order in the shape of ``like``."""
    shape = np.shape(like)
    return x if np.shape(x) == shape else np.reshape(x, shape)


def merge_dims(x: Array, start: int, stop: int) -> Array:
    """The axes from ``start`` up to ``stop`` flattened to one."""
    first, last = x.ndim + start, x.ndim + stop
    return x.reshape(*x.shape[:first], math.prod(x.shape[first:last]), *x.shape[last:])


def split_dim(x: Array, parts: int) -> Array:
    """The last axis as two, of which the first has size ``parts``."""
    return x.reshape(*x.shape[:-1], parts, x.shape[-1] // parts)


def matmul(a: Array, b: Array) -> Array:
    """``a @ b``; a contiguous stack of matrices times one matrix as one product of two matrices."""
    if b.ndim == 2 and a.ndim > 2 and a.flags.c_contiguous:
        rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
        product: Array = np.matmul(rows, b)
        return product.reshape(*a.shape[:-1], b.shape[-1])
    result: Array = np.matmul(a, b)
    return result


def max_pool2d(x: Array, window: Pair, stride: Pair, padding: Pair) -> Array:
    """The maximum of each window: one elementwise maximum of whole images for each offset in a window."""
    if padding != (0, 0):
        x = pad(x, pad_widths(padding), -np.inf)
    views = windows(x, window, stride, (1, 1))
    first, *others = [_at_offset(views, offset) for offset in product(*map(range, window))]
    result = first.copy()
    for other in others:
        np.maximum(result, other, out=result)
    return result


def _at_offset(views: Array, offset: Sizes) -> Array:
    """The elements of all windows at one offset in a window."""
    index: StaticIndex = (..., *offset, slice(None))
    return views[index]


@over_namespace
def max_unpool2d(
    xp: Namespace[Array], x: Array, output: Array, like: Array, window: Pair, stride: Pair, padding: Pair
) -> Array:
    """``x`` at the maximum of each window: by a kernel where windows do not overlap, without padding."""
    if stride != window or padding != (0, 0):
        return definitions.max_unpool2d(xp, x, output, like, window, stride, padding)
    out = np.empty(like.shape, x.dtype)
    masks, counts, share = [np.empty(*room) for room in kernels.unpool_room(x.shape, x.dtype, math.prod(window))]
    kernels.max_unpool2d(x, output, like, out, masks, counts, share, window=window)
    return out


def permute_dims(x: Array, axes: Sizes) -> Array:
    """The axes in another order, as a view."""
    return np.transpose(x, axes)


def astype(x: Data, dtype: DType) -> Data:
    """``x`` in another dtype; of rank 0 a NumPy scalar."""
    return np.asarray(x).astype(dtype)[()] if np.ndim(x) == 0 else x.astype(dtype)


def concat(operands: tuple[Array, ...], axis: int) -> Array:
    """The operands joined along an axis."""
    return np.concatenate(operands, axis)


def concat_part(x: Array, likes: tuple[Array, ...], part: int, axis: int) -> Array:
    """The slice of a concatenation that operand ``part`` became: the adjoint of ``concat``."""
    start = builtins.sum(like.shape[axis] for like in likes[:part])
    index = [slice(None)] * x.ndim
    index[axis] = slice(start, start + likes[part].shape[axis])
    return x[tuple(index)]


def getitem(x: Data, index: EncodedIndex) -> Data:
    """``x[index]`` for a static index."""
    return np.asarray(x)[decode_index(index)]


def put(x: Data, like: Data, index: EncodedIndex) -> Array:
    """Zeros in the shape of ``like`` with ``x`` at a static index: the adjoint of ``getitem``."""
    result: Array = np.zeros(np.shape(like), dtype=np.asarray(x).dtype)
    result[decode_index(index)] = x
    return result


def _require_labels(labels: Array, shape: tuple[int, ...]) -> None:
    """Raise ShapeError or IndexRangeError unless each row of a shape has a label of one of its elements."""
    if np.shape(labels) != shape[:-1]:
        # NumPy would broadcast one label over all rows.
        raise ShapeError(f"the rows are {shape[:-1]}, but the labels are {np.shape(labels)}: one for each row")
    check_labels(labels, shape[-1])


def pick(x: Array, labels: Array) -> Array:
    """The element of each row (the last axis of ``x``) at the label of the row."""
    _require_labels(labels, x.shape)
    return np.take_along_axis(x, np.asarray(labels)[..., None], axis=-1)[..., 0]


def unpick(x: Array, labels: Array, like: Array) -> Array:
    """Zeros in the shape of ``like`` with ``x`` at the labels: the adjoint of ``pick``."""
    x = np.asarray(x)
    _require_labels(labels, like.shape)
    result: Array = np.zeros(like.shape, dtype=x.dtype)
    np.put_along_axis(result, np.asarray(labels)[..., None], x[..., None], axis=-1)
    return result


def pad(x: Data, widths: Widths, value: float) -> Array:
    """The last axes with constant elements around them: (before, after), one pair an axis."""
    x = np.asarray(x)
    grown = [size + builtins.sum(width) for size, width in zip(x.shape[x.ndim - len(widths) :], widths, strict=True)]
    result: Array = np.empty((*x.shape[: x.ndim - len(widths)], *grown), dtype=x.dtype)
    kernels.pad(x, result, widths, value)
    return result


def fold(x: Array, like: Array, stride: Sizes, dilation: Sizes) -> Array:
    """Windows added up in the shape of ``like``: the adjoint of ``windows`` (col2im)."""
    out: Array = np.empty(like.shape, dtype=x.dtype)
    kernels.fold(x, out, np.empty(kernels.fold_room(x.shape, stride, dilation), x.dtype), stride, dilation)
    return out


def bernoulli(like: Data, counter: int, probability: float, seed: int) -> Data:
    """Booleans in the shape of ``like``, True with a probability; equal seeds and counters draw equal values."""
    drawn = kernels.bernoulli(counter, np.shape(like), probability, seed)
    return drawn if np.ndim(like) else bool(drawn)


def hook(x: Data, function: Callable[[Data], object]) -> Data:
    """``x``, after ``function(x)``."""
    function(x)
    return x
