"""Blocks of networks: functions that make weights and return formulas over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload

import numpy as np

from layertree import Average, Count, Layer, ShapeError, State, Tape, scope
from layertree.core.attribute import Rule
from layertree.core.public import listed
from symbolic import initializers
from symbolic.building.checks import block_text, floats, last_size, scaled_and_shifted
from symbolic.building.operations import apply, array_spec, as_symbolic
from symbolic.building.placeholders import in_role, weight

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
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


def __dir__() -> list[str]:
    return listed(globals())


Pair: TypeAlias = int | tuple[int, int]


class Initializer(Protocol):
    """A function that makes the initial value of a weight, such as ``initializers.normal``."""

    def __call__(self, *shape: int, dtype: Any) -> object:
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


def _kernel(start: object, shape: tuple[int, ...], dtype: np.dtype[Any], block: str) -> AnyFormula:
    """A weight with the initial value of an initialiser. Raises ShapeError if the value has another shape."""
    if not callable(start):
        raise TypeError(f"{block}: kernel = {start!r} is not allowed: give an initialiser, a function of the shape")
    value: Any = start(*shape, dtype=dtype)  # the result of a user's function
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
    x: object, units: int, *, bias: bool = True, name: str = "dense", kernel: Initializer = initializers.glorot_uniform
) -> AnyFormula:
    """``x @ kernel + bias`` over the last axis: (..., features) to (..., units).

    ``kernel`` makes the initial kernel from (features, units) and a dtype; the initial bias is 0.

    >>> import numpy as np
    >>> from layertree import parameters
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> y = dense(placeholder(ArraySpec((None, 4), np.float32)), 3)
    >>> y.spec, [w.value.shape for w in parameters(y)]
    (float32 (?, 3), [(4, 3), (3,)])
    """
    symbol = floats(x, "dense")
    shape = last_size(symbol, "dense"), _size(units, "dense: units")
    with scope(name):
        y = apply("matmul", symbol, _kernel(kernel, shape, symbol.dtype, "dense"))
        return _with_bias(y, units, symbol.dtype) if bias else y


def _with_bias(y: AnyFormula, size: int, dtype: np.dtype[Any]) -> AnyFormula:
    return apply("add", y, in_role(weight(np.zeros(size, dtype)), "bias"))


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
    """A convolution with a kernel that is a weight: (N, H, W, C) to (N, OH, OW, filters).

    ``padding="same"`` keeps height and width at stride 1. With ``data_format="NCHW"`` operand and result have channels
    first.
    """
    symbol = _channels_last(floats(x, "conv2d"), data_format)
    channels, spread = last_size(symbol, "conv2d"), _pair(dilation, "dilation")
    height, width = _pair(window, "window")
    sizes = _size(height, "conv2d: window"), _size(width, "conv2d: window")
    if channels % _size(groups, "conv2d: groups"):
        raise ShapeError(f"{block_text(symbol, 'conv2d')}: {channels} channels do not fall into {groups} groups")
    shape = *sizes, channels // groups, _size(filters, "conv2d: filters")
    with scope(name):
        y = apply(
            "conv2d",
            symbol,
            _kernel(kernel, shape, symbol.dtype, "conv2d"),
            stride=_pair(stride, "stride"),
            padding=_padding(padding, sizes, spread),
            dilation=spread,
            groups=groups,
        )
        y = _with_bias(y, filters, symbol.dtype) if bias else y
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
    symbol = _channels_last(as_symbolic(x), data_format)
    sizes = _pair(window, "window")
    y = apply(
        "max_pool2d",
        symbol,
        window=sizes,
        stride=sizes if stride is None else _pair(stride, "stride"),
        padding=_pair(padding, "padding"),
    )
    return _channels_back(y, data_format)


def _channels_last(x: AnyFormula, data_format: str) -> AnyFormula:
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f"data_format = {data_format!r} is not allowed: give 'NHWC' or 'NCHW'")
    return apply("permute_dims", x, axes=(0, 2, 3, 1)) if data_format == "NCHW" else x


def _channels_back(y: AnyFormula, data_format: str) -> AnyFormula:
    return apply("permute_dims", y, axes=(0, 3, 1, 2)) if data_format == "NCHW" else y


def dropout(x: Layer[In, Tape[D, D]], rate: float, *, name: str = "dropout") -> Result0[In, D]:
    """The operand with a share of its elements set to 0, the rest scaled up, while training (Srivastava et al., 2014).

    Each step draws new elements: the counter of the draws is a State, which each backward pass increments. ``predict``
    runs without dropout.
    """
    symbol = floats(x, "dropout")
    rate = Rule(0.0, 1.0, None).conform(rate, float, "dropout: rate")
    stream = int(initializers.generator().integers(2**32))
    with scope(name):
        counter = in_role(State(0, Count()), "counter")
    mask = apply("bernoulli", symbol, counter, probability=1.0 - rate, seed=stream)
    return apply("dropout", symbol, mask, rate=rate)


def running_average(
    x: Layer[In, Tape[D, D]], start: D, *, momentum: float = 0.9, name: str = "average"
) -> Result0[In, D]:
    """The operand in training; in ``predict`` the running average of its values in training.

    ``start`` is the average before the first step, in the shape of the operand.
    """
    symbol = floats(x, "running_average")
    value: object = start if array_spec(symbol).weak else np.asarray(start, symbol.dtype)
    with scope(name):
        average = in_role(State(value, Average(momentum)), "average")
    return apply("running_average", symbol, average)


def batch_norm(
    x: Layer[In, Shaped[S, R]],
    /,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NHWC",
    name: str = "batch_norm",
) -> Result[In, S, R]:
    """Each channel (of the last axis) shifted to mean 0 and scaled to variance 1, then scaled and shifted by weights.

    ``(x - mean) / sqrt(variance + epsilon) * gain + offset``, with the biased variance (Ioffe and Szegedy, 2015).
    Each step updates running averages of mean and variance, with initial values 0 and 1; ``predict`` uses them.
    With ``data_format="NCHW"`` operand and result have channels first.

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
    channels_last = _channels_last(floats(x, "batch_norm"), data_format)
    if channels_last.ndim < 2:
        raise ShapeError(f"{block_text(channels_last, 'batch_norm')}: a batch axis and one of channels are wanted")
    size, dtype = last_size(channels_last, "batch_norm"), channels_last.dtype
    others = tuple(range(channels_last.ndim - 1))
    with scope(name):
        gain, offset = in_role(weight(np.ones(size, dtype)), "gain"), in_role(weight(np.zeros(size, dtype)), "offset")
        means = in_role(State(np.zeros(size, dtype), Average(momentum)), "mean")
        variances = in_role(State(np.ones(size, dtype), Average(momentum)), "variance")
    mean = apply("running_average", apply("mean", channels_last, axis=others), means)
    centred = apply("subtract", channels_last, mean)
    squares = apply("multiply", centred, centred)
    variance = apply("running_average", apply("mean", squares, axis=others), variances)
    return _channels_back(scaled_and_shifted(centred, variance, epsilon, gain, offset), data_format)
