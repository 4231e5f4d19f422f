"""Results that fill the arrays of the caller: each by an operation of its own."""

from __future__ import annotations

import numpy as np
import pytest

from layertree.program.ir.operations import Op
from layertree.program.passes.result_ownership import owned
from tests.program.graphs import FLOAT, filled, graph_of, number, op, shown, source, spec


def test_an_operation_that_fills_an_array_is_given_one() -> None:
    x = source(spec(3))
    first, second = op("exp", x), op("sum", x, kind=spec(), axis=(0,))
    third = op("sin", first)
    graph, given = owned(graph_of(x, first, second, third, outputs=(first, (second, third))))
    assert given == [first, third]
    assert graph.outputs == (first, (second, third))
    assert shown(graph.ops) == ["input", "exp 0", "sum 0", "sin 1"]


@pytest.mark.parametrize(
    "result",
    [
        source(spec(3)),
        Op("cell", (), {"key": "w"}, spec(3)),
        number(np.ones(3)),
        filled(0.0, spec(3)),
        op("reshape", source(spec(3, 1)), kind=spec(3), shape=(3,)),
        op("broadcast_to", source(spec(1)), kind=spec(3), shape=(3,)),
        op("bernoulli", source(FLOAT), kind=spec(3, dtype=np.bool_)),
    ],
    ids=lambda one: one.name,
)
def test_what_fills_nothing_is_copied(result: Op) -> None:
    graph, given = owned(graph_of(*result.inputs, result, outputs=(result,)))
    (copy,) = given
    assert (copy.name, copy.inputs, copy.spec) == ("astype", (result,), result.spec)
    assert copy.attributes["dtype"] == result.spec.dtype
    assert graph.ops == [*result.inputs, result, copy]
    assert graph.outputs == (copy,)


def test_one_value_for_two_arrays_is_copied_once() -> None:
    x = source(spec(3))
    value = op("exp", x)
    graph, given = owned(graph_of(x, value, outputs=(value, (value,))))
    assert [one.name for one in given] == ["exp", "astype"]
    assert given[1].inputs == (value,)
    assert graph.outputs == (value, (given[1],))


def test_the_first_results_stay_as_they_are() -> None:
    x = source(spec(3))
    value, other = op("exp", x), op("sin", x)
    graph, given = owned(graph_of(x, value, other, outputs=(x, value, value, other)), 2)
    assert [one.name for one in given] == ["astype", "sin"]  # the second result is handed out, the third is filled
    assert graph.outputs == (x, value, *given)
    assert given[0].inputs == (value,)


def test_numbers_are_never_filled() -> None:
    x, y = source(FLOAT, 0), source(spec(dtype=np.float32), 1)
    made = op("exp", x)
    graph, given = owned(graph_of(x, y, made, outputs=(made, y, x, made)))
    assert (given, graph.outputs) == ([], (made, y, x, made))


def test_no_results() -> None:
    graph, given = owned(graph_of(source(), outputs=()))
    assert (given, graph.outputs, shown(graph.ops)) == ([], (), ["input"])


def test_the_graph_that_is_given_stays() -> None:
    x = source(spec(3))
    before = graph_of(x, outputs=(x,))
    after, _ = owned(before)
    assert (shown(before.ops), before.outputs) == (["input"], (x,))
    assert shown(after.ops) == ["input", "astype 0"]
