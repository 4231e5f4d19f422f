"""Mistakes with layers built by hand."""

import numpy as np

from layertree import Exp, Identity, Layer, Literal, Plus, Tape, Times, Weight
from symbolic import wrap

x = Identity[float, float]()
n = Identity[np.float32, np.float32]()
formula = Times(Plus(Literal(1.0), x), Weight(2.0))

# Operands that do not go together.
Plus(x, n)  # error
Times(Weight(2.0), Weight(np.float32(2.0)))  # error
Plus(x, Literal("1"))  # error

# Operands that are missing, too many, or none.
Plus(x)  # error
Plus(x, x, x)  # error
Exp()  # error
Plus(x, other=x)  # error

# Layers never change.
formula.operand1 = x  # error

# Another type than the layer has.
wrong_input: Layer[Tape[np.float32, np.float32], Tape[float, float]] = formula  # error
wrong_output: Layer[Tape[float, float], Tape[np.float32, np.float32]] = formula  # error
wrong_layer: Times[Tape[float, float], float] = Plus(x, x)  # error

# Running on the wrong data.
formula.predict("1")  # error
formula.forward(Weight(2.0))  # error
wrap(formula, float).predict("1")  # error
number: int = formula.predict(1.0)  # error
