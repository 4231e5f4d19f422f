"""Owl's functions, losses and learning rates: A-T5, A-T6, A-T9, A-T11."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Adagrad, Adam, Input, RMSprop, Weight, commit
from layertree.typing import ArraySpec

WIDE = np.linspace(-4.0, 4.0, 31)
POSITIVE = np.linspace(0.1, 4.0, 31)
INSIDE = np.linspace(-0.9, 0.9, 31)
ABOVE_1 = np.linspace(1.1, 4.0, 31)
OFF_KINKS = WIDE + 1 / 128
"""No point is at a whole or half number."""

Function = Callable[[Any], Any]


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


UNARY: dict[str, tuple[Function, Any, Function, Function]] = {
    "neg": (sy.negative, WIDE, np.negative, lambda x: -np.ones_like(x)),
    "abs": (sy.abs, OFF_KINKS, np.abs, np.sign),
    "signum": (sy.sign, OFF_KINKS, np.sign, np.zeros_like),
    "floor": (sy.floor, OFF_KINKS, np.floor, np.zeros_like),
    "ceil": (sy.ceil, OFF_KINKS, np.ceil, np.zeros_like),
    "round": (sy.round, OFF_KINKS, np.round, np.zeros_like),
    "trunc": (sy.trunc, OFF_KINKS, np.trunc, np.zeros_like),
    "sqr": (sy.square, WIDE, lambda x: x * x, lambda x: 2 * x),
    "sqrt": (sy.sqrt, POSITIVE, np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "cbrt": (sy.cbrt, POSITIVE, np.cbrt, lambda x: x ** (-2 / 3) / 3),
    "reciprocal": (sy.reciprocal, POSITIVE, lambda x: 1 / x, lambda x: -1 / (x * x)),
    "exp": (sy.exp, WIDE, np.exp, np.exp),
    "expm1": (sy.expm1, WIDE, np.expm1, np.exp),
    "log": (sy.log, POSITIVE, np.log, lambda x: 1 / x),
    "log1p": (sy.log1p, POSITIVE, np.log1p, lambda x: 1 / (1 + x)),
    # Theirs asserts ln 2 / x and ln 10 / x.
    "log2": (sy.log2, POSITIVE, np.log2, lambda x: 1 / (x * math.log(2))),
    "log10": (sy.log10, POSITIVE, np.log10, lambda x: 1 / (x * math.log(10))),
    "sin": (sy.sin, WIDE, np.sin, np.cos),
    "cos": (sy.cos, WIDE, np.cos, lambda x: -np.sin(x)),
    "tan": (sy.tan, INSIDE, np.tan, lambda x: 1 / np.cos(x) ** 2),
    "asin": (sy.asin, INSIDE, np.arcsin, lambda x: 1 / np.sqrt(1 - x * x)),
    "acos": (sy.acos, INSIDE, np.arccos, lambda x: -1 / np.sqrt(1 - x * x)),
    "atan": (sy.atan, WIDE, np.arctan, lambda x: 1 / (1 + x * x)),
    "sinh": (sy.sinh, WIDE, np.sinh, np.cosh),
    "cosh": (sy.cosh, WIDE, np.cosh, np.sinh),
    "tanh": (sy.tanh, WIDE, np.tanh, lambda x: 1 / np.cosh(x) ** 2),
    "asinh": (sy.asinh, WIDE, np.arcsinh, lambda x: 1 / np.sqrt(x * x + 1)),
    "acosh": (sy.acosh, ABOVE_1, np.arccosh, lambda x: 1 / np.sqrt(x * x - 1)),
    "atanh": (sy.atanh, INSIDE, np.arctanh, lambda x: 1 / (1 - x * x)),
    "sigmoid": (sy.sigmoid, WIDE, logistic, lambda x: logistic(x) * logistic(-x)),
    "relu": (sy.relu, OFF_KINKS, lambda x: np.maximum(x, 0), lambda x: np.heaviside(x, 0.5)),
    "softplus": (sy.softplus, WIDE, lambda x: np.log(1 + np.exp(x)), logistic),
    "softsign": (sy.softsign, WIDE, lambda x: x / (1 + np.abs(x)), lambda x: 1 / (1 + np.abs(x)) ** 2),
}


@pytest.mark.parametrize(("build", "points", "value", "derivative"), UNARY.values(), ids=UNARY)
def test_a_t5_functions_of_one_operand(build: Function, points: Any, value: Function, derivative: Function) -> None:
    assert points.shape == (31,)
    x = Input(points)
    with build(sy.placeholder(ArraySpec((31,)))).forward(x) as tape:
        np.testing.assert_allclose(tape.value, value(points), rtol=0, atol=1e-10)
        np.testing.assert_allclose(tape.gradients(np.ones(31))[x], derivative(points), rtol=0, atol=1e-10)
    number = build(sy.placeholder(float))
    for point, slope in zip(points.tolist(), derivative(points), strict=True):
        one = Input(point)
        assert number.forward(one).gradients()[one] == pytest.approx(slope, rel=0, abs=1e-10)


def test_a_t5_logarithms_at_2() -> None:
    for build, slope in ((sy.log2, 0.7213475204444817), (sy.log10, 0.21714724095162588)):
        x = Input(2.0)
        assert build(sy.placeholder(float)).forward(x).gradients()[x] == pytest.approx(slope, rel=1e-15)


A, B = np.meshgrid(np.linspace(0.5, 3.0, 11), np.linspace(0.75, 3.5, 11), indexing="ij")
ONE = np.ones_like(A)

BINARY: dict[str, tuple[Callable[[Any, Any], Any], Any, Any, Any]] = {
    "add": (lambda a, b: a + b, A + B, ONE, ONE),
    "sub": (lambda a, b: a - b, A - B, ONE, -ONE),
    "mul": (lambda a, b: a * b, A * B, B, A),
    "div": (lambda a, b: a / b, A / B, 1 / B, -A / B**2),
    "pow": (lambda a, b: a**b, A**B, B * A ** (B - 1), A**B * np.log(A)),
    "atan2": (sy.atan2, np.arctan2(A, B), B / (A * A + B * B), -A / (A * A + B * B)),
    "hypot": (sy.hypot, np.sqrt(A * A + B * B), A / np.sqrt(A * A + B * B), B / np.sqrt(A * A + B * B)),
    "min2": (sy.minimum, np.minimum(A, B), np.heaviside(B - A, 0.5), np.heaviside(A - B, 0.5)),
    "max2": (sy.maximum, np.maximum(A, B), np.heaviside(A - B, 0.5), np.heaviside(B - A, 0.5)),
    "logaddexp": (sy.logaddexp, np.log(np.exp(A) + np.exp(B)), logistic(A - B), logistic(B - A)),
}


@pytest.mark.parametrize(("build", "value", "first", "second"), BINARY.values(), ids=BINARY)
def test_a_t6_functions_of_two_operands(build: Callable[[Any, Any], Any], value: Any, first: Any, second: Any) -> None:
    assert np.stack([first, second], axis=-1).shape == (11, 11, 2)
    assert (A == B).any()  # ties give half to each
    x, y = sy.placeholder((ArraySpec((11, 11)), ArraySpec((11, 11))))
    a, b = Input(A), Input(B)
    with build(x, y).forward((a, b)) as tape:
        np.testing.assert_allclose(tape.value, value, rtol=0, atol=1e-10)
        found = tape.gradients(ONE)
    np.testing.assert_allclose(found[a], first, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found[b], second, rtol=0, atol=1e-10)


STEPS: dict[str, tuple[Any, float, float, float]] = {
    "Adagrad from 1": (Adagrad(3.0, initial=0.1, epsilon=0.0), 0.1, 1.0, -1.602609731855573),
    "Adagrad from 2": (Adagrad(3.0, initial=0.1, epsilon=0.0), 0.1, 2.0, -0.602609731855573),
    "Adagrad from 3": (Adagrad(3.0, initial=0.1, epsilon=0.0), 0.01, 3.0, 2.7156791185802622),
    "Adagrad from 4": (Adagrad(3.0, initial=0.1, epsilon=0.0), 0.01, 4.0, 3.7156791185802622),
    "RMSprop from 1": (RMSprop(3.0, 0.9, initial=1.0, epsilon=0.0), 0.1, 1.0, 0.0002917811812965),
    "RMSprop from 2": (RMSprop(3.0, 0.9, initial=1.0, epsilon=0.0), 0.1, 2.0, 1.0002917811812966),
    "RMSprop from 3": (RMSprop(3.0, 0.9, initial=1.0, epsilon=0.0), 0.01, 3.0, 2.899908691305033),
    # Theirs asserts 0.998, by a comparison that is one-sided.
    "Adam from 1": (Adam(0.001, 0.9, 0.999, 1e-8), 0.1, 1.0, 1.0 - 0.003 / (1 + 1e-7)),
}


@pytest.mark.parametrize(("rule", "slope", "start", "end"), STEPS.values(), ids=STEPS)
def test_a_t9_three_steps_down_a_constant_slope(rule: Any, slope: float, start: float, end: float) -> None:
    w = Weight(start, optimizer=rule)
    for _ in range(3):
        commit({w: slope})
    assert w.value == pytest.approx(end, rel=0, abs=1e-13)


def test_a_t11_losses() -> None:
    y, guess = np.array([1.0, -1.0]), np.array([0.5, 0.5])
    x = sy.placeholder(ArraySpec((2,)))
    sums = {
        "hinge": (sy.hinge(x, y, reduction="sum"), 2.0),
        "L1": (sy.mean_absolute_error(x, y, reduction="sum"), 2.0),
        "L2": (sy.vector_norm(x - y), 1.5811388300841898),
        "quadratic": (sy.mean_squared_error(x, y, reduction="sum"), 2.5),
    }
    for name, (loss, wanted) in sums.items():
        assert loss.predict(guess) == pytest.approx(wanted, rel=1e-15), name
