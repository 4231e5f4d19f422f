"""Whether deltas arrive: as a formula of the conditions on the way, true for a delta that is zero by the rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import (
    Exp,
    Floor,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Less,
    Literal,
    Plus,
    Sign,
    StopGradient,
    Times,
    Tuple,
    Weight,
    Where,
)
from layertree.core.spec import spec_of
from layertree.rewrite.arrival import arrivals

X: Any = Identity()
IS_LARGE, IS_SMALL = Greater(X, 1.0), Less(X, -1.0)
W: Any = Weight(3.0)
V: Any = Weight(0.5)
ALWAYS, NEVER = [True, True, True], [False, False, False]


@pytest.mark.parametrize(
    ("formula", "arrives"),
    [
        (Times(W, X), ALWAYS),
        (Floor(W), ALWAYS),
        (Times(Sign(W), X), ALWAYS),
        (Times(W, 0.0), ALWAYS),
        (Where(IS_LARGE, W, X), ALWAYS),
        (Times(X, StopGradient(W)), None),
        (Times(X, Item(Tuple((X, W)), 0)), None),
        (Times(W, Item(Tuple((X, W)), 0)), ALWAYS),
        (If(IS_LARGE, W, X), [False, False, True]),
        (If(IS_LARGE, X, W), [True, True, False]),
        (If(IS_LARGE, W, W), ALWAYS),
        (If(IS_LARGE, W, Exp(W)), ALWAYS),
        (If(IS_LARGE, X, If(IS_SMALL, W, X)), [True, False, False]),
        (If(True, W, X), ALWAYS),
        (If(False, W, X), NEVER),
        (Plus(If(IS_LARGE, W, X), X), [False, False, True]),
        (Plus(If(IS_LARGE, W, X), W), ALWAYS),
        (Plus(If(IS_LARGE, W, X), If(IS_SMALL, W, X)), [True, False, True]),
        (If(Greater(W, X), X, 1.0), None),
        (Item(If(IS_LARGE, Tuple((W, X)), Tuple((X, W))), 0), [False, False, True]),
    ],
    ids=lambda one: format(one, "formula") if hasattr(one, "__layer__") else "",
)
def test_whether_a_delta_arrives(formula: Any, arrives: Any) -> None:
    found = arrivals(formula, spec_of(1.0)).get(W)
    assert (found if found is None else [bool(found.predict(at)) for at in (-2.0, 0.0, 2.0)]) == arrives
    for at, one in zip((-2.0, 0.0, 2.0), arrives or NEVER, strict=True):  # as on a tape
        assert (W in formula.forward(Input(at)).gradients(1.0)) == one


def test_what_is_computed_outside_of_a_branch_counts_by_its_use() -> None:
    """The delta of a weight whose value enters a branch from outside arrives only if the branch is taken."""
    outside = Times(W, X)
    formula: Any = If(IS_LARGE, Exp(outside), X)
    found = arrivals(formula, spec_of(1.0))
    assert [found[W].predict(at) for at in (0.0, 2.0)] == [False, True]
    for at in (0.0, 2.0):
        assert (W in formula.forward(at).gradients(1.0)) == found[W].predict(at) if at else True


def test_parts_of_the_input_and_of_the_output() -> None:
    formula = Tuple((Times(Item(X, 0), W), If(Greater(Item(X, 0), 1.0), Item(X, 1), V)))
    given: Any = (Greater(Item(X, 1), 5.0), True)
    found = arrivals(formula, spec_of((1.0, 1.0)), given)
    at = [(0.0, 0.0), (2.0, 0.0), (0.0, 6.0)]
    assert [found[W].predict(one) for one in at] == [False, False, True]
    assert [found[V].predict(one) for one in at] == [True, False, True]
    assert [found[X][0].predict(one) for one in at] == [False, False, True]
    assert [found[X][1].predict(one) for one in at] == [False, True, False]


def test_a_formula_that_has_no_gradient() -> None:
    assert arrivals(Greater(W, X), spec_of(1.0)) == {}


def test_very_many_terms() -> None:
    formula: Any = If(IS_LARGE, W, X)
    for number in range(3000):
        formula = Plus(formula, If(Greater(X, float(number)), W, X))
    assert [arrivals(formula, spec_of(1.0))[W].predict(at) for at in (-1.0, 2.0)] == [False, True]


def test_arrays() -> None:
    w = Weight(np.ones(3))
    found = arrivals(If(Greater(Item(X, 0), 0.0), Times(w, Item(X, 1)), Item(X, 1)), spec_of((1.0, np.ones(3))))
    assert found[w].predict((1.0, np.ones(3))) is True
    assert found[w] == If(Greater(Item(X, 0), Literal(0.0)), Literal(True), Literal(False))
