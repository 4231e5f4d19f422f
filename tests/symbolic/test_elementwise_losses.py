"""Losses that compare a prediction with its target element by element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symbolic as sy
from layertree import Input, ShapeError, compile
from layertree.typing import ArraySpec
from tests.symbolic.support import array_of

X = np.array([[2.0, -1.0, 0.5], [0.25, -3.0, 1.0]])
SIGNS = np.array([[1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])
SHARES = np.array([[1.0, 0.0, 0.25], [0.5, 0.0, 1.0]])
P = 1 / (1 + np.exp(-X))

LOSSES: dict[str, tuple[Any, Any, Any, Any]] = {
    "squared": (sy.mean_squared_error, SIGNS, (X - SIGNS) ** 2, 2 * (X - SIGNS)),
    "absolute": (sy.mean_absolute_error, SIGNS, np.abs(X - SIGNS), np.sign(X - SIGNS)),
    "hinge": (
        sy.hinge,
        SIGNS,
        np.array([[0.0, 2.0, 1.5], [0.75, 0.0, 0.0]]),
        np.array([[0.0, -1.0, 1.0], [-1.0, 0.0, 0.0]]),  # at the kink of the last one it is 0
    ),
    "binary": (
        sy.binary_cross_entropy,
        SHARES,
        -(SHARES * np.log(P) + (1 - SHARES) * np.log(1 - P)),
        P - SHARES,
    ),
}

every_loss = pytest.mark.parametrize(("build", "target", "wanted", "slope"), LOSSES.values(), ids=LOSSES)


def pair() -> Any:
    return sy.placeholder((ArraySpec((None, 3)), ArraySpec((None, 3))))


@every_loss
def test_values(build: Any, target: Any, wanted: Any, slope: Any) -> None:
    x, y = pair()
    data = (X, target)
    assert_allclose(build(x, y, reduction="none").predict(data), wanted, rtol=1e-13)
    assert_allclose(build(x, y, reduction="sum").predict(data), wanted.sum(), rtol=1e-13)
    assert_allclose(build(x, y).predict(data), wanted.mean(), rtol=1e-13)
    total, count = build(x, y, reduction="parts").predict(data)
    assert (total, count) == (pytest.approx(wanted.sum(), rel=1e-13), 6.0)


@every_loss
def test_slopes(build: Any, target: Any, wanted: Any, slope: Any) -> None:
    x, y = pair()
    source = Input(X)
    assert_allclose(build(x, y).forward((source, target)).gradients()[source], slope / 6, rtol=1e-13, atol=1e-16)


@every_loss
def test_numbers(build: Any, target: Any, wanted: Any, slope: Any) -> None:
    x, y = sy.placeholder((float, float))
    for one, other, value in zip(X.ravel().tolist(), target.ravel().tolist(), wanted.ravel(), strict=True):
        assert build(x, y).predict((one, other)) == pytest.approx(value, rel=1e-13, abs=1e-15)


@every_loss
def test_nothing_is_no_loss(build: Any, target: Any, wanted: Any, slope: Any) -> None:
    x, y = pair()
    source = Input(np.zeros((0, 3)))
    with build(x, y).forward((source, np.zeros((0, 3)))) as tape:
        assert tape.value == 0.0
        assert_array_equal(tape.gradients()[source], np.zeros((0, 3)))


@every_loss
def test_targets_are_not_broadcast(build: Any, target: Any, wanted: Any, slope: Any) -> None:
    x = array_of(2, 3, dtype=np.float64)
    for other in (np.ones(3), np.ones((2, 1)), 1.0):
        with pytest.raises(ShapeError, match="the target has the shape of the prediction"):
            build(x, other)
    with pytest.raises(ValueError, match=r"reduction = 'all' is not allowed: give one of \('mean', 'sum'"):
        build(x, np.ones((2, 3)), reduction="all")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_binary_cross_entropy_at_any_magnitude(dtype: Any) -> None:
    logits = Input(np.array([-1e30, 1e30, -1e30, 1e30], dtype))
    labels = np.array([0.0, 1.0, 1.0, 0.0], dtype)
    loss = sy.binary_cross_entropy(array_of(4, dtype=dtype), labels, reduction="none")
    with loss.forward(logits) as tape:
        assert tape.value.dtype == dtype
        assert_array_equal(tape.value, np.array([0.0, 0.0, 1e30, 1e30], dtype))
        assert_array_equal(tape.gradients(np.ones(4, dtype))[logits], [0.0, 0.0, -1.0, 1.0])
    assert sy.binary_cross_entropy(sy.placeholder(float), 1.0).predict(-40.0) == pytest.approx(40.0 + math.exp(-40.0))


@pytest.mark.parametrize(
    ("target", "logit", "value", "slope"),
    [
        (1.0, np.inf, 0.0, 0.0),
        (1.0, -np.inf, np.inf, -1.0),
        (0.0, -np.inf, 0.0, 0.0),
        (0.0, np.inf, np.inf, 1.0),
        (0.25, np.inf, np.inf, 0.75),
        (0.25, -np.inf, np.inf, -0.25),
        (0.25, 0.0, np.log(2.0), 0.25),
        (1.0, 0.0, np.log(2.0), -0.5),
    ],
)
def test_binary_cross_entropy_at_infinities(target: float, logit: float, value: float, slope: float) -> None:
    x = sy.placeholder(float)
    made: Any = sy.value_and_grad(sy.binary_cross_entropy(x, target), x)
    for formula in (made, compile(made)):
        np.testing.assert_allclose(formula.predict(logit), (value, slope), rtol=1e-15)


def test_binary_cross_entropy_of_a_certain_target_is_accurate() -> None:
    x = sy.placeholder(ArraySpec((4,), np.float32))
    logits = np.array([10, 15, 20, 25], np.float32)
    for sign, target in ((1, 1.0), (-1, 0.0)):
        found = sy.binary_cross_entropy(x, np.full(4, target, np.float32), reduction="none").predict(sign * logits)
        np.testing.assert_allclose(found, np.log1p(np.exp(-logits.astype(float))), rtol=1e-6)


def test_the_slope_of_binary_cross_entropy_by_the_target() -> None:
    for target in (0.0, 0.25, 0.75, 1.0):
        assert sy.grad(lambda y: sy.binary_cross_entropy(3.0, y))(target) == -3.0
        assert sy.grad(lambda y: sy.binary_cross_entropy(-3.0, y))(target) == 3.0
