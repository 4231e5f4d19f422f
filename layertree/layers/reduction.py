"""Reductions over axes."""

from typing import Any, Generic, TypeVar

from layertree._fields import attribute, layer, operand
from layertree._layer import Layer, Pullbacks, Value
from layertree._tape import Tape
from layertree.layers._axes import all_from_end, from_end, share_ties, spread

__all__ = ["ArgMax", "AxisSize", "Max", "Mean", "Min", "Sum"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E")

_AXIS = "the axis or axes to reduce; None for all of them"
_KEEPDIMS = "whether reduced axes stay, with size 1"


@layer(name="sum")
class Sum(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The sum over axes; 0 over nothing.

    >>> import numpy as np
    >>> from layertree import Identity
    >>> Sum(Identity(), axis=0).predict(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [4.0, 6.0]
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.sum(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: spread(xp, delta, a, axes, self.keepdims),)


@layer(name="mean")
class Mean(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The mean over axes; NaN over nothing, without a warning."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.mean(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: spread(xp, xp.divide(delta, xp.axis_size(a, axis=axes)), a, axes, self.keepdims),)


@layer(name="axis_size")
class AxisSize(Layer[In, Tape[int, int]], Generic[In, D]):
    """How many elements lie along some axes: the divisor of a mean, as an integer."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.axis_size(a, axis=all_from_end(self.axis, xp.ndim(a)))


@layer(name="max")
class Max(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.max(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: share_ties(xp, delta, output, a, axes, self.keepdims),)


@layer(name="min")
class Min(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.min(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: share_ties(xp, delta, output, a, axes, self.keepdims),)


@layer(name="argmax")
class ArgMax(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The position of the largest element along an axis, the first one on a tie. Integers have no delta."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(default=-1, help="the axis to search along")
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.argmax(a, axis=from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)
