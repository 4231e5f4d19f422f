"""Each rule of simplification is proven: both sides are evaluated, on values that its facts allow."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    BitwiseInvert,
    BroadcastLike,
    BroadcastTo,
    Cast,
    Compose,
    Cos,
    Divide,
    Exp,
    Greater,
    Identity,
    Item,
    Literal,
    Log,
    Max,
    Mean,
    Min,
    Minus,
    PermuteDims,
    Plus,
    Power,
    Reshape,
    ReshapeLike,
    Sin,
    Sum,
    TakeDiagonal,
    Times,
    Tuple,
    Weight,
    Where,
)
from layertree._spec import ArraySpec, spec_of
from layertree._structure import children_of, post_order, rebuild, transform
from layertree.rewrite._matching import match
from layertree.rewrite.pattern import Computed, Number, Rule, Setting, Variable, commuted, form
from layertree.rewrite.rules import RULES
from layertree.rewrite.simplify import simplify

X = Identity()
FLOAT = spec_of(1.0)
PLACES = ("a", "b", "c", "d")

# What the attributes of a rule are in its proof, by the class of its pattern, and shapes other than (2, 3).
SETTINGS = {
    BroadcastTo: {"first": (2, 2, 3), "second": (4, 2, 2, 3), "shape": (2, 3)},
    Cast: {"dtype": np.dtype(np.float64)},
    PermuteDims: {"axes": (0, -1), "first": (-1, 0), "second": (1, 0)},
    Reshape: {"second": (6, 1), "shape": (2, 3)},
    TakeDiagonal: {"axes": 1},
    **{cls: {"axis": 1, "keepdims": True} for cls in (Sum, Mean, Max, Min)},
}
INNER = {"first": (3, 2), "start": -2, "stop": 0, "parts": 3, "axis": 1, "reason": "they have to"}
SHAPES = {
    **{cls: {"a": (2, 1)} for cls in (Sum, Mean, Max, Min)},
    ReshapeLike: {"b": (3, 2), "c": (6, 1)},
}

NUMBERS = st.floats(-4, 4).map(lambda x: round(x, 2)) | st.sampled_from([0.0, 1.0, -1.0, np.inf, np.nan])
DATA = st.lists(NUMBERS, min_size=24, max_size=24).map(lambda numbers: np.reshape(numbers, (4, 6)))


def variables(tree):
    return {node.name: node for node in post_order(tree) if isinstance(node, Variable)}


def conditions(tree):
    """The variables that stand where booleans do."""
    found = {children_of(node)[0] for node in post_order(tree) if isinstance(node, (Where, BitwiseInvert))}
    return {node.name for node in found if isinstance(node, Variable)}


def shape_of(rule, name):
    pattern = rule.pattern
    if "scalar" in variables(pattern)[name].where:
        return ()
    if pattern == ReshapeLike(Variable("a"), Variable("b")):
        return (2, 3)
    if name == "a" and type(pattern) in (Plus, Minus, Times, Divide, Where):
        inner = any(isinstance(child, BroadcastLike) for child in children_of(pattern))
        return (3,) if inner else (2, 3)
    return SHAPES.get(type(pattern), {}).get(name, (2, 3))


def allowed(values, facts):
    """Values of which the facts are true."""
    if "finite" in facts:
        values = np.nan_to_num(values, posinf=2.0)
    if "nonnegative" in facts:
        values = np.abs(values)
    return np.where(values == 0, 1.5, values) if "nonzero" in facts else values


def operands(rule, data):
    """The data of a rule's variables."""
    known = variables(rule.pattern)
    found = []
    for name, values in zip(PLACES, data, strict=True):
        shape = shape_of(rule, name) if name in known else (2, 3)
        chosen = np.resize(allowed(values, known[name].where if name in known else ()), shape)[()]
        found.append(chosen > 0 if name in conditions(rule.pattern) else chosen)
    return tuple(found)


def filled(rule, tree, numbers):
    """A side of a rule as a formula: variables are parts of a tuple input, numbers constants."""
    known = INNER | SETTINGS.get(type(rule.pattern), {})

    def change(node, children):
        if isinstance(node, Variable):
            return Item(X, PLACES.index(node.name))
        if isinstance(node, Number):
            return Literal(numbers[node.name])
        if isinstance(node, Literal) and type(node.data) is int and tree is rule.pattern:
            return Literal(float(node.data))  # a constant of a pattern is one of any dtype
        attributes = {name: getattr(node, name) for name in node._layout.attributes}
        if not any(isinstance(value, (Setting, Computed)) for value in attributes.values()):
            return rebuild(node, children)
        for name, value in attributes.items():
            if isinstance(value, Setting):
                attributes[name] = known[value.name]
            elif isinstance(value, Computed):
                attributes[name] = value.value(known)
        return type(node)(*children, **attributes)

    return transform(tree, change)


each_rule = pytest.mark.parametrize(
    "rule", RULES, ids=lambda rule: repr(rule.pattern)[:70].replace("Variable(name=", "(")
)


@each_rule
@settings(max_examples=15)
@given(
    data=DATA,
    m=st.floats(-3, 3),
    n=st.sampled_from([-2.0, 0.5, 3.0]),
    i=st.sampled_from([1, 2, 3.0]),
    j=st.integers(1, 3),
)
def test_a_rule_holds(rule, data, m, n, i, j):
    values = operands(rule, data)
    numbers = {"m": m, "n": n, "i": i, "j": j}
    left, right = filled(rule, rule.pattern, numbers), filled(rule, rule.replacement, numbers)
    assert left != right
    before, after = left.predict(values), right.predict(values)
    assert (before.dtype, before.shape) == (after.dtype, after.shape)
    if before.dtype.kind == "b":
        np.testing.assert_array_equal(after, before)
        return
    used = [values[PLACES.index(name)] for name in variables(rule.pattern)]
    if all(np.isfinite(one).all() for one in used):
        np.testing.assert_allclose(after, before, rtol=1e-9, atol=1e-9)
    # inf - inf where constants are gathered is the one difference that other values may make: no NaN is hidden.
    both = np.isfinite(before) & np.isfinite(after)
    np.testing.assert_allclose(after[both], before[both], rtol=1e-9, atol=1e-9)
    assert not (np.isnan(before) & np.isfinite(after)).any()


@each_rule
def test_a_rule_is_reached(rule):
    """No rule is dead: alone, it rewrites what its pattern says, where its facts can be found out."""
    values = operands(rule, np.linspace(-2.0, 3.0, 24).reshape(4, 6))
    known = [known_to_be(variables(rule.pattern).get(name), value) for name, value in zip(PLACES, values, strict=True)]
    pattern = filled(rule, rule.pattern, {"m": 3.0, "n": 2.0, "i": 2, "j": 3})
    formula = Compose(pattern, Tuple(tuple(known)))
    found = simplify(formula, FLOAT, [rule])
    assert found != simplify(formula, FLOAT, [])
    np.testing.assert_allclose(found.predict(2.0), formula.predict(2.0), rtol=1e-12)


def known_to_be(variable, data):
    """A formula, no constant, in the shape and kind of some data, of which is known what a variable asks for."""
    weight = Weight(np.where(data, 1.0, -1.0)) if data.dtype.kind == "b" else Weight(data)
    if data.dtype.kind == "b":
        return Greater(weight, 0.0)
    if variable is None or not variable.where:
        return weight
    return Where(Greater(weight, 0.0), np.full(data.shape, 2.0), np.full(data.shape, 3.0))


@each_rule
def test_a_rule_asks_for_its_facts(rule):
    """Where nothing is known of the operands, a rule that asks for facts does nothing."""
    if not any(variable.where for variable in variables(rule.pattern).values()):
        return
    formula = filled(rule, rule.pattern, {})
    spec = (ArraySpec((2, 3), np.float64),) * 4
    assert simplify(formula, spec, [rule]) == formula


def test_variables_match_equal_parts_only():
    a, m = Variable("a"), Number("m")
    assert match(Plus(a, a), Plus(Sin(X), Sin(Identity()))) == {"a": Sin(X)}
    assert match(Plus(a, a), Plus(Sin(X), X)) is None
    assert match(Times(m, a), Times(X, X)) is None
    assert match(Times(m, a), Times(np.float32(2.0), X))["a"] == X
    assert match(Sum(a, axis=0), Sum(X, axis=1)) is None
    assert match(Sum(a, axis=0), Sum(X, axis=0)) == {"a": X}
    assert match(Sin(a), Cos(X)) is None
    assert match(Exp(Log(a)), Exp(X)) is None


def test_settings_match_equal_attributes_only():
    a, s = Variable("a"), Setting("s")
    twice = form(Reshape, form(Reshape, a, shape=s), shape=s)
    assert match(twice, Reshape(Reshape(X, (2, 3)), (2, 3))) == {"a": X, "s": (2, 3)}
    assert match(twice, Reshape(Reshape(X, (2, 3)), (3, 2))) is None


def test_natural_numbers():
    i = Number("i", natural=True)
    for number, admitted in [(1, True), (2.0, True), (0, False), (-2, False), (0.5, False), (np.nan, False)]:
        assert (match(Power(Variable("a"), i), Power(X, number)) is not None) == admitted


def test_commuted_rules_are_the_rule_in_all_orders():
    a, b = Variable("a"), Variable("b")
    rules = commuted(Rule(Plus(Plus(b, Exp(a)), a), b))
    assert [rule.pattern for rule in rules] == [
        Plus(Plus(b, Exp(a)), a),
        Plus(Plus(Exp(a), b), a),
        Plus(a, Plus(b, Exp(a))),
        Plus(a, Plus(Exp(a), b)),
    ]
    assert len(commuted(Rule(Plus(a, a), a))) == 1


def test_a_rule_is_checked_when_it_is_made():
    a, b = Variable("a"), Variable("b")
    with pytest.raises(ValueError, match=r"the replacement has \['b'\], which the pattern"):
        Rule(Sin(a), b)
    with pytest.raises(TypeError, match="is no pattern: give an operation"):
        Rule(a, Sin(a))
    with pytest.raises(ValueError, match=r"where = .* give one of 'finite', 'nonnegative', 'nonzero', 'scalar'"):
        Variable("a", where=("large",))
