"""Layers built by hand, without the front end: they keep exact types."""

from typing import Any, Generic, TypeVar, assert_type

from layertree import Compose, Exp, Identity, Layer, Literal, Plus, Tape, Times, Weight, layer, operand
from symbolic import Formula, wrap

formula = Times(Plus(Literal(1.0), Identity[float, float]()), Weight(2.0))
assert_type(formula, Times[Tape[float, float], float])
fits: Layer[Tape[float, float], Tape[float, float]] = formula
assert_type(formula.predict(3.0), float)
assert_type(Weight(2.0).value, float)
assert_type(Literal(2.0).value, float)
assert_type(Exp(Identity[float, float]()), Exp[Tape[float, float], float])
assert_type(Compose(formula, formula), Compose[Tape[float, float], Tape[float, float]])
assert_type(wrap(formula, float), Formula[float, float])
assert_type(2.0 * wrap(formula, float), Formula[float, float])

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer
class Halve(Layer[In, Tape[D, D]], Generic[In, D]):
    """Half of its operand."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, 0.5)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, 0.5),)


assert_type(Halve(Identity[float, float]()), Halve[Tape[float, float], float])
assert_type(Halve(formula).operand, Layer[Tape[float, float], Tape[float, float]])
assert_type(Halve(formula).predict(3.0), float)
with formula.forward(3.0) as tape:
    assert_type(tape, Tape[float, float])
    assert_type(tape.value, float)
