"""Layers built by hand, without the front end: they keep exact types. The comment of a line gives the case."""

from typing import Any, Generic, TypeVar, assert_type

from layertree import Compose, Exp, Identity, Layer, Literal, MatMul, Plus, Tape, Times, Weight, layer, operand
from layertree.core.namespace import Namespace
from layertree.core.value import Pullbacks, Value
from symbolic import Formula, wrap

formula = Times(Plus(Literal(1.0), Identity[float, float]()), Weight(2.0))
fits: Layer[Tape[float, float], Tape[float, float]] = formula

# == a case class
assert_type(formula, Times[Tape[float, float], float])  # number | two operands
assert_type(Exp(Identity[float, float]()), Exp[Tape[float, float], float])  # number | one operand
assert_type(Compose(formula, formula), Compose[Tape[float, float], Tape[float, float]])  # number | a region
assert_type(MatMul(formula, formula), MatMul[Tape[float, float], float, float, Any])  # number | an output of its own
assert_type(Weight(2.0).value, float)  # number | the value of a weight
assert_type(Literal(2.0).value, float)  # number | the value of a constant

# == a formula of a layer
assert_type(wrap(formula, float), Formula[float, float])  # number | wrap
assert_type(2.0 * wrap(formula, float), Formula[float, float])  # number | in an operation

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


# == a class of one's own
@layer
class Halve(Layer[In, Tape[D, D]], Generic[In, D]):
    """Half of its operand."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, 0.5)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, 0.5),)


assert_type(Halve(Identity[float, float]()), Halve[Tape[float, float], float])  # number | built
assert_type(Halve(formula).operand, Layer[Tape[float, float], Tape[float, float]])  # number | its operand
assert_type(Halve(formula).predict(3.0), float)  # number | predict


# == a class with typed rules
@layer
class Third(Layer[In, Tape[D, D]], Generic[In, D]):
    """A third of its operand."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.divide(a, 3.0)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.divide(delta, 3.0),)


assert_type(Third(formula).predict(3.0), float)  # number | predict of typed rules

# == running
assert_type(formula.predict(3.0), float)  # number | predict
with formula.forward(3.0) as tape:
    assert_type(tape, Tape[float, float])  # number | forward
    assert_type(tape.value, float)  # number | the value of a tape
