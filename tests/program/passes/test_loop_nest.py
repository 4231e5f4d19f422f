"""Which operations become a chain, in which order the others stand around it, and what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree.program.codegen.program import build
from layertree.program.ir.operations import Graph, Op
from layertree.program.passes import elementwise_fusion as fuse
from layertree.program.passes import loop_nest as chain
from layertree.program.passes.block_cuts import ROWS
from layertree.program.passes.elementwise_fusion import fuse as fused
from tests.program.graphs import BOOL, FLOAT, branch, filled, graph_of, number, op, shown, source, spec

ROWS_OF = spec(10, 3)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of four rows of three."""
    monkeypatch.setattr(fuse, "BLOCK", 12)


def parenthesized(graph: Graph, number: int = 0) -> Any:
    """What a chain of a graph holds."""
    return [one for one in graph.ops if one.name == "fused"][number].attributes["chain"]


def three(x: Op) -> list[Op]:
    """Three operations, one after the other."""
    first = op("exp", x)
    second = op("sin", first)
    return [first, second, op("cos", second)]


def test_three_operations_are_a_chain() -> None:
    x = source(ROWS_OF)
    ops = three(x)
    graph, given = fused(graph_of(x, *ops, outputs=(ops[2], (ops[2], x))), [ops[2]])
    assert shown(graph.ops) == ["input", "fused 0", "result 1"]
    result = graph.ops[2]
    assert (graph.outputs, given, result.spec) == ((result, (result, x)), [result], ROWS_OF)
    found = parenthesized(graph)
    assert shown(found.graph.ops) == ["state", "exp 0", "sin 1", "cos 2"]
    assert [one.spec for one in found.graph.ops] == [spec(4, 3)] * 4
    assert found.results == (found.graph.ops[3],)
    assert found.blocks == tuple([{ROWS: slice(*ends)} for ends in [(0, 4), (4, 8), (8, 10)]])
    assert [one.layer for one in found.graph.ops[1:]] == [one.layer for one in ops]


@pytest.mark.parametrize(
    ("shape", "count"), [((10, 3), 2), ((4, 3), 3), ((12,), 3), ((1, 30), 3), ((0, 3), 3), ((), 3)]
)
def test_what_is_short_or_small_stays(shape: Any, count: int) -> None:
    x = source(spec(*shape))
    before = graph_of(x, *three(x)[:count], outputs=())
    graph, given = fused(before, before.ops[1:])
    assert graph.ops == before.ops
    assert given == before.ops[1:]


def test_a_row_may_be_longer_than_a_block() -> None:
    x = source(spec(2, 30))
    ops = three(x)
    found = parenthesized(fused(graph_of(x, *ops, outputs=(ops[2],)), ())[0])
    assert found.blocks == ({ROWS: slice(0, 1)}, {ROWS: slice(1, 2)})


@pytest.mark.parametrize(("columns", "is_joined"), [(6, True), (7, False), (30, False)])
def test_a_sum_of_rows_needs_several_rows_in_a_block(columns: int, is_joined: bool) -> None:
    """With one row in each block it would read and write the sum once for each row; a number costs nothing."""
    x = source(spec(4, columns))
    ops = three(x)
    row, total = op("sum_of_rows", ops[2], kind=spec(columns)), op("sum", ops[2], kind=spec(), axis=(0, 1))
    before = graph_of(x, *ops, row, total, outputs=(row, total))
    graph, _ = fused(before, ())
    names = [one.name for one in parenthesized(graph).graph.ops]
    assert ("sum_of_rows" in names, "sum" in names) == (is_joined, True)
    data = np.random.default_rng(0).standard_normal((4, columns))
    wanted = np.cos(np.sin(np.exp(data)))
    program = build(before, ())
    found = program.run(program.frame(), data, (), (), ())
    np.testing.assert_allclose(found[0], wanted.sum(axis=0), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(found[1], wanted.sum(), rtol=1e-13)


def test_what_others_read_is_a_result() -> None:
    x = source(ROWS_OF)
    first, second, third = three(x)
    largest = op("max", first, kind=spec(3), axis=(0,))
    graph, _ = fused(graph_of(x, first, largest, second, third, outputs=(third, largest)), ())
    # The maximum waits, and does not end the chain.
    assert shown(graph.ops) == ["input", "fused 0", "result 1", "result 1", "max 2"]
    assert [one.attributes["position"] for one in graph.ops[2:4]] == [0, 1]
    found = parenthesized(graph)
    assert [one.name for one in found.results] == ["exp", "cos"]
    assert graph.outputs == (graph.ops[3], graph.ops[4])


def test_what_does_not_read_the_chain_comes_before_it() -> None:
    x, y = source(ROWS_OF, 0), source(spec(3), 1)
    first, second, third = three(x)
    row = op("exp", y)
    last = op("add", third, row)
    graph, _ = fused(graph_of(x, y, first, second, row, third, last, outputs=(last,)), ())
    assert shown(graph.ops) == ["input", "input", "exp 1", "fused 0 2", "result 3"]


def test_what_reads_what_waits_begins_another_chain() -> None:
    x = source(ROWS_OF)
    ops = three(x)
    largest = op("max", ops[2], kind=spec(3), axis=(0,))
    shifted = op("subtract", ops[2], largest)
    more = three(shifted)
    graph, _ = fused(graph_of(x, *ops, largest, shifted, *more, outputs=(more[2],)), ())
    assert shown(graph.ops) == ["input", "fused 0", "result 1", "max 2", "fused 2 3", "result 4"]
    assert [one.name for one in parenthesized(graph, 1).graph.ops if one.inputs] == ["subtract", "exp", "sin", "cos"]


def test_a_sum_over_rows_belongs_to_the_chain() -> None:
    """Each block adds its part; what reads the sum is outside, and may begin another chain."""
    x = source(ROWS_OF)
    ops = three(x)
    columns = op("sum_of_rows", ops[1], kind=spec(3))
    total = op("sum", ops[2], kind=spec(), axis=(0, 1))
    rows = op("sum", ops[2], kind=spec(10), axis=(1,))
    shifted = [op("subtract", ops[2], columns), op("add", x, total)]
    more = three(shifted[0])
    outputs = (total, columns, rows, more[2], shifted[1])
    before = graph_of(x, *ops, columns, total, rows, *shifted, *more, outputs=outputs)
    graph, _ = fused(before, ())
    names = ["input", "fused 0", *["result 1"] * 3, "getitem 4", "sum 2", "fused 2 3 0 5", "result 7", "result 7"]
    assert shown(graph.ops) == names
    inner = parenthesized(graph)
    assert [one.name for one in inner.graph.ops if one.inputs] == [
        *("exp", "sin", "cos", "sum_of_rows", "add", "getitem", "sum", "add")
    ]
    assert (inner.fills, inner.totals.keys()) == ({1: 0.0, 2: 0.0}, {1, 2})
    data = np.random.default_rng(0).standard_normal((10, 3))
    first, second = np.sin(np.exp(data)), np.cos(np.sin(np.exp(data)))
    shift = second - first.sum(axis=0)
    wanted = second.sum(), first.sum(axis=0), second.sum(axis=1), np.cos(np.sin(np.exp(shift))), data + second.sum()
    for threads in (1, 2):  # blocks that write to one sum are not shared among threads
        graph, _ = fused(before, (), threads)
        assert ("sum_of_rows" in [one.name for one in graph.ops]) == (threads == 2)
        program = build(before, (), threads)
        found = program.run(program.frame(), data, (), (), ())
        assert type(found[0]) is np.float64
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-14)


def test_another_shape_begins_another_chain() -> None:
    x, y = source(ROWS_OF, 0), source(spec(20, 3), 1)
    first, second = three(x), three(y)
    graph, _ = fused(graph_of(x, y, *first, *second, outputs=(first[2], second[2])), ())
    assert shown(graph.ops) == ["input", "input", "fused 0", "result 2", "fused 1", "result 4"]
    assert [len(parenthesized(graph, place).blocks) for place in (0, 1)] == [3, 5]


@pytest.mark.parametrize("kind", ["hook", "branch"])
def test_what_does_something_stays_in_its_place(kind: str) -> None:
    x, condition = source(ROWS_OF, 0), source(BOOL, 1)
    first, second = three(x), three(x)
    if kind == "hook":
        between = [op("hook", first[2], kind=BOOL)]
        expected = ["fused 0", "result 2", "hook 3"]
    else:
        between = branch(condition, [op("negative", first[2])], [op("tan", x)])
        expected = ["fused 0", "result 2", "negative 3", "tan 0", "cond 1", "result 6"]
    graph, _ = fused(graph_of(x, condition, *first, *between, *second, outputs=(second[2], between[-1])), ())
    count = len(expected) + 2
    assert shown(graph.ops) == ["input", "input", *expected, "fused 0", f"result {count}"]


def test_how_operands_are_cut() -> None:
    x, row, column, one_row = source(ROWS_OF, 0), source(spec(3), 1), source(spec(10, 1), 2), source(spec(1, 3), 3)
    weak, strong = source(FLOAT, 4), source(spec(), 5)
    spread = op("broadcast_to", column, kind=ROWS_OF, shape=(10, 3))
    total: Op = x
    ops: list[Op] = []
    for operand in (row, column, one_row, weak, strong, spread, x, number(2.0), filled(3.0, ROWS_OF)):
        total = op("add", total, operand, kind=ROWS_OF)
        ops.append(total)
    graph, _ = fused(graph_of(x, row, column, one_row, weak, strong, spread, *ops, outputs=(total,)), ())
    (head,) = [one for one in graph.ops if one.name == "fused"]
    assert head.inputs == (x, row, column, one_row, weak, strong)  # each once; what is spread out is read before that
    found = parenthesized(graph)
    assert [found.kinds[leaf] for leaf in found.leaves] == [(ROWS, None), (None,), (ROWS, None), (None, None), (), ()]
    shapes = [(4, 3), (3,), (4, 1), (1, 3), (), ()]
    assert [leaf.spec.shape for leaf in found.leaves] == shapes
    assert [leaf.spec.weak for leaf in found.leaves] == [False] * 4 + [True, False]
    assert [one.attributes["data"] for one in found.graph.ops if one.name == "constant"] == [2.0, 3.0]


@pytest.mark.parametrize(("worth", "threads", "expected"), [(1, 2, 2), (1, 5, 3), (1, 1, 1), (109, 2, 1), (108, 2, 2)])
def test_what_has_much_to_do_is_shared(
    monkeypatch: pytest.MonkeyPatch, worth: int, threads: int, expected: int
) -> None:
    monkeypatch.setattr(chain, "WORTH", worth)
    x = source(ROWS_OF)
    ops = three(x)
    found = parenthesized(fused(graph_of(x, *ops, outputs=(ops[2],)), (), threads)[0])
    assert found.threads == expected
    shares = found.shares()
    assert len(shares) == expected
    assert [block for share in shares for block in share] == list(found.blocks)


def test_constants_that_are_arrays_are_cut_like_any_operand() -> None:
    x, table = source(ROWS_OF), number(np.arange(30.0).reshape(10, 3))
    first = op("add", x, table)
    ops = [first, *three(first)]
    graph, _ = fused(graph_of(x, table, *ops, outputs=(ops[-1],)), ())
    assert shown(graph.ops) == ["input", "constant", "fused 0 1", "result 2"]
    assert [leaf.spec.shape for leaf in parenthesized(graph).leaves] == [(4, 3), (4, 3)]
