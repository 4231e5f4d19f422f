"""Derivatives of formulas and of Python functions. The comment of a line gives the rank, and the target."""

from typing import Literal, NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree import Tape
from layertree.typing import ArraySpec, Float64
from symbolic import Formula, Symbolic, placeholder, weight

Feat = NewType("Feat", int)
Out = NewType("Out", int)
feat = Feat(3)

X1 = Float64[Feat]
X2 = Float64[Feat, Out]
X3 = Float64[Literal[3]]
x = placeholder(float)
x1 = placeholder(X1)
x2 = placeholder(X2)
x3 = placeholder(X3)
p, q = placeholder((float, float))
w = weight(2.0)
u = placeholder(ArraySpec((None,), np.float64))
square = sy.sum(x1 * x1)
line = x * w


def cube(x: float) -> float:
    return x * x * x


def product(x: float, y: float) -> float:
    return x * y


def norm(v: NDArray[np.float64]) -> np.float64:
    return np.sum(v * v)


def scaled(v: NDArray[np.float64], k: float) -> NDArray[np.float64]:
    return v * k


def wave(x: Formula[float, float]) -> Formula[float, float]:
    return x * sy.sin(x)


# == grad
assert_type(sy.grad(line), Formula[float, float])  # 0 | the input
assert_type(sy.grad(sy.grad(x * x * x)), Formula[float, float])  # 0 | the input, twice
assert_type(sy.grad(square), Formula[X1, X1])  # 1 | the input
assert_type(sy.grad(p * q), Formula[tuple[float, float], tuple[float, float]])  # 0 | a pair
assert_type(sy.grad(line, w), Formula[float, float])  # 0 | a weight
assert_type(sy.grad(p * q, p), Formula[tuple[float, float], float])  # 0 | a part of the input
assert_type(sy.grad(w * w, w), Symbolic[object, Tape[float, float]])  # 0 | a weight, without an input
both = sy.grad(line, (w, x))
assert_type(both, Formula[float, tuple[float, float]])  # 0 | two targets
assert_type(sy.grad(cube)(2.0), float)  # 0 | the argument of a function
assert_type(sy.grad(sy.grad(cube))(2.0), float)  # 0 | the argument of a function, twice
assert_type(sy.grad(product)(2.0, 3.0), float)  # 0 | the first argument of a function
assert_type(sy.grad(product, 1)(2.0, 3.0), float)  # 0 | the second argument of a function
assert_type(sy.grad(product, (0, 1))(2.0, 3.0), tuple[float, float])  # 0 | both arguments of a function
assert_type(sy.grad(norm)(np.ones(3)), NDArray[np.float64])  # 1 | the argument of a function
assert_type(sy.grad(wave)(x), Formula[float, float])  # 0 | the argument of a function of formulas
sy.grad(lambda x: x * x)(3.0)  # 0 | the argument of a lambda

# == value_and_grad
assert_type(sy.value_and_grad(line), Formula[float, tuple[float, float]])  # 0 | the input
assert_type(sy.value_and_grad(square), Formula[X1, tuple[np.float64, X1]])  # 1 | the input
assert_type(sy.value_and_grad(line, w), Formula[float, tuple[float, float]])  # 0 | a weight
assert_type(sy.value_and_grad(cube)(2.0), tuple[float, float])  # 0 | the argument of a function
assert_type(sy.value_and_grad(product, 1)(2.0, 3.0), tuple[float, float])  # 0 | the second argument of a function
sy.value_and_grad(lambda x: x * x)(3.0)  # 0 | the argument of a lambda

# == jacobian
assert_type(sy.jacobian(line), Formula[float, float])  # 0 | the input
assert_type(sy.jacobian(square), Formula[X1, X1])  # 0 | a vector
assert_type(sy.jacobian(x1 * x1), Formula[X1, Float64[Feat, Feat]])  # 1 | a vector
assert_type(sy.jacobian(x2 * x2), Formula[X2, Float64[Feat, Out, Feat, Out]])  # 2 | a matrix
assert_type(sy.jacobian(sy.sum(x2 * x2, axis=1)), Formula[X2, Float64[Feat, Feat, Out]])  # 1 | a matrix
sy.jacobian(u * u)  # any | the input
sy.jacobian(cube)(2.0)  # 0 | the argument of a function
sy.jacobian(scaled)(np.ones(3), 2.0)  # any | the first argument of a function
sy.jacobian(lambda v: v * v)(np.ones(2))  # 1 | the argument of a lambda

# == hessian
assert_type(sy.hessian(line), Formula[float, float])  # 0 | the input
assert_type(sy.hessian(square), Formula[X1, Float64[Feat, Feat]])  # 1 | the input
assert_type(sy.hessian(sy.sum(x2 * x2)), Formula[X2, Float64[Feat, Out, Feat, Out]])  # 2 | the input
sy.hessian(sy.sum(u * u))  # any | the input
sy.hessian(cube)(2.0)  # 0 | the argument of a function
sy.hessian(norm)(np.ones(3))  # any | the argument of a function
sy.hessian(lambda x: x * x)(2.0)  # 0 | the argument of a lambda

# == a product with a Jacobian or Hessian
assert_type(sy.vjp(line), Formula[tuple[float, float], float])  # 0 | vjp
assert_type(sy.vjp(x1 * x1), Formula[tuple[X1, X1], X1])  # 1 | vjp
assert_type(sy.vjp(line, w), Formula[tuple[float, float], float])  # 0 | vjp, a weight
assert_type(sy.jvp(line), Formula[tuple[float, float], float])  # 0 | jvp
assert_type(sy.jvp(square), Formula[tuple[X1, X1], np.float64])  # 1 | jvp
assert_type(sy.hvp(square), Formula[tuple[X1, X1], X1])  # 1 | hvp
assert_type(sy.vjp(cube)(2.0, 1.0), float)  # 0 | vjp of a function
assert_type(sy.jvp(cube)(2.0, 1.0), float)  # 0 | jvp of a function
assert_type(sy.hvp(cube)(2.0, 1.0), float)  # 0 | hvp of a function
assert_type(sy.vjp(product)((2.0, 3.0), 1.0), tuple[float, float])  # 0 | vjp of a function of two arguments
assert_type(sy.jvp(product)((2.0, 3.0), (1.0, 1.0)), float)  # 0 | jvp of a function of two arguments
sy.hvp(lambda x: x * x)(2.0, 1.0)  # 0 | hvp of a lambda

# == vmap
X21 = Float64[int, Feat]
assert_type(sy.vmap(line, size=None), Formula[Float64[int], Float64[int]])  # 0 | a number
assert_type(sy.vmap(square, size=None), Formula[X21, Float64[int]])  # 1 | a vector to a number
assert_type(sy.vmap(x1 * x1, size=None), Formula[X21, X21])  # 1 | a vector
assert_type(sy.vmap(sy.grad(square), size=None), Formula[X21, X21])  # 1 | a gradient
sy.vmap(cube)(np.ones(3))  # 0 | a function of a number

# == vector calculus
assert_type(sy.laplacian(square), Formula[X1, np.float64])  # 1 | laplacian
assert_type(sy.divergence(x1 * x1), Formula[X1, np.float64])  # 1 | divergence
assert_type(sy.curl(x3 * x3), Formula[X3, X3])  # 1 | curl
assert_type(sy.laplacian(product)(1.0, 2.0), float)  # 0 | laplacian of a function
sy.divergence(lambda x, y: (x * y, y))(2.0, 5.0)  # 0 | divergence of a lambda
