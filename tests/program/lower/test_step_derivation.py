"""The formulas of a training step: which cells change, by which formulas, and what stands for their states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import (
    SGD,
    Adam,
    Average,
    DTypeError,
    Greater,
    Identity,
    If,
    Mean,
    Minus,
    Momentum,
    Plus,
    RunningAverage,
    ShapeError,
    State,
    Sum,
    Times,
    Tuple,
    Weight,
)
from layertree.core.provenance import origin_of
from layertree.core.spec import spec_of
from layertree.program.lower.step_derivation import training_step
from layertree.rewrite.simplify import simplify
from tests.program.graphs import FLOAT, spec

X: Any = Identity()


def updates_of(step: Any) -> dict[Any, Any]:
    """The update of each cell."""
    return {cell: update for update in step.updates for cell in update.cells}


def test_one_rate_for_all_is_in_the_deltas_from_the_start() -> None:
    a, b = Weight(2.0), Weight(3.0)
    step = training_step(Times(a, Plus(X, b)), FLOAT, SGD(0.5))
    made = {cell: [simplify(one, FLOAT) for one in update.formulas] for cell, update in updates_of(step).items()}
    assert made == {a.cell: [Minus(a, Times(0.5, Plus(X, b)))], b.cell: [Minus(b, Times(0.5, a))]}
    assert step.states == {}
    assert step.root() == Tuple((step.value, step.updates[0].formulas[0], step.updates[1].formulas[0]))
    assert all(origin_of(update.formulas[0]) == SGD(0.5) for update in step.updates)


@pytest.mark.parametrize("other", [SGD(0.25), Momentum(0.5)], ids=repr)
def test_each_cell_goes_by_its_own_rule(other: Any) -> None:
    a, b = Weight(2.0), Weight(3.0, optimizer=other)
    step = training_step(Times(a, b), (), SGD(0.5))
    found = updates_of(step)
    assert {cell: update.rule for cell, update in found.items()} == {a.cell: SGD(0.5), b.cell: other}
    assert found[a.cell].formulas[0].predict() == 2.0 - 0.5 * 3.0
    assert len(found[b.cell].formulas) == (1 if isinstance(other, SGD) else 2)


def test_a_weight_used_twice_takes_one_step() -> None:
    w = Weight(3.0)
    (update,) = training_step(Times(w, w), (), SGD(0.5)).updates
    assert update.formulas[0].predict() == 3.0 - 0.5 * 6.0


def test_a_weight_that_no_delta_reaches_takes_none() -> None:
    w, condition = Weight(2.0), Weight(1.0)
    objective = If(Greater(condition, 0.0), Times(w, X), Times(w, 2.0))
    assert list(updates_of(training_step(objective, FLOAT, SGD(0.5)))) == [w.cell]


def test_no_weight_no_update() -> None:
    step = training_step(Times(X, 2.0), FLOAT)
    assert (step.updates, step.states, step.root()) == ((), {}, Tuple((step.value,)))


def test_the_value_is_in_its_simplest_form() -> None:
    w = Weight(2.0)
    assert training_step(Minus(Times(1.0, Times(w, X)), 0.0), FLOAT).value == simplify(Times(w, X), FLOAT)


ALIKE = [Weight(np.full((2, 3), 0.5)), Weight(np.ones(4))]


def test_weights_that_are_alike_are_one_array() -> None:
    a, b = ALIKE
    objective = Plus(Sum(Times(a, a)), Sum(Times(b, X)))
    together = training_step(objective, spec(4), Adam(0.1))
    (update,) = together.updates
    assert (set(update.cells), update.is_flat) == ({a.cell, b.cell}, True)
    assert [one.spec for one in together.states] == [spec(10), spec(10), spec(10), spec_of(0)]
    assert list(together.states.values()) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    apart = training_step(objective, spec(4), Adam(0.1), flat=False)
    assert set(updates_of(apart)) == {a.cell, b.cell}
    assert not any(one.is_flat for one in apart.updates)
    # A weight by itself is read as it is; only its state is a variable.
    assert list(apart.states.values()) == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    "other",
    [
        Weight(np.ones(4, np.float32)),
        Weight(2.0),
        Weight(np.float64(2.0)),
        Weight(np.ones(4), optimizer=Adam(0.2)),
        Weight(np.ones(4), optimizer=Momentum(0.1)),
    ],
    ids=["dtype", "number", "scalar", "rate", "rule"],
)
def test_a_weight_that_is_not_alike_stays_apart(other: Any) -> None:
    a = ALIKE[0]
    step = training_step(Plus(Sum(Times(a, 2.0)), Sum(Times(other, other))), (), Adam(0.1))
    assert [len(update.cells) for update in step.updates] == [1, 1]


@pytest.mark.parametrize(
    ("objective", "kind", "error"),
    [
        (Times(Weight(2.0), X), spec(3), ShapeError),
        (Tuple((X, X)), FLOAT, ShapeError),
        (Greater(Weight(2.0), X), FLOAT, DTypeError),
        (Times(X, 2), spec_of(1), DTypeError),
    ],
    ids=["array", "tuple", "boolean", "integer"],
)
def test_an_objective_is_one_float(objective: Any, kind: Any, error: Any) -> None:
    with pytest.raises(error):
        training_step(objective, kind)


def test_an_array_of_one_number_is_one() -> None:
    w = Weight(np.full((1, 1), 2.0))
    (update,) = training_step(Times(w, X), spec(1, 1), SGD(0.5)).updates
    np.testing.assert_array_equal(update.formulas[0].predict(np.array([[3.0]])), [[0.5]])


def test_what_is_told_to_cells() -> None:
    average, w = State(np.zeros(3), Average(0.5)), Weight(np.ones(3))
    objective = Sum(Times(w, RunningAverage(Times(X, 2.0), average)))
    step = training_step(objective, spec(3), SGD(0.1))
    assert list(updates_of(step)) == [w.cell, average.cell]
    assert step.updates[1].rule == Average(0.5)
    data = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(step.updates[1].formulas[0].predict(data), data)
    # What two nodes tell one cell is combined.
    twice = Plus(objective, Sum(RunningAverage(X, average)))
    last = training_step(twice, spec(3), SGD(0.1)).updates[-1]
    assert last.cells == [average.cell]
    np.testing.assert_array_equal(last.formulas[0].predict(data), 0.5 * (2.0 * data + data) / 2)


def test_the_update_by_a_layer_in_a_branch_is_in_the_branch() -> None:
    average = State(np.zeros(3), Average(0.5))
    branch = If(Greater(Mean(X), 0.0), RunningAverage(X, average), X)
    (update,) = training_step(Sum(branch), spec(3)).updates
    assert isinstance(update.formulas[0], If)
    for data in (np.ones(3), -np.ones(3)):
        np.testing.assert_array_equal(update.formulas[0].predict(data), 0.5 * np.maximum(data, 0.0))
