"""Cumulative sums and products along an axis, and the linear recurrence, on which the derivatives of products rest."""

from functools import cache
from typing import Generic, TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._axes import from_end
from layertree.layers._cumulative import adjoint_recurrence, reversed_along, shifted
from layertree.layers._precision import is_half, narrowed, widened

__all__ = ["CumulativeProd", "CumulativeSum", "LinearRecurrence"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")

_AXIS = "the axis along which the steps follow one another"


@layer(name="cumulative_sum")
class CumulativeSum(Layer[In, Tape[D, D]], Generic[In, D]):
    """The cumulative sum: each element plus all elements before it along an axis."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(help=_AXIS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return narrowed(xp, xp.cumulative_sum(widened(xp, a), axis=from_end(self.axis, xp.ndim(a))), a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            backwards = reversed_along(xp, widened(xp, delta), axis)
            return narrowed(xp, reversed_along(xp, xp.cumulative_sum(backwards, axis=axis), axis), a)

        return (pullback,)


@layer(name="cumulative_prod")
class CumulativeProd(Layer[In, Tape[D, D]], Generic[In, D]):
    """The cumulative product: each element times all before it along an axis. Derivatives are exact at zeros."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(help=_AXIS)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return narrowed(xp, xp.cumulative_prod(widened(xp, a), axis=from_end(self.axis, xp.ndim(a))), a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            steps = adjoint_recurrence(xp, widened(xp, delta), widened(xp, a), axis)
            return narrowed(xp, xp.multiply(shifted(xp, output, axis, 1.0), steps), a)

        return (pullback,)


@layer(name="linear_recurrence")
class LinearRecurrence(Layer[In, Tape[D, D]], Generic[In, D]):
    """y[i] = factors[i] * y[i - 1] + terms[i] along an axis, where y[-1] is 0.

    Factors and terms have one shape.

    >>> import numpy as np
    >>> LinearRecurrence(np.array([9.0, 2.0, 3.0]), np.array([1.0, 1.0, 1.0]), axis=0).predict(None).tolist()
    [1.0, 3.0, 10.0]
    """

    factors: Layer[In, Tape[D, D]] = operand()
    terms: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(help=_AXIS)

    def compute(self, xp: Namespace, factors: Value, terms: Value) -> Value:
        axis = from_end(self.axis, xp.ndim(terms))
        found = xp.linear_recurrence(widened(xp, factors), widened(xp, terms), axis=axis)
        return narrowed(xp, found, terms) if is_half(xp, factors) else found

    def gradient(self, xp: Namespace, delta: Value, output: Value, factors: Value, terms: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(terms))
        steps = cache(
            lambda: adjoint_recurrence(xp, widened(xp, delta), widened(xp, factors), axis)
        )  # both operands need it
        return (
            lambda: xp.cast_like(xp.multiply(steps(), shifted(xp, output, axis, 0.0)), factors),
            lambda: xp.cast_like(steps(), terms),
        )
