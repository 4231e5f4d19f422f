"""What a pattern matches, and which rules can be made of one."""

import numpy as np
import pytest

from layertree import Cos, Exp, Identity, Log, Plus, Power, Reshape, Sin, Sum, Times
from layertree.rewrite.matching import match
from layertree.rewrite.pattern import AttributeWildcard, Number, Rule, Wildcard, commuted, form

X = Identity()


def test_variables_match_equal_parts_only():
    a, m = Wildcard("a"), Number("m")
    assert match(Plus(a, a), Plus(Sin(X), Sin(Identity()))) == {"a": Sin(X)}
    assert match(Plus(a, a), Plus(Sin(X), X)) is None
    assert match(Times(m, a), Times(X, X)) is None
    assert match(Times(m, a), Times(np.float32(2.0), X))["a"] == X
    assert match(Sum(a, axis=0), Sum(X, axis=1)) is None
    assert match(Sum(a, axis=0), Sum(X, axis=0)) == {"a": X}
    assert match(Sin(a), Cos(X)) is None
    assert match(Exp(Log(a)), Exp(X)) is None


def test_attribute_wildcards_match_equal_attributes_only():
    a, s = Wildcard("a"), AttributeWildcard("s")
    twice = form(Reshape, form(Reshape, a, shape=s), shape=s)
    assert match(twice, Reshape(Reshape(X, (2, 3)), (2, 3))) == {"a": X, "s": (2, 3)}
    assert match(twice, Reshape(Reshape(X, (2, 3)), (3, 2))) is None


def test_natural_numbers():
    i = Number("i", natural=True)
    for number, admitted in [(1, True), (2.0, True), (0, False), (-2, False), (0.5, False), (np.nan, False)]:
        assert (match(Power(Wildcard("a"), i), Power(X, number)) is not None) == admitted


def test_moderate_numbers():
    m = Number("m", moderate=True)
    numbers = [(64, True), (-1 / 64, True), (65.0, False), (0.01, False), (0, False), (np.inf, False), (np.nan, False)]
    for number, admitted in numbers:
        assert (match(Times(m, Wildcard("a")), Times(number, X)) is not None) == admitted


def test_commuted_rules_are_the_rule_in_all_orders():
    a, b = Wildcard("a"), Wildcard("b")
    rules = commuted(Rule(Plus(Plus(b, Exp(a)), a), b))
    assert [rule.pattern for rule in rules] == [
        Plus(Plus(b, Exp(a)), a),
        Plus(Plus(Exp(a), b), a),
        Plus(a, Plus(b, Exp(a))),
        Plus(a, Plus(Exp(a), b)),
    ]
    assert len(commuted(Rule(Plus(a, a), a))) == 1


def test_a_rule_is_checked_when_it_is_made():
    a, b = Wildcard("a"), Wildcard("b")
    with pytest.raises(ValueError, match=r"the replacement has \['b'\], which the pattern"):
        Rule(Sin(a), b)
    with pytest.raises(TypeError, match="is no pattern: give an operation"):
        Rule(a, Sin(a))
    with pytest.raises(
        ValueError, match=r"where = .* give one of 'constant', 'finite', 'moderate', 'nonnegative', 'nonzero', 'scalar'"
    ):
        Wildcard("a", where=("large",))
