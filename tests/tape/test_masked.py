"""``where`` and infinite slopes: every reading of a derivative gives what ``if_`` gives element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import layertree
import symbolic as sy
from layertree import Input
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

Choose = Callable[[Any, Any, Any], Any]

UNARY: tuple[Callable[[Any], Any], ...] = (
    sy.sqrt,
    sy.log,
    sy.exp,
    sy.sin,
    sy.cbrt,
    sy.log1p,
    sy.tanh,
    sy.sigmoid,
    lambda x: x**-1.0,
    lambda x: x**0.5,
    lambda x: 1.0 / x,
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    sy.maximum,
    sy.hypot,
    sy.logaddexp,
)
DATA = np.array([4.0, -1.0, 0.0, 0.25, -0.0, 2.0])


class _Formula:
    """A random elementwise formula of ``x`` and ``w``; equal seeds give equal formulas, whatever ``choose`` builds.

    Each use of a leaf has a factor of its own, so no two sides share a node further downstream.
    """

    def __init__(self, seed: int, x: Any, w: Any, choose: Choose) -> None:
        self.random = np.random.default_rng(seed)
        self.leaves = (x, x, w)
        self.choose = choose
        self.factor = 1.0

    def build(self, depth: int) -> Any:
        kind = self.random.integers(4) if depth else 0
        if kind == 0:
            self.factor += 0.125
            return self.leaves[self.random.integers(3)] * self.factor
        if kind == 1:
            return UNARY[self.random.integers(len(UNARY))](self.build(depth - 1))
        if kind == 2:
            return BINARY[self.random.integers(len(BINARY))](self.build(depth - 1), self.build(depth - 1))
        condition = self.leaves[0] > float(self.random.choice([-0.5, 0.0, 0.5, 3.0]))
        return self.choose(condition, self.build(depth - 1), self.build(depth - 1))


def _where(condition: Any, then: Any, otherwise: Any) -> Any:
    return sy.where(condition, then, otherwise)


def _by_element(seed: int, depth: int) -> tuple[Any, Any]:
    """The derivatives by x and by w of the sum over the elements, each with ``if_``."""
    by_x, by_w = [], []
    for element in DATA:
        x, w = placeholder(float), weight(1.5)
        formula = _Formula(seed, x, w, sy.if_).build(depth) + 0.125 * x
        tape = Input(float(element))
        found = formula.forward(tape).gradients(1.0)
        by_x.append(found.get(tape, 0.0))
        by_w.append(found.get(w.layer, 0.0))
    return np.array(by_x), np.array(by_w)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_where_has_the_derivatives_of_if_element_by_element(seed: int, depth: int) -> None:
    by_x, parts = _by_element(seed, depth)
    with np.errstate(invalid="ignore"):
        by_w = parts.sum()
    rounding = 1e-10 * (1.0 + np.abs(parts[np.isfinite(parts)]).sum())
    x, w = placeholder(ArraySpec((len(DATA),), np.float64)), weight(1.5)
    formula = sy.sum(_Formula(seed, x, w, _where).build(depth) + 0.125 * x)
    tape = Input(DATA)
    found = formula.forward(tape).gradients()
    np.testing.assert_allclose(found.get(tape, np.zeros_like(DATA)), by_x, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.get(w.layer, 0.0), by_w, rtol=1e-10, atol=rounding)
    derivatives = sy.grad(formula, (x, w))
    for read in (derivatives.predict, layertree.compile(derivatives).predict, sy.simplify(derivatives).predict):
        given_x, given_w = read(DATA)
        np.testing.assert_allclose(given_x, by_x, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(given_w, by_w, rtol=1e-10, atol=rounding)


VECTOR = ArraySpec((3,), np.float64)
POINT = np.array([4.0, -1.0, 0.0])


def _roots(x: Any) -> Any:
    return sy.sum(sy.where(x > 0, sy.sqrt(x), 0.0))


def test_every_mode_gives_zero_to_what_is_not_selected() -> None:
    wanted = np.array([0.25, 0.0, 0.0])
    x = placeholder(VECTOR)
    formula = _roots(x)
    tape = Input(POINT)
    np.testing.assert_array_equal(formula.forward(tape).gradients()[tape], wanted)
    derivative = sy.grad(formula)
    assert str(derivative).count("where") == 1, "one mask, applied once"
    np.testing.assert_array_equal(derivative.predict(POINT), wanted)
    np.testing.assert_array_equal(layertree.compile(derivative).predict(POINT), wanted)
    np.testing.assert_array_equal(sy.grad(_roots)(POINT), wanted)
    np.testing.assert_array_equal(sy.jvp(_roots)(POINT, np.array([3.0, 5.0, 7.0])), 0.75)
    np.testing.assert_array_equal(sy.hessian(_roots)(POINT), np.diag([-1.0 / 32.0, 0.0, 0.0]))
    by_row = sy.vmap(sy.grad(_roots))(np.array([POINT, POINT[::-1]]))
    np.testing.assert_array_equal(by_row, [wanted, wanted[::-1]])


def test_a_weight_that_is_broadcast_into_a_side_gets_no_delta_from_what_is_not_selected() -> None:
    w = weight(2.0)
    x = placeholder(VECTOR)
    formula = sy.sum(sy.where(x > 0, w * sy.log(x), 0.0))
    assert formula.forward(POINT).gradients()[w.layer] == pytest.approx(np.log(4.0))
    step = layertree.compile(formula, train=True, optimizer=layertree.SGD(1.0))
    step(POINT)
    assert w.layer.value == pytest.approx(2.0 - np.log(4.0))


def test_a_mask_that_is_constant_along_summed_axes_goes_on() -> None:
    """``row`` is broadcast over 2 rows after its root; the condition has one element for each column."""
    row, delta = np.array([4.0, 0.0]), np.array([[3.0, 5.0], [7.0, 11.0]])
    x = placeholder(ArraySpec((2,), np.float64))
    formula = sy.where(np.array([True, False]), sy.sqrt(x) * np.ones((2, 2)), 1.0)
    tape = Input(row)
    np.testing.assert_array_equal(formula.forward(tape).gradients(delta)[tape], [2.5, 0.0])


def test_sides_of_equal_conditions_keep_the_mask_at_a_shared_node() -> None:
    x = placeholder(VECTOR)
    root = sy.sqrt(x)
    formula = sy.sum(sy.where(x > 0, root, 0.0) + sy.where(x > 0, root * root, 0.0))
    tape = Input(POINT)
    for found in (formula.forward(tape).gradients()[tape], sy.grad(formula).predict(POINT)):
        np.testing.assert_allclose(found, [1.25, 0.0, 0.0])


def test_nested_selections_apply_one_mask_a_leaf() -> None:
    """A piecewise formula of n sides takes time and masks linear in n."""
    x = placeholder(VECTOR)
    formula: Any = x
    for bound in range(200):
        formula = sy.where(x > float(bound), sy.sqrt(x * (1.0 + bound)), formula)
    text = str(sy.grad(sy.sum(formula)))
    assert text.count("where") <= 2 * 200 + 2
    tape = Input(POINT)
    by_tape = sy.sum(formula).forward(tape).gradients()[tape]
    np.testing.assert_allclose(by_tape, [0.5 * np.sqrt(4.0) / 2.0, 1.0, 1.0])


def test_a_layer_of_a_user_is_elementwise_by_its_rules() -> None:
    @layertree.layer
    class Root(layertree.Layer[Any, Any]):
        operand: Any = layertree.operand()

        def compute(self, xp: Any, a: Any) -> Any:
            return xp.sqrt(a)

        def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
            return (lambda: xp.divide(delta, xp.multiply(2.0, output)),)

    x = layertree.Identity[Any, Any]()
    formula = layertree.Where(layertree.Greater(x, 0.0), Root(x), 0.0)
    tape = Input(POINT)
    found = formula.forward(tape).gradients(np.ones(3))[tape]
    np.testing.assert_array_equal(found, [0.25, 0.0, 0.0])


def test_beyond_a_layer_that_is_not_elementwise_a_delta_is_zero_before_it() -> None:
    x = placeholder(VECTOR)
    backwards = np.array([2, 1, 0])
    formula = sy.sum(sy.where(x > 0, sy.take(sy.sqrt(sy.take(x, backwards)), backwards), 0.0))
    tape = Input(POINT)
    found = formula.forward(tape).gradients()[tape]
    assert found[0] == 0.25
    assert np.isnan(found[2])  # 0 * inf
