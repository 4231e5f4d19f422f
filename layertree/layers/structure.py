"""Tuples of values, and their parts."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.deltas import Parts
from layertree.core.fields import attribute, layer, operand, operands
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["Item", "Tuple"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)


@layer(name="item")
class Item(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """One part of a tuple. The delta of the tuple has this part alone, without zeros for the others.

    >>> from layertree import Identity
    >>> Item(Identity(), 1).predict((2.0, 3.0))
    3.0
    """

    operand: Layer[In, Tape[D, Any]] = operand()
    position: int = attribute(minimum=0, help="which part, counted from 0")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.item(a, position=self.position)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: Parts({self.position: delta}),)


@layer(name="tuple")
class Tuple(Layer[In, Tape[Any, Any]], Generic[In]):
    """Several formulas of one input as one formula of a tuple.

    >>> from layertree import Exp, Identity
    >>> Tuple((Identity(), Exp(Identity()))).predict(0.0)
    (0.0, 1.0)
    """

    operands: tuple[Layer[In, Tape[Any, Any]], ...] = operands()

    def compute(self, xp: Namespace, *values: Value) -> Value:
        return xp.tuple(values)

    def gradient(self, xp: Namespace, delta: Parts, output: Value, *values: Value) -> Pullbacks:
        return tuple([lambda i=i: delta.get(i) for i in range(len(values))])
