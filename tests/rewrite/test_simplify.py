"""Simplification: formulas keep their value, shape and dtype, and become simple."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Compose,
    Dropout,
    Greater,
    Hook,
    Identity,
    If,
    Literal,
    MatMul,
    MatrixTranspose,
    Negative,
    Plus,
    Power,
    Sin,
    SumTo,
    Times,
    Weight,
    nodes,
)
from layertree._spec import ArraySpec, spec_of
from layertree._structure import children_of
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import INPUT, derivatives
from layertree.rewrite.pattern import Rule, Variable
from layertree.rewrite.rules import RULES
from layertree.rewrite.simplify import simplify
from tests.test_random_formulas import formulas

X = Identity()
FLOAT = spec_of(1.0)
MATRIX = ArraySpec((2, 3), np.float64)


@settings(max_examples=200)
@given(formulas(), st.floats(-1.5, 1.5))
def test_random_formulas_keep_their_value(formula, at):
    simple = simplify(formula, FLOAT)
    assert infer_spec(simple, FLOAT) == infer_spec(formula, FLOAT)
    np.testing.assert_allclose(simple.predict(at), formula.predict(at), rtol=1e-9, atol=1e-12)
    assert operations(simple) <= operations(inlined(formula))
    assert simplify(simple, FLOAT) == simple


def operations(formula):
    """How many nodes are neither input, nor constant, nor weight."""
    return sum(bool(children_of(node)) for node in nodes(formula))


def inlined(formula):
    """The formula with compositions put in place and no rule applied: what there is at the most."""
    return simplify(formula, FLOAT, rules=())


@settings(max_examples=100)
@given(formulas(), st.floats(-1.5, 1.5))
def test_random_derivatives_keep_their_value(formula, at):
    for tree in derivatives(formula, FLOAT).values():
        np.testing.assert_allclose(simplify(tree, FLOAT).predict(at), tree.predict(at), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (Times(Plus(1.0, X), Weight(2.0)), "weight(2.0)"),
        (Power(X, 3), "3.0 * x ** 2"),
        (Times(X, X), "2 * x"),
        (Times(Sin(X), 5.0), "5.0 * cos(x)"),
        (Negative(Negative(X)), "1.0"),
        (Plus(Times(X, Times(X, X)), Times(2.0, X)), "2.0 + 3 * (x * x)"),
    ],
)
def test_derivatives_come_back_as_a_person_writes_them(formula, text):
    assert format(simplify(derivatives(formula, FLOAT)[INPUT], FLOAT), "formula") == text


@pytest.mark.parametrize(
    ("formula", "spec", "simple"),
    [
        (Plus(X, 0), FLOAT, X),
        (Plus(X, 0.0), spec_of(1), Plus(X, 0.0)),
        (Plus(X, np.float64(0.0)), ArraySpec((2,), np.float32), Plus(X, np.float64(0.0))),
        (Plus(X, np.zeros((2, 3))), ArraySpec((3,), np.float64), Plus(X, np.zeros((2, 3)))),
        (Times(X, 0.0), FLOAT, Times(0.0, X)),
        (Plus(Times(2.0, 3.0), X), FLOAT, Plus(6.0, X)),
        (MatrixTranspose(MatrixTranspose(X)), MATRIX, X),
        (SumTo(X, X), MATRIX, X),
        (Compose(Plus(X, X), Sin(X)), FLOAT, Times(2, Sin(X))),
        (If(Greater(2.0, 1.0), Sin(X), X), FLOAT, Sin(X)),
        (If(Greater(X, 1.0), Plus(X, 0.0), X), FLOAT, X),
    ],
)
def test_what_stays_and_what_goes(formula, spec, simple):
    found = simplify(formula, spec)
    assert format(found, "formula") == format(simple, "formula")


def test_equal_nodes_become_one():
    formula = Plus(Sin(Times(X, 2.0)), Negative(Sin(Times(Identity(), 2.0))))
    assert sum(isinstance(node, Sin) for node in nodes(simplify(formula, FLOAT))) == 1


def test_two_dropouts_stay_two():
    from layertree import Bernoulli, Count, State

    masks = [Bernoulli(X, State(0, Count()), probability=0.5, seed=i) for i in (1, 2)]
    formula = Plus(*[Dropout(X, mask, 0.5) for mask in masks])
    assert sum(isinstance(node, Dropout) for node in nodes(simplify(formula, FLOAT))) == 2


def test_a_hook_is_not_run():
    seen = []
    simplify(Hook(Literal(2.0), seen.append), FLOAT)
    assert seen == []


def test_nodes_that_cannot_be_simplified_are_the_same_objects():
    formula = MatMul(Sin(X), Weight(np.ones((3, 2))))
    assert simplify(formula, MATRIX) is formula


def test_users_add_rules():
    a = Variable("a")
    rule = Rule(Sin(Negative(a)), Negative(Sin(a)))
    assert simplify(Sin(Negative(X)), FLOAT, (*RULES, rule)) == Negative(Sin(X))


def test_depth_is_no_limit():
    formula = X
    for _ in range(20_000):
        formula = Plus(Times(1.0, formula), 0.0)
    assert simplify(formula, FLOAT) is X
