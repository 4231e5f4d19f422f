"""Rounding to whole numbers, element by element."""

from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["Ceil", "Floor", "Round", "Trunc"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer(name="floor")
class Floor(Layer[In, Tape[D, D]], Generic[In, D]):
    """The largest whole number that is not larger; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.floor(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)


@layer(name="ceil")
class Ceil(Layer[In, Tape[D, D]], Generic[In, D]):
    """The smallest whole number that is not smaller; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.ceil(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)


@layer(name="round")
class Round(Layer[In, Tape[D, D]], Generic[In, D]):
    """The nearest whole number, the even one of two; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.round(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)


@layer(name="trunc")
class Trunc(Layer[In, Tape[D, D]], Generic[In, D]):
    """The whole number next to it towards 0; its derivative is 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.trunc(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.zeros_like(a),)
