"""Owl's Algodiff: its own tests A-T1 to A-T4, A-T8, A-T13 to A-T15, and reports A-H3, A-H5, A-H25, A-H29."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree.typing import ArraySpec
from symbolic import grad, hessian, hvp, jacobian, jvp, laplacian, placeholder, sin, sqrt, tanh

CURVES: list[tuple[str, Callable[[Any], Any], float, list[float]]] = [
    ("A-T1", sin, 1.0, [math.cos(1.0), -math.sin(1.0), -math.cos(1.0)]),
    ("A-T2", lambda x: 2.0 * x**3 + 3.0 * x**2 - 5.0 * x + 1.0, 2.0, [31.0, 30.0, 12.0]),
    (
        "A-T3",
        lambda x: 2.0 * x**2 + 3.0 * sin(x) - 1.0 / x,
        3.0,
        [9.141133621309773, 3.5025659017463244, 3.0440515638754104],
    ),
    (
        "A-T4",
        lambda x: 2.0 * x**2 + sqrt(x) - tanh(x),
        4.0,
        [16.248659049316974, 3.971430102614106, 0.006365736160302258],
    ),
]


@pytest.mark.parametrize(("case", "curve", "at", "expected"), CURVES, ids=[case for case, *_ in CURVES])
def test_three_orders(case: str, curve: Callable[[Any], Any], at: float, expected: list[float]) -> None:
    formula, function = curve(placeholder(float)), curve
    for value in expected:
        formula, function = grad(formula), grad(function)
        assert formula.predict(at) == pytest.approx(value, rel=1e-12)
        assert function(at) == pytest.approx(value, rel=1e-12)


def test_a_t8_a_gradient_inside_a_differentiated_function() -> None:
    assert grad(lambda x: x * grad(lambda y: x + y)(x))(5.0) == 1.0
    assert grad(lambda x: x * grad(lambda y: x * y)(2.0))(3.0) == 6.0
    # d/dx [x * d/dy (x * y**2)] at y = x is 2 x**3, whose derivative is 6 x**2; a third level is as right.
    assert grad(lambda x: x * grad(lambda y: x * y**2)(x))(3.0) == 54.0
    assert grad(lambda x: grad(lambda y: grad(lambda z: x * y * z)(y))(x) * x)(2.0) == 4.0


def test_a_t13_the_jacobian_is_outputs_by_inputs() -> None:
    x = placeholder(ArraySpec((2,)))
    formula = sy.stack([x[0] * x[1], sin(x[0]), x[1] ** 2])
    expected = [[2.0, 1.0], [0.5403023058681398, 0.0], [0.0, 4.0]]
    np.testing.assert_allclose(jacobian(formula).predict(np.array([1.0, 2.0])), expected, rtol=1e-14)


def test_a_t14_the_product_of_the_hessian() -> None:
    x = placeholder(ArraySpec((2,)))
    formula = x[0] ** 2 * x[1] + x[1] ** 3
    at, v = np.array([1.0, 2.0]), np.array([1.0, -1.0])
    found = hvp(formula).predict((at, v))
    np.testing.assert_allclose(found, [2.0, -10.0])
    assert v @ found == 12.0
    np.testing.assert_allclose(hessian(formula).predict(at) @ v, [2.0, -10.0])


def test_a_t15_the_laplacian() -> None:
    x = placeholder(ArraySpec((3,)))
    formula = laplacian(x[0] ** 2 * x[1] + sin(x[2]))
    assert formula.predict(np.array([1.0, 2.0, 0.5])) == pytest.approx(3.520574461395797, rel=1e-14)


def test_a_h3_a_gradient_inside_a_jacobian() -> None:
    def norm(theta: Any) -> Any:
        rows = jacobian(lambda x: grad(lambda y: sy.sum(y**2 * theta**2))(x))(np.array([0.5, 3.0]))
        return sy.sum(rows**2)

    theta = np.array([1.0, 2.0])
    assert norm(theta).predict() == 68.0
    np.testing.assert_allclose(grad(norm)(theta), [16.0, 128.0], rtol=1e-14)


def test_a_h5_the_hessian_through_a_sum_over_an_axis() -> None:
    x = placeholder(ArraySpec((3,)))
    found = hessian(sy.sum(sy.sum(x, axis=0) ** 2)).predict(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(found, 2.0 * np.ones((3, 3)))


def test_a_h25_slopes_are_summed_back_over_what_was_broadcast() -> None:
    y, x = placeholder((ArraySpec((3, 1)), ArraySpec((1, 2))))
    data = np.array([[1.0], [2.0], [3.0]]), np.array([[0.5, -1.0]])
    by_y, by_x = grad(sy.sum(sy.atan2(y, x))).predict(data)
    squared = data[0] ** 2 + data[1] ** 2
    np.testing.assert_allclose(by_y, np.sum(data[1] / squared, axis=1, keepdims=True))
    np.testing.assert_allclose(by_x, np.sum(-data[0] / squared, axis=0, keepdims=True))


@pytest.mark.parametrize("kind", ["convolution", "pooling"])
def test_a_h29_forward_products_of_convolution_and_pooling(kind: str) -> None:
    images = placeholder(ArraySpec((1, 6, 6, 2)))
    with sy.seed(0):
        formula = sy.conv2d(images, 3) if kind == "convolution" else sy.max_pool2d(images, 2)
    rng = np.random.default_rng(0)
    at, tangent = rng.standard_normal((2, 1, 6, 6, 2))
    step = 1e-6
    slope = (formula.predict(at + step * tangent) - formula.predict(at - step * tangent)) / (2 * step)
    found = jvp(formula).predict((at, tangent))
    np.testing.assert_allclose(found, slope, rtol=1e-6, atol=1e-8)
    assert found.shape != tangent.shape
