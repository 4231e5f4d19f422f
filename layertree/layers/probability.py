"""Log-probabilities and cross entropy, stable at any magnitude."""

from typing import Any, Generic, TypeVar

from layertree._fields import attribute, layer, operand
from layertree._layer import Layer, Pullbacks, Value
from layertree._tape import Tape
from layertree.layers._axes import from_end

__all__ = ["CrossEntropy", "LogSoftmax"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E")
L = TypeVar("L")


@layer(name="log_softmax")
class LogSoftmax(Layer[In, Tape[D, D]], Generic[In, D]):
    """The logarithm of the softmax along an axis, with the maximum subtracted first.

    An element of -inf has probability 0 and gets no delta, so a row that is all -inf gives no NaN.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(default=-1, help="the axis of the classes")

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.log_softmax(a, axis=from_end(self.axis, xp.ndim(a)))

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(a))

        def pullback() -> Value:
            total = xp.sum(delta, axis=axis, keepdims=True)
            spread = xp.subtract(delta, xp.multiply(xp.exp(output), total))
            return xp.where(xp.equal(output, -float("inf")), 0, spread)

        return (pullback,)


@layer(name="cross_entropy")
class CrossEntropy(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """The negative log-probability of each label: (..., classes) and (...) to (...).

    The operand holds log-probabilities, as LogSoftmax gives them. A label out of range is an IndexRangeError.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    labels: Layer[In, Tape[L, L]] = operand()

    def compute(self, xp: Any, a: Value, labels: Value) -> Value:
        return xp.cross_entropy(a, labels)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value, labels: Value) -> Pullbacks:
        return (lambda: xp.unpick(xp.negative(delta), labels, a), None)
