"""No rewrite changes the sign of a zero: simplified and compiled formulas give that of the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Identity, Sum, compile, simplify
from layertree.core.spec import spec_of
from layertree.typing import ArraySpec
from symbolic import placeholder

X = placeholder(float)
P, Q = placeholder((float, float))
A = placeholder(ArraySpec((1,)))

FORMULAS: dict[str, Any] = {
    "x + 0": X + 0.0,
    "x + int 0": X + 0,
    "0 + x": 0.0 + X,
    "x - 0": X - 0.0,
    "0 - x": 0.0 - X,
    "x + zeros": X + sy.zeros_like(X),
    "zeros + x": sy.zeros_like(X) + X,
    "atan2": sy.atan2(X + 0.0, -1.0),
    "x * 0": X * 0.0,
    "sin * 0": sy.sin(X) * 0.0,
    "x - x": X - X,
    "3 x - x": 3.0 * X - X,
    "sin - 3 sin": sy.sin(X) - 3.0 * sy.sin(X),
    "x + x": X + X,
    "-1 x": -1.0 * X,
    "abs": sy.abs(-(X * X)),
    "0 / x": 0.0 / (sy.sin(X) - 3.0),
    "1 + (x - 1)": 1.0 + (-1.0 + X),
    "-(p - q)": -(P - Q),
    "p + -q": P + -Q,
    "-p + q": -P + Q,
    "p - -q": P - -Q,
    "-p q": -P * Q,
    "-p / q": -P / (Q - 3.0),
    "sum of one": sy.sum(A, axis=0, keepdims=True),
    "mean of one": sy.mean(A, axis=0, keepdims=True),
    "sum of all": sy.sum(A),
    "max of one": sy.max(A, axis=0, keepdims=True),
}
POINTS = (0.0, -0.0, 1.0, -1.0)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_sign_of_a_zero_stays(name: str) -> None:
    formula = FORMULAS[name]
    pairs = "p" in name and "q" in name
    data: list[Any] = [(p, q) for p in POINTS for q in POINTS] if pairs else list(POINTS)
    if "of one" in name or "of all" in name:
        data = [np.array([point]) for point in POINTS]
    program = compile(formula)
    for point in data:
        simple = simplify(formula.layer, spec_of(point))
        wanted = formula.forward(point).value
        for found in (program.predict(point), simple.forward(point).value):
            assert np.array_equal(found, wanted)
            assert np.array_equal(np.signbit(found), np.signbit(wanted)), (point, found, wanted)


@pytest.mark.parametrize(
    "point", [-0.0, np.float32(-0.0), np.array([[-0.0, 0.0, 1.0]])], ids=["number", "rank-0", "no-axes"]
)
def test_a_sum_over_no_axes_is_its_operand(point: Any) -> None:
    formula = Sum(Identity(), axis=())
    for found in (formula.forward(point).value, compile(formula).predict(point)):
        assert np.array_equal(np.signbit(found), np.signbit(point))
