"""Mistakes with layers built by hand. The comment of a line gives what they hold, and the kind of mistake."""

import numpy as np

from layertree import Exp, Identity, Layer, Literal, Plus, Tape, Times, Weight
from layertree.core.namespace import Namespace
from layertree.core.value import Value
from symbolic import wrap

x = Identity[float, float]()
n = Identity[np.float32, np.float32]()
formula = Times(Plus(Literal(1.0), x), Weight(2.0))

# == the operands of a case class
Plus(x, n)  # error | numbers | two kinds of data
Times(Weight(2.0), Weight(np.float32(2.0)))  # error | numbers | weights of two kinds
Plus(x, Literal("1"))  # error | numbers | a constant that is no number
Plus(x)  # error | numbers | too few
Plus(x, x, x)  # error | numbers | too many
Exp()  # error | numbers | none
Plus(x, other=x)  # error | numbers | a name that is none
formula.operand1 = x  # error | numbers | one that is set

# == another type than the layer has
wrong_input: Layer[Tape[np.float32, np.float32], Tape[float, float]] = formula  # error | numbers | of the input
wrong_output: Layer[Tape[float, float], Tape[np.float32, np.float32]] = formula  # error | numbers | of the output
wrong_layer: Times[Tape[float, float], float] = Plus(x, x)  # error | numbers | another class

# == running
formula.predict("1")  # error | numbers | predict, of the wrong data
formula.forward(Weight(2.0))  # error | numbers | forward, of a layer
wrap(formula, float).predict("1")  # error | numbers | predict, of the wrong data, as a formula
number: int = formula.predict(1.0)  # error | numbers | another type than the value has


# == a rule
def rule(xp: Namespace, a: Value) -> Value:
    """A rule with mistakes."""
    xp.multipy(a, 2.0)  # error | any value | a misspelt function
    xp.add(a)  # error | any value | a missing operand
    xp.sum(a, axes=-1)  # error | any value | a misspelt attribute
    xp.expand_dims(a, axis="0")  # error | any value | an attribute of another type
    return a + 1.0  # error | any value | an operator instead of a function
