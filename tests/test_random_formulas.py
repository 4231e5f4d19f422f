"""Random formulas, with sharing, branches and compositions: every reading agrees with every other."""

import copy
import pickle

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Compose,
    Cos,
    Divide,
    Exp,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Literal,
    Maximum,
    Minus,
    Plus,
    Sigmoid,
    Sin,
    Tanh,
    Times,
    Tuple,
    Weight,
    nodes,
    parameters,
)
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.reverse_mode import INPUT, derivatives

UNARY = [Sin, Cos, Tanh, Sigmoid, lambda a: Exp(Sin(a)), lambda a: Divide(a, Plus(1.5, Times(a, a)))]
BINARY = [Plus, Minus, Times, lambda a, b: Maximum(a, Plus(b, 0.1)), lambda a, b: Item(Tuple((a, b)), 1)]


@st.composite
def formulas(draw, leaves=None, with_branches=True):
    """A formula that grows node by node, each of earlier ones, so that nodes are shared."""
    kinds = ["unary", "binary", "binary", "compose", *(["if"] if with_branches else [])]
    made = list(leaves or [Identity(), Weight(0.7), Weight(-0.4), Literal(0.3)])
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(kinds))
        pick = st.sampled_from(made)
        if kind == "unary":
            node = draw(st.sampled_from(UNARY))(draw(pick))
        elif kind == "binary":
            node = draw(st.sampled_from(BINARY))(draw(pick), draw(pick))
        elif kind == "if":
            node = If(Greater(draw(pick), draw(st.floats(-1, 1))), draw(pick), draw(pick))
        else:
            node = Compose(draw(pick), draw(pick))
        made.append(node)
    return made[-1]


def difference(function, at, step=1e-3):
    """The derivative by central differences of order 4."""
    return (8 * (function(at + step) - function(at - step)) - function(at + 2 * step) + function(at - 2 * step)) / (
        12 * step
    )


def is_smooth_at(function, at):
    """Whether two step sizes and both sides agree: no branch or maximum changes sides nearby."""
    step = 1e-5
    bend = (function(at + step) - 2 * function(at) + function(at - step)) / step
    return abs(bend) < 1e-3 and abs(difference(function, at) - difference(function, at, 5e-4)) < 1e-6


@settings(max_examples=150)
@given(formulas(), st.floats(-1.5, 1.5))
def test_every_reading_agrees(formula, at):
    x = Input(at)
    with formula.forward(x) as tape:
        value = tape.value
        found = tape.gradients(retain=True)
        assert dict(tape.gradients(2.0, retain=True)) == {key: 2.0 * delta for key, delta in found.items()}
    assert formula.predict(at) == value
    assert infer_spec(formula, spec_of(at)) == spec_of(value)
    trees = derivatives(formula, spec_of(at))
    for key, delta in found.items():
        tree = trees[INPUT if key is x else key]
        assert type(delta) is float
        assert type(tree.predict(at)) is float
        np.testing.assert_allclose(tree.predict(at), delta, rtol=1e-12, atol=1e-300)
    for key, tree in trees.items():
        if (x if key == INPUT else key) not in found:
            assert tree.predict(at) == 0.0
    if is_smooth_at(formula.predict, at):
        np.testing.assert_allclose(difference(formula.predict, at), found.get(x, 0.0), rtol=1e-5, atol=1e-7)


@settings(max_examples=60)
@given(formulas(), st.floats(-1.5, 1.5))
def test_weights_agree_with_differences(formula, at):
    found = formula.forward(at).gradients()
    for w in parameters(formula):
        start = w.value

        def moved(value, w=w):
            w.set(value)
            return formula.predict(at)

        if is_smooth_at(moved, start):
            np.testing.assert_allclose(difference(moved, start), found.get(w, 0.0), rtol=1e-5, atol=1e-7)
        w.set(start)


@settings(max_examples=60)
@given(formulas(), st.floats(-1.5, 1.5))
def test_twins_are_alike(formula, at):
    twin = pickle.loads(pickle.dumps(formula))
    assert twin.predict(at) == formula.predict(at)
    assert len(list(nodes(twin))) == len(list(nodes(formula)))
    assert format(twin, "full") == format(formula, "full")
    assert copy.deepcopy(twin).predict(at) == formula.predict(at)
    assert formula == copy.copy(formula)
    if not parameters(formula):
        assert twin == formula
        assert hash(twin) == hash(formula)


@settings(max_examples=60)
@given(formulas(), st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=5))
def test_the_scalar_namespace_agrees_with_numpy(formula, points):
    one_by_one = [formula.predict(at) for at in points]
    with_scalars = [formula.predict(np.float64(at)) for at in points]
    np.testing.assert_allclose(with_scalars, one_by_one, rtol=1e-13, atol=1e-300)


@settings(max_examples=60)
@given(formulas(), st.floats(-1.5, 1.5))
def test_the_second_derivative_is_the_derivative_of_the_first(formula, at):
    first = derivatives(formula, spec_of(at)).get(INPUT)
    if first is None:
        return
    x = Input(at)
    second = first.forward(x).gradients().get(x, 0.0)
    if is_smooth_at(first.predict, at):
        np.testing.assert_allclose(difference(first.predict, at), second, rtol=1e-4, atol=1e-6)
