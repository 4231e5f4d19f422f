"""Control flow and side effects: branches, the end of differentiation, and hooks."""

from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from layertree.core.fields import identity, layer, operand, region
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["Hook", "If", "StopGradient"]

In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)
D = TypeVar("D")
B = TypeVar("B")


@layer
class If(Layer[In, Out], Generic[In, Out, B]):
    """``then`` where one boolean is true, else ``otherwise``; both are formulas of If's own input.

    The branch not taken is not evaluated and gets no delta; neither does the condition. For arrays of conditions
    there is Where.

    >>> from layertree import Greater, Identity, Sqrt
    >>> safe = If(Greater(Identity(), 0.0), Sqrt(Identity()), 0.0)
    >>> safe.predict(-4.0), safe.predict(4.0)
    (0.0, 2.0)
    """

    condition: Layer[In, Tape[B, B]] = operand()
    then: Layer[In, Out] = region()
    otherwise: Layer[In, Out] = region()

    __control__: ClassVar[str | None] = "cond"


@layer(name="stop_gradient", differentiable=False)
class StopGradient(Layer[In, Tape[D, D]], Generic[In, D]):
    """The operand, without a gradient: no delta reaches the operand through this layer."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.stop_gradient(a)


@layer(name="hook")
class Hook(Layer[In, Tape[D, D]], Generic[In, D]):
    """The operand, after ``function(value)``: to print, to plot, to count. Runs on each forward and predict.

    The function is compared by identity, and makes the formula one that cannot be saved to a file.
    """

    operand: Layer[In, Tape[D, D]] = operand()
    function: Callable[[D], object] = identity()

    __acts__: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"Hook.function = {self.function!r} is not allowed: give a function of the value")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.hook(a, function=self.function)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: delta,)
