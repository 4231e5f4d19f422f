"""The sequence of all rules, whose families load at the first look-up, and the index of rules."""

import subprocess
import sys

import pytest

from layertree import RULES, Abs, Identity, MatMul, Negative, Plus, Rule, Sin, Times, Wildcard
from layertree.core.spec import spec_of
from layertree.namespaces.hash_consing import source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite.pattern import Number
from layertree.rewrite.rule_index import RuleIndex, rule_index
from layertree.rewrite.rules import FAMILIES, rules_of

X = Identity()
ODD = Rule(Sin(Negative(Wildcard("a"))), Negative(Sin(Wildcard("a"))))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_rule_stands_in_the_module_of_the_family_of_its_root(family):
    rules = rules_of(family)
    assert rules
    assert {type(rule.pattern).__module__ for rule in rules} == {f"layertree.layers.{family}"}


def test_the_rules_are_a_sequence():
    rules = list(RULES)
    assert len(RULES) == len(rules) == sum(len(rules_of(family)) for family in FAMILIES)
    assert all(isinstance(rule, Rule) for rule in rules)
    assert (RULES[0], RULES[-1], RULES[:3]) == (rules[0], rules[-1], tuple(rules[:3]))
    assert rules[5] in RULES
    extra = (ODD,)
    assert RULES + extra == (*rules, ODD)
    assert extra + RULES == (ODD, *rules)
    assert repr(RULES) == repr(tuple(rules))


def test_rules_by_the_class_of_their_root():
    assert [rule for rule in RULES if type(rule.pattern) is Times] == list(RULES.rooted_in(Times))
    assert RULES.rooted_in(Times) is RULES.rooted_in(Times)
    assert RULES.rooted_in(MatMul) == RULES.rooted_in(Identity) == RULES.rooted_in(type(None)) == ()


PROGRAM = """
import sys
from layertree import Identity, Minus, Times, simplify
from layertree.core.spec import spec_of
assert simplify(Times(Minus(Identity(), 0.0), 1.0), spec_of(2.0)) == Identity()
print(*[name for name in sys.modules if name.startswith(("layertree.layers.", "layertree.rewrite.rules."))])
"""


def test_a_formula_loads_the_rules_and_layers_of_its_own_families():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split() if name.startswith("layertree.rewrite.rules.")}
    assert loaded == {"arithmetic", "variables"}
    unused = {f"layertree.layers.{family}" for family in ("comparison", "indexing", "stacks", "convolution")}
    assert not unused & set(done.stdout.split())


def values_of(*layers):
    xp = Derivation()
    source = source_of(xp, X, spec_of(1.0))
    return tuple(source if layer is X else xp.plain(type(layer), (source,)) for layer in layers)


def test_the_index_gives_rules_by_symbols_and_by_shared_operands():
    a, b, n = Wildcard("a"), Wildcard("b"), Number("n")
    rules = (
        Rule(Plus(a, a), Times(2.0, a)),
        Rule(Plus(Sin(a), b), Plus(b, Sin(a))),
        Rule(Plus(Sin(a), a), Plus(a, Sin(a))),
        Rule(Plus(n, a), Plus(a, n)),
    )
    index = rule_index(rules)

    def candidates(*layers):
        return [rules.index(found.rule) for found in index.candidates(Plus, values_of(*layers))]

    assert candidates(X, X) == [0]
    assert candidates(Sin(X), X) == [1, 2]
    assert candidates(Abs(X), X) == []
    assert candidates(Sin(X), Abs(X)) == [1]
    assert index.candidates(Times, values_of(X, X)) == ()
    assert rule_index(rules) is index


def test_the_index_asks_for_the_rules_of_a_class_once():
    asked = []

    def rooted_in(cls):
        asked.append(cls)
        return (ODD,) if cls is Sin else ()

    index = RuleIndex(rooted_in)
    for _ in range(2):
        assert [found.rule for found in index.candidates(Sin, values_of(Negative(X)))] == [ODD]
        assert index.candidates(Abs, values_of(X)) == ()
    assert asked == [Sin, Abs]
