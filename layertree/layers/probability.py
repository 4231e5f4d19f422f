"""Probabilities, their logarithms, and cross entropy, stable at any magnitude."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._axes import all_from_end, from_end, spread
from layertree.layers._precision import is_half, narrowed, widened

__all__ = ["CrossEntropy", "LogSoftmax", "LogSumExp", "Softmax"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)
L = TypeVar("L", default=Any)


@layer(name="log_softmax")
class LogSoftmax(Layer[In, Tape[D, D]], Generic[In, D]):
    """The logarithm of the softmax along an axis, with the maximum subtracted first.

    An element of -inf has probability 0. A row that is all -inf has the probabilities 0, and gets no delta.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(default=-1, help="the axis of the classes")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return narrowed(xp, xp.log_softmax(widened(xp, a), axis=from_end(self.axis, xp.ndim(a))), a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            total = xp.sum(widened(xp, delta), axis=axis, keepdims=True)
            # A float16 output is too coarse for the sum of many probabilities to be 1.
            probabilities = xp.softmax(widened(xp, a), axis=(axis,)) if is_half(xp, a) else xp.exp(output)
            spread = xp.subtract(delta, xp.multiply(probabilities, total))
            is_possible = xp.not_equal(xp.sum(probabilities, axis=axis, keepdims=True), 0)
            return narrowed(xp, xp.where(is_possible, spread, 0), a)

        return (pullback,)


@layer(name="softmax")
class Softmax(Layer[In, Tape[D, D]], Generic[In, D]):
    """exp(a) / sum(exp(a)) over axes, with the maximum subtracted first; where all are -inf, zeros.

    Elements that are inf share 1 evenly.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] = attribute(default=-1, help="the axis or axes of the classes")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return narrowed(xp, xp.softmax(widened(xp, a), axis=all_from_end(self.axis, xp.ndim(a))), a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            mean = xp.sum(xp.multiply(widened(xp, delta), output), axis=axes, keepdims=True)
            return narrowed(xp, xp.multiply(output, xp.subtract(delta, mean)), a)

        return (pullback,)


@layer(name="logsumexp")
class LogSumExp(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """log(sum(exp(a))) over axes, with the maximum subtracted first; of nothing an error.

    Where all are -inf, so is the result, and none gets a delta. Where some are inf, so is the result, and these share
    the delta evenly.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int | tuple[int, ...] | None = attribute(
        default=None, help="the axis or axes to reduce; None for all of them"
    )
    keepdims: bool = attribute(default=False, help="whether reduced axes stay, with size 1")

    def compute(self, xp: Namespace, a: Value) -> Value:
        wide = widened(xp, a)
        return narrowed(xp, xp.logsumexp(wide, axis=all_from_end(self.axis, xp.ndim(a)), keepdims=self.keepdims), a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        axes = all_from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            shares = xp.softmax(widened(xp, a), axis=axes)
            return narrowed(xp, xp.multiply(spread(xp, delta, a, axes, self.keepdims), shares), a)

        return (pullback,)


@layer(name="cross_entropy")
class CrossEntropy(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """The negative log-probability of each label: (..., classes) and (...) to (...).

    The operand holds log-probabilities, as LogSoftmax gives them. A label out of range is an IndexRangeError.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    labels: Layer[In, Tape[L, L]] = operand()

    def compute(self, xp: Namespace, a: Value, labels: Value) -> Value:
        return xp.cross_entropy(a, labels)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, labels: Value) -> Pullbacks:
        return (lambda: xp.unpick(xp.negative(delta), labels, a), None)
