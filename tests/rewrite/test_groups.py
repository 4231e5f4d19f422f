"""Groups of weights, and an optimizer for each."""

import numpy as np
import pytest

from layertree import (
    SGD,
    Adam,
    Identity,
    Plus,
    Times,
    UnknownPathError,
    Weight,
    fit,
    named_cells,
    optimizer,
    parameter_groups,
    parameters,
    set_optimizers,
)
from layertree.typing import ArraySpec
from symbolic import dense, mean_squared_error, placeholder, relu, weight
from tests.symbolic.support import array_of


def is_matrix(weight):
    return weight.ndim > 1


def network():
    return dense(relu(dense(array_of("N", 4), 8, name="first")), 2, name="second")


def names(model, weights):
    return [name for name, cell in named_cells(model).items() if cell in weights]


def test_each_weight_is_in_the_first_group_that_means_it():
    model = network()
    groups = parameter_groups(model, {"decay": is_matrix, "first": "first/*", "rest": "**"})
    assert {group: names(model, weights) for group, weights in groups.items()} == {
        "decay": ["first/kernel", "second/kernel"],
        "first": ["first/bias"],
        "rest": ["second/bias"],
    }


def test_a_weight_that_no_group_means_is_in_none():
    model = network()
    assert list(parameter_groups(model, {"decay": is_matrix}).values()) == [parameters(model)[::2]]
    assert parameter_groups(model, {"none": lambda weight: False}) == {"none": ()}
    assert parameter_groups(model, {}) == {}
    with pytest.raises(UnknownPathError, match="no weight at 'third/"):
        parameter_groups(model, {"third": "third/*"})


def test_an_optimizer_for_each_group():
    slope, start = Weight(2.0, name="slope"), Weight(1.0, name="start")
    line = Plus(Times(Identity(), slope), start)
    set_optimizers(line, {"slope": SGD(0.5), "**": SGD(0.25)})
    line.train(3.0)
    assert (slope.value, start.value) == (2.0 - 0.5 * 3.0, 1.0 - 0.25)
    set_optimizers(line, {slope: None})
    line.forward(3.0).backward(optimizer=SGD(0.125))
    assert (slope.value, start.value) == (0.5 - 0.125 * 3.0, 0.75 - 0.25)


def test_a_scope_s_optimizer_comes_back():
    with optimizer(SGD(0.5)):
        w = Weight(1.0)
    set_optimizers(w, {"": SGD(0.25)})
    assert w.optimizer == SGD(0.25)
    set_optimizers(w, {"": None})
    assert w.optimizer == SGD(0.5)


def test_formulas_name_groups():
    x = placeholder(float)
    a, b = weight(2.0), weight(3.0)
    set_optimizers(a * x + b, {a: SGD(0.5), b: SGD(0.25)})
    assert [w.layer.optimizer for w in (a, b)] == [SGD(0.5), SGD(0.25)]


def test_fit_uses_them():
    x, y = placeholder((ArraySpec("N"), ArraySpec("N")))
    slope, start = weight(0.0), weight(0.0)
    objective = mean_squared_error(x * slope + start, y)
    set_optimizers(objective, {start: SGD(0.0)})
    data = np.ones(4), np.full(4, 3.0)
    fit(objective, data, optimizer=SGD(0.25), batch_size=4)
    assert (slope.value, start.value) == (1.5, 0.0)


def test_a_mistake_changes_nothing():
    w = Weight(1.0, name="w")
    for rules in ({"w": SGD(0.5), "v": SGD(0.1)}, {"w": SGD(0.5), Weight: 3.0}):
        with pytest.raises((UnknownPathError, TypeError)):
            set_optimizers(Times(w, 2.0), rules)
    assert w.optimizer is None


def test_the_state_of_another_kind_of_optimizer_starts_anew():
    w = Weight(1.0, optimizer=Adam(0.5))
    w.train()
    set_optimizers(w, {"": Adam(0.25)})
    w.train()
    assert w.state[2] == 2
    set_optimizers(w, {"": SGD(0.5)})
    w.train()
    assert w.state == ()
