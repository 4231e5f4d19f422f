"""Splitting over the batch: what comes before, in parts and after, and that it is the whole together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree.program.codegen.program import build
from layertree.program.ir.operations import Graph, Op
from layertree.program.passes import batch_splitting as split
from layertree.program.passes.axis_propagation import SUM, Rows
from layertree.program.passes.batch_splitting import Split, after, analyse, before, part
from layertree.program.passes.dead_code import without_dead_code
from tests.program.graphs import BOOL, FLOAT, branch, cell, filled, graph_of, number, op, shown, source, spec

SIZE = 6


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split also what is small."""
    monkeypatch.setattr(split, "WORTH", 1)


def found_in(graph: Graph) -> Split:
    found = analyse(graph)
    assert found is not None
    return found


def linear() -> tuple[Graph, tuple[Op, ...]]:
    """A weighted sum over rows, of which the weight is computed first, and something computed from the sum."""
    x, w = source(spec(SIZE, 3)), cell("w", 3)
    weight = op("exp", w)
    product = op("multiply", x, weight)
    total = op("sum", product, kind=spec(3), axis=(0,))
    result = op("subtract", total, w)
    return graph_of(x, w, weight, product, total, result, outputs=(result, product)), (weight, product, total)


def test_three_stages() -> None:
    graph, (weight, product, total) = linear()
    found = found_in(graph)
    assert found.size == SIZE
    rows = Rows(0, 1)
    assert found.readings == dict(zip(graph.ops, [rows, None, None, rows, SUM, None], strict=True))
    assert [(cut.op, cut.axis) for cut in found.cuts] == [(weight, None)]
    assert (found.rows, found.sums) == ([product], [total])
    first = without_dead_code(before(graph, found))
    assert (shown(first.ops), first.outputs) == (["input", "cell", "exp 1"], (weight,))
    middle = part(graph, found, 2)
    assert shown(middle.ops) == ["state", "input", "multiply 1 0", "sum 2"]
    assert [one.spec.shape for one in middle.ops] == [(3,), (2, 3), (2, 3), (3,)]
    assert (middle.source, middle.outputs) == (middle.ops[1], tuple(middle.ops[2:]))
    assert middle.ops[0].attributes["key"] == ("cut", 0)
    last, results = after(graph, found)
    last = without_dead_code(last)
    assert shown(last.ops) == ["state", "state", "input", "cell", "subtract 1 3"]
    assert [one.attributes["key"] for one in last.ops[:2]] == [("part", 0), ("part", 1)]
    assert last.outputs == tuple(results) == (last.ops[4], last.ops[0])


def run(graph: Graph, data: Any, known: dict[Any, Any]) -> list[Any]:
    program = build(graph)
    given = [known[key] for key in program.cells], [known[key] for key in program.states]
    return list(program.run(program.frame(), data, *given, ()))


def in_parts(graph: Graph, data: tuple[Any, ...], known: dict[Any, Any], sizes: tuple[int, ...]) -> list[Any]:
    """What the stages of a graph give together."""
    found = found_in(graph)
    shared = run(before(graph, found), data, known)
    totals: list[Any] = []
    start = 0
    for rows in sizes:
        stop = start + rows
        mine = dict(known)
        for place, (cut, value) in enumerate(zip(found.cuts, shared, strict=True)):
            taken = slice(start * cut.unit, stop * cut.unit)
            mine["cut", place] = value if cut.axis is None else value[(slice(None),) * cut.axis + (taken,)]
        inputs = tuple([one[start:stop] if np.shape(one)[:1] == (SIZE,) else one for one in data])
        totals.append(run(part(graph, found, rows), inputs, mine))
        start = stop
    columns, count = list(zip(*totals, strict=True)), len(found.rows)
    places = [found.readings[one] for one in found.rows]
    rows_of_all = [np.concatenate(one, axis=place.axis) for one, place in zip(columns[:count], places, strict=True)]
    sums = [np.sum(one, axis=0) for one in columns[count:]]
    rest = dict(known)
    rest.update({("part", place): value for place, value in enumerate([*rows_of_all, *sums])})
    rest.update({("before", place): value for place, value in enumerate(shared)})
    return run(after(graph, found)[0], data, rest)


def branches() -> dict[str, tuple[Op, ...]]:
    """Graphs of two inputs of rows and a weight, each with its results last."""
    x, y, n = source(spec(SIZE, 3), 0), source(spec(SIZE, 2), 1), source(FLOAT, 2)
    w, whole = cell("w", 3, 2), cell("whole", SIZE, 2)
    leaves = (x, y, n, w, whole)
    product = op("matmul", x, w, kind=spec(SIZE, 2))
    with_scaled_operands = op("multiply", n, product, kind=spec(SIZE, 2))
    moved = op("add", with_scaled_operands, op("exp", whole))
    column = op("sum", moved, kind=spec(SIZE), axis=(1,))
    total = op("sum", moved, kind=spec(), axis=(0, 1))
    slope = op("matmul", op("transpose", x, kind=spec(3, SIZE), axes=(1, 0)), moved, kind=spec(3, 2))
    step = op("subtract", w, op("multiply", number(0.1), slope, kind=spec(3, 2)))
    ones = filled(1.0, spec(SIZE, 2))
    with_ones = op("add", ones, y)
    flat = op("reshape", with_ones, kind=spec(2 * SIZE), shape=(2 * SIZE,))
    spread = op("broadcast_to", n, kind=spec(SIZE, 2), shape=(SIZE, 2))
    joined = op("concat", with_ones, spread, kind=spec(SIZE, 4), axis=1)
    middle = (*leaves, product, with_scaled_operands, moved.inputs[1], moved)
    return {
        "rows": (*middle, moved),
        "a column": (*middle, column, column),
        "a number": (*middle, total, op("exp", total)),
        "a step": (*middle, slope.inputs[0], slope, step.inputs[1].inputs[0], step.inputs[1], step),
        "constants": (*leaves, ones, with_ones, with_ones),
        "units": (*leaves, ones, with_ones, flat, op("exp", flat)),
        "joined": (*leaves, ones, with_ones, spread, joined, joined),
        "a sum beside rows": (*middle, total, column, op("multiply", total, n, kind=spec())),
    }


@pytest.mark.parametrize("sizes", [(6,), (2, 4), (1, 1, 3, 1)])
@pytest.mark.parametrize("name", branches())
def test_the_parts_together_are_the_whole(name: str, sizes: tuple[int, ...]) -> None:
    ops = tuple(dict.fromkeys(branches()[name]))
    outputs = (ops[-1],) if name != "a sum beside rows" else ops[-3:]
    graph = graph_of(*ops, outputs=outputs)
    generator = np.random.default_rng(0)
    data = generator.standard_normal((SIZE, 3)), generator.standard_normal((SIZE, 2)), 1.5
    known = {one.attributes["key"]: generator.standard_normal(one.spec.shape) for one in ops if one.name == "cell"}
    expected = run(graph, data, known)
    found = in_parts(graph, data, known, sizes)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert np.shape(one) == np.shape(other)


def test_what_parts_read_of_all_rows_is_cut_for_them() -> None:
    x, whole = source(spec(SIZE, 2)), cell("whole", SIZE, 2)
    computed = op("exp", whole)
    first, second, third = op("add", x, computed), op("multiply", x, computed), op("subtract", x, whole)
    last = op("add", op("add", first, second), third)
    graph = graph_of(x, whole, computed, first, second, third, last.inputs[0], last, outputs=(last,))
    found = found_in(graph)
    assert [(cut.op, cut.axis, cut.unit) for cut in found.cuts] == [(computed, 0, 1), (whole, 0, 1)]
    assert found.rows == [last]  # what only rows read stays in the parts
    leaves = [one for one in part(graph, found, 3).ops if one.name == "state"]
    assert [(leaf.attributes["key"], leaf.spec) for leaf in leaves] == [
        (("cut", 0), spec(3, 2)),
        (("cut", 1), spec(3, 2)),
    ]


def test_a_row_may_have_several_elements_beside_one_another() -> None:
    x, w = source(spec(SIZE, 2)), cell("w", 2 * SIZE)
    computed, flat = op("exp", w), op("reshape", x, kind=spec(2 * SIZE), shape=(2 * SIZE,))
    total = op("add", flat, computed)
    graph = graph_of(x, w, computed, flat, total, outputs=(total,))
    found = found_in(graph)
    assert [(cut.op, cut.axis, cut.unit) for cut in found.cuts] == [(computed, 0, 2)]
    assert [one.spec.shape for one in part(graph, found, 3).ops] == [(6,), (3, 2), (6,), (6,)]


def test_what_was_computed_before_is_not_computed_again_after() -> None:
    x, w = source(spec(SIZE, 2)), cell("w", 2)
    weight = op("exp", w)
    total = op("sum", op("multiply", x, weight), kind=spec(2), axis=(0,))
    result = op("divide", total, weight)
    graph = graph_of(x, w, weight, total.inputs[0], total, result, outputs=(result,))
    last, _ = after(graph, found_in(graph))
    assert shown(without_dead_code(last).ops) == ["state", "state", "input", "divide 0 1"]
    assert [one.attributes["key"] for one in last.ops[:2]] == [("part", 0), ("before", 0)]


def test_what_the_program_is_given_is_read_as_it_is() -> None:
    x, w = source(spec(SIZE, 2)), cell("w", 3, 2)
    turned = op("transpose", w, kind=spec(2, 3), axes=(1, 0))
    product = op("matmul", x, turned, kind=spec(SIZE, 3))
    graph = graph_of(x, w, turned, product, outputs=(product,))
    found = found_in(graph)
    assert found.cuts == []
    assert shown(part(graph, found, 2).ops) == ["cell", "transpose 0", "input", "matmul 2 1"]


def test_a_constant_of_one_number_is_made_in_the_size_of_a_part() -> None:
    x, ones = source(spec(SIZE, 2)), filled(1.0, spec(SIZE, 2))
    total = op("add", x, ones)
    graph = graph_of(x, ones, total, outputs=(total,))
    found = found_in(graph)
    constant = next(one for one in part(graph, found, 2).ops if one.name == "constant")
    assert found.cuts == []
    assert (constant.spec, constant.attributes["fill"], constant.attributes["data"].shape) == (spec(2, 2), 1.0, (2, 2))


def test_a_result_twice_and_a_part_of_the_input() -> None:
    x = source(spec(SIZE, 2))
    value = op("exp", x)
    graph = graph_of(x, value, outputs=(value, (x, value)))
    found = found_in(graph)
    assert found.rows == [value]
    last, results = after(graph, found)
    state = last.ops[0]
    assert last.outputs == (state, (x, state))
    assert results == [state, x, state]


def no_rows() -> dict[str, Graph]:
    x, w = source(spec(SIZE, 2)), cell("w", 2)
    total = op("sum", x, kind=spec(2), axis=(0,))
    centred = op("subtract", x, total)
    later = op("subtract", x, op("exp", total))
    seen = op("hook", x, kind=BOOL)
    condition = source(BOOL, 1)
    cond, result = branch(condition, [op("exp", x)], [op("sin", x)])
    mixed = op("sort", x)
    return {
        "no input": graph_of(w, op("exp", w), outputs=(w,)),
        "no array": graph_of(source(FLOAT), outputs=()),
        "no rows": graph_of(source(spec(0, 2)), outputs=()),
        "a reading that is not known": graph_of(x, mixed, outputs=(mixed,)),
        "rows of a sum over rows": graph_of(x, total, centred, outputs=(centred,)),
        "rows of what is computed from a sum": graph_of(x, total, later.inputs[1], later, outputs=(later,)),
        "a hook": graph_of(x, seen, op("exp", x), outputs=(x,)),
        "a branch": graph_of(x, condition, cond, result, outputs=(result,)),
        "nothing of rows in the result": graph_of(x, w, op("exp", w), outputs=(w,)),
    }


@pytest.mark.parametrize("name", no_rows())
def test_what_is_not_split(name: str) -> None:
    assert analyse(no_rows()[name]) is None


def test_what_is_small_is_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    x = source(spec(SIZE, 2))
    value = op("exp", x)
    large = op("broadcast_to", number(1.0), kind=spec(100), shape=(100,))
    graph = graph_of(x, value, large, outputs=(value, large))
    monkeypatch.setattr(split, "WORTH", 12)
    assert analyse(graph) is not None
    monkeypatch.setattr(split, "WORTH", 13)
    assert analyse(graph) is None  # what is large does not run over the batch
