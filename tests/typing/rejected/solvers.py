"""Mistakes with solvers. The comment of a line gives the rank of the variables, and the kind of mistake."""

import numpy as np

import symbolic as sy
from symbolic import placeholder, weight

x = placeholder(float)
w = weight(1.0)
error = (w * x - 6.0) ** 2
t = np.array([0.0, 1.0, 2.0, 3.0])
y = 5.0 * np.exp(-0.5 * t)
curve = sy.curve_fit(lambda t, a, k: a * sy.exp(-k * t), t, y, (1.0, 1.0))


def square(a: float) -> float:
    return (a - 3.0) ** 2


# == minimize
sy.minimize("1", 1.0)  # error | 0 | of a text
sy.minimize(square, "1")  # error | 0 | a start that is a text
sy.minimize(square, 1.0).y  # error | 0 | an attribute that is none
wrong_minimum: str = sy.minimize(square, 1.0).x  # error | 0 | a number as a text
wrong_pair: float = sy.minimize(square, (1.0, 2.0)).x  # error | 0 | two numbers as one
sy.minimize(square, 1.0).formula  # error | 0 | the formula, of a function
sy.minimize(error, args=(2.0,), wrt="w")  # error | 0 | by a text
sy.minimize(square, update=True)  # error | 0 | the weights of a function

# == root
sy.root("1", 1.0)  # error | 0 | of a text
sy.root(square)  # error | 0 | without a start
sy.root(square, 1.0).cost  # error | 0 | an attribute of least_squares

# == least_squares
sy.least_squares("1", 1.0)  # error | 0 | of a text
sy.least_squares(error, args=(2.0,), wrt=1)  # error | 0 | by a number
wrong_cost: str = sy.least_squares(square, 1.0).cost  # error | 0 | the cost as a text

# == curve_fit
sy.curve_fit("1", t, y, (1.0, 1.0))  # error | 0 | of a text
sy.curve_fit(square, t, y, "1")  # error: mypy pyright pyrefly | 0 | a start that is a text
sy.curve_fit(square, t, y)  # error | 0 | the weights of a function
curve[0]  # error | 0 | a parameter by its position
popt, pcov = curve  # error | 0 | the parameters and their covariance as a pair
curve.params  # error | 0 | an attribute that is none
curve.success = False  # error | 0 | an attribute that is set
wrong_names: list[str] = curve.names  # error | 0 | the names as a list
