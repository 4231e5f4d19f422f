"""A formula composed with data has no input: all functions of formulas take it."""

from __future__ import annotations

import pytest

import symbolic as sy
from layertree import Compose
from symbolic import minimize, placeholder, weight


def test_a_composition_with_data_is_closed() -> None:
    x = placeholder(float)
    w = weight(2.0)
    formula = (x * w)(2.0)
    assert isinstance(formula.layer, Compose)
    assert sy.exp(formula.layer).predict() == pytest.approx(54.598150033144236)
    assert (formula.layer + x).predict(1.0) == 5.0


def test_solvers_vary_the_weights_of_a_composition_with_data() -> None:
    x = placeholder(float)
    w = weight(1.0)
    found = minimize(((x * w)(2.0) - 6.0) ** 2, update=True)
    assert found.x[0] == pytest.approx(3.0)
    assert w.value == pytest.approx(3.0)
    assert found.formula.predict() == pytest.approx(0.0, abs=1e-10)
    assert sy.least_squares((x * weight(1.0))(2.0) - 6.0).x[0] == pytest.approx(3.0)
