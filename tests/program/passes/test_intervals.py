"""Between which numbers values lie: what bounds say is true of any data, and as close as the operations allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree.program.lower.lowering import lower
from layertree.program.passes.intervals import UNBOUNDED, interval_of
from layertree.typing import ArraySpec

SPEC = ArraySpec((101,))
FORMULAS: dict[str, tuple[Callable[[Any], Any], tuple[float, float]]] = {
    "tanh": (sy.tanh, (-1, 1)),
    "sigmoid": (sy.sigmoid, (0, 1)),
    "sin": (lambda x: -sy.sin(x), (-1, 1)),
    "the slope of tanh": (lambda x: 1.0 - sy.tanh(x) * sy.tanh(x), (0, 1)),
    "the slope of sigmoid": (lambda x: sy.sigmoid(x) * (1.0 - sy.sigmoid(x)), (0, 1)),
    "a sum": (lambda x: 3.0 * sy.cos(x) + sy.sigmoid(x) - 2.0, (-5, 2)),
    "a product of other signs": (lambda x: (sy.sigmoid(x) - 3.0) * (sy.tanh(x) + 2.0), (-9, -2)),
    "a square that is not 0": (lambda x: (sy.sigmoid(x) - 3.0) * (sy.sigmoid(x) - 3.0), (4, 9)),
    "anything": (lambda x: x * 0.5, UNBOUNDED),
    "nothing of anything": (lambda x: x * 0.0, UNBOUNDED),
    "a square of anything": (lambda x: x * x, (0, float("inf"))),
    "exp": (lambda x: sy.exp(sy.tanh(x)) * 2.0, (2 * float(np.exp(-1.0)), 2 * float(np.exp(1.0)))),
    "what is not looked at": (sy.atan, UNBOUNDED),
}


def ops_of(formula: Any) -> Any:
    return lower(sy.wrap(formula.layer, SPEC).layer, SPEC)


@pytest.mark.parametrize("name", FORMULAS)
def test_bounds_of_a_formula(name: str) -> None:
    build, wanted = FORMULAS[name]
    formula = build(sy.placeholder(SPEC))
    found = interval_of(ops_of(formula).results()[0])
    assert found == wanted
    values = formula.predict(np.linspace(-9.0, 9.0, 101))
    assert found[0] <= values.min() <= values.max() <= found[1]


def test_far_behind_nothing_is_known() -> None:
    h: Any = sy.tanh(sy.placeholder(SPEC))
    for _ in range(7):
        h = h * 0.5
    assert interval_of(ops_of(h * 0.5).results()[0]) == (-(0.5**8), 0.5**8)
    for _ in range(10_000):
        h = h * 0.999 + 0.001
    assert interval_of(ops_of(h).results()[0]) == UNBOUNDED


def test_a_constant_is_all_that_it_is() -> None:
    x = sy.placeholder(SPEC)
    ops = ops_of((x * 0.0 + 2.5) * 1.5).ops
    assert {interval_of(op) for op in ops if op.name == "constant"} == {(0.0, 0.0), (2.5, 2.5), (1.5, 1.5)}
    graph = ops_of(x + np.arange(101.0))
    assert interval_of(graph.results()[0]) == UNBOUNDED
