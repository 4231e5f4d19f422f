"""Reductions over axes."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._axes import all_from_end, from_end, share_ties, spread
from layertree.layers._cumulative import products_of_others

__all__ = ["ArgMax", "AxisSize", "Max", "Mean", "Min", "Prod", "Sum", "VectorNorm"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)

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

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sum(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: spread(xp, delta, a, axes, self.keepdims),)


@layer(name="mean")
class Mean(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The mean over axes; NaN over nothing, without a warning."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.mean(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: spread(xp, xp.divide(delta, xp.axis_size(a, axis=axes)), a, axes, self.keepdims),)


@layer(name="prod")
class Prod(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The product over axes; 1 over nothing. Derivatives are exact at zeros.

    >>> import numpy as np
    >>> from layertree import Identity, Input
    >>> x = Input(np.array([2.0, 0.0, 3.0]))
    >>> Prod(Identity()).forward(x).gradients()[x].tolist()
    [0.0, 6.0, 0.0]
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.prod(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: xp.multiply(spread(xp, delta, a, axes, self.keepdims), _others(xp, a, axes)),)


def _others(xp: Namespace, a: Value, axes: tuple[int, ...]) -> Value:
    """For each element the product of all others over some axes, which are flattened to one first."""
    if len(axes) < 2:
        return products_of_others(xp, a, axes[0]) if axes else xp.ones_like(a)
    order = (*[axis for axis in range(-xp.ndim(a), 0) if axis not in axes], *sorted(axes))
    moved = xp.permute_dims(a, axes=order)
    found = xp.reshape_like(products_of_others(xp, xp.merge_dims(moved, start=-len(axes), stop=0), -1), moved)
    return xp.permute_dims(found, axes=tuple([order.index(axis) - len(order) for axis in range(-len(order), 0)]))


@layer(name="vector_norm")
class VectorNorm(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The root of the sum of squares over axes; its derivative at 0 is 0. Over nothing it is 0."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.vector_norm(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            scale = xp.where(xp.equal(output, 0), 0, xp.divide(delta, output))
            return xp.multiply(a, spread(xp, scale, a, axes, self.keepdims))

        return (pullback,)


@layer(name="axis_size", differentiable=False)
class AxisSize(Layer[In, Tape[int, int]], Generic[In, D]):
    """The number of elements along axes, an integer: the divisor of a mean."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.axis_size(a, axis=all_from_end(self.axis, xp.ndim(a)))


@layer(name="max")
class Max(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.max(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: share_ties(xp, delta, output, a, axes, self.keepdims),)


@layer(name="min")
class Min(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(default=None, help=_AXIS)
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.min(a, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))
        return (lambda: share_ties(xp, delta, output, a, axes, self.keepdims),)


@layer(name="argmax", differentiable=False)
class ArgMax(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The position of the largest element along an axis, the first one on a tie. Integers have no delta."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(default=-1, help="the axis to search along")
    keepdims: bool = attribute(default=False, help=_KEEPDIMS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.argmax(a, axis=from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims)
