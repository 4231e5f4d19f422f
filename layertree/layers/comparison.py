"""Comparisons, logic on their results, and the choice by condition. Booleans have no delta."""

from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.pullbacks import SelectedPullbacks
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = [
    "BitwiseAnd",
    "BitwiseInvert",
    "BitwiseOr",
    "BitwiseXor",
    "Equal",
    "Greater",
    "GreaterEqual",
    "Less",
    "LessEqual",
    "NotEqual",
    "Where",
]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
B = TypeVar("B")


@layer(name="less", operator="<", differentiable=False)
class Less(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the first operand is smaller, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.less(a, b)


@layer(name="less_equal", operator="<=", differentiable=False)
class LessEqual(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the first operand is not larger, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.less_equal(a, b)


@layer(name="greater", operator=">", differentiable=False)
class Greater(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the first operand is larger, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.greater(a, b)


@layer(name="greater_equal", operator=">=", differentiable=False)
class GreaterEqual(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the first operand is not smaller, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.greater_equal(a, b)


@layer(name="equal", operator="==", differentiable=False)
class Equal(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the operands are equal, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.equal(a, b)


@layer(name="not_equal", operator="!=", differentiable=False)
class NotEqual(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """Whether the operands differ, element by element."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.not_equal(a, b)


@layer(name="bitwise_and", operator="&", differentiable=False)
class BitwiseAnd(Layer[In, Tape[D, D]], Generic[In, D]):
    """``a & b`` of booleans or integers."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.bitwise_and(a, b)


@layer(name="bitwise_or", operator="|", differentiable=False)
class BitwiseOr(Layer[In, Tape[D, D]], Generic[In, D]):
    """``a | b`` of booleans or integers."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.bitwise_or(a, b)


@layer(name="bitwise_xor", operator="^", differentiable=False)
class BitwiseXor(Layer[In, Tape[D, D]], Generic[In, D]):
    """``a ^ b`` of booleans or integers."""

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.bitwise_xor(a, b)


@layer(name="bitwise_invert", operator="~", differentiable=False)
class BitwiseInvert(Layer[In, Tape[D, D]], Generic[In, D]):
    """``~a`` of booleans or integers."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.bitwise_invert(a)


@layer(name="where")
class Where(Layer[In, Tape[D, D]], Generic[In, B, D]):
    """``then`` where the condition is true, else ``otherwise``, element by element.

    The side not selected receives exactly 0, and so does all that it is computed from by elementwise layers, also
    where a slope is infinite. Both sides are computed: for one boolean, ``If`` runs only one.
    """

    condition: Layer[In, Tape[B, B]] = operand()
    then: Layer[In, Tape[D, D]] = operand()
    otherwise: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, condition: Value, a: Value, b: Value) -> Value:
        return xp.where(condition, a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, condition: Value, a: Value, b: Value) -> Pullbacks:
        then = lambda: xp.sum_to(xp.where(condition, delta, 0), a)
        otherwise = lambda: xp.sum_to(xp.where(condition, 0, delta), b)
        return SelectedPullbacks.of(condition, (None, True, False), (None, then, otherwise))
