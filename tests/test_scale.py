"""Depth and sharing: everything visits each distinct node once, and no depth is too deep."""

import copy
import gc
import pickle
import sys
import weakref
from typing import ClassVar

import pytest

from layertree import (
    Compose,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Layer,
    Literal,
    Plus,
    Times,
    Weight,
    inference,
    layer,
    named_cells,
    nodes,
    operand,
    parameters,
)
from layertree.core import deltas as _deltas
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.reverse_mode import INPUT, derivatives

DEPTH = 100_000


def chain(depth):
    formula = Identity()
    for _ in range(depth):
        formula = Plus(formula, Literal(1.0))
    return formula


@pytest.fixture(scope="module")
def long_chain():
    return chain(DEPTH)


def test_recursion_limit_is_the_default_one():
    assert sys.getrecursionlimit() < DEPTH / 50


def test_a_long_chain_runs_both_ways(long_chain):
    x = Input(0.5)
    tape = long_chain.forward(x)
    assert tape.value == DEPTH + 0.5
    assert tape.gradients(2.0)[x] == 2.0


def test_a_long_chain_predicts(long_chain):
    assert long_chain.predict(0.5) == DEPTH + 0.5


def test_a_long_chain_compares_and_hashes(long_chain):
    twin = chain(DEPTH)
    assert long_chain == twin
    assert hash(long_chain) == hash(twin)
    assert long_chain != Plus(twin, 1.0)
    assert long_chain != chain(DEPTH - 1)


def test_a_long_chain_prints(long_chain):
    full = format(long_chain, "full")
    assert full.count("Plus(") == DEPTH
    assert full.startswith("Plus(Plus(")
    assert full.endswith("Identity()" + ", Literal(1.0))" * DEPTH)
    assert len(repr(long_chain)) < 10_000
    assert "..." in repr(long_chain)
    assert "..." in format(long_chain, "formula")


def test_a_long_chain_pickles(long_chain):
    twin = pickle.loads(pickle.dumps(long_chain))
    assert twin == long_chain
    assert twin is not long_chain


def test_a_long_chain_copies(long_chain):
    assert copy.copy(long_chain) == long_chain
    twin = copy.deepcopy(long_chain)
    assert twin == long_chain
    assert twin is not long_chain


def test_a_long_chain_has_a_spec_and_an_inference_mode(long_chain):
    assert infer_spec(long_chain, spec_of(1.0)) == spec_of(1.0)
    assert inference(long_chain) is long_chain


def test_a_long_chain_has_a_derivative():
    x = Identity()
    formula = x
    for _ in range(20_000):
        formula = Times(formula, Literal(1.0))
    assert derivatives(formula, spec_of(3.0))[INPUT].predict(3.0) == 1.0


def test_a_long_chain_is_freed_without_the_collector():
    gc.disable()
    try:
        formula = chain(DEPTH)
        formula.forward(Input(0.0)).gradients(1.0)
        hash(formula)
        formula.predict(0.0)
        gone = weakref.ref(formula)
        del formula
        assert gone() is None
    finally:
        gc.enable()


def test_a_long_chain_of_tapes_is_freed_without_the_collector(long_chain):
    gc.disable()
    try:
        tape = long_chain.forward(Input(0.0))
        gone = weakref.ref(tape.upstream[0].upstream[0])
        assert gone().value == DEPTH - 2
        del tape
        assert gone() is None
    finally:
        gc.enable()


def diamond(depth, leaf):
    formula = leaf
    for _ in range(depth):
        formula = Plus(formula, formula)
    return formula


@layer
class Counted(Layer):
    """A sum that counts its calls."""

    operand1: Layer = operand()
    operand2: Layer = operand()
    computed: ClassVar[list] = []
    derived: ClassVar[list] = []

    def compute(self, xp, a, b):
        self.computed.append(id(self))
        return xp.add(a, b)

    def gradient(self, xp, delta, output, a, b):
        self.derived.append(id(self))
        return (lambda: delta, lambda: delta)


@pytest.fixture
def counted():
    Counted.computed.clear()
    Counted.derived.clear()
    formula = Identity()
    for _ in range(200):
        formula = Counted(formula, formula)
    return formula


def test_a_nested_diamond_computes_each_node_once(counted):
    x = Input(1.0)
    tape = counted.forward(x)
    assert len(Counted.computed) == 200
    assert tape.gradients()[x] == 2.0**200
    assert len(Counted.derived) == 200


def test_a_nested_diamond_predicts_each_node_once(counted):
    assert counted.predict(1.0) == 2.0**200
    assert len(Counted.computed) == 200


def test_composition_shares_by_input():
    Counted.computed.clear()
    double = Counted(Identity(), Identity())
    formula = double
    for _ in range(60):
        formula = Compose(Counted(Identity(), Identity()), Counted(formula, formula))
    x = Input(1.0)
    assert formula.forward(x).gradients()[x] == 2.0**121
    assert len(Counted.computed) == 121
    Counted.computed.clear()
    assert formula.predict(1.0) == 2.0**121
    assert len(Counted.computed) == 121


@pytest.mark.parametrize("visit", [repr, hash, pickle.dumps, copy.deepcopy, lambda f: f == f.twin])
def test_a_nested_diamond_is_visited_once_a_node(visit, monkeypatch):
    """Each reading asks every distinct node for its children a bounded number of times."""
    from layertree.core import structure as _structure

    formula, twin = diamond(200, Weight(1.0)), None
    asked = []
    original = _structure.operands_of

    def operands_of(node):
        asked.append(id(node))
        return original(node)

    monkeypatch.setattr(_structure, "operands_of", operands_of)
    if visit is repr or visit in (hash, pickle.dumps, copy.deepcopy):
        visit(formula)
    else:
        twin = diamond(200, parameters(formula)[0])
        asked.clear()
        assert formula == twin
    # The walks ask once for the order and once for the node's own work; a tree walk would ask 2 ** 200 times.
    assert len(asked) <= 7 * 201
    assert len(set(asked)) >= 100


def test_a_nested_diamond_prints_each_node_once():
    text = repr(diamond(150, Weight(1.0)))
    assert text.count("Plus(") == 150
    assert text.count("Weight(") == 1


def test_a_nested_diamond_pickles_to_as_many_nodes():
    formula = diamond(200, Identity())
    twin = pickle.loads(pickle.dumps(formula))
    assert twin == formula
    assert len(list(nodes(twin))) == 201


def test_deeply_nested_branches_do_not_recurse():
    formula = Identity()
    for _ in range(5_000):
        formula = If(Greater(Identity(), 0.0), Plus(formula, 1.0), 0.0)
    x = Input(2.0)
    tape = formula.forward(x)
    assert tape.value == 5_002.0
    assert tape.gradients()[x] == 1.0
    assert formula.predict(-1.0) == 0.0
    assert infer_spec(formula, spec_of(1.0)) == spec_of(1.0)


def test_deeply_nested_compositions_do_not_recurse():
    formula = Plus(Identity(), 1.0)
    for _ in range(5_000):
        formula = Compose(Plus(Identity(), 1.0), formula)
    x = Input(0.0)
    assert formula.forward(x).value == 5_001.0
    assert derivatives(formula, spec_of(0.0))[INPUT].predict(0.0) == 1.0
    assert format(formula, "formula").count("...") >= 1


def test_many_weights_are_listed_in_linear_time():
    formula = Identity()
    for i in range(3_000):
        formula = Plus(formula, Weight(float(i)))
    assert len(named_cells(formula)) == 3_000
    assert [w.value for w in parameters(formula)] == [float(i) for i in range(3_000)]


def test_the_parts_of_a_long_tuple_are_each_added_once(monkeypatch):
    walked = []
    joined = _deltas.joined

    def counted(deltas, add):
        walked.extend(len(parts) for parts in deltas)
        return joined(deltas, add)

    monkeypatch.setattr(_deltas, "joined", counted)
    inputs = Input(tuple(map(float, range(500))))
    total = Item(Identity(), 0)
    for i in range(1, 500):
        total = Plus(total, Times(Item(Identity(), i), float(i)))
    found = total.forward(inputs).gradients()[inputs]
    assert dict(found) == {0: 1.0} | {i: float(i) for i in range(1, 500)}
    assert sum(walked) == 500
