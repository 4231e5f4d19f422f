"""Arithmetic: what Python's operators build, broadcast as NumPy does."""

from collections.abc import Callable
from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = [
    "BroadcastLike",
    "Divide",
    "FloorDivide",
    "Maximum",
    "Minimum",
    "Minus",
    "Negative",
    "Plus",
    "Power",
    "Remainder",
    "SumTo",
    "Times",
]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E")


@layer(name="add", operator="+")
class Plus(Layer[In, Tape[D, D]], Generic[In, D]):
    """The sum of two operands.

    >>> from layertree import Identity
    >>> Plus(1.0, Identity()).predict(2.0)
    3.0
    """

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.add(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (lambda: xp.sum_to(delta, a), lambda: xp.sum_to(delta, b))


@layer(name="subtract", operator="-")
class Minus(Layer[In, Tape[D, D]], Generic[In, D]):
    """The difference of two operands."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.subtract(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (lambda: xp.sum_to(delta, a), lambda: xp.sum_to(xp.negative(delta), b))


@layer(name="multiply", operator="*")
class Times(Layer[In, Tape[D, D]], Generic[In, D]):
    """The elementwise product of two operands."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.multiply(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (lambda: xp.sum_to(xp.multiply(delta, b), a), lambda: xp.sum_to(xp.multiply(delta, a), b))


@layer(name="divide", operator="/")
class Divide(Layer[In, Tape[D, D]], Generic[In, D]):
    """The quotient of two operands; by zero the IEEE value, never an exception."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.divide(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (
            lambda: xp.sum_to(xp.divide(delta, b), a),
            lambda: xp.sum_to(xp.negative(xp.divide(xp.multiply(delta, output), b)), b),
        )


@layer(name="floor_divide", operator="//")
class FloorDivide(Layer[In, Tape[D, D]], Generic[In, D]):
    """The quotient rounded down; its derivative is 0."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.floor_divide(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a), lambda: xp.zeros_like(b))


@layer(name="remainder", operator="%")
class Remainder(Layer[In, Tape[D, D]], Generic[In, D]):
    """``a - floor(a / b) * b``, with the sign of the divisor."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.remainder(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return (
            lambda: xp.sum_to(delta, a),
            lambda: xp.sum_to(xp.negative(xp.multiply(delta, xp.floor_divide(a, b))), b),
        )


@layer(name="pow", operator="**")
class Power(Layer[In, Tape[D, D]], Generic[In, D]):
    """``a ** b``; 0 ** 0 is 1.

    The derivative for the exponent is computed only where asked, and is 0 at base 0.

    >>> from layertree import Identity, Input
    >>> x = Input(-2.0)
    >>> Power(Identity(), 2.0).forward(x).gradients()[x]
    -4.0
    """

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.pow(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        def base() -> Value:
            # 0 ** -1 is inf, so the base is masked where base and exponent are 0.
            safe = xp.where(xp.equal(b, 0), xp.where(xp.equal(a, 0), 1, a), a)
            return xp.sum_to(xp.multiply(delta, xp.multiply(b, xp.pow(safe, xp.subtract(b, 1)))), a)

        def exponent() -> Value:
            slope = xp.where(xp.equal(a, 0), 0, xp.multiply(output, xp.log(a)))
            return xp.sum_to(xp.multiply(delta, slope), b)

        return base, exponent


@layer(name="negative", operator="-")
class Negative(Layer[In, Tape[D, D]], Generic[In, D]):
    """The operand with the other sign."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.negative(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.negative(delta),)


def _shares(xp: Namespace, delta: Value, a: Value, b: Value, wins: Callable[[Value, Value], Value]) -> Pullbacks:
    """The deltas of an elementwise extremum: all to the extremum, half to each operand on a tie."""

    def share(mine: Value, other: Value) -> Value:
        half = xp.multiply(delta, 0.5)
        return xp.sum_to(xp.where(wins(mine, other), delta, xp.where(xp.equal(mine, other), half, 0)), mine)

    return (lambda: share(a, b), lambda: share(b, a))


@layer(name="maximum")
class Maximum(Layer[In, Tape[D, D]], Generic[In, D]):
    """The larger of two operands, element by element; on a tie each gets half of the delta. NaN wins."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.maximum(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return _shares(xp, delta, a, b, xp.greater)


@layer(name="minimum")
class Minimum(Layer[In, Tape[D, D]], Generic[In, D]):
    """The smaller of two operands, element by element; on a tie each gets half of the delta. NaN wins."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.minimum(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        return _shares(xp, delta, a, b, xp.less)


@layer(name="sum_to")
class SumTo(Layer[In, Tape[D, D]], Generic[In, D, E]):
    """The operand summed over the axes in which a pattern was broadcast to it, in the pattern's dtype.

    The pattern gives its shape only: it gets no delta.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.sum_to(a, like)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: xp.cast_like(xp.broadcast_like(delta, a), a), None)


@layer(name="broadcast_like")
class BroadcastLike(Layer[In, Tape[D, D]], Generic[In, D, E]):
    """The operand broadcast to the shape of a pattern, which gets no delta."""

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.broadcast_like(a, like)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: xp.sum_to(delta, a), None)
