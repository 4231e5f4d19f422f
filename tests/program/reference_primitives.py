"""The primitives of the reference engine: functions of an op and the values of its operands, in plain NumPy.

None is a kernel of the library, but for the random numbers, which are defined by their generator.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from layertree.core.nested import nested
from layertree.kernels.random import bernoulli
from layertree.program.ir.operations import Op


def _windows(op: Op, x: Any) -> Any:
    window, stride, dilation = (op.attributes[name] for name in ("window", "stride", "dilation"))
    axes = range(x.ndim - len(window) - 1, x.ndim - 1)
    reach = [(size - 1) * gap + 1 for size, gap in zip(window, dilation, strict=True)]
    views: Any = np.moveaxis(sliding_window_view(x, reach, axis=tuple(axes)), x.ndim - 1, -1)
    return views[(..., *[slice(None, None, step) for step in (*stride, *dilation)], slice(None))]


def _fold(op: Op, x: Any) -> Any:
    stride, dilation = op.attributes["stride"], op.attributes["dilation"]
    axes, out = len(stride), np.zeros(op.shape, op.dtype)
    counts, window = x.shape[-2 * axes - 1 : -axes - 1], x.shape[-axes - 1 : -1]
    for offset in product(*map(range, window)):
        steps = zip(offset, dilation, stride, counts, strict=True)
        places = [slice(i * gap, i * gap + step * (count - 1) + 1, step) for i, gap, step, count in steps]
        out[(..., *places, slice(None))] += x[(..., *offset, slice(None))]
    return out


def _pad(op: Op, x: Any) -> Any:
    widths = [(0, 0)] * (op.ndim - len(op.attributes["widths"])) + [*op.attributes["widths"]]
    return np.pad(x, widths, constant_values=op.attributes["value"]) if widths else x


def _scatter(out: Any, x: Any, indices: Any, axis: int) -> Any:
    """Slices of ``x`` added to ``out`` at indices along an axis."""
    axis, width = axis % out.ndim, range(np.ndim(indices))
    np.add.at(np.moveaxis(out, axis, 0), indices, np.moveaxis(x, [axis + i for i in width], list(width)))
    return out


def _each(op: Op, each: Callable[..., Any], *arrays: Any) -> Any:
    """A function of each element of the leading axes that arrays share, which writes into that of a result."""
    out, shared = np.zeros(op.shape, op.dtype), op.attributes["shared"]
    for index in np.ndindex(*arrays[0].shape[:shared]):
        out[index] = each(out[index], *[array[index] for array in arrays])
    return out


def _at(op: Op, *parts: Any) -> Any:
    """Zeros with parts at static indices."""
    out = np.zeros(op.shape, op.dtype)
    for part, index in zip(parts, op.attributes["indices"], strict=True):
        out[index] = part
    return out


def _unpick(op: Op, x: Any, labels: Any) -> Any:
    out = np.zeros(op.shape, op.dtype)
    np.put_along_axis(out, np.asarray(labels)[..., None], np.asarray(x)[..., None], axis=-1)
    return out


def _recurrence(op: Op, factors: Any, terms: Any) -> Any:
    steps, gains, axis = (
        np.moveaxis(np.array(terms, op.dtype), op.attributes["axis"], 0),
        factors,
        op.attributes["axis"],
    )
    for i in range(1, len(steps)):
        steps[i] += np.take(gains, i, axis) * steps[i - 1]
    return np.moveaxis(steps, 0, axis)


def _embed_diagonal(op: Op, x: Any) -> Any:
    lead = np.ndim(x) - op.attributes["axes"]
    size = int(np.prod(np.shape(x)[lead:]))
    return np.where(np.eye(size, dtype=bool), np.reshape(x, (*np.shape(x)[:lead], size, 1)), 0).reshape(op.shape)


def _take_diagonal(op: Op, x: Any) -> Any:
    lead = op.ndim - op.attributes["axes"]
    size = int(np.prod(op.shape[lead:]))
    return np.diagonal(np.reshape(x, (*op.shape[:lead], size, size)), axis1=-2, axis2=-1).reshape(op.shape)


def _hook(op: Op, *values: Any) -> bool:
    op.attributes["function"](nested(op.attributes["pattern"], values))
    return True


def _plain(function: Callable[..., Any], *attributes: str) -> Callable[..., Any]:
    """A function of NumPy, which gets some attributes of an op by name."""
    return lambda op, *values: function(*values, **{name: op.attributes[name] for name in attributes})


_ELEMENTWISE = """
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_or bitwise_xor cbrt ceil cos cosh
    divide equal exp expm1 floor floor_divide greater greater_equal hypot less less_equal log log10 log1p log2 logaddexp
    maximum minimum multiply negative not_equal pow remainder round sign sin sinh sqrt subtract tan tanh trunc where
"""
FUNCTIONS: dict[str, Callable[..., Any]] = {name: _plain(getattr(np, name)) for name in _ELEMENTWISE.split()} | {
    "argmax": _plain(np.argmax, "axis"),
    "astype": lambda op, x: np.asarray(x).astype(op.dtype),
    "bernoulli": lambda op, counter: bernoulli(counter, **op.attributes),
    "broadcast_to": _plain(np.broadcast_to, "shape"),
    "concat": lambda op, *parts: np.concatenate(parts, op.attributes["axis"]),
    "cumulative_prod": _plain(np.cumprod, "axis"),
    "cumulative_sum": _plain(np.cumsum, "axis"),
    "embed_diagonal": _embed_diagonal,
    "fold": _fold,
    "getitem": lambda op, x: np.asarray(x)[op.index],
    "hook": _hook,
    "linear_recurrence": _recurrence,
    "matmul": _plain(np.matmul),
    "max": _plain(np.max, "axis"),
    "min": _plain(np.min, "axis"),
    "pad": _pad,
    "pick": lambda op, x, labels: np.take_along_axis(x, np.asarray(labels)[..., None], axis=-1)[..., 0],
    "prod": _plain(np.prod, "axis", "keepdims"),
    "put": _at,
    "reshape": _plain(np.reshape, "shape"),
    "reshape_last": lambda op, x: np.reshape(x, op.shape),
    "scatter_add": lambda op, x, indices: _scatter(np.zeros(op.shape, op.dtype), x, indices, op.attributes["axis"]),
    "scatter_each": lambda op, x, indices, like: _each(
        op, lambda out, x, indices: _scatter(out, x, indices, op.attributes["axis"]), x, indices
    ),
    "sum": _plain(np.sum, "axis"),
    "take": _plain(np.take, "axis"),
    "take_diagonal": _take_diagonal,
    "take_each": lambda op, x, indices: _each(
        op, lambda out, x, indices: np.take(x, indices, op.attributes["axis"]), x, indices
    ),
    "transpose": _plain(np.transpose, "axes"),
    "unpick": _unpick,
    "windows": _windows,
}
"""What each primitive computes, from the op and the values of its operands."""
