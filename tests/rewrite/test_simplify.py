"""Simplification: formulas keep their value, shape and dtype, and become simple."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Abs,
    AxisSize,
    Bernoulli,
    Compose,
    Cos,
    Divide,
    Dropout,
    Exp,
    Greater,
    Hook,
    Identity,
    If,
    Input,
    Item,
    Layer,
    Literal,
    Log,
    MatMul,
    MatrixTranspose,
    Mean,
    Minus,
    Negative,
    PermuteDims,
    Plus,
    Power,
    Reshape,
    Sin,
    Sum,
    SumTo,
    Times,
    Tuple,
    Weight,
    ZerosLike,
    nodes,
    parameters,
)
from layertree.core.spec import ArraySpec, spec_of
from layertree.core.structure import children_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.derive import value_and_derivatives
from layertree.rewrite.pattern import Rule, Wildcard
from layertree.rewrite.reverse_mode import INPUT, derivatives
from layertree.rewrite.rules import RULES
from layertree.rewrite.simplify import simplify, simplify_all
from tests.test_random_formulas import formulas

X = Identity()
FLOAT = spec_of(1.0)
MATRIX = ArraySpec((2, 3), np.float64)
AS_GIVEN = list(RULES)
"""The same rules, given anew: what is simple already is gone through again."""


@settings(max_examples=200)
@given(formulas(), st.floats(-1.5, 1.5))
def test_random_formulas_keep_their_value(formula, at):
    simple = simplify(formula, FLOAT)
    assert infer_spec(simple, FLOAT) == infer_spec(formula, FLOAT)
    np.testing.assert_allclose(simple.predict(at), formula.predict(at), rtol=1e-9, atol=1e-12)
    # A number that moves out of two formulas, which shared its product, is a product in each.
    numbers = sum(isinstance(node, Literal) for node in nodes(simple))
    assert operations(simple) <= operations(inlined(formula)) + numbers
    assert simplify(simple, FLOAT, AS_GIVEN) == simple


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


@settings(max_examples=100)
@given(formulas(), st.floats(-1.5, 1.5))
def test_what_is_derived_simply_is_what_the_tape_finds(formula, at):
    x = Input(at)
    with formula.forward(x) as tape:
        found = tape.gradients(retain=True)
    targets = [X, *parameters(formula)]
    value, trees = value_and_derivatives(formula, FLOAT, targets)
    np.testing.assert_allclose(value.predict(at), formula.predict(at), rtol=1e-9, atol=1e-12)
    for target, tree in zip(targets, trees, strict=True):
        key = x if target is X else target
        given_by_tree = 0.0 if tree is None else tree.predict(at)
        np.testing.assert_allclose(given_by_tree, found.get(key, 0.0), rtol=1e-8, atol=1e-9)
    together = [value, *[tree for tree in trees if tree is not None]]
    assert simplify_all(together, FLOAT, AS_GIVEN) == together


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
        (Plus(X, 0), FLOAT, Plus(X, 0)),
        (Plus(X, 0), spec_of(1), X),
        (Plus(Abs(X), 0), FLOAT, Abs(X)),
        (Minus(X, 0), FLOAT, X),
        (Plus(X, 0.0), spec_of(1), Plus(X, 0.0)),
        (Plus(X, np.float64(0.0)), ArraySpec((2,), np.float32), Plus(X, np.float64(0.0))),
        (Plus(X, np.zeros((2, 3))), ArraySpec((3,), np.float64), Plus(X, np.zeros((2, 3)))),
        (Times(X, 0.0), FLOAT, Times(0.0, X)),
        (Plus(Times(2.0, 3.0), X), FLOAT, Plus(6.0, X)),
        (MatrixTranspose(MatrixTranspose(X)), MATRIX, X),
        (SumTo(X, X), MATRIX, X),
        (Compose(Plus(X, X), Sin(X)), FLOAT, Times(2, Sin(X))),
        (If(Greater(2.0, 1.0), Sin(X), X), FLOAT, Sin(X)),
        (If(Greater(X, 1.0), Minus(X, 0.0), X), FLOAT, X),
    ],
)
def test_what_stays_and_what_goes(formula, spec, simple):
    found = simplify(formula, spec)
    assert format(found, "formula") == format(simple, "formula")


def test_equal_nodes_become_one():
    formula = Plus(Sin(Times(X, 2.0)), Negative(Sin(Times(Identity(), 2.0))))
    assert sum(isinstance(node, Sin) for node in nodes(simplify(formula, FLOAT))) == 1


def test_what_is_simple_is_not_gone_through_again():
    value, (derivative,) = value_and_derivatives(Times(Sin(X), Plus(Cos(X), 0.0)), FLOAT, [X])
    pair = Tuple((value, derivative))
    assert simplify(pair, FLOAT) is pair
    assert simplify_all([derivative, value], FLOAT) == [derivative, value]


def test_what_is_simple_for_one_input_is_simplified_for_another():
    total = SumTo(X, Literal(np.ones((2, 3))))
    assert simplify(total, ArraySpec((4, 2, 3))) is total
    assert simplify(total, MATRIX) is X


def test_what_two_simplifications_made_becomes_one():
    first, second = simplify(Exp(Sin(X)), FLOAT), simplify(Cos(Sin(Identity())), FLOAT)
    assert first.operand is not second.operand
    first, second = simplify_all([first, second], FLOAT)
    assert first.operand is second.operand


def test_two_dropouts_stay_two():
    from layertree import Count, State

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
    a = Wildcard("a")
    rule = Rule(Sin(Negative(a)), Negative(Sin(a)))
    assert simplify(Sin(Negative(X)), FLOAT, (*RULES, rule)) == Negative(Sin(X))


def test_rules_that_lead_back_are_an_error_that_names_one():
    a, b = Wildcard("a"), Wildcard("b")
    turned = Rule(Plus(a, b), Plus(b, a))
    with pytest.raises(ValueError, match=r"the rules do not come to an end, as with Rule\(Plus\("):
        simplify(Plus(X, Sin(X)), FLOAT, [turned])
    with pytest.raises(ValueError, match="do not come to an end"):
        simplify(Sin(X), FLOAT, [Rule(Sin(a), Sin(Sin(a)))])


def test_a_rule_may_lead_as_deep_as_a_formula_is():
    a, b, c = Wildcard("a"), Wildcard("b"), Wildcard("c")
    distribute = Rule(Times(Plus(a, b), c), Plus(Times(a, c), Times(b, c)))
    weights = [Weight(1.0) for _ in range(3_000)]
    total = X
    for weight in weights:
        total = Plus(total, weight)
    found = simplify(Times(total, X), FLOAT, [distribute])
    assert sum(isinstance(node, Times) for node in nodes(found)) == len(weights) + 1


def test_a_rule_applies_only_where_shape_and_dtype_stay():
    a = Wildcard("a")
    scalar = Rule(Sin(a), Literal(0.5))
    assert simplify(Sin(X), FLOAT, [scalar]) == Literal(0.5)
    assert simplify(Sin(X), ArraySpec((), np.float64), [scalar]) == Sin(X)
    assert simplify(Sin(X), MATRIX, [scalar]) == Sin(X)
    dropped = Rule(SumTo(a, Wildcard("b")), a)
    pair = Item(X, 0), Item(X, 1)
    for rows in (2, "N", None):
        specs = (ArraySpec((rows, 3)), ArraySpec((rows, 3)))
        found = simplify(SumTo(*pair), specs, [dropped])
        assert found == (SumTo(*pair) if rows is None else pair[0])
    assert simplify(SumTo(*pair), (MATRIX, ArraySpec((3,))), [dropped]) == SumTo(*pair)


@pytest.mark.parametrize(
    ("formula", "spec", "simple"),
    [
        (Item(Tuple((Sin(X), Cos(X))), 1), FLOAT, Cos(X)),
        (Mean(X), MATRIX, Mean(X)),
        (Divide(X, AxisSize(X)), MATRIX, Divide(X, 6)),
        (Divide(X, AxisSize(X, axis=1)), ArraySpec((None, 3)), Divide(X, 3)),
        (Divide(X, AxisSize(X)), ArraySpec(("N", 3)), Divide(X, AxisSize(X))),
        (Plus(ZerosLike(X), Abs(X)), FLOAT, Abs(X)),
        (ZerosLike(X), ArraySpec((), np.float32), Literal(np.float32(0))),
        (ZerosLike(X), MATRIX, ZerosLike(X)),
        (Sum(X, axis=0, keepdims=True), ArraySpec((1, 3)), Sum(X, axis=0, keepdims=True)),
        (Sum(Exp(X), axis=0, keepdims=True), ArraySpec((1, 3)), Exp(X)),
        (Sum(X, axis=0, keepdims=True), ArraySpec((None, 3)), Sum(X, axis=0, keepdims=True)),
        (Plus(Times(X, Sin(X)), Times(Sin(X), X)), FLOAT, Times(2, Times(X, Sin(X)))),
        (Minus(X, X), FLOAT, Minus(X, X)),
        (Minus(X, X), ArraySpec((3,), np.int32), ZerosLike(X)),
        (Times(X, 0), ArraySpec((3,), np.int32), ZerosLike(X)),
        (Times(Power(X, 2), Power(X, 3)), FLOAT, Power(X, 5)),
        (Times(Power(X, 2), Power(X, -1)), FLOAT, Times(Power(X, 2), Divide(1, X))),
        (Times(Power(X, 0.5), Power(X, 0.5)), FLOAT, Times(Power(X, 0.5), Power(X, 0.5))),
        (Exp(Log(X)), FLOAT, Exp(Log(X))),
        (Exp(Log(Plus(1.0, Times(X, X)))), FLOAT, Plus(1.0, Times(X, X))),
        (Reshape(Reshape(X, (6,)), (3, 2)), MATRIX, Reshape(X, (3, 2))),
        (Reshape(Reshape(X, (6,)), (2, 3)), MATRIX, X),
        (PermuteDims(PermuteDims(X, (1, 2, 0)), (2, 0, 1)), ArraySpec((2, 3, 4)), X),
        (PermuteDims(PermuteDims(X, (1, 2, 0)), (1, 2, 0)), ArraySpec((2, 3, 4)), PermuteDims(X, (2, 0, 1))),
    ],
    ids=lambda value: format(value, "formula")[:40] if isinstance(value, Layer) else None,
)
def test_what_becomes_simple(formula, spec, simple):
    assert simplify(formula, spec) == simple


def test_depth_is_no_limit():
    formula = X
    for _ in range(20_000):
        formula = Minus(Times(1.0, formula), 0.0)
    assert simplify(formula, FLOAT) is X
