"""Between which numbers values lie: what bounds say is true of any data, and as close as the operations allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree.namespaces.hash_consing import Inlining, source_of
from layertree.namespaces.tree import Derivation
from layertree.program.lower.lowering import lower
from layertree.program.passes.intervals import UNBOUNDED, bounds_of, interval_of
from layertree.rewrite.intervals import bounds_of as of_value
from layertree.sweep.sweep import sweep
from layertree.typing import ArraySpec
from tests.program.graphs import op, source

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
    "nothing of anything": (lambda x: x * 0.0, (0, 0)),
    "a square of anything": (lambda x: x * x, (0, float("inf"))),
    "a quotient by what may be 0": (lambda x: sy.exp(x) / sy.sigmoid(x), (0, float("inf"))),
    "a root": (lambda x: sy.sqrt(3.0 + sy.tanh(x)), (2.0**0.5, 2)),
    "a choice": (lambda x: sy.where(x > 0.0, sy.tanh(x), -3.0), (-3, 1)),
    "the larger one": (lambda x: sy.maximum(sy.tanh(x), 0.5), (0.5, 1)),
    "elements that move": (lambda x: sy.reshape(sy.tanh(x), (101, 1)).mT, (-1, 1)),
    "a sum of 101": (lambda x: sy.sum(sy.tanh(x), axis=-1), (-101, 101)),
    "the largest of 101": (lambda x: sy.max(sy.sigmoid(x), axis=-1), (0, 1)),
    "sums of rows": (lambda x: sy.sum(sy.reshape(sy.tanh(x), (101, 1)), axis=0), (-101, 101)),
    "sums of the last axis": (lambda x: sy.sum(sy.reshape(sy.sigmoid(x), (1, 101)), axis=-1), (0, 101)),
    "a product of vectors": (lambda x: sy.tanh(x) @ sy.sigmoid(x), (-101, 101)),
    "a mask": (lambda x: sy.where(np.arange(101) > 50, sy.tanh(x), -2.0), (-2, 1)),
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


def test_of_nan_nothing_is_known() -> None:
    x = sy.placeholder(SPEC)
    assert interval_of(ops_of(sy.tanh(x) * float("nan")).results()[0]) == UNBOUNDED


@pytest.mark.parametrize("name", FORMULAS)
def test_a_program_knows_at_least_what_the_formula_tells(name: str) -> None:
    formula = FORMULAS[name][0](sy.placeholder(SPEC))
    xp: Any = Derivation()
    layer = sy.wrap(formula.layer, SPEC).layer
    of_formula = of_value(sweep(layer, source_of(xp, layer, SPEC), Inlining(xp)))
    of_program = bounds_of(ops_of(formula).results()[0])
    assert of_formula.low <= of_program.low <= of_program.high <= of_formula.high
    assert of_formula.nan or not of_program.nan


def test_integers_may_wrap_around() -> None:
    spec = ArraySpec((3,), np.int64)
    x = op("argmax", source(ArraySpec((3, 5))), kind=spec, axis=1)
    assert interval_of(op("multiply", x, x)) == UNBOUNDED
    assert interval_of(op("greater", x, x, kind=ArraySpec((3,), np.bool_))) == (0.0, 1.0)


def test_a_sum_of_nothing_is_0() -> None:
    assert bounds_of(op("sum_of_last", source(ArraySpec((3, 0))), kind=ArraySpec((3,)))) == (0.0, 0.0, False)


def test_wide_operations_take_no_long_time() -> None:
    found = sy.tanh(sy.placeholder(SPEC))
    for _ in range(100):
        found = sy.where(found > 0.0, found, -found)
    result = ops_of(found).results()[0]
    assert (interval_of(result), interval_of(result, 200)) == (UNBOUNDED, (-1.0, 1.0))
