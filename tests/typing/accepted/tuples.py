"""Several parts, and functions that become formulas. The comment of a line gives what they hold, and the case."""

from typing import NewType, assert_type

import numpy as np

import symbolic as sy
from layertree import Parts, Tape
from layertree.typing import Float32, Int64
from symbolic import Formula, Symbolic, placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
batch, feat = Batch(2), Feat(3)

X2 = Float32[Batch, Feat]
Pair = tuple[float, float]
x, y = placeholder((float, float))
a, s = placeholder((X2, float))
i, j, k = placeholder((int, float, Float32[Feat]))
z = placeholder(float)
product = x * y

# == a part of the input
assert_type(x, Formula[Pair, float])  # numbers | the first
assert_type(s, Formula[tuple[X2, float], float])  # an array and a number | the second
assert_type(k, Formula[tuple[int, float, Float32[Feat]], Float32[Feat]])  # three | the third

# == an operation of two parts
assert_type(x * y, Formula[Pair, float])  # numbers | an operator
assert_type(x * weight(2.0) + y, Formula[Pair, float])  # numbers | with a weight between
assert_type(a * s, Formula[tuple[X2, float], X2])  # an array and a number | an operator
assert_type(s * a, Formula[tuple[X2, float], X2])  # an array and a number | the other order
assert_type(i / j, Formula[tuple[int, float, Float32[Feat]], float])  # three | an integer by a float

# == a function of two parts
assert_type(sy.maximum(x, y), Formula[Pair, float])  # numbers | maximum
assert_type(sy.where(x > y, x, y), Formula[Pair, float])  # numbers | where
assert_type(sy.if_(x > y, x, 0.0), Formula[Pair, float])  # numbers | if_
assert_type(sy.minimum(a, s), Formula[tuple[X2, float], X2])  # an array and a number | minimum
assert_type(sy.mean_squared_error(x, y), Formula[Pair, float])  # numbers | a loss
rows, labels = placeholder((X2, Int64[Batch]))
assert_type(sy.cross_entropy(rows, labels), Formula[tuple[X2, Int64[Batch]], np.float32])  # arrays | a loss
assert_type(sy.take(rows, labels), Formula[tuple[X2, Int64[Batch]], X2])  # arrays | take

# == composing
assert_type(product(z, z), Formula[float, float])  # numbers | two formulas
assert_type(product((z, 2.0 * z)), Formula[float, float])  # numbers | a tuple of formulas
assert_type(product(z, 2.0), Formula[float, float])  # numbers | a formula and plain data
assert_type(product(weight(1.0), 2.0), Symbolic[object, Tape[float, float]])  # numbers | a weight and plain data
assert_type(product(y, x), Formula[Pair, float])  # numbers | the parts of the input exchanged

# == a part of the output
parts = sy.cross_entropy(a, sy.softmax(a), reduction="parts")
assert_type(parts[1], Formula[tuple[X2, float], np.float32])  # arrays | by position
assert_type(sy.if_(s > 0.0, parts, parts)[1], Formula[tuple[X2, float], np.float32])  # arrays | of a choice
parts.forward((normal(batch, feat), 2.0)).backward(Parts({0: np.float32(1.0)}))

# == running
assert_type((x * y).predict((3.0, 4.0)), float)  # numbers | predict
assert_type((a * s).predict((normal(batch, feat), 2.0)), X2)  # an array and a number | predict


# == a function as a formula
@sy.formula
def line(t: Formula[float, float]) -> Formula[float, float]:
    return (1.0 + t) * weight(2.0)


@sy.formula
def sum_of_squares(t: Formula[float, float], u: Formula[float, float]) -> Formula[float, float]:
    return t * t + u * u


assert_type(line, Formula[float, float])  # numbers | one parameter
assert_type(line(product), Formula[Pair, float])  # numbers | composed
assert_type(sum_of_squares, Formula[Pair, float])  # numbers | two parameters
