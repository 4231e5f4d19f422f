"""Mistakes with formulas of Python numbers. The comment of a line gives its kind of number, and the kind of mistake."""
# ruff: noqa: B015, RUF005

import math

import numpy as np

import symbolic as sy
from layertree.typing import Float32
from symbolic import Formula, placeholder, weight

x = placeholder(float)
i = placeholder(int)
z, other = placeholder((float, float))

# == +
x + "1"  # error | float | no operand on the right
"1" + x  # error | float | no operand on the left
x + None  # error | float | nothing
i + [1.0]  # error | int | a list
x + z  # error: mypy pyright | float | the formula of another input
x + placeholder(Float32[int])  # error: mypy pyright | float | an array of another input

# == -
x - "1"  # error | float | no operand

# == *
x * "1"  # error | float | no operand

# == /
i / "1"  # error | int | no operand

# == //
x // "1"  # error | float | no operand

# == %
x % "1"  # error | float | no operand

# == **
x ** "1"  # error | float | no operand

# == comparison
x < "1"  # error | float | no operand
x > z  # error: mypy pyright | float | the formula of another input

# == logic
x & x  # error | float | bits of floats
~x  # error | float | not of a float
(x > 0.0) | 1.0  # error | bool | a float

# == a function
sy.exp("1")  # error | float | no operand
sy.relu(None)  # error | float | nothing
sy.mean("1")  # error | float | no operand of a reduction
sy.argmax(2.0)  # error | float | a number where an array is wanted

# == a function of two operands
sy.maximum(x, "1")  # error | float | no operand
sy.maximum(x, z)  # error | float | the formula of another input
sy.less(x, z)  # error | float | the formula of another input, compared
sy.divide(x, z)  # error | float | the formula of another input, divided
sy.bitwise_and(x > 0.0, z > 0.0)  # error | bool | the formula of another input
sy.mean_squared_error(x, z)  # error | float | the formula of another input, in a loss

# == a choice
sy.if_(x > 0.0, x, x > 1.0)  # error | float | branches of two kinds
sy.if_(x > 0.0, x, sy.astype(x, np.float32))  # error | float | branches of a number and a NumPy scalar
sy.if_(x, x, x)  # error | float | a condition that is no boolean
sy.if_(x > 0.0, x, z)  # error | float | a branch of another input
sy.where(x, x, 0.0)  # error | float | where, of a condition that is no boolean
sy.where(x > 0.0, x, z)  # error | float | where, of another input
sy.clip(i, 0.5)  # error | int | a bound that is a float

# == what is not known before a formula runs
float(x)  # error | float | its value
math.sin(x)  # error | float | its value, in a function
len(x)  # error | float | its length
list(x)  # error | float | its elements
1.0 in x  # error | float | whether it holds an element
x[0]  # error | float | a part
x.value = 1.0  # error | float | a value that is set

# == another type than the formula has
wrong_input: Formula[int, float] = x * 2.0  # error | float | of the input
wrong_output: Formula[float, bool] = x * weight(2.0)  # error | float | of the output
wrong_kind: Formula[float, float] = x > 1.0  # error | bool | of a comparison
wrong_quotient: Formula[int, int] = i / i  # error | int | of a quotient
wrong_root: Formula[int, int] = sy.sqrt(i)  # error | int | of a smooth function
wrong_mean: Formula[int, int] = sy.mean(i)  # error | int | of a mean

# == running
x.predict("1")  # error | float | predict, of the wrong data
x.predict()  # error | float | predict, of nothing
x.forward([1.0])  # error | float | forward, of the wrong data
x.train("1")  # error | float | train, on the wrong data
x.train(1.0, delta="1")  # error | float | train, with the wrong delta
x.forward(1.0).backward("1")  # error | float | backward, with the wrong delta
number: int = x.predict(1.0)  # error | float | another type than the value has
