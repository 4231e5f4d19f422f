"""Lowering: which operations a formula becomes, once each, and in which nesting its values come."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import (
    Compose,
    Cos,
    DTypeError,
    Exp,
    Greater,
    Identity,
    If,
    Item,
    Layer,
    Literal,
    Negative,
    Plus,
    Sin,
    Sum,
    Times,
    Tuple,
    Weight,
    scope,
)
from layertree.core.fields import layer, operand
from layertree.core.free import Free
from layertree.core.spec import spec_of
from layertree.program.lower.lowering import lower
from tests.program.graphs import FLOAT, shown, spec

X: Any = Identity()


def lowered(*formulas: Any, kind: Any = FLOAT, **options: Any) -> Any:
    return lower(Tuple(formulas), kind, **options)


def test_equal_nodes_are_one_operation() -> None:
    shared = Exp(X)
    graph = lowered(Plus(shared, Sin(shared)), Exp(Identity()))
    assert shown(graph.ops) == ["input", "exp 0", "sin 1", "add 1 2"]
    assert graph.outputs == (graph.ops[3], graph.ops[1])


def test_an_output_twice_is_one_value() -> None:
    graph = lowered(Exp(X), Tuple((Exp(X), X)))
    assert shown(graph.ops) == ["input", "exp 0"]
    value, again = graph.ops[1], graph.ops[0]
    assert graph.outputs == (value, (value, again))
    assert graph.results() == [value, value, again]


def test_no_output_at_all() -> None:
    graph = lowered()
    assert (shown(graph.ops), graph.outputs, graph.source) == (["input"], (), graph.ops[0])


def test_the_parts_of_the_input_know_their_places() -> None:
    kind = (spec(2), ((), FLOAT, (spec(3),)))
    graph = lowered(Sum(Item(Item(Item(X, 1), 2), 0)), Item(X, 0), kind=kind)
    assert [one.attributes["key"] for one in graph.ops[:3]] == [(0,), (1, 1), (1, 2, 0)]
    first, second, third = graph.ops[:3]
    assert graph.source == (first, ((), second, (third,)))
    assert shown(graph.ops) == ["input", "input", "input", "sum 2"]
    assert graph.outputs[1] is first


def test_no_input() -> None:
    graph = lowered(Exp(Weight(2.0)), kind=())
    assert (shown(graph.ops), graph.source) == (["cell", "exp 0"], ())


def test_a_python_number_stays_weak() -> None:
    graph = lowered(Times(X, 2.0), Plus(3.0, Literal(4.0)), kind=spec(3, dtype=np.float32))
    product, total = graph.outputs
    assert product.spec == spec(3, dtype=np.float32)
    assert [one.spec for one in product.inputs if one.name == "constant"] == [FLOAT]
    assert (total.spec, total.attributes) == (FLOAT, {"data": 7.0})


def test_a_constant_tuple_is_its_parts() -> None:
    constant: Any = Literal((1.5, (np.arange(3.0), 2)))
    graph = lowered(constant, Item(Item(constant, 1), 0))
    number, (array, integer) = graph.outputs[0]
    assert [one.attributes["data"] for one in (number, integer)] == [1.5, 2]
    assert array.attributes["data"].tolist() == [0.0, 1.0, 2.0]
    assert graph.outputs[1] is array


def test_a_cell_is_one_value_by_its_name() -> None:
    with scope("dense"):
        w = Weight(2.0, name="kernel")
    bare, twin = Weight(3.0), Weight(2.0)
    graph = lowered(Times(w, X), Plus(w, bare), twin)
    cells = [one for one in graph.ops if one.name == "cell"]
    assert [one.attributes["name"] for one in cells] == ["dense/kernel", "weight_0", "weight_1"]
    assert [one.attributes["key"] for one in cells] == [w.cell, bare.cell, twin.cell]
    given = lowered(w, bare, Weight(1.0, name="own"), names={w.cell: "mine"})
    assert [one.attributes["name"] for one in given.outputs] == ["mine", "weight", "own"]


def test_free_variables_are_what_states_say() -> None:
    value, state, delta, again = (Free[Any](spec(2)) for _ in range(4))
    states = {value: (0, 0), state: (0, 1), delta: 3, again: (0, 0)}
    graph = lowered(value, state, delta, again, states=states)
    assert [one.attributes["name"] for one in graph.outputs] == ["value", "state", "delta", "value"]
    assert [one.attributes["key"] for one in graph.outputs] == [(0, 0), (0, 1), 3, (0, 0)]
    assert graph.outputs[0] is graph.outputs[3]


def test_the_sides_of_a_branch_are_recorded_apart() -> None:
    shared = Exp(X)
    formula = If(Greater(X, 0.0), Plus(Sin(X), shared), Negative(Sin(X)))
    graph = lowered(formula, shared)
    assert shown(graph.ops) == [
        *["input", "constant", "greater 0 1"],
        *["exp 0", "sin 0", "add 4 3", "sin 0", "negative 6", "cond 2", "result 8"],
    ]
    cond, result = graph.ops[-2:]
    assert cond.layer is result.layer is formula
    # What is needed in any case is computed before, so that the side finds it there.
    assert [[one.name for one in body.ops] for body in cond.bodies] == [["sin", "add"], ["sin", "negative"]]
    assert [body.results for body in cond.bodies] == [(cond.bodies[0].ops[-1],), (cond.bodies[1].ops[-1],)]


def test_a_branch_gives_what_both_sides_give() -> None:
    formula = If(Greater(X, 0.0), Tuple((X, Literal(2))), Tuple((Exp(X), Literal(3))))
    (first, second), third = lowered(formula, Item(formula, 1)).outputs
    assert (first.spec, second.spec) == (FLOAT, spec_of(2))
    assert [one.attributes["position"] for one in (first, second)] == [0, 1]
    assert third is second
    assert [one.attributes["data"] for one in [body.results[1] for body in first.inputs[0].bodies]] == [2, 3]


def test_a_composition_is_its_outer_formula_over_the_inner_one() -> None:
    graph = lowered(Compose(Plus(X, Sin(X)), Exp(X)), Sin(Exp(X)), Sin(X))
    assert shown(graph.ops) == ["input", "exp 0", "sin 1", "add 1 2", "sin 0"]
    assert graph.outputs == (graph.ops[3], graph.ops[2], graph.ops[4])


def test_each_operation_knows_its_layer() -> None:
    inner = Sin(X)
    outer = Cos(inner)
    graph = lowered(outer)
    assert [one.layer for one in graph.ops[1:]] == [inner, outer]
    assert graph.ops[1].layer is inner
    assert graph.ops[0].layer is None


@layer
class Opaque(Layer[Any, Any]):
    """A layer that the namespaces cannot express."""

    inner: Layer[Any, Any] = operand()

    def tape(self, xp: Any, *upstream: Any) -> Any:
        raise NotImplementedError


def test_a_tape_of_its_own_does_not_compile() -> None:
    with pytest.raises(DTypeError, match="Opaque makes a tape of its own, so it runs, but does not compile"):
        lowered(Exp(Opaque(X)))
