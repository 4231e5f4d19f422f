"""Errors name a node by its path in the formula that was run."""

import numpy as np
import pytest

from layertree import Bernoulli, Count, Dropout, Exp, Identity, MatMul, ShapeError, State, Times, Weight, layer
from layertree.typing import ArraySpec
from symbolic import placeholder, sin, wrap


def notes(error):
    return getattr(error, "__notes__", [])


def formula():
    x = placeholder(ArraySpec((None,), np.float64))
    return sin(x + np.ones(3)) * 2.0


@pytest.mark.parametrize("run", [lambda f: f.forward(np.ones(4)), lambda f: f.predict(np.ones(4))])
def test_a_run(run):
    for made, path in ((formula(), "operand1/operand"), (formula()(formula()), "inner/operand1/operand")):
        with pytest.raises(ShapeError) as caught:
            run(made)
        assert notes(caught.value) == [f"  at {path}"]
        assert made.at(path).get() == made.at(path).nodes[0]


def test_an_outer_part():
    x = placeholder(ArraySpec((None,), np.float64))
    with pytest.raises(ShapeError) as caught:
        formula()(2.0 * x).predict(np.ones(4))
    assert notes(caught.value) == ["  at outer/operand1/operand"]


def test_an_error_of_another_kind():
    @layer
    class Broken(Exp):
        def compute(self, xp, a):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError) as caught:
        Times(2.0, Broken(Identity())).predict(1.0)
    assert notes(caught.value)[-1] == "  at operand2"


def test_the_formula_itself_needs_no_path():
    with pytest.raises(ShapeError) as caught:
        MatMul(Identity(), Weight(np.ones((3, 2)))).predict(np.ones((2, 2)))
    assert notes(caught.value) == []


def test_a_layer_built_by_hand_that_does_not_fit_its_input():
    with pytest.raises(ShapeError) as caught:
        wrap(Exp(MatMul(Identity(), Weight(np.ones((3, 2))))), ArraySpec((2, 2)))
    assert notes(caught.value) == ["  at operand"]


def test_in_inference_mode_the_path_is_that_of_the_formula_that_was_asked():
    x = MatMul(Identity(), Weight(np.ones((3, 2))))
    with pytest.raises(ShapeError) as caught:
        Exp(Dropout(x, Bernoulli(x, State(0, Count()), probability=0.5), 0.5)).predict(np.ones((2, 2)))
    assert notes(caught.value) == ["  at operand/argument"]


def test_a_change_that_does_not_fit():
    made = wrap(Exp(MatMul(Identity(), Weight(np.ones((3, 2))))), ArraySpec((None, 3)))
    with pytest.raises(ShapeError, match="changed at") as caught:
        made.at("weight_0").set(np.ones((4, 2)))
    assert notes(caught.value) == ["  at operand"]
