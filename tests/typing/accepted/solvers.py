"""Solvers and curve fitting. The comment of a line gives the rank of the variables, and the case."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from symbolic import CurveFit, Formula, placeholder, weight

x = placeholder(float)
w = weight(1.0)
error = (w * x - 6.0) ** 2
t = np.array([0.0, 1.0, 2.0, 3.0])
y = 5.0 * np.exp(-0.5 * t) + np.array([0.01, -0.01, 0.01, -0.01])
Doubles = NDArray[np.float64]


def square(a: float) -> float:
    return (a - 3.0) ** 2


def bowl(v: Doubles) -> np.float64:
    return np.sum(v * v)


def saddle(a: float, b: float) -> float:
    return a * a + b * b


def roots(v: Doubles) -> Doubles:
    return v * v - 2.0


def decay(t: Doubles, a: float, k: float) -> Doubles:
    return a * np.exp(-k * t)


def misfit(a: float, k: float) -> Doubles:
    difference: Doubles = np.subtract(decay(t, a, k), y)
    return difference


def apart(a: float, b: float) -> tuple[float, float]:
    return a + b - 3.0, a * b - 2.0


# == minimize
assert_type(sy.minimize(square, 1.0).x, float)  # 0 | a number
assert_type(sy.minimize(square, 1.0).fun, float)  # 0 | the value at the minimum
assert_type(sy.minimize(square, 1.0).success, bool)  # 0 | whether it succeeded
assert_type(sy.minimize(bowl, [1.0, 2.0]).x, Doubles)  # 1 | a list
assert_type(sy.minimize(bowl, t).x, Doubles)  # 1 | an array
assert_type(sy.minimize(saddle, (1.0, 2.0)).x, tuple[float, float])  # 0 | two numbers
assert_type(sy.minimize(error, args=(2.0,), wrt=w).x, float)  # 0 | a weight
assert_type(sy.minimize(error, args=(2.0,)).formula, Formula[float, float])  # 0 | the formula with new weights

# == root
assert_type(sy.root(apart, (0.0, 5.0)).x, tuple[float, float])  # 0 | two numbers
assert_type(sy.root(roots, np.ones(2)).fun, Doubles)  # 1 | the values at the root
assert_type(sy.root(square, 1.0).x, float)  # 0 | a number

# == least_squares
found = sy.least_squares(misfit, (1.0, 1.0))
assert_type(found.x, tuple[float, float])  # 0 | two numbers
cost: float = found.cost  # 0 | the cost
assert_type(sy.least_squares(roots, [1.0, 1.0]).x, Doubles)  # 1 | a list
assert_type(sy.least_squares(error, args=(2.0,), wrt=w).x, float)  # 0 | a weight

# == curve_fit
curve = sy.curve_fit(decay, t, y, (1.0, 1.0))
assert_type(curve.parameters, Doubles)  # 0 | the parameters
assert_type(curve.standard_errors, Doubles)  # 0 | the standard errors
assert_type(curve.covariance, Doubles)  # 0 | the covariance
assert_type(curve.degrees_of_freedom, int)  # 0 | the degrees of freedom
names: tuple[str, ...] = curve.names  # 0 | the names
assert_type(curve["a"], float)  # 0 | one parameter
fitted: CurveFit[Doubles] = curve  # 0 | the type of the result
