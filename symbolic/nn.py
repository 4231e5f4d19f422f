"""Blocks of networks: functions that return formulas over the weights they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload

import numpy as np

from layertree import Average, Count, Layer, ShapeError, State, Tape, scope
from layertree._attribute import Rule
from symbolic import initializers
from symbolic.building.checks import block_text, floats, last_size
from symbolic.building.operations import apply, array_spec, as_symbolic
from symbolic.building.placeholders import in_role, weight
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from symbolic.signatures.arrays import (
        A,
        AnyRank,
        B,
        C,
        D,
        E,
        In,
        LooseRank,
        LooseResult,
        R,
        Rank1,
        Rank2,
        Rank3,
        Result,
        Result0,
        Result1,
        Result2,
        Result3,
        S,
        Shaped,
        T,
    )

__all__ = ["batch_norm", "conv2d", "dense", "dropout", "max_pool2d", "running_average"]

Pair: TypeAlias = int | tuple[int, int]


class Initializer(Protocol):
    """What makes the start of a weight, such as ``initializers.normal``."""

    def __call__(self, *shape: int, dtype: Any) -> Any:
        """An array of a shape and dtype."""


_SIZE = Rule(1, None, None)


def _size(value: int, place: str) -> int:
    """A whole number of at least 1."""
    return _SIZE.conform(value, int, place)  # type: ignore[no-any-return]  # what conforms is an int


def _pair(value: Pair, name: str) -> tuple[int, int]:
    if isinstance(value, int) and not isinstance(value, bool):
        return value, value
    if isinstance(value, tuple) and len(value) == 2:
        return value
    raise TypeError(f"{name} = {value!r} is not allowed: give an integer, or one for each axis, (height, width)")


def _kernel(start: Any, shape: tuple[int, ...], dtype: Any, block: str) -> Any:
    """A weight that starts from what an initialiser makes, which has to be of the shape it was asked for."""
    if not callable(start):
        raise TypeError(f"{block}: kernel = {start!r} is not allowed: give an initialiser, a function of the shape")
    value: Any = start(*shape, dtype=dtype)
    if np.shape(value) != shape:
        raise ShapeError(f"{block}: the initialiser made an array of shape {np.shape(value)}, but {shape} is wanted")
    return in_role(weight(value), "kernel")


@overload
def dense(
    x: LooseRank[In, R], units: int, *, bias: bool = ..., name: str = ..., kernel: Initializer = ...
) -> LooseResult[In, R]: ...
@overload
def dense(
    x: Rank1[In, A, R], units: E, *, bias: bool = ..., name: str = ..., kernel: Initializer = ...
) -> Result1[In, E, R]: ...
@overload
def dense(
    x: Rank2[In, A, B, R], units: E, *, bias: bool = ..., name: str = ..., kernel: Initializer = ...
) -> Result2[In, A, E, R]: ...
@overload
def dense(
    x: Rank3[In, A, B, C, R], units: E, *, bias: bool = ..., name: str = ..., kernel: Initializer = ...
) -> Result3[In, A, B, E, R]: ...
def dense(
    x: Any, units: int, *, bias: bool = True, name: str = "dense", kernel: Initializer = initializers.glorot_uniform
) -> Any:
    """``x @ kernel + bias`` over the last axis: (..., features) to (..., units).

    ``kernel`` makes the start of the kernel, given (features, units) and a dtype; the bias starts at 0.

    >>> import numpy as np
    >>> from layertree import parameters
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> y = dense(placeholder(ArraySpec((None, 4), np.float32)), 3)
    >>> y.spec, [w.value.shape for w in parameters(y)]
    (float32 (?, 3), [(4, 3), (3,)])
    """
    x = floats(x, "dense")
    shape = last_size(x, "dense"), _size(units, "dense: units")
    with scope(name):
        y = apply("matmul", x, _kernel(kernel, shape, x.dtype, "dense"))
        return y + in_role(weight(np.zeros(units, x.dtype)), "bias") if bias else y


def conv2d(
    x: AnyRank[In, R],
    filters: int,
    window: Pair = 3,
    *,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
    bias: bool = True,
    data_format: str = "NHWC",
    name: str = "conv2d",
    kernel: Initializer = initializers.he_normal,
) -> LooseResult[In, R]:
    """A convolution with a kernel of its own: (N, H, W, C) to (N, OH, OW, filters).

    ``padding="same"`` keeps height and width at stride 1. ``data_format="NCHW"`` takes and gives channels first.
    """
    x = _channelslast_size(floats(x, "conv2d"), data_format)
    channels, spread = last_size(x, "conv2d"), _pair(dilation, "dilation")
    height, width = _pair(window, "window")
    sizes = _size(height, "conv2d: window"), _size(width, "conv2d: window")
    if channels % _size(groups, "conv2d: groups"):
        raise ShapeError(f"{block_text(x, 'conv2d')}: {channels} channels do not fall into {groups} groups")
    shape = *sizes, channels // groups, _size(filters, "conv2d: filters")
    with scope(name):
        y = apply(
            "conv2d",
            x,
            _kernel(kernel, shape, x.dtype, "conv2d"),
            stride=_pair(stride, "stride"),
            padding=_padding(padding, sizes, spread),
            dilation=spread,
            groups=groups,
        )
        y = y + in_role(weight(np.zeros(filters, x.dtype)), "bias") if bias else y
    return _channels_back(y, data_format)


def _padding(padding: Pair | str, window: tuple[int, int], dilation: tuple[int, int]) -> tuple[int, int]:
    if padding != "same":
        if isinstance(padding, str):
            raise ValueError(f"padding = {padding!r} is not allowed: give an integer, a pair, or 'same'")
        return _pair(padding, "padding")
    if not all(size % 2 for size in window):
        raise ValueError(f"padding 'same' needs a window of odd sizes: got {window}")
    return dilation[0] * (window[0] // 2), dilation[1] * (window[1] // 2)


def max_pool2d(
    x: AnyRank[In, T], window: Pair = 2, *, stride: Pair | None = None, padding: Pair = 0, data_format: str = "NHWC"
) -> LooseResult[In, T]:
    """The largest element of each window: (N, H, W, C) to (N, OH, OW, C). The stride is the window unless given."""
    x = _channelslast_size(as_symbolic(x), data_format)
    sizes = _pair(window, "window")
    y = apply(
        "max_pool2d",
        x,
        window=sizes,
        stride=sizes if stride is None else _pair(stride, "stride"),
        padding=_pair(padding, "padding"),
    )
    return _channels_back(y, data_format)


def _channelslast_size(x: Symbolic[Any, Any], data_format: str) -> Symbolic[Any, Any]:
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f"data_format = {data_format!r} is not allowed: give 'NHWC' or 'NCHW'")
    return apply("permute_dims", x, axes=(0, 2, 3, 1)) if data_format == "NCHW" else x


def _channels_back(y: Symbolic[Any, Any], data_format: str) -> Symbolic[Any, Any]:
    return apply("permute_dims", y, axes=(0, 3, 1, 2)) if data_format == "NCHW" else y


def dropout(x: Layer[In, Tape[D, D]], rate: float, *, name: str = "dropout") -> Result0[In, D]:
    """The operand with a share of its elements set to 0, the rest scaled up, while training (Srivastava et al., 2014).

    Each step draws anew: the counter of the draws is a State, which a backward pass tells to tick. ``predict`` runs
    without dropout.
    """
    x = floats(x, "dropout")
    rate = Rule(0.0, 1.0, None).conform(rate, float, "dropout: rate")
    stream = int(initializers.generator().integers(2**32))
    with scope(name):
        counter = in_role(State(0, Count()), "counter")
    mask = apply("bernoulli", x, counter, probability=1.0 - rate, seed=stream)
    return apply("dropout", x, mask, rate=rate)


def running_average(
    x: Layer[In, Tape[D, D]], start: D, *, momentum: float = 0.9, name: str = "average"
) -> Result0[In, D]:
    """The operand while training, and the running average of what it was in ``predict``.

    ``start`` is the average before the first step, in the operand's shape.
    """
    x = floats(x, "running_average")
    value: Any = start if array_spec(x).weak else np.asarray(start, x.dtype)
    with scope(name):
        average = in_role(State(value, Average(momentum)), "average")
    return apply("running_average", x, average)


def batch_norm(
    x: Layer[In, Shaped[S, R]],
    /,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NHWC",
    name: str = "batch_norm",
) -> Result[In, S, R]:
    """Each channel (of the last axis) shifted to mean 0 and scaled to variance 1, then by weights of its own.

    ``(x - mean) / sqrt(variance + epsilon) * gain + offset``, with the biased variance (Ioffe and Szegedy, 2015).
    Each step tells the running averages of mean and variance, which start at 0 and 1; ``predict`` takes these instead.
    ``data_format="NCHW"`` takes and gives channels first.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> y = batch_norm(placeholder(ArraySpec((None, 1), np.float64)))
    >>> y.forward(np.array([[1.0], [3.0]])).value.round(4).tolist()
    [[-1.0], [1.0]]
    >>> y.predict(np.array([[1.0], [3.0]])).round(4).tolist()
    [[1.0], [3.0]]
    """
    epsilon = Rule(0.0, None, None).conform(epsilon, float, "batch_norm: epsilon")
    channels_last: Any = _channelslast_size(floats(x, "batch_norm"), data_format)
    if channels_last.ndim < 2:
        raise ShapeError(f"{block_text(channels_last, 'batch_norm')}: a batch axis and one of channels are wanted")
    size, dtype = last_size(channels_last, "batch_norm"), channels_last.dtype
    others = tuple(range(channels_last.ndim - 1))
    with scope(name):
        gain, offset = in_role(weight(np.ones(size, dtype)), "gain"), in_role(weight(np.zeros(size, dtype)), "offset")
        means = in_role(State(np.zeros(size, dtype), Average(momentum)), "mean")
        variances = in_role(State(np.ones(size, dtype), Average(momentum)), "variance")
    centred = channels_last - apply("running_average", apply("mean", channels_last, axis=others), means)
    variance = apply("running_average", apply("mean", centred * centred, axis=others), variances)
    y: Any = centred / apply("sqrt", variance + epsilon) * gain + offset
    return _channels_back(y, data_format)
