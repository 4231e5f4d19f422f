"""Other formulas in the place of flags: frozen weights, no way back, inference."""

import numpy as np
import pytest

from layertree import (
    SGD,
    Dropout,
    Exp,
    Identity,
    Literal,
    Plus,
    StopGradient,
    Times,
    UnknownPathError,
    Weight,
    count,
    find,
    freeze,
    inference,
    parameters,
    scope,
    stop_gradient,
)
from symbolic import dense, dropout, relu, seed
from symbolic.core.symbolic import Symbolic
from tests.symbolic.support import array_of

X = Identity()


def line():
    with scope("line"):
        return Plus(Times(X, Weight(2.0, name="slope")), Weight(1.0, name="start"))


@pytest.mark.parametrize(
    ("where", "left"),
    [
        (None, []),
        ("**", []),
        ("line/slope", [1.0]),
        ("operand1", [1.0]),
        (["line/start"], [2.0]),
        (lambda weight: weight.value < 1.5, [2.0]),
        (lambda weight: False, [2.0, 1.0]),
    ],
)
def test_frozen_weights_are_constants(where, left):
    formula = line()
    frozen = freeze(formula, where)
    assert [weight.value for weight in parameters(frozen)] == left
    assert frozen.predict(3.0) == formula.predict(3.0) == 7.0
    assert count(frozen, Literal) == 2 - len(left)


def test_frozen_weights_keep_what_they_held():
    w = Weight(2.0, optimizer=SGD(0.5))
    formula = Times(X, w)
    frozen = freeze(formula)
    formula.train(1.0)
    assert (formula.predict(1.0), frozen.predict(1.0)) == (1.5, 2.0)
    assert freeze(frozen) is frozen


def test_a_tied_weight_becomes_one_constant():
    w = Weight(np.ones(3))
    frozen = freeze(Plus(Times(X, w), w), w)
    assert frozen.operand1.operand2 is frozen.operand2
    assert np.array_equal(frozen.operand2.data, np.ones(3))


def test_a_frozen_part_stays_while_the_rest_trains():
    with seed(0):
        x = array_of("N", 4)
        features = relu(dense(x, 8, name="features"))
        model = dense(features, 1, name="head")
    tuned = freeze(model, features)
    assert isinstance(tuned, Symbolic)
    assert [weight.shape for weight in parameters(tuned)] == [(8, 1), (1,)]
    before = [weight.value for weight in parameters(model)]
    tuned.train(np.ones((2, 4), np.float32), np.ones((2, 1), np.float32))
    changed = [now.value is not old for now, old in zip(parameters(model), before, strict=True)]
    assert changed == [False, False, True, True]


@pytest.mark.parametrize("where", ["line/slop", "operand1/operand1", Exp(X), "other/*"])
def test_to_freeze_nothing_by_name_is_a_mistake(where):
    with pytest.raises(UnknownPathError):
        freeze(line(), where)


def test_no_way_back():
    w, v = Weight(2.0), Weight(3.0)
    formula = Times(Exp(w), v)
    cut = stop_gradient(formula, "operand1")
    assert cut == Times(StopGradient(Exp(w)), v)
    found = cut.forward(None).gradients()
    assert (w in found, found[v]) == (False, np.exp(2.0))
    assert stop_gradient(formula) == StopGradient(formula)
    assert stop_gradient(formula, Exp) == cut


def test_inference_of_a_formula_is_a_formula():
    x = array_of("N", 4)
    model = dense(dropout(x, 0.5), 2)
    made = inference(model)
    assert isinstance(made, Symbolic)
    assert made.spec == model.spec
    assert find(made, Dropout) == ()
    assert find(model, Dropout) != ()
    assert inference(made) is made
