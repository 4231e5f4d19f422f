"""Dead code: what is dropped, and what stays though no output reads it."""

from __future__ import annotations

import pytest

from layertree.program.ir.operations import Op
from layertree.program.passes.dead_code import without_dead_code
from tests.program.graphs import BOOL, FLOAT, branch, graph_of, number, op, shown, source


def test_what_only_dead_code_reads_is_dead() -> None:
    x = source()
    kept, dead = op("exp", x), op("sin", x)
    graph = without_dead_code(graph_of(x, dead, op("cos", dead), kept, number(2.0), outputs=(kept,)))
    assert shown(graph.ops) == ["input", "exp 0"]
    assert graph.outputs == (kept,)


def test_a_shared_value_stays_once_and_in_its_place() -> None:
    x = source()
    shared = op("exp", x)
    first, second = op("sin", shared), op("cos", shared)
    graph = without_dead_code(graph_of(x, shared, op("tan", shared), first, second, outputs=(second, (first, second))))
    assert shown(graph.ops) == ["input", "exp 0", "sin 1", "cos 1"]


def test_parts_of_the_input_stay_in_any_case() -> None:
    x, y, weight = source(FLOAT, 0), source(FLOAT, 1), Op("cell", (), {"key": "w"}, FLOAT)
    graph = without_dead_code(graph_of(x, y, weight, op("multiply", x, weight), outputs=()))
    assert graph.ops == [x, y]


@pytest.mark.parametrize("outputs", [1, 2])
def test_an_output_may_be_a_part_of_the_input(outputs: int) -> None:
    x = source()
    assert without_dead_code(graph_of(x, op("exp", x), outputs=(x,) * outputs)).ops == [x]


def test_nothing_at_all() -> None:
    assert without_dead_code(graph_of(outputs=())).ops == []


def test_a_hook_and_what_it_sees_stay() -> None:
    x = source()
    seen = op("exp", x)
    graph = without_dead_code(graph_of(x, seen, op("hook", seen), op("hook", x), op("sin", seen), outputs=(x,)))
    assert shown(graph.ops) == ["input", "exp 0", "hook 1", "hook 0"]


def test_a_branch_keeps_what_its_sides_read() -> None:
    x, condition = source(), source(BOOL, 1)
    outside, unread = op("exp", x), op("sin", x)
    then, otherwise = op("negative", outside), op("cos", x)
    cond, result = branch(condition, [op("tan", unread), then], [otherwise])
    graph = without_dead_code(graph_of(x, condition, outside, unread, cond, result, outputs=(result,)))
    assert shown(graph.ops) == ["input", "input", "exp 0", "negative 2", "cos 0", "cond 1", "result 5"]
    assert [[one.name for one in body.ops] for body in graph.ops[3].bodies] == [["negative"], ["cos"]]


def test_a_side_may_give_what_is_computed_outside() -> None:
    x, condition = source(), source(BOOL, 1)
    outside, other = op("exp", x), op("sin", x)
    cond, result = branch(condition, [outside], [other])
    for body in cond.bodies:
        body.ops.clear()
    graph = without_dead_code(graph_of(x, condition, outside, other, op("cos", x), cond, result, outputs=(result,)))
    assert shown(graph.ops) == ["input", "input", "exp 0", "sin 0", "cond 1", "result 4"]


def test_a_branch_that_nobody_reads_goes_with_all_it_reads() -> None:
    x, condition = source(), source(BOOL, 1)
    outside = op("exp", x)
    cond, result = branch(condition, [op("negative", outside)], [op("cos", x)])
    graph = without_dead_code(graph_of(x, condition, outside, cond, result, outputs=(x,)))
    assert shown(graph.ops) == ["input", "input"]


def test_a_branch_within_a_branch() -> None:
    x, condition = source(), source(BOOL, 1)
    outside, unread = op("exp", x), op("sin", x)
    inner, inner_result = branch(condition, [op("cos", unread), op("negative", outside)], [op("tan", x)])
    cond, result = branch(condition, [inner, inner_result], [op("sqrt", x)])
    graph = without_dead_code(graph_of(x, condition, outside, unread, cond, result, outputs=(result,)))
    assert shown(graph.ops) == [
        *["input", "input", "exp 0"],
        *["negative 2", "tan 0", "cond 1", "result 5", "sqrt 0", "cond 1", "result 8"],
    ]
