"""Mistakes with derivatives. The comment of a line gives the rank, and the kind of mistake."""

from typing import NewType

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree.typing import Float64
from symbolic import Formula, placeholder, weight

Feat = NewType("Feat", int)
Hid = NewType("Hid", int)

X1 = Float64[Feat]
x = placeholder(float)
x1 = placeholder(X1)
p, q = placeholder((float, float))
w = weight(2.0)
square = sy.sum(x1 * x1)


def cube(x: float) -> float:
    return x * x * x


def product(x: float, y: float) -> float:
    return x * y


def text(x: float) -> str:
    return str(x)


def norm(v: NDArray[np.float64]) -> np.float64:
    return np.sum(v * v)


# == grad
sy.grad("1")  # error | 0 | of a text
sy.grad(x1 * x1)  # error: mypy pyright | 1 | of an array
sy.grad(x > 0.0, wrt="x")  # error | 0 | by a text
sy.grad(cube, w)  # error | 0 | by a weight, of a function
sy.grad(text)  # error | 0 | of a function that gives a text
sy.grad(cube)("1")  # error | 0 | with an argument of another type
sy.grad(product)(1.0)  # error | 0 | with too few arguments
sy.grad(norm)(2.0)  # error | 1 | with a number for an array
wrong_grad: Formula[float, bool] = sy.grad(x * w)  # error | 0 | as a boolean
wrong_array: Formula[X1, float] = sy.grad(square)  # error | 1 | as a number
sy.grad(square).predict(2.0)  # error | 1 | predict, of a number
wrong_slope: str = sy.grad(cube)(1.0)  # error | 0 | of a function, as a text

# == value_and_grad
sy.value_and_grad(x1 * x1)  # error: mypy pyright | 1 | of an array
sy.value_and_grad(text)  # error | 0 | of a function that gives a text
wrong_pair: Formula[float, float] = sy.value_and_grad(x * w)  # error | 0 | as a number
wrong_value: float = sy.value_and_grad(cube)(1.0)  # error | 0 | of a function, as a number

# == jacobian
sy.jacobian("1")  # error | 0 | of a text
wrong_rows: Formula[X1, X1] = sy.jacobian(x1 * x1)  # error | 1 | as a vector
sy.jacobian(x1 * x1).predict(np.ones(2, np.float32))  # error | 1 | predict, of another dtype

# == hessian
sy.hessian(x1 * x1)  # error: mypy pyright | 1 | of an array
wrong_hessian: Formula[X1, X1] = sy.hessian(square)  # error | 1 | as a vector
sy.hessian(cube)("1")  # error | 0 | with an argument of another type

# == a product with a Jacobian or Hessian
sy.vjp(x * w).predict(1.0)  # error | 0 | vjp, without the delta
sy.jvp(square).predict((np.ones(3), 1.0))  # error | 1 | jvp, with a number for a tangent
sy.hvp(x1 * x1)  # error: mypy pyright | 1 | hvp of an array
sy.vjp(cube)(1.0)  # error | 0 | vjp of a function, without the delta
sy.jvp(product)(1.0, 2.0)  # error | 0 | jvp of a function, without a tuple of arguments
sy.hvp(text)  # error | 0 | hvp of a function that gives a text

# == vmap
sy.vmap("1")  # error | 0 | of a text
sy.vmap(x1 * x1, in_axes="0")  # error | 1 | an axis that is none
sy.vmap(x1 * x1).predict(np.ones(3, np.int64))  # error | 1 | predict, of another dtype
wrong_stack: Formula[X1, X1] = sy.vmap(x1 * x1)  # error | 1 | as one example

# == vector calculus
sy.laplacian("1")  # error | 0 | laplacian of a text
wrong_laplacian: Formula[X1, X1] = sy.laplacian(square)  # error | 1 | laplacian, as a vector
sy.laplacian(product)(1.0)  # error | 0 | laplacian of a function, with too few arguments
