"""Gates against the formulas of plain layers that they stand for, and at any magnitude."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from layertree import GELUTanh, GELUTanhGate, Identity, Input, Layer, Literal, Minimum, Plus, Sigmoid, SiLU, Times
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives

X: Any = Identity()
LINEAR = math.sqrt(8 / math.pi)
SQUARE: Any = Minimum(Times(X, X), Literal(1e4))
GATE: Any = Sigmoid(Times(X, Plus(Literal(LINEAR), Times(Literal(0.044715 * LINEAR), SQUARE))))
IN_PARTS = {
    "gelu_tanh": (GELUTanh(X), Times(X, GATE)),
    "gelu_tanh_gate": (GELUTanhGate(X), GATE),
    "silu": (SiLU(X), Times(X, Sigmoid(X))),
}

every_gate = pytest.mark.parametrize(("gate", "parts"), IN_PARTS.values(), ids=IN_PARTS)


def points(dtype: Any) -> Any:
    return np.concatenate([np.linspace(-12, 12, 2401), [-1e30, -1e5, -50.0, 50.0, 1e5, 1e30]]).astype(dtype)


@every_gate
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_and_slopes_are_those_of_the_parts(gate: Layer[Any, Any], parts: Layer[Any, Any], dtype: Any) -> None:
    data = points(dtype)
    delta = np.linspace(0.5, 2.0, len(data)).astype(dtype)
    found: list[Any] = []
    for formula in (gate, parts):
        x = Input(data)
        with formula.forward(x) as tape:
            found.append((tape.value, tape.gradients(delta)[x]))
    (value, slope), (wanted, wanted_slope) = found
    assert value.dtype == slope.dtype == dtype
    np.testing.assert_array_max_ulp(value, wanted, 4)
    tolerance = 8 * np.finfo(dtype).eps
    np.testing.assert_allclose(slope, wanted_slope, rtol=tolerance, atol=tolerance)


@every_gate
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_second_derivatives_are_those_of_the_parts(gate: Layer[Any, Any], parts: Layer[Any, Any], dtype: Any) -> None:
    data = points(dtype)
    twice: list[Any] = []
    for formula in (gate, parts):
        slope = derivatives(formula, spec_of(data), np.ones_like(data))[INPUT]
        twice.append(derivatives(slope, spec_of(data), np.ones_like(data))[INPUT].forward(data).value)
    tolerance = 128 * np.finfo(dtype).eps
    np.testing.assert_allclose(*twice, rtol=tolerance, atol=tolerance)
    assert np.ptp(twice[0]) > 0.1


@pytest.mark.parametrize("gate", [GELUTanh(X), SiLU(X)], ids=["gelu_tanh", "silu"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_largest_numbers(gate: Layer[Any, Any], dtype: Any) -> None:
    largest = np.finfo(dtype).max
    x = Input(np.array([-largest, largest]))
    with gate.forward(x) as tape:
        assert tape.value.tolist() == [0.0, largest]
        assert tape.gradients(np.array([3.0, 3.0], dtype))[x].tolist() == [0.0, 3.0]


def test_the_square_of_a_large_integer_does_not_wrap_around() -> None:
    large = np.array([2**32, -(2**32), 3_100_000_000])
    assert GELUTanh(X).forward(large).value.tolist() == [2.0**32, 0.0, 3.1e9]
    assert GELUTanhGate(X).forward(large).value.tolist() == [1.0, 0.0, 1.0]
