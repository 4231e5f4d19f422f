"""Side effects: counters and averages change as on a tape, whether or not the value that they belong to is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import (
    SGD,
    Average,
    Compose,
    DTypeError,
    Greater,
    Identity,
    If,
    Item,
    Layer,
    Momentum,
    RunningAverage,
    State,
    Times,
    Tuple,
    Weight,
    compile,
    fit,
    layer,
    nodes,
    operand,
)
from layertree.typing import ArraySpec
from symbolic import (
    dropout,
    if_,
    mean,
    mean_squared_error,
    nn,
    ones_like,
    placeholder,
    running_average,
    seed,
    sum,
    weight,
    where,
    zeros_like,
)

ROWS = ArraySpec(("Batch", 3))
DATA = np.arange(6.0).reshape(2, 3)
y = placeholder(float)
x = placeholder(ROWS)


def cells(formula: Any, kind: Any = (Weight, State)) -> list[Any]:
    """What the cells hold that a formula reads."""
    return [np.asarray(node.value).tolist() for node in nodes(formula) if isinstance(node, kind)]


def average() -> Any:
    return running_average(y, 0.5)


def composed(make: Callable[[Any], Any], inner: Any) -> Any:
    return make(placeholder(inner.spec))(inner)


def shared() -> Any:
    both = average()
    return if_(y > 0.0, both * weight(1.0), y) + both


FORMULAS: dict[str, tuple[Callable[[], Any], Any]] = {
    "the side of where that a constant never selects": (lambda: where(True, weight(1.0), average()), 2.0),
    "an average of zeros": (lambda: running_average(zeros_like(y), 0.5) * weight(1.0), 2.0),
    "a pattern": (lambda: zeros_like(average()) + weight(1.0), 2.0),
    "times zero": (lambda: average() * 0.0 + weight(1.0), 2.0),
    "minus itself": (lambda: (lambda one: one - one + weight(1.0))(average()), 2.0),
    "a part of a tuple that is not used": (
        lambda: Item(Tuple((sum(x * weight(1.0)).layer, dropout(x, 0.5).layer)), 0),
        DATA,
    ),
    "an inner formula of a composition": (lambda: composed(lambda z: weight(2.0) * ones_like(z), average()), 2.0),
    "an outer formula of a composition": (
        lambda: composed(lambda z: where(True, weight(2.0), running_average(z, 0.5)), y * 2.0),
        2.0,
    ),
    "an inner formula that the outer one ignores": (lambda: Compose(weight(2.0).layer, average().layer), 2.0),
    "a branch that is always taken": (lambda: If(True, (average() * weight(1.0)).layer, Identity()), 2.0),
    "a branch and outside of it": (shared, 2.0),
    "batch normalization that is not used": (
        lambda: where(True, weight(1.0), mean(nn.batch_norm(x))),
        DATA,
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_cells_change_as_on_a_tape(name: str) -> None:
    make, data = FORMULAS[name]
    found: list[Any] = []
    for step_of in (lambda one: one.train, lambda one: compile(one, train=True), lambda one: compile(one).train):
        formula = make()
        step = step_of(formula)
        values = [float(step(data)) for _ in range(3)]
        found.append((values, cells(formula)))
    assert found[1:] == [found[0]] * 2


def in_branches(optimizer: Any) -> Any:
    """Averages in both sides, one of them in an If of its own, and a dropout."""
    positive, negative, large = average(), running_average(y * 2.0, 0.5), running_average(y + 1.0, 0.25)
    with seed(0):
        inner = if_(y > 5.0, dropout(large * weight(1.0, optimizer=optimizer), 0.5), positive)
    return if_(y > 0.0, inner, negative - 1.0) * weight(0.5, optimizer=optimizer)


@pytest.mark.parametrize("optimizer", [SGD(0.01), Momentum(0.01)], ids=repr)
def test_effects_in_branches_are_those_of_the_branch_that_is_taken(optimizer: Any) -> None:
    found: list[Any] = []
    for step_of in (lambda one: one.train, lambda one: compile(one, train=True), lambda one: compile(one).train):
        formula = in_branches(optimizer)
        step = step_of(formula)
        found.append([(float(step(data)), cells(formula)) for data in (1.0, -2.0, 6.0, 7.0, -1.0, 0.0, 2.0, 9.0)])
    for one in found[1:]:
        for (value, contents), (wanted, expected) in zip(one, found[0], strict=True):
            assert value == pytest.approx(wanted, rel=1e-12)
            assert contents == pytest.approx(expected, rel=1e-12)
    assert len({str(contents) for _, contents in found[0]}) == 8


def test_two_layers_that_contribute_to_one_cell_from_branches_do_not_compile() -> None:
    kept = State(0.5, Average(0.5))
    both = [RunningAverage(Identity(), kept), RunningAverage(Times(Identity(), 2.0), kept)]
    formula = Times(If(Greater(Identity(), 0.0), *both), Weight(1.0))
    formula.train(2.0)
    assert kept.value == 1.25
    for step in (compile(formula, train=True), compile(formula).train):
        with pytest.raises(DTypeError, match=r"contributes to State.* a branch of an If: that runs, but does not comp"):
            step(2.0)
    assert kept.value == 1.25


def objective() -> Any:
    """A model with dropout and batch normalization, composed with its data."""
    images = placeholder(ArraySpec(("Batch", 3)))
    model = nn.dense(dropout(nn.batch_norm(nn.dense(images, 4)), 0.5), 1)
    rows, targets = placeholder((ArraySpec(("Batch", 3)), ArraySpec(("Batch", 1))))
    return mean_squared_error(model(rows), targets)


def test_a_compiled_composition_goes_backward() -> None:
    data = DATA, np.ones((2, 1))
    formula = objective()
    before = cells(formula)
    compile(formula).forward(data).backward()
    assert all(one != other for one, other in zip(before, cells(formula), strict=True))


def test_fit_trains_a_compiled_composition() -> None:
    data = np.random.default_rng(0).normal(size=(12, 3)), np.ones((12, 1))
    formula = objective()
    history = fit(compile(formula), data, optimizer=SGD(0.05), epochs=20, batch_size=4)
    assert history[-1].loss < history[0].loss


def test_a_contribution_to_a_weight_is_refused_as_on_a_tape() -> None:
    @layer
    class Telling(Layer[Any, Any]):
        """The first operand; it contributes to the second."""

        argument: Layer[Any, Any] = operand()
        cell: Layer[Any, Any] = operand()

        def compute(self, xp: Any, a: Any, cell: Any) -> Any:
            return xp.add(a, cell)

        def gradient(self, xp: Any, delta: Any, output: Any, a: Any, cell: Any) -> Any:
            return (lambda: delta, lambda: delta)

        def contribute(self, xp: Any, output: Any, a: Any, cell: Any) -> Any:
            return None, a

    formula: Any = Telling(Identity(), Weight(1.0))
    for step in (formula.train, compile(formula, train=True)):
        with pytest.raises(TypeError, match="a weight takes deltas alone"):
            step(2.0)


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dropout_of_a_number(rate: float, dtype: Any) -> None:
    """The sum of an array is a NumPy scalar."""
    rows = placeholder(ArraySpec((3,), dtype))
    formula = dropout(sum(rows * weight(dtype(2.0), optimizer=SGD(0.0))), rate)
    data = np.ones(3, dtype)
    for run in (compile(formula, train=True), compile(formula).train, compile(formula).predict):
        found = [run(data) for _ in range(4)]
        assert {type(one) for one in found} == {dtype}
        assert set(found) <= {0.0, 6.0, 12.0}
