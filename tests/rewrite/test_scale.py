"""Depth and sharing: each rewriting visits every distinct node once, and no depth is too deep."""

import gc
import weakref

import pytest

from layertree import (
    Compose,
    Cos,
    Exp,
    Identity,
    Item,
    Literal,
    Negative,
    Plus,
    Sin,
    Times,
    Tuple,
    Weight,
    at,
    count,
    find,
    freeze,
    inference,
    map_layers,
    named_nodes,
    parameter_groups,
    path_of,
    prune,
    replace,
    stop_gradient,
    substitute,
    summary,
)
from symbolic import placeholder, tanh, wrap

DEPTH = 5_000
X = Identity()


def chain(depth):
    """Operations one below the other, with a weight in each tenth."""
    formula = X
    for i in range(depth):
        formula = Plus(Sin(formula), Weight(1.0, name=f"w{i}") if i % 10 == 0 else Literal(1.0))
    return formula


@pytest.fixture(scope="module")
def long_chain():
    return chain(DEPTH)


def diamond(depth):
    """A formula of ``2 ** depth`` paths."""
    formula = Sin(X)
    for _ in range(depth):
        formula = Plus(formula, formula)
    return formula


REWRITES = {
    "map_layers": lambda f: map_layers(f, lambda node: Cos(node.operand) if isinstance(node, Sin) else node),
    "replace by type": lambda f: replace(f, Sin, lambda node: Cos(node.operand)),
    "replace by predicate": lambda f: replace(f, lambda node: isinstance(node, Sin), lambda node: Cos(node.operand)),
    "replace by pattern": lambda f: replace(f, "**/operand1", lambda node: Cos(node)),
    "at": lambda f: f.at("operand1/**/operand").apply(Negative),
    "at a name": lambda f: f.at("w*").set(Literal(2.0)),
    "substitute": lambda f: substitute(f, {X: Literal(2.0)}),
    "stop_gradient": lambda f: stop_gradient(f, Sin),
    "freeze": lambda f: freeze(f),
    "freeze by pattern": lambda f: freeze(f, "w*"),
    "prune": lambda f: prune(Tuple((f, X)), 0),
    "inference": lambda f: inference(f),
}


@pytest.mark.parametrize("rewrite", REWRITES.values(), ids=REWRITES)
def test_a_long_chain(long_chain, rewrite):
    made = rewrite(long_chain)
    assert count(made, Plus) == DEPTH


def test_looking_at_a_long_chain(long_chain):
    paths = [path for path, _ in named_nodes(long_chain)]
    assert len(paths) == count(long_chain)
    assert len(paths[0].parts) == 2 * DEPTH
    assert len(find(long_chain, "**/operand")) == DEPTH
    assert path_of(long_chain, long_chain.operand1.operand) == "operand1/operand"
    deepest = str(paths[0])
    assert at(long_chain, deepest).get() is X
    assert at(long_chain, deepest).set(2.0, only_here=True) == substitute(long_chain, {X: 2.0})
    assert len(summary(long_chain)) == DEPTH // 10
    assert len(parameter_groups(long_chain, {"all": "w*"})["all"]) == DEPTH // 10


def test_a_formula_of_a_long_chain_is_checked_once(long_chain):
    formula = wrap(long_chain, float)
    made = replace(formula, Sin, lambda node: tanh(node.operand))  # each operand becomes a formula with its spec
    assert count(made, Sin) == 0
    assert made.spec == formula.spec


def test_as_many_paths_as_there_are_atoms():
    formula = diamond(200)
    path = "/".join(["operand1", "operand2"] * 100)
    assert at(formula, path).get() == Sin(X)
    assert find(formula, f"**/{path}") == (Sin(X),)
    assert find(formula, "**/operand2/**/operand1/**") == tuple(find(formula, lambda node: True))[:-2]
    assert at(formula, path).set(Exp(X)) == replace(formula, Sin, Exp(X))
    assert count(at(formula, path).set(Exp(X))) == count(formula) == 202
    assert count(at(formula, path).set(Exp(X), only_here=True)) == 2 * 201
    assert dict(named_nodes(formula))["/".join(["operand1"] * 200)] == Sin(X)
    assert prune(formula, path) == Sin(X)


def test_compositions_within_compositions():
    formula = Times(X, 2.0)
    for _ in range(1_000):
        formula = Compose(Plus(X, 1.0), Compose(formula, Sin(X)))
    assert count(substitute(formula, {X: 1.0}), Compose) == count(formula, Compose)
    assert count(replace(formula, Sin, lambda node: Cos(node.operand)), Cos) == 1_000
    made = wrap(formula, float)
    assert count(replace(made, Sin, lambda node: tanh(node.operand)), Sin) == 0
    deepest = next(path for path, node in named_nodes(formula) if node == Times(X, 2.0))
    assert count(prune(formula, deepest), Compose) == 1_000


def test_a_part_of_each_of_many_tuples():
    formula = Tuple((X, Exp(X)))
    for _ in range(1_000):
        formula = Tuple((Item(formula, 1), Sin(Item(formula, 0))))
    made = prune(formula, 0)
    assert (count(made, Item), count(made, Tuple)) == (0, 0)
    assert count(made, Sin) == 500


def test_each_node_is_seen_once():
    seen = []
    formula = diamond(200)
    map_layers(formula, lambda node: seen.append(node) or node)
    assert len(seen) == 202
    seen.clear()
    find(formula, lambda node: seen.append(node))
    assert len(seen) == 202


def test_what_was_replaced_is_freed():
    gone = Weight(1.0)
    watched = weakref.ref(gone.cell)
    formula = replace(Times(Sin(X), gone), Weight, 2.0)
    gc.disable()
    try:
        del gone
        assert watched() is None
    finally:
        gc.enable()
    assert formula == Times(Sin(X), 2.0)


def test_the_formula_that_was_rewritten_is_as_it_was(long_chain):
    before = hash(long_chain)
    for rewrite in REWRITES.values():
        rewrite(long_chain)
    assert long_chain == chain_like(long_chain)
    assert hash(long_chain) == before


def chain_like(formula):
    return map_layers(formula, lambda node: node)


def test_placeholders_of_several_parts():
    x, y = placeholder((float, float))
    formula = x * y
    assert prune(formula, "operand2").layer == y.layer
    assert prune(formula, "operand2").predict((2.0, 3.0)) == 3.0
