"""Formulas of Python numbers. The comment of a line gives the kind of number, and the case."""

from typing import assert_type

import symbolic as sy
from layertree import Tape, Weight
from symbolic import Formula, Symbolic, placeholder, weight

x = placeholder(float)
i = placeholder(int)
b = placeholder(bool)

# == placeholder
assert_type(x, Formula[float, float])  # float | alone
assert_type(i, Formula[int, int])  # int | alone
assert_type(b, Formula[bool, bool])  # bool | alone

# == weight
assert_type(weight(2.0), Symbolic[object, Tape[float, float]])  # float | alone

# == +
assert_type(x + x, Formula[float, float])  # float | a formula
assert_type(x + 1.0, Formula[float, float])  # float | plain data on the right
assert_type(1 + x, Formula[float, float])  # float | plain data of another kind on the left
assert_type((1.0 + x) + weight(2.0), Formula[float, float])  # float | a weight on the right
assert_type(weight(2.0) + (1.0 + x), Formula[float, float])  # float | a weight on the left
assert_type(weight(2.0) + weight(3.0), Symbolic[object, Tape[float, float]])  # float | two weights
assert_type(x + Weight(2.0), Formula[float, float])  # float | a layer
assert_type(sy.literal(2.0) + x, Formula[float, float])  # float | a constant on the left
assert_type(i + 1, Formula[int, int])  # int | plain data
assert_type(i + 1.5, Formula[int, float])  # int | a float
assert_type(1.5 + i, Formula[int, float])  # int | a float on the left
assert_type(b + b, Formula[bool, int])  # bool | a formula
assert_type(b + 1, Formula[bool, int])  # bool | an integer
assert_type(0.5 + b, Formula[bool, float])  # bool | a float

# == -
assert_type(1 - i, Formula[int, int])  # int | plain data on the left

# == *
assert_type(True * i, Formula[int, int])  # int | a boolean on the left

# == /
assert_type(x / 2, Formula[float, float])  # float | an integer
assert_type(i / i, Formula[int, float])  # int | a formula
assert_type(i / 2, Formula[int, float])  # int | plain data
assert_type(1 / i, Formula[int, float])  # int | plain data on the left
assert_type(b / 2, Formula[bool, float])  # bool | an integer
assert_type(sy.divide(i, 2), Formula[int, float])  # int | plain data, by its function

# == //
assert_type(i // 2, Formula[int, int])  # int | plain data
assert_type(2.0 // x, Formula[float, float])  # float | plain data on the left

# == %
assert_type(2 % i, Formula[int, int])  # int | plain data on the left
assert_type(x % 2, Formula[float, float])  # float | an integer

# == **
assert_type(x**2, Formula[float, float])  # float | an integer
assert_type(2**i, Formula[int, int])  # int | plain data on the left
assert_type(b**2, Formula[bool, int])  # bool | an integer

# == a sign
assert_type(-x, Formula[float, float])  # float | minus
assert_type(+b, Formula[bool, bool])  # bool | plus
assert_type(abs(i), Formula[int, int])  # int | abs
assert_type(abs(b), Formula[bool, int])  # bool | abs

# == comparison
assert_type(x < 1.0, Formula[float, bool])  # float | plain data
assert_type(x > 1, Formula[float, bool])  # float | an integer on the left
assert_type(weight(1.0) >= x, Formula[float, bool])  # float | a weight on the left
assert_type(i == 3, Formula[int, bool])  # int | plain data
assert_type((x > 0.0) != (x > 1.0), Formula[float, bool])  # bool | a formula

# == logic
assert_type((x > 0.0) & (x < 1.0), Formula[float, bool])  # bool | a formula
assert_type(b | True, Formula[bool, bool])  # bool | plain data
assert_type(~b, Formula[bool, bool])  # bool | not
assert_type(i ^ 1, Formula[int, int])  # int | plain data
assert_type(sy.bitwise_and(x > 0.0, x < 1.0), Formula[float, bool])  # bool | formulas, by its function

# == a smooth function
assert_type(sy.exp(x), Formula[float, float])  # float | alone
assert_type(sy.sqrt(i), Formula[int, float])  # int | alone
assert_type(sy.sin(b), Formula[bool, float])  # bool | alone

# == a function of the magnitude
assert_type(sy.relu(x), Formula[float, float])  # float | alone
assert_type(sy.square(i), Formula[int, int])  # int | alone
assert_type(sy.relu(b), Formula[bool, int])  # bool | alone

# == a function of two operands
assert_type(sy.maximum(x, 0.0), Formula[float, float])  # float | plain data on the right
assert_type(sy.minimum(0, x), Formula[float, float])  # float | an integer on the left
assert_type(sy.add(weight(1.0), x), Formula[float, float])  # float | a weight on the left
assert_type(sy.add(weight(1.0), weight(2.0)), Symbolic[object, Tape[float, float]])  # float | two weights
assert_type(sy.maximum(i, 2), Formula[int, int])  # int | plain data

# == a choice
assert_type(sy.where(x > 0.0, x, 0.0), Formula[float, float])  # float | where
assert_type(sy.if_(x > 0.0, sy.sqrt(x), 0.0), Formula[float, float])  # float | if_
assert_type(sy.clip(i, 0, 2), Formula[int, int])  # int | clip

# == a reduction
assert_type(sy.sum(i), Formula[int, int])  # int | sum
assert_type(sy.mean(i), Formula[int, float])  # int | mean
assert_type(sy.max(x), Formula[float, float])  # float | max

# == a loss
assert_type(sy.mean_squared_error(x, 1.0), Formula[float, float])  # float | plain data

# == running
f = (1.0 + x) * weight(2.0)
assert_type(f.predict(3), float)  # float | predict, of an integer
assert_type(f.train(3.0, delta=1.0), float)  # float | train
assert_type(weight(2.0).predict(), float)  # float | predict, of nothing
assert_type(weight(2.0).value, float)  # float | the value of a weight
assert_type((x > 0.0).predict(3.0), bool)  # bool | predict
assert_type((i / 2).predict(3), float)  # int | predict
with f.forward(3.0) as tape:
    assert_type(tape.value, float)  # float | the value of a tape
    tape.backward(1.0)
