"""Mistakes with formulas of Python numbers."""
# ruff: noqa: B015

import math

import numpy as np

import symbolic as sy
from layertree.typing import Float32
from symbolic import Formula, placeholder, weight

x = placeholder(float)
i = placeholder(int)

# What is no operand.
x + "1"  # error
"1" * x  # error
x + None  # error
x * [1.0]  # error
i * "a"  # error
sy.exp("1")  # error
sy.maximum(x, "1")  # error

# Inputs of two placeholders do not mix, nor do they in functions.
x + i  # error: mypy pyright
x * placeholder(Float32[int])  # error: mypy pyright
x > i  # error: mypy pyright
sy.maximum(x, i)  # error

# Floats have no bits, and nothing is known before a formula runs.
x & x  # error
~x  # error
float(x)  # error
math.sin(x)  # error
len(x)  # error
x[0]  # error
list(x)  # error
1.0 in x  # error
x.value = 1.0  # error

# Choices: branches that disagree, and a condition that is no boolean.
sy.if_(x > 0.0, x, x > 1.0)  # error
sy.if_(x > 0.0, x, sy.astype(x, np.float32))  # error
sy.if_(x, x, x)  # error
sy.where(x, x, 0.0)  # error

# Another type than the formula has.
wrong_input: Formula[int, float] = x * 2.0  # error
wrong_output: Formula[float, bool] = x * weight(2.0)  # error
wrong_kind: Formula[float, float] = x > 1.0  # error

# Running on the wrong data.
x.predict("1")  # error
x.predict()  # error
x.predict((1.0, 2.0))  # error
x.forward([1.0])  # error
x.train("1")  # error
x.train(1.0, delta="1")  # error
x.forward(1.0).backward("1")  # error
number: int = x.predict(1.0)  # error
