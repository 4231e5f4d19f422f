"""The pipeline: passes by name in their order, none of which changes the graph that it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam
from layertree.core.spec import spec_of
from layertree.program.ir.operations import Graph, Op, all_ops
from layertree.program.lower.lowering import lower
from layertree.program.lower.step_derivation import training_step
from layertree.program.passes.pipeline import (
    OPTIMIZATION,
    PASSES,
    SIMPLIFICATION,
    Pass,
    optimized_graph,
    passed,
    simplified_graph,
)
from layertree.program.passes.result_ownership import owned
from layertree.typing import ArraySpec
from symbolic import exp, if_, mean, placeholder, scaled_dot_product_attention, sin, sum, tanh, weight
from tests.program.networks import IMAGE, batch, convolutional, mlp, regression


def attention() -> Any:
    rows = placeholder(ArraySpec((800, 4)))
    q, k, v = [rows @ weight(np.full((4, 4), 0.1 * i), name=f"weight_{i}") for i in (1, 2, 3)]
    return mean(scaled_dot_product_attention(q, k, v, causal=True), axis=(-2, -1))


def branches() -> Any:
    x = placeholder(float)
    w = weight(2.0, name="w")
    return if_(x > 0.0, exp(x * w), if_(x > -1.0, sin(w), w * w))


def chain() -> Any:
    x = placeholder(ArraySpec((1000, 100)))
    return mean(exp(sin(x * weight(np.ones(100), name="w"))), axis=(-2, -1))


def recurrence() -> Any:
    x = placeholder(ArraySpec((40, 8, 3)))
    w = weight(np.full((3, 3), 0.1), name="w")
    state: Any = x[0]
    for i in range(1, 40):
        state = tanh(state @ w + x[i])
    return sum(state, axis=(-2, -1))


STEPS: dict[str, tuple[Callable[[], Any], Any, Any]] = {
    "regression": (regression, batch(4, 6), SGD(0.1)),
    "mlp": (mlp, batch(4, 6), Adam(0.01)),
    "convolutional": (convolutional, batch(4, *IMAGE), SGD(0.1)),
    "attention": (attention, np.zeros((800, 4)), Adam()),
    "branches": (branches, 1.0, SGD(0.1)),
    "chain": (chain, np.zeros((1000, 100)), SGD(0.1)),
    "recurrence": (recurrence, np.zeros((40, 8, 3)), SGD(0.1)),
}


def lowered(name: str) -> tuple[Graph, list[Op]]:
    build, data, rule = STEPS[name]
    spec = spec_of(data)
    step = training_step(build().layer, spec, rule)
    return owned(lower(step.root(), spec, step.states), 1)


def state_of(graph: Graph) -> list[Any]:
    """All that a pass could change in a graph."""
    return [
        (op, op.name, op.inputs, dict(op.attributes), op.spec, op.layer, [(list(b.ops), b.results) for b in op.bodies])
        for op in all_ops(graph.ops)
    ]


@pytest.mark.parametrize("name", STEPS)
def test_no_pass_changes_the_graph_that_it_is_given(name: str) -> None:
    graph, given = lowered(name)
    seen: list[str] = []

    def observe(one: Pass, before: Graph, after: Graph) -> None:
        seen.append(one.name)
        assert [op.spec for op in after.results()] == [op.spec for op in before.results()]

    for one in PASSES:
        before, ops, outputs = state_of(graph), list(graph.ops), graph.outputs
        new, moved = passed([one], graph, given, 2, observe)
        assert all(was[0] is now[0] and was[1:] == now[1:] for was, now in zip(before, state_of(graph), strict=True))
        assert graph.ops == ops
        assert graph.outputs is outputs
        places = {op: place for place, op in enumerate(graph.results())}
        assert moved == [new.results()[places[op]] for op in given]
        graph, given = new, moved
    assert seen == [one.name for one in PASSES]


@pytest.mark.parametrize("name", STEPS)
def test_the_groups_are_their_passes_in_order(name: str) -> None:
    graph, given = lowered(name)
    first = simplified_graph(graph, given)
    second = optimized_graph(*first, 1)
    assert str(second[0]) == str(passed(PASSES, graph, given)[0])


def test_each_pass_has_something_to_do_in_some_step() -> None:
    changed: set[str] = set()
    for name in STEPS:
        passed(PASSES, *lowered(name), 1, lambda one, old, new: changed.add(one.name) if str(old) != str(new) else None)
    assert changed == {one.name for one in PASSES}


def test_names_are_unique_but_for_the_pass_that_runs_twice() -> None:
    assert len({one.name for one in PASSES}) == len(PASSES) - 1
    assert SIMPLIFICATION[0] is OPTIMIZATION[0]
