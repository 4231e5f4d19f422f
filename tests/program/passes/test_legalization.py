"""Legalization: the same values by other primitives, wherever an operation stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Tuple
from layertree.core.spec import spec_of
from layertree.program.codegen.program import build
from layertree.program.ir.operations import Graph, Op, all_ops
from layertree.program.lower.lowering import lower
from layertree.program.passes.legalization import EXPANSIONS, legalized
from layertree.program.passes.result_ownership import owned
from layertree.typing import ArraySpec
from symbolic import placeholder, value_and_grad

GENERATOR = np.random.default_rng(0)
ROWS = GENERATOR.standard_normal((40, 5)).astype(np.float32)
IMAGES = GENERATOR.standard_normal((2, 6, 4, 3))
TIES = GENERATOR.integers(0, 2, (2, 6, 4, 3)).astype(np.float64)
MASK = GENERATOR.random((40, 5)) < 0.5


class All:
    """All primitives but some."""

    def __init__(self, *lacking: str) -> None:
        self._lacking = lacking

    def __contains__(self, name: object) -> bool:
        return name not in self._lacking


def _pooled(x: Any) -> Any:
    return value_and_grad(sy.sum(sy.max_pool2d(x) ** 2), x)


# Formulas by the primitives that their graphs are to lose.
FORMULAS: dict[str, tuple[Any, Any]] = {
    "masked": (lambda x: sy.where(MASK, x, -1.0), ROWS),
    "max_of_last": (lambda x: sy.max(x, axis=-1), ROWS),
    "sum_of_last": (lambda x: sy.sum(x, axis=-1), ROWS),
    "sum_of_rows": (lambda x: sy.sum(x, axis=0), ROWS),
    "max_pool2d": (_pooled, IMAGES),
    "max_unpool2d": (_pooled, TIES),
}


def graph_of(formula: Any, data: Any) -> Graph:
    x = placeholder(ArraySpec(data.shape, data.dtype))
    return lower(Tuple((formula(x).layer,)), spec_of(data))


def names_of(graph: Graph) -> set[str]:
    return {op.name for op in all_ops(graph.ops)}


def results_of(graph: Graph, data: Any, destinations: Any = (), new: Any = ()) -> Any:
    program = build(graph, destinations)
    return program.run(program.frame(), data, (), (), new)[0]


def same(given: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        for one, other in zip(given, wanted, strict=True):
            same(one, other)
        return
    assert given.dtype == wanted.dtype
    np.testing.assert_allclose(given, wanted, rtol=1e-6)


@pytest.mark.parametrize("name", FORMULAS)
def test_values_without_a_primitive(name: str) -> None:
    formula, data = FORMULAS[name]
    graph = graph_of(formula, data)
    legal, _ = legalized(graph, (), All(name))
    assert name in names_of(graph)
    assert name not in names_of(legal)
    same(results_of(legal, data), results_of(graph, data))


def test_every_expansion_of_its_own_is_tested() -> None:
    assert FORMULAS.keys() == {name for name, one in EXPANSIONS.items() if one is not EXPANSIONS["softmax"]}


def test_an_expansion_keeps_the_spec_and_the_layer() -> None:
    graph = graph_of(*FORMULAS["max_pool2d"])
    (before,) = [op for op in graph.ops if op.name == "max_pool2d"]
    legal, _ = legalized(graph, (), All("max_pool2d"))
    (after,) = [op for op in legal.ops if op.name == "max"]
    assert after.spec == before.spec
    assert after.layer is before.layer


def test_a_graph_of_primitives_alone_stays_as_it_is() -> None:
    graph = graph_of(*FORMULAS["max_pool2d"])
    assert legalized(graph, (), All("softmax"))[0] is graph


def test_a_definition_of_the_namespaces_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operation whose name is a definition's: its definition's own operations are expanded in their turn."""
    data = ROWS.astype(np.float64)
    graph = graph_of(lambda x: sy.exp(x), data)
    (exp,) = [op for op in graph.ops if op.name == "exp"]
    softmax = Op("softmax", exp.inputs, {"axis": -1}, exp.spec)
    given = Graph([exp.inputs[0], softmax], graph.source, (softmax,))
    legal, _ = legalized(given, (), All("softmax", "sum_of_last", "max_of_last"))
    assert {"exp", "divide", "sum", "max"} <= names_of(legal)
    assert not names_of(legal) & EXPANSIONS.keys()
    shares = np.exp(data) / np.exp(data).sum(-1, keepdims=True)
    np.testing.assert_allclose(results_of(legal, data), shares)


def test_a_definition_may_give_its_operand() -> None:
    """Also inside of another definition, and read by what is expanded itself."""
    graph = graph_of(lambda x: sy.exp(x), ROWS)
    (exp,) = [op for op in graph.ops if op.name == "exp"]
    first = Op("stop_gradient", exp.inputs, {}, exp.spec)
    second = Op("stop_gradient", (first,), {}, exp.spec)
    relu = Op("relu", (second,), {}, exp.spec)
    given = Graph([exp.inputs[0], first, second, relu], graph.source, (relu, second))
    legal, destinations = legalized(given, (second,), All("stop_gradient", "relu"))
    assert not names_of(legal) & EXPANSIONS.keys()
    assert legal.results()[1] is destinations[0] is legal.ops[0]
    np.testing.assert_array_equal(results_of(legal, ROWS), np.maximum(ROWS, 0))


def test_destinations_are_replaced() -> None:
    formula, data = FORMULAS["sum_of_rows"]
    graph, destinations = owned(graph_of(formula, data))
    legal, replaced = legalized(graph, destinations, All("sum_of_rows"))
    assert all(op in legal.ops for op in replaced)
    new = [np.empty(op.shape, op.dtype) for op in replaced]
    results_of(legal, data, replaced, new)
    np.testing.assert_allclose(new[0], data.sum(0), rtol=1e-5)


def test_both_sides_of_a_branch() -> None:
    data = (1.0, ROWS)
    flag, x = placeholder((float, ArraySpec(ROWS.shape, ROWS.dtype)))
    formula = sy.if_(flag > 0.0, sy.sum(x, axis=0), 2.0 * sy.sum(x, axis=0)) + 1.0
    graph = lower(Tuple((formula.layer,)), spec_of(data))
    legal, _ = legalized(graph, (), All("sum_of_rows"))
    assert "sum_of_rows" in names_of(graph)
    assert "sum_of_rows" not in names_of(legal)
    for number in (1.0, -1.0):
        same(results_of(legal, (number, ROWS)), results_of(graph, (number, ROWS)))


def test_branches_inside_of_one_another_at_any_depth() -> None:
    """One side of each holds the next; the interpreter's limit of recursion is 1000 calls."""
    data = (3.5, ROWS)
    flag, x = placeholder((float, ArraySpec(ROWS.shape, ROWS.dtype)))
    total = sy.sum(x, axis=0)
    for number in range(1050):
        total = sy.if_(flag > float(number), total + 1.0, sy.sum(x * float(number), axis=0))
    graph = lower(Tuple((total.layer,)), spec_of(data))
    legal, _ = legalized(graph, (), All("sum_of_rows"))
    assert "sum_of_rows" in names_of(graph)
    assert "sum_of_rows" not in names_of(legal)
    same(results_of(legal, data), results_of(graph, data))
