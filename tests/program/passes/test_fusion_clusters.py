"""Regions: what is put together runs in one piece, and what is around it in an order in which all is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from layertree.program.ir.operations import Graph, Op
from layertree.program.passes.fusion_clusters import Region, connected, gathered
from tests.program.graphs import BOOL, branch, graph_of, number, op, shown, source, spec


def mine(one: Op) -> bool:
    """What belongs into a region in these tests."""
    return one.name in ("exp", "sin", "reshape")


class Blocks:
    """Regions of what is mine and connected, each written as one operation with a result for each that others read."""

    def __init__(self) -> None:
        self.regions: list[Region] = []

    def find(self, ops: list[Op]) -> Any:
        kept = connected(ops[0], {one for one in ops if mine(one)})
        return ({}, kept) if len(kept) > 1 else None

    def write(self, region: Region, made: dict[Op, Op]) -> list[Op]:
        self.regions.append(region)
        block = op("block", kind=BOOL)
        results = [op("result", block, kind=one.spec) for one in region.outside]
        made.update(zip(region.outside, results, strict=True))
        return [block, *results]

    def gathered(self, graph: Graph, given: Iterable[Op] = ()) -> tuple[Graph, list[Op]]:
        return gathered(graph, given, lambda one: one.name == "exp", self.find, self.write)


def test_what_does_not_read_a_region_comes_before_it() -> None:
    x = source(spec(3))
    first, aside = op("exp", x), op("tan", x)
    second = op("sin", first)
    late, later = op("cos", first), op("sqrt", aside)
    last = op("add", second, late)
    blocks = Blocks()
    graph, _ = blocks.gathered(graph_of(x, first, aside, late, second, later, last, outputs=(last, later)))
    assert shown(graph.ops) == ["input", "tan 0", "sqrt 1", "block", "result 3", "result 3", "cos 4", "add 5 6"]
    (region,) = blocks.regions
    assert region.members == (first, second)
    assert region.outside == (first, second)
    assert graph.outputs == (graph.ops[-1], later)


def test_what_only_the_region_reads_is_not_handed_out() -> None:
    x = source(spec(3))
    first = op("exp", x)
    second = op("sin", first)
    blocks = Blocks()
    graph, given = blocks.gathered(graph_of(x, first, second, outputs=(second, (second, x))), [second])
    assert shown(graph.ops) == ["input", "block", "result 1"]
    assert blocks.regions[0].outside == (second,)
    result = graph.ops[2]
    assert (graph.outputs, given) == ((result, (result, x)), [result])


def test_a_view_that_others_read_is_made_once_more() -> None:
    x = source(spec(3, 2))
    first = op("exp", x)
    view = op("reshape", first, kind=spec(6), shape=(6,))
    second, other = op("sin", view), op("tan", view)
    blocks = Blocks()
    graph, _ = blocks.gathered(graph_of(x, first, view, second, other, outputs=(second, other)))
    (region,) = blocks.regions
    assert region.outside == (first, second)
    assert shown(graph.ops) == ["input", "block", "result 1", "result 1", "reshape 2", "tan 4"]


def test_two_regions() -> None:
    x = source(spec(3))
    first = op("exp", x)
    second = op("sin", first)
    between = op("sum", second, kind=spec(), axis=(0,))
    third = op("exp", between, kind=spec(3))
    fourth = op("sin", third)
    blocks = Blocks()
    graph, _ = blocks.gathered(graph_of(x, first, second, between, third, fourth, outputs=(fourth,)))
    assert [region.members for region in blocks.regions] == [(first, second), (third, fourth)]
    assert shown(graph.ops) == ["input", "block", "result 1", "sum 2", "block", "result 4"]


def test_a_branch_that_reads_a_region_comes_after_it() -> None:
    x, condition = source(spec(3), 0), source(BOOL, 1)
    first = op("exp", x)
    second = op("sin", first)
    cond, result = branch(condition, [op("negative", second)], [op("tan", x)])
    blocks = Blocks()
    graph, _ = blocks.gathered(graph_of(x, condition, first, second, cond, result, outputs=(result,)))
    assert shown(graph.ops) == ["input", "input", "block", "result 2", "negative 3", "tan 0", "cond 1", "result 6"]
    assert cond.bodies[0].ops[0].inputs == (second,)  # the graph that was given stays as it was
    assert blocks.regions[0].outside == (second,)


def test_hooks_stay_in_their_order() -> None:
    x = source(spec(3))
    first = op("exp", x)
    second = op("sin", first)
    hooks = [op("hook", one, kind=BOOL) for one in (second, x, first)]
    blocks = Blocks()
    graph, _ = blocks.gathered(graph_of(x, first, second, *hooks, outputs=(second,)))
    assert shown(graph.ops) == ["input", "block", "result 1", "result 1", "hook 3", "hook 0", "hook 2"]


def test_a_branch_that_a_region_needs_comes_before_it() -> None:
    x, condition = source(spec(3), 0), source(BOOL, 1)
    first = op("exp", x)
    late, given = branch(condition, [op("negative", first)], [op("tan", x)])
    early, needed = branch(condition, [op("cos", x)], [op("tan", x)])
    second = op("sin", first, needed)
    blocks = Blocks()
    graph, _ = blocks.gathered(
        graph_of(x, condition, first, late, given, early, needed, second, outputs=(second, given))
    )
    order = ["input", "input", "cos 0", "tan 0", "cond 1", "result 4", "block", "result 6", "result 6"]
    assert shown(graph.ops) == [*order, "negative 7", "tan 0", "cond 1", "result 11"]


def test_where_there_is_no_region_the_graph_stays() -> None:
    x = source(spec(3))
    alone, other = op("exp", x), op("tan", x)
    before = graph_of(x, alone, other, outputs=(alone, other))
    blocks = Blocks()
    graph, given = blocks.gathered(before, [other])
    assert graph is before
    assert (given, blocks.regions) == ([other], [])
    assert blocks.gathered(graph_of(outputs=()))[0].ops == []


@pytest.mark.parametrize("start", [0, 1, 3])
def test_what_is_connected(start: int) -> None:
    x = source(spec(3))
    first = op("exp", x)
    second = op("sin", first)
    between = op("tan", second)
    third = op("exp", between)
    beside = op("add", number(1.0), second, kind=spec(3))
    kept = {first, second, third, beside}
    found = connected([first, second, between, third][start], kept | {x})
    assert found == ({third} if start == 3 else {x, first, second, beside})
