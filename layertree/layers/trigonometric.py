"""Trigonometric and hyperbolic functions, their inverses, and polar coordinates, element by element."""

from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = [
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atan2",
    "Atanh",
    "Cos",
    "Cosh",
    "Hypot",
    "Sin",
    "Sinh",
    "Tan",
    "Tanh",
]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer(name="sin")
class Sin(Layer[In, Tape[D, D]], Generic[In, D]):
    """The sine of an angle in radians."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sin(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.cos(a)),)


@layer(name="cos")
class Cos(Layer[In, Tape[D, D]], Generic[In, D]):
    """The cosine of an angle in radians."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.cos(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.negative(xp.multiply(delta, xp.sin(a))),)


@layer(name="tan")
class Tan(Layer[In, Tape[D, D]], Generic[In, D]):
    """The tangent of an angle in radians."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.tan(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.add(1.0, xp.multiply(output, output))),)


@layer(name="asin")
class Asin(Layer[In, Tape[D, D]], Generic[In, D]):
    """The angle in radians, -pi/2 to pi/2, of a sine; NaN beyond 1. Its derivative at 1 and -1 is inf."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.asin(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.sqrt(xp.multiply(xp.subtract(1.0, a), xp.add(1.0, a)))),)


@layer(name="acos")
class Acos(Layer[In, Tape[D, D]], Generic[In, D]):
    """The angle in radians, 0 to pi, of a cosine; NaN beyond 1. Its derivative at 1 and -1 is -inf."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.acos(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.negative(xp.divide(delta, xp.sqrt(xp.multiply(xp.subtract(1.0, a), xp.add(1.0, a))))),)


@layer(name="atan")
class Atan(Layer[In, Tape[D, D]], Generic[In, D]):
    """The angle in radians, -pi/2 to pi/2, of a tangent."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.atan(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.add(1.0, xp.multiply(a, a))),)


@layer(name="sinh")
class Sinh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The hyperbolic sine; inf where it overflows."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.sinh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.cosh(a)),)


@layer(name="cosh")
class Cosh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The hyperbolic cosine; inf where it overflows."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.cosh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.sinh(a)),)


@layer(name="tanh")
class Tanh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The hyperbolic tangent."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.tanh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.multiply(delta, xp.subtract(1.0, xp.multiply(output, output))),)


@layer(name="asinh")
class Asinh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The inverse of the hyperbolic sine."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.asinh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.hypot(a, 1.0)),)


@layer(name="acosh")
class Acosh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The inverse of the hyperbolic cosine; NaN below 1, where its derivative is inf."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.acosh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.multiply(xp.sqrt(xp.subtract(a, 1.0)), xp.sqrt(xp.add(a, 1.0)))),)


@layer(name="atanh")
class Atanh(Layer[In, Tape[D, D]], Generic[In, D]):
    """The inverse of the hyperbolic tangent; inf at 1, -inf at -1, NaN beyond."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.atanh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, xp.multiply(xp.subtract(1.0, a), xp.add(1.0, a))),)


@layer(name="hypot")
class Hypot(Layer[In, Tape[D, D]], Generic[In, D]):
    """The length of the vector (a, b), without overflow on the way; its derivatives at (0, 0) are 0."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.hypot(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        def share(mine: Value) -> Value:
            slope = xp.where(xp.equal(output, 0), 0, xp.divide(mine, output))
            return xp.sum_to(xp.multiply(delta, slope), mine)

        return (lambda: share(a), lambda: share(b))


@layer(name="atan2")
class Atan2(Layer[In, Tape[D, D]], Generic[In, D]):
    """The angle in radians, -pi to pi, of the vector (b, a): its y comes first, as everywhere.

    At (0, 0) there is no angle to differentiate, and the derivatives are NaN.
    """

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.atan2(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        def across(other: Value) -> Value:
            length = xp.hypot(a, b)
            return xp.multiply(xp.divide(delta, length), xp.divide(other, length))

        return (lambda: xp.sum_to(across(b), a), lambda: xp.sum_to(xp.negative(across(a)), b))
