"""Formulas of Python numbers: each operator, with each kind of operand, on either side."""

from typing import assert_type

import symbolic as sy
from layertree import Tape, Weight
from symbolic import Formula, Symbolic, placeholder, weight

x = placeholder(float)
i = placeholder(int)
assert_type(x, Formula[float, float])
assert_type(i, Formula[int, int])

# A weight fits any input, on either side.
assert_type(weight(2.0), Symbolic[object, Tape[float, float]])
assert_type((1.0 + x) * weight(2.0), Formula[float, float])
assert_type(weight(2.0) * (1.0 + x), Formula[float, float])
assert_type(weight(2.0) * weight(3.0), Symbolic[object, Tape[float, float]])
assert_type(x * Weight(2.0), Formula[float, float])
assert_type(sy.literal(2.0) * x, Formula[float, float])
assert_type(x * sy.literal(2.0), Formula[float, float])

# Each operator, in both orders.
assert_type(x + 1.0, Formula[float, float])
assert_type(1.0 + x, Formula[float, float])
assert_type(x - 1, Formula[float, float])
assert_type(1 - x, Formula[float, float])
assert_type(x * x, Formula[float, float])
assert_type(x / 2.0, Formula[float, float])
assert_type(2.0 / x, Formula[float, float])
assert_type(x // 2.0, Formula[float, float])
assert_type(2.0 // x, Formula[float, float])
assert_type(x % 2.0, Formula[float, float])
assert_type(2.0 % x, Formula[float, float])
assert_type(x**2, Formula[float, float])
assert_type(2**x, Formula[float, float])
assert_type(-x, Formula[float, float])
assert_type(+x, Formula[float, float])
assert_type(abs(x), Formula[float, float])

# Integers stay integers among themselves.
assert_type(i + 1, Formula[int, int])
assert_type(2 * i, Formula[int, int])
assert_type(i - i, Formula[int, int])
assert_type(i + 1.5, Formula[int, float])
assert_type(1.5 * i, Formula[int, float])

# Comparisons and logic.
assert_type(x < 1.0, Formula[float, bool])
assert_type(x > 1.0, Formula[float, bool])
assert_type(x <= x, Formula[float, bool])
assert_type(x > weight(1.0), Formula[float, bool])
assert_type(weight(1.0) >= x, Formula[float, bool])
assert_type(x == 1.0, Formula[float, bool])
assert_type(x != x, Formula[float, bool])
assert_type(i == 3, Formula[int, bool])
assert_type((x > 0.0) & (x < 1.0), Formula[float, bool])
assert_type((x > 0.0) | True, Formula[float, bool])
assert_type(~(x > 0.0) ^ (x > 1.0), Formula[float, bool])
assert_type((x > 0.0) == (x > 1.0), Formula[float, bool])
assert_type(i & 1, Formula[int, int])

# Functions.
assert_type(sy.exp(x), Formula[float, float])
assert_type(sy.relu(sy.tanh(x)), Formula[float, float])
assert_type(sy.gelu_tanh(sy.asin(x)), Formula[float, float])
assert_type(sy.hypot(x, 2.0), Formula[float, float])
assert_type(sy.clip(x, -1.0, 1), Formula[float, float])
assert_type(sy.hinge(x, 1.0), Formula[float, float])
assert_type(sy.maximum(x, 0.0), Formula[float, float])
assert_type(sy.minimum(0.0, x), Formula[float, float])
assert_type(sy.add(weight(1.0), x), Formula[float, float])
assert_type(sy.less(0.0, x), Formula[float, bool])
assert_type(sy.bitwise_and(x > 0.0, x < 1.0), Formula[float, bool])
assert_type(sy.where(x > 0.0, x, 0.0), Formula[float, float])
assert_type(sy.if_(x > 0.0, sy.sqrt(x), 0.0), Formula[float, float])
assert_type(sy.sum(x), Formula[float, float])
assert_type(sy.mean(x), Formula[float, float])
assert_type(sy.mean_squared_error(x, 1.0), Formula[float, float])

# Running.
f = (1.0 + x) * weight(2.0)
assert_type(f.predict(3.0), float)
assert_type(f.predict(3), float)
assert_type(f.train(3.0, delta=1.0), float)
assert_type(weight(2.0).predict(), float)
assert_type(weight(2.0).value, float)
assert_type((x > 0.0).predict(3.0), bool)
with f.forward(3.0) as tape:
    assert_type(tape.value, float)
    tape.backward(1.0)
