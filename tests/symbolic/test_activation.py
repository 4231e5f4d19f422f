"""Activations: their values from closed forms, their slopes, and both at any magnitude."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Input, check_gradient
from tests.symbolic.support import array_of

POINTS = np.array([-30.25, -4.5, -1.0, -0.25, 0.25, 1.0, 4.5, 30.25])


def gelu_tanh(x: float) -> float:
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


CLOSED_FORMS: dict[str, tuple[Any, Any]] = {
    "relu": (sy.relu, lambda x: max(x, 0.0)),
    "sigmoid": (sy.sigmoid, lambda x: 1 / (1 + math.exp(-x))),
    "softplus": (sy.softplus, lambda x: math.log1p(math.exp(x))),
    "softsign": (sy.softsign, lambda x: x / (1 + abs(x))),
    "silu": (sy.silu, lambda x: x / (1 + math.exp(-x))),
    "gelu_tanh": (sy.gelu_tanh, gelu_tanh),
    "elu": (sy.elu, lambda x: x if x > 0 else math.expm1(x)),
    "elu-alpha": (lambda x: sy.elu(x, alpha=0.5), lambda x: x if x > 0 else 0.5 * math.expm1(x)),
    "leaky_relu": (sy.leaky_relu, lambda x: x if x > 0 else 0.01 * x),
    "leaky_relu-slope": (lambda x: sy.leaky_relu(x, slope=0.25), lambda x: x if x > 0 else 0.25 * x),
}

every_form = pytest.mark.parametrize(("build", "closed"), CLOSED_FORMS.values(), ids=CLOSED_FORMS)


@every_form
def test_values(build: Any, closed: Any) -> None:
    wanted = list(map(closed, POINTS.tolist()))
    np.testing.assert_allclose(build(array_of(8, dtype=np.float64)).predict(POINTS), wanted, rtol=1e-12, atol=1e-15)
    number = build(sy.placeholder(float))
    for point, value in zip(POINTS.tolist(), wanted, strict=True):
        assert number.predict(point) == pytest.approx(value, rel=1e-12, abs=1e-15)


@every_form
def test_slopes(build: Any, closed: Any) -> None:
    check_gradient(build(array_of(8, dtype=np.float64)), POINTS)
    check_gradient(build(sy.placeholder(float)), 0.75)


@every_form
def test_float32_stays_at_any_magnitude(build: Any, closed: Any) -> None:
    x = Input(np.array([-3e38, -1e25, -1e10, -50.0, 0.0, 50.0, 1e10, 1e25, 3e38], np.float32))
    with build(array_of(9)).forward(x) as tape:
        value, slope = tape.value, tape.gradients(np.ones(9, np.float32))[x]
    assert value.dtype == slope.dtype == np.float32
    assert np.isfinite(value).all()
    assert np.isfinite(slope).all()
    far = build(sy.placeholder(float)).predict(1e10)
    np.testing.assert_allclose(value[6], far, rtol=1e-6)
    assert slope[0] == slope[2]
    assert slope[8] == slope[6]


SLOPES_AT_0 = {
    "relu": 0.0,
    "sigmoid": 0.25,
    "softplus": 0.5,
    "softsign": 1.0,
    "silu": 0.5,
    "gelu_tanh": 0.5,
    "elu": 1.0,
    "elu-alpha": 0.5,
    "leaky_relu": 0.01,
    "leaky_relu-slope": 0.25,
}


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_slopes_at_0(name: str) -> None:
    for data in (0.0, np.zeros(1)):
        x = Input(data)
        formula = CLOSED_FORMS[name][0](sy.placeholder(float) if data is x.value else array_of(1, dtype=np.float64))
        with formula.forward(x) as tape:
            assert tape.gradients()[x] == SLOPES_AT_0[name]


def test_what_is_not_a_number_stays_so() -> None:
    for build, _ in CLOSED_FORMS.values():
        assert math.isnan(build(sy.placeholder(float)).predict(math.nan))


def test_gelu_approximates_the_normal_distribution() -> None:
    x = np.linspace(-5.0, 5.0, 101)
    exact = np.array([one * 0.5 * math.erfc(-one / math.sqrt(2)) for one in x])
    difference = np.abs(sy.gelu_tanh(array_of(101, dtype=np.float64)).predict(x) - exact).max()
    assert 1e-5 < difference < 5e-4


@pytest.mark.parametrize("dtype", [float, np.float64, np.float32, np.float16])
@pytest.mark.parametrize(
    ("name", "limits", "slopes"),
    [
        ("softsign", (-1.0, 1.0), (0.0, 0.0)),
        ("silu", (0.0, np.inf), (0.0, 1.0)),
        ("gelu_tanh", (0.0, np.inf), (0.0, 1.0)),
        ("elu", (-1.0, np.inf), (0.0, 1.0)),
        ("softplus", (0.0, np.inf), (0.0, 1.0)),
        ("sigmoid", (0.0, 1.0), (0.0, 0.0)),
        ("tanh", (-1.0, 1.0), (0.0, 0.0)),
        ("relu", (0.0, np.inf), (0.0, 1.0)),
    ],
)
def test_limits_at_infinity(name: str, limits: Any, slopes: Any, dtype: Any) -> None:
    for point, limit, slope in zip((-np.inf, np.inf), limits, slopes, strict=True):
        value, derivative = sy.value_and_grad(getattr(sy, name))(dtype(point))
        assert (value, derivative) == (limit, slope)
