"""Exponentials, logarithms, roots, activations, magnitude and sign, element by element."""

import math
from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = [
    "Abs",
    "Cbrt",
    "Exp",
    "Expm1",
    "Log",
    "Log1p",
    "Log2",
    "Log10",
    "LogAddExp",
    "ReLU",
    "Sigmoid",
    "Sign",
    "Softplus",
    "Sqrt",
]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")

_LOG2_E = 1.0 / math.log(2.0)
_LOG10_E = 1.0 / math.log(10.0)


@layer(name="exp")
class Exp(Layer[In, Tape[D, D]], Generic[In, D]):
    """e to the operand; inf where it overflows."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.exp(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, output),)


@layer(name="expm1")
class Expm1(Layer[In, Tape[D, D]], Generic[In, D]):
    """exp(a) - 1, exact near 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.expm1(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.exp(a)),)


@layer(name="log")
class Log(Layer[In, Tape[D, D]], Generic[In, D]):
    """The natural logarithm; -inf at 0, NaN below."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.log(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, a),)


@layer(name="log1p")
class Log1p(Layer[In, Tape[D, D]], Generic[In, D]):
    """log(1 + a), exact near 0; -inf at -1, NaN below."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.log1p(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.add(1.0, a)),)


@layer(name="log2")
class Log2(Layer[In, Tape[D, D]], Generic[In, D]):
    """The logarithm to base 2, exact for powers of 2; -inf at 0, NaN below."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.log2(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(xp.multiply(delta, _LOG2_E), a),)


@layer(name="log10")
class Log10(Layer[In, Tape[D, D]], Generic[In, D]):
    """The logarithm to base 10; -inf at 0, NaN below."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.log10(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(xp.multiply(delta, _LOG10_E), a),)


@layer(name="sqrt")
class Sqrt(Layer[In, Tape[D, D]], Generic[In, D]):
    """The square root; its derivative at 0 is inf, the IEEE value."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sqrt(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(xp.multiply(delta, 0.5), output),)


@layer(name="cbrt")
class Cbrt(Layer[In, Tape[D, D]], Generic[In, D]):
    """The real cube root, of negative numbers too; its derivative at 0 is inf, the IEEE value."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.cbrt(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.multiply(3.0, xp.multiply(output, output))),)


@layer(name="sigmoid")
class Sigmoid(Layer[In, Tape[D, D]], Generic[In, D]):
    """1 / (1 + exp(-a)), stable at any magnitude."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sigmoid(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.multiply(output, xp.subtract(1.0, output))),)


@layer(name="relu")
class ReLU(Layer[In, Tape[D, D]], Generic[In, D]):
    """max(a, 0); the derivative at 0 is 0, and NaN stays NaN."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.relu(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.where(xp.greater(output, 0), delta, 0),)


@layer(name="softplus")
class Softplus(Layer[In, Tape[D, D]], Generic[In, D]):
    """log(1 + exp(a)), stable at any magnitude: a smooth ReLU, whose derivative is the sigmoid."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.softplus(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.sigmoid(a)),)


@layer(name="logaddexp")
class LogAddExp(Layer[In, Tape[D, D]], Generic[In, D]):
    """log(exp(a) + exp(b)), stable at any magnitude. Equal operands share the delta; if both are -inf, it is 0."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.logaddexp(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        def share(mine: Value, other: Value) -> Value:
            # The difference of two equal infinities is NaN, so the operand of the sigmoid is masked.
            difference = xp.where(xp.equal(mine, other), 0, xp.subtract(mine, other))
            slope = xp.where(xp.equal(output, -float("inf")), 0, xp.sigmoid(difference))
            return xp.sum_to(xp.multiply(delta, slope), mine)

        return (lambda: share(a, b), lambda: share(b, a))


@layer(name="abs")
class Abs(Layer[In, Tape[D, D]], Generic[In, D]):
    """The magnitude; the derivative at 0 is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.abs(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.sign(a)),)


@layer(name="sign")
class Sign(Layer[In, Tape[D, D]], Generic[In, D]):
    """-1, 0 or 1; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sign(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)
