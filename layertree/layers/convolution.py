"""Windows (im2col) and the adjoint (col2im), convolution and pooling; channels last."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.core.window_geometry import WindowGeometry
from layertree.layers._convolution import (
    attaining,
    fold_to,
    group_last,
    group_windows,
    kernel_matrix,
    merge_window,
    pad2d,
    ungroup_kernel,
    ungroup_windows,
    windows_of,
)

__all__ = ["Conv2D", "Fold", "MaxPool2D", "MaxUnpool2D", "Windows"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)
F = TypeVar("F", default=Any)

_STRIDE = "how far apart windows start, along each axis"
_DILATION = "how far apart the elements of a window are, along each axis"


@layer(name="windows")
class Windows(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """All windows over the axes before the last one: (..., H, W, C) to (..., OH, OW, KH, KW, C), as a view (im2col)."""

    operand: Layer[In, Tape[D, D]] = operand()
    window: tuple[int, ...] = attribute(minimum=1, help="the size of a window along each axis")
    stride: tuple[int, ...] = attribute(minimum=1, help=_STRIDE)
    dilation: tuple[int, ...] = attribute(minimum=1, help=_DILATION)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.windows(a, window=self.window, stride=self.stride, dilation=self.dilation)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.fold(delta, a, stride=self.stride, dilation=self.dilation),)


@layer(name="fold")
class Fold(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """Windows added up in the shape of a pattern: the adjoint of Windows (col2im)."""

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()
    stride: tuple[int, ...] = attribute(minimum=1, help=_STRIDE)
    dilation: tuple[int, ...] = attribute(minimum=1, help=_DILATION)

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.fold(a, like, stride=self.stride, dilation=self.dilation)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        axes = len(self.stride)
        window = xp.shape(a)[-axes - 1 : -1]
        return (lambda: xp.windows(delta, window=window, stride=self.stride, dilation=self.dilation), None)


@layer(name="conv2d")
class Conv2D(Layer[In, Tape[F, F]], Generic[In, D, E, F]):
    """The cross-correlation of images (N, H, W, C) with a kernel (KH, KW, C / groups, filters).

    The result is (N, OH, OW, filters) with OH = (H + 2 padding - dilation (KH - 1) - 1) // stride + 1. With groups, the
    channels and the filters are split into as many blocks, and a filter sees one block (Krizhevsky et al., 2012).

    >>> import numpy as np
    >>> from layertree import Identity
    >>> Conv2D(Identity(), np.ones((2, 2, 1, 1))).predict(np.ones((1, 3, 3, 1)))[0, :, :, 0].tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """

    argument: Layer[In, Tape[D, D]] = operand()
    kernel: Layer[In, Tape[E, E]] = operand()
    stride: tuple[int, int] = attribute(default=(1, 1), minimum=1, help=_STRIDE)
    padding: tuple[int, int] = attribute(default=(0, 0), minimum=0, help="zeros on both sides of each axis")
    dilation: tuple[int, int] = attribute(default=(1, 1), minimum=1, help=_DILATION)
    groups: int = attribute(default=1, minimum=1, help="into how many blocks channels and filters fall")

    def compute(self, xp: Namespace, a: Value, kernel: Value) -> Value:
        return xp.conv2d(
            a, kernel, stride=self.stride, padding=self.padding, dilation=self.dilation, groups=self.groups
        )

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, kernel: Value) -> Pullbacks:
        geometry = WindowGeometry(xp.shape(kernel)[:2], self.stride, self.padding, self.dilation)
        padded = pad2d(xp, a, self.padding, 0.0)
        windows = windows_of(xp, padded, geometry)
        grouped = group_last(xp, delta, self.groups)

        def operand() -> Value:
            stacked = xp.matmul(grouped, xp.matrix_transpose(kernel_matrix(xp, kernel, self.groups, xp.ndim(a))))
            columns = group_windows(xp, windows, self.groups)
            ungrouped = ungroup_windows(xp, xp.reshape_like(stacked, columns), self.groups)
            return xp.cast_like(fold_to(xp, xp.reshape_like(ungrouped, windows), padded, geometry), a)

        def weights() -> Value:
            columns = merge_window(xp, group_windows(xp, windows, self.groups))
            keep = -1 if self.groups == 1 else -2
            rows = xp.merge_dims(columns, start=-xp.ndim(columns) - keep - 1, stop=-1)
            deltas = xp.merge_dims(grouped, start=-xp.ndim(grouped) - keep - 1, stop=-1)
            product = ungroup_kernel(xp, xp.matmul(xp.matrix_transpose(rows), deltas), self.groups)
            return xp.cast_like(xp.reshape_like(product, kernel), kernel)

        return operand, weights


@layer(name="max_pool2d")
class MaxPool2D(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The largest element of each window of images (N, H, W, C); ties share the delta evenly.

    The padding is -inf, which is never the maximum.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    window: tuple[int, int] = attribute(minimum=1, help="the size of a window along each axis")
    stride: tuple[int, int] = attribute(minimum=1, help=_STRIDE)
    padding: tuple[int, int] = attribute(default=(0, 0), minimum=0, help="how far windows reach over each side")

    def __attrs_post_init__(self) -> None:
        if any(border >= size for border, size in zip(self.padding, self.window, strict=True)):
            raise ValueError(
                f"MaxPool2D.padding = {self.padding} is not allowed: a window {self.window} would see no element"
            )

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.max_pool2d(a, window=self.window, stride=self.stride, padding=self.padding)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (
            lambda: xp.max_unpool2d(delta, output, a, window=self.window, stride=self.stride, padding=self.padding),
        )


@layer(name="max_unpool2d")
class MaxUnpool2D(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand at the maximum of each window, in equal shares on ties: the adjoint of MaxPool2D.

    ``output`` is the result of pooling ``images``. Both give the positions of the maxima alone, and get no delta.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    output: Layer[In, Tape[D, D]] = operand()
    images: Layer[In, Tape[E, E]] = operand()
    window: tuple[int, int] = attribute(minimum=1, help="the size of a window along each axis")
    stride: tuple[int, int] = attribute(minimum=1, help=_STRIDE)
    padding: tuple[int, int] = attribute(default=(0, 0), minimum=0, help="how far windows reach over each side")

    def compute(self, xp: Namespace, a: Value, output: Value, images: Value) -> Value:
        return xp.max_unpool2d(a, output, images, window=self.window, stride=self.stride, padding=self.padding)

    def gradient(self, xp: Namespace, delta: Value, result: Value, a: Value, output: Value, images: Value) -> Pullbacks:
        def operand() -> Value:
            geometry = WindowGeometry(self.window, self.stride, self.padding)
            attained, count = attaining(xp, delta, output, images, geometry)
            windows = windows_of(xp, pad2d(xp, delta, self.padding, 0.0), geometry)
            return xp.divide(xp.sum(xp.multiply(attained, windows), axis=(-3, -2)), count)

        return operand, None, None
