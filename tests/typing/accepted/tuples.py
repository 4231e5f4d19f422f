"""Inputs of several parts, outputs of several parts, and functions that become formulas."""

from typing import NewType, assert_type

import numpy as np

import symbolic as sy
from layertree import Parts
from layertree.typing import Float32
from symbolic import Formula, placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
batch, feat = Batch(2), Feat(3)

# A tuple of specs gives a placeholder for each part, over one input.
x, y = placeholder((float, float))
assert_type(x, Formula[tuple[float, float], float])
assert_type(x * y, Formula[tuple[float, float], float])
assert_type(x * weight(2.0) + y, Formula[tuple[float, float], float])
assert_type((x * y).predict((3.0, 4.0)), float)

a, s = placeholder((Float32[Batch, Feat], float))
assert_type(a * s, Formula[tuple[Float32[Batch, Feat], float], Float32[Batch, Feat]])
assert_type(s * a, Formula[tuple[Float32[Batch, Feat], float], Float32[Batch, Feat]])
assert_type((a * s).predict((normal(batch, feat), 2.0)), Float32[Batch, Feat])

i, j, k = placeholder((int, float, Float32[Feat]))
assert_type(i, Formula[tuple[int, float, Float32[Feat]], int])
assert_type(j * k, Formula[tuple[int, float, Float32[Feat]], Float32[Feat]])

# Composing with a formula for each part.
z = placeholder(float)
product = x * y
assert_type(product(z, z), Formula[float, float])
assert_type(product((z, 2.0 * z)), Formula[float, float])
assert_type(product(z, 2.0), Formula[float, float])
assert_type(product(y, x), Formula[tuple[float, float], float])

# Parts by position.
parts = sy.cross_entropy(a, sy.softmax(a), reduction="parts")
assert_type(parts[0], Formula[tuple[Float32[Batch, Feat], float], np.float32])
assert_type(parts[1], Formula[tuple[Float32[Batch, Feat], float], np.float32])
assert_type(sy.if_(s > 0.0, parts, parts)[1], Formula[tuple[Float32[Batch, Feat], float], np.float32])
parts.forward((normal(batch, feat), 2.0)).backward(Parts({0: np.float32(1.0)}))


@sy.formula
def line(t: Formula[float, float]) -> Formula[float, float]:
    return (1.0 + t) * weight(2.0)


@sy.formula
def sum_of_squares(t: Formula[float, float], u: Formula[float, float]) -> Formula[float, float]:
    return t * t + u * u


assert_type(line, Formula[float, float])
assert_type(line(product), Formula[tuple[float, float], float])
assert_type(sum_of_squares, Formula[tuple[float, float], float])
assert_type(sum_of_squares.predict((3.0, 4.0)), float)
