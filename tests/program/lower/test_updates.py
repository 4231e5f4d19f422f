"""Updates of cells: by which rule, of which state, together or apart, and only if a delta arrives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import (
    SGD,
    Adagrad,
    Adam,
    AdamW,
    Greater,
    Identity,
    If,
    Literal,
    Momentum,
    Optimizer,
    RMSprop,
    Sum,
    Times,
    Weight,
    compile,
    nodes,
    optimizer,
)
from layertree.core.provenance import origin_of
from layertree.namespaces.tree import TreeValue
from layertree.program.lower.updates import (
    Delta,
    Update,
    descent,
    grouped,
    is_elementwise,
    rule_of,
    state_of,
    update_of,
)
from layertree.rewrite.derive import substitute_nodes
from tests.program.graphs import FLOAT, spec

X: Any = Identity()


def test_which_rule_goes_first() -> None:
    own, scoped, given = Momentum(0.1), Momentum(0.2), Momentum(0.3)
    with optimizer(scoped):
        parenthesized, with_own = Weight(2.0), Weight(2.0, optimizer=own)
    outside = Weight(2.0)
    assert [rule_of(one.cell, None) for one in (with_own, parenthesized, outside)] == [own, scoped, SGD(0.01)]
    assert [rule_of(one.cell, given) for one in (with_own, parenthesized, outside)] == [own, given, given]


def test_a_state_is_kept_for_its_rule_alone() -> None:
    value = np.ones(2)
    kept = (np.full(2, 5.0),)
    assert state_of(Momentum(0.1), (value, (Momentum, kept))) is kept
    for content in ((value, None), (value, (Adagrad, kept))):
        assert [part.tolist() for part in state_of(Momentum(0.1), content)] == [[0.0, 0.0]]
    assert state_of(SGD(0.1), (value, (Momentum, kept))) == ()


def adam(first: Any, step: int) -> tuple[type, Any]:
    return Adam, (first, first + 1.0, step)


def two_weights() -> list[Any]:
    """A matrix and a vector."""
    return [Weight(np.arange(6.0).reshape(2, 3)), Weight(np.array([10.0, 20.0]))]


def test_several_cells_are_put_together_and_taken_apart() -> None:
    leaves = two_weights()
    update = Update(leaves, Adam(0.1), [], (None, None, None))
    contents = [(leaf.value, adam(np.full(leaf.value.shape, place), 7)) for place, leaf in enumerate(leaves)]
    value, first, second, step = update.parts(contents) or []
    assert value.tolist() == [0, 1, 2, 3, 4, 5, 10, 20]
    assert (first.tolist(), second.tolist(), step) == ([0] * 6 + [1] * 2, [1] * 6 + [2] * 2, 7)
    made = [value + 0.5, first, second, 8]
    (one, (kind, state)), (other, _) = update.contents(made)
    assert (one.shape, other.tolist(), kind) == ((2, 3), [10.5, 20.5], Adam)
    assert (state[0].shape, state[2]) == ((2, 3), 8)


def test_what_a_step_made_is_not_put_together_again() -> None:
    leaves = two_weights()
    update = Update(leaves, Momentum(0.1), [], (None,))
    made = [np.arange(8.0), np.zeros(8)]
    contents = update.contents(made)
    assert update.parts(contents) is made
    changed = [contents[0], (contents[1][0] + 1.0, contents[1][1])]
    value, _ = update.parts(changed) or []
    assert value.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]


def test_states_that_count_differently_stay_apart() -> None:
    leaves = two_weights()
    update = Update(leaves, Adam(0.1), [], (None, None, None))
    contents = [(leaf.value, adam(leaf.value, place)) for place, leaf in enumerate(leaves)]
    assert update.parts(contents) is None


def test_one_cell_is_read_as_it_is() -> None:
    leaf = Weight(np.ones(3))
    update = Update([leaf], Momentum(0.1), [], (None,))
    start = (np.ones(3), (Momentum, (np.zeros(3),)))
    parts = update.parts([start])
    assert parts is not None
    assert parts[0] is start[0]
    assert parts[1] is start[1][1][0]
    new, velocity = np.zeros(3), np.ones(3)
    ((value, (kind, state)),) = update.contents([new, velocity])
    assert (value is new, kind, state[0] is velocity) == (True, Momentum, True)
    ((_, kept),) = Update([leaf], SGD(0.1), [], ()).contents([new])
    assert kept == (SGD, ())


def test_descent_is_a_subtraction() -> None:
    leaf = Weight(3.0)
    (made,) = descent(leaf, Literal(0.5), SGD(0.1)).formulas
    assert made.predict() == 2.5
    assert origin_of(made) == SGD(0.1)


def test_what_an_update_adds_is_known_to_be_its_own() -> None:
    a, b = Weight(np.ones((2, 2))), Weight(np.ones(3))
    delta: Any = Times(X, np.ones((2, 2)))
    (update,) = grouped([Delta(a, delta), Delta(b, Literal(np.ones(3)))], Momentum(0.5), {}, flat=True)
    added = [node for one in update.formulas for node in nodes(one) if node.__layout__.names and node is not delta]
    assert {type(node).__name__ for node in added} == {"Plus", "Times", "Minus", "Concat", "Reshape"}
    assert {origin_of(node) for node in added} == {Momentum(0.5)}
    assert origin_of(delta) is None


class Normalised(Optimizer):
    """Steps of one length: each element depends on all."""

    def update(self, xp: Any, value: Any, delta: Any, state: Any) -> Any:
        return xp.subtract(value, xp.divide(delta, xp.sum(xp.multiply(delta, delta)))), state


class Turned(Optimizer):
    """Its state depends on all elements, though the step does not."""

    def start(self, xp: Any, value: Any) -> Any:
        return (xp.sum(value),)

    def update(self, xp: Any, value: Any, delta: Any, state: Any) -> Any:
        return xp.subtract(value, delta), (xp.sum(delta),)


@pytest.mark.parametrize("rule", [SGD(0.1), Momentum(0.1, nesterov=True), Adagrad(), RMSprop(), Adam(), AdamW()])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_rules_work_element_by_element(rule: Any, dtype: Any) -> None:
    assert is_elementwise(rule, dtype)


@pytest.mark.parametrize("rule", [Normalised(), Turned()])
def test_a_rule_that_looks_at_the_whole(rule: Any) -> None:
    assert not is_elementwise(rule, np.float64)


def groups(*leaves: Any, deltas: Any = None, flat: bool = True, rule: Any = None) -> list[list[int]]:
    """Which of some weights, by their numbers, are updated together."""
    places = {leaf.cell: place for place, leaf in enumerate(leaves)}
    found = [Delta(leaf, Literal(leaf.value)) if deltas is None else deltas[i] for i, leaf in enumerate(leaves)]
    updates = grouped(found, rule or Momentum(0.1), {}, flat=flat)
    return [[places[cell] for cell in update.cells] for update in updates]


def test_which_weights_go_together() -> None:
    vectors = [Weight(np.ones(size)) for size in (1, 2, 3)]
    single, number, scalar = Weight(np.ones(2, np.float32)), Weight(2.0), Weight(np.float64(2.0))
    own = Weight(np.ones(2), optimizer=Momentum(0.2))
    assert groups(*vectors) == [[0, 1, 2]]
    assert groups(*vectors, flat=False) == [[0], [1], [2]]
    assert groups(vectors[0], single, number, vectors[1], scalar, own) == [[0, 3], [1], [2], [4], [5]]
    assert groups(*vectors, rule=Normalised()) == [[0], [1], [2]]
    assert groups() == []


def test_a_weight_whose_delta_may_not_arrive_stays_apart() -> None:
    vectors = [Weight(np.ones(2)) for _ in range(3)]
    deltas = [Delta(leaf, Literal(np.ones(2))) for leaf in vectors]
    deltas[1] = deltas[1]._replace(arrival=Greater(X, 0.0))
    assert groups(*vectors, deltas=deltas) == [[0, 2], [1]]


def test_a_rule_that_has_begun_to_count_elsewhere_stays_apart() -> None:
    first, second = Weight(np.ones(2)), Weight(np.ones(2))
    first.cell.content = (first.value, adam(np.ones(2), 3))
    assert groups(first, second, Weight(np.ones(2)), rule=Adam(0.1)) == [[0], [1, 2]]


def test_deltas_go_side_by_side_in_the_order_of_the_cells() -> None:
    a, b = Weight(np.zeros((2, 2))), Weight(np.zeros(3))
    states: dict[Any, Any] = {}
    found = [Delta(a, Literal(np.arange(4.0).reshape(2, 2))), Delta(b, Literal(np.array([7.0, 8.0, 9.0])))]
    (update,) = grouped(found, Momentum(1.0), states, flat=True)
    value, velocity = states
    assert states == {value: (0, 0), velocity: (0, 1)}
    assert value.spec == velocity.spec == spec(7)
    new = update.formulas[1]
    zeros = Literal(np.zeros(7))
    assert substitute_nodes(new, {velocity: zeros, value: zeros}).predict().tolist() == [0, 1, 2, 3, 7, 8, 9]


def test_a_value_keeps_its_dtype() -> None:
    leaf = Weight(np.ones(2, np.float32))
    delta = TreeValue(Literal(np.ones(2)), spec(2))
    made = update_of([leaf], [delta], SGD(0.5), {}, 0).formulas[0]
    assert made.predict().dtype == np.float32
    number = Weight(2.0)
    result = update_of([number], [TreeValue(Literal(np.float64(1.0)), spec())], SGD(0.5), {}, 0).formulas[0].predict()
    assert (type(result), result) == (float, 1.5)


def test_several_contributions_are_combined() -> None:
    leaf = Weight(5.0)
    deltas = [TreeValue(Literal(float(one)), FLOAT) for one in (1, 2, 3)]
    assert update_of([leaf], deltas, SGD(0.5), {}, 0).formulas[0].predict() == 2.0


def test_a_weight_whose_delta_does_not_arrive_keeps_its_state() -> None:
    leaf = Weight(3.0)
    states: dict[Any, Any] = {}
    is_large = Greater(X, 1.0)
    delta = TreeValue(If(is_large, Literal(1.0), Literal(0.0)), FLOAT)
    update = update_of([leaf], [delta], Momentum(0.5), states, 4, is_large)
    (velocity,) = states
    assert states == {velocity: (4, 1)}
    value, new = [substitute_nodes(one, {velocity: Literal(8.0)}) for one in update.formulas]
    assert [value.predict(at) for at in (0.0, 2.0)] == [3.0, 3.0 - 0.5 * (0.9 * 8.0 + 1.0)]
    assert [new.predict(at) for at in (0.0, 2.0)] == [8.0, 0.9 * 8.0 + 1.0]


class Operators(Optimizer):
    """Steepest descent in Python operators, which formulas in the tree namespace do not have."""

    def update(self, xp: Any, value: Any, delta: Any, state: Any) -> Any:
        return value - 0.1 * delta, state


def test_operators_in_a_rule_are_an_error_that_names_the_functions() -> None:
    w = Weight(np.ones(2), optimizer=Operators())
    with pytest.raises(TypeError, match="unsupported operand") as caught:
        compile(Sum(Times(w, w)), train=True)(None)
    assert any("Operators.update" in note and "xp.multiply(a, b) for a * b" in note for note in caught.value.__notes__)
