"""A batch without examples: its value comes back and nothing changes, by tape and compiled; gradients agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from layertree import AdamW, DTypeError, ShapeError, State, compile, nodes
from layertree.typing import ArraySpec
from symbolic import (
    dropout,
    grad,
    log_softmax,
    max,
    mean,
    mean_squared_error,
    nn,
    placeholder,
    std,
    sum,
    vector_norm,
    weight,
)

x = placeholder(ArraySpec(("Batch", 2)))
EMPTY = np.zeros((0, 2))
FORMULAS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda w: mean(x + w),
    "sum": lambda w: sum(x * w),
    "batch normalization": lambda w: mean(nn.batch_norm(x) * w),
    "dropout": lambda w: sum(dropout(x * w, 0.5)),
    "mean squared error": lambda w: mean_squared_error(x * w, x),
    "standard deviation": lambda w: std(x * w),
    "log softmax": lambda w: sum(log_softmax(x + w)),
    "max": lambda w: sum(max(x * w, axis=1)),
    "mean of rows": lambda w: sum(mean(x * w, axis=0)),
    "product": lambda w: mean((x @ np.ones((2, 3))) ** 2) * sum(w),
    "norm": lambda w: vector_norm(x * w),
}
MODES: list[Callable[[Any], Any]] = [
    lambda one: one.train,
    lambda one: compile(one, train=True),
    lambda one: compile(one, train=True, threads=2),
    lambda one: compile(one).train,
]


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def contents(formula: Any, *leaves: Any) -> list[Any]:
    cells = [node.cell for node in nodes(formula) if isinstance(node, State)]
    return [*[cell.content for cell in cells], *[leaf.layer.cell.content for leaf in leaves]]


@pytest.mark.parametrize("name", FORMULAS)
def test_nothing_changes(name: str) -> None:
    wanted = np.asarray(FORMULAS[name](weight(np.ones(2))).forward(EMPTY).value)
    for mode in MODES:
        leaf = weight(np.ones(2), optimizer=AdamW(0.1))
        formula = FORMULAS[name](leaf)
        before = contents(formula, leaf)
        step = mode(formula)
        assert np.array_equal(step(EMPTY), wanted, equal_nan=True)
        assert all(one is other for one, other in zip(before, contents(formula, leaf), strict=True))
        step(np.ones((3, 2)))
        assert leaf.layer.state is not None


@pytest.mark.parametrize("name", FORMULAS)
def test_gradients_agree(name: str) -> None:
    leaf = weight(np.ones(2))
    formula = FORMULAS[name](leaf)
    slopes = grad(formula, leaf)
    wanted = formula.forward(EMPTY).gradients()[leaf]
    found = [slopes.predict(EMPTY), compile(slopes).predict(EMPTY), compile(formula).forward(EMPTY).gradients()[leaf]]
    assert all(np.array_equal(one, wanted, equal_nan=True) for one in found)


def test_every_array_of_the_batch_is_empty() -> None:
    rows, factors = placeholder((ArraySpec(("Batch", 2)), ArraySpec(("Other",))))
    leaf = weight(2.0)
    formula = sum(rows) + sum(factors) * leaf
    for step in (formula.train, compile(formula, train=True)):
        before = leaf.value
        assert step((EMPTY, np.zeros(0))) == 0.0
        assert leaf.value == before
        assert step((EMPTY, np.ones(3))) == 3.0 * before
        assert leaf.value < before


def test_a_number_beside_empty_arrays_does_not_count() -> None:
    rows, rate = placeholder((ArraySpec(("Batch", 2)), float))
    leaf = weight(2.0)
    formula = mean(rows * leaf) * rate
    for step in (formula.train, compile(formula, train=True)):
        assert np.isnan(step((EMPTY, 3.0)))
        assert leaf.value == 2.0


def test_an_objective_that_has_no_step_has_none_on_an_empty_batch() -> None:
    for formula, error in ((sum(x * weight(1.0), axis=0), ShapeError), (sum(x, axis=1) * 1.0, ShapeError)):
        with pytest.raises(error):
            formula.train(EMPTY)
        with pytest.raises((ShapeError, DTypeError)):
            compile(formula, train=True)(EMPTY)
