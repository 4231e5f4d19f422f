"""Functions of one operand, element by element."""

from typing import Any, Generic, TypeVar

from layertree._fields import layer, operand
from layertree._layer import Layer, Pullbacks, Value
from layertree._tape import Tape

__all__ = ["Abs", "Cos", "Exp", "Floor", "Log", "ReLU", "Sigmoid", "Sign", "Sin", "Sqrt", "Tanh"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer(name="exp")
class Exp(Layer[In, Tape[D, D]], Generic[In, D]):
    """e to the operand; inf where it overflows."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.exp(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, output),)


@layer(name="log")
class Log(Layer[In, Tape[D, D]], Generic[In, D]):
    """The natural logarithm; -inf at 0, NaN below."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.log(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, a),)


@layer(name="sin")
class Sin(Layer[In, Tape[D, D]], Generic[In, D]):
    """The sine of an angle in radians."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.sin(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.cos(a)),)


@layer(name="cos")
class Cos(Layer[In, Tape[D, D]], Generic[In, D]):
    """The cosine of an angle in radians."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.cos(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.negative(xp.multiply(delta, xp.sin(a))),)


@layer(name="sqrt")
class Sqrt(Layer[In, Tape[D, D]], Generic[In, D]):
    """The square root; its derivative at 0 is inf, the IEEE value."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.sqrt(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(xp.multiply(delta, 0.5), output),)


@layer(name="tanh")
class Tanh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The hyperbolic tangent."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.tanh(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.subtract(1.0, xp.multiply(output, output))),)


@layer(name="sigmoid")
class Sigmoid(Layer[In, Tape[D, D]], Generic[In, D]):
    """1 / (1 + exp(-a)), stable at any magnitude."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.sigmoid(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.multiply(output, xp.subtract(1.0, output))),)


@layer(name="relu")
class ReLU(Layer[In, Tape[D, D]], Generic[In, D]):
    """max(a, 0); the derivative at 0 is 0, and NaN stays NaN."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.relu(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.where(xp.greater(output, 0), delta, 0),)


@layer(name="abs")
class Abs(Layer[In, Tape[D, D]], Generic[In, D]):
    """The magnitude; the derivative at 0 is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.abs(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.sign(a)),)


@layer(name="sign")
class Sign(Layer[In, Tape[D, D]], Generic[In, D]):
    """-1, 0 or 1; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.sign(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)


@layer(name="floor")
class Floor(Layer[In, Tape[D, D]], Generic[In, D]):
    """The largest whole number that is not larger; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Value) -> Value:
        return xp.floor(a)

    def gradient(self, xp: Any, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)
