"""Numbers inside of other expressions: which stand there, in which brackets, and when the names of others are free."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from layertree.program.codegen.inlining import Inlining, parenthesized
from layertree.program.codegen.liveness import liveness_of
from layertree.program.codegen.templates import expression
from layertree.program.ir.operations import Op
from tests.program.graphs import BOOL, FLOAT, branch, graph_of, number, op, source, spec


def inlining(*ops: Op, outputs: Any) -> Inlining:
    graph = graph_of(*ops, outputs=outputs)
    return Inlining(graph, liveness_of(graph))


def inlined(*ops: Op, outputs: Any) -> list[Op]:
    found = inlining(*ops, outputs=outputs)
    return [one for one in ops if found.inlines(one, "short")]


def test_a_number_that_is_read_once_stands_inside() -> None:
    x = source()
    first, second = op("exp", x), op("sin", x)
    third = op("add", first, second)
    assert inlined(x, first, second, third, outputs=(third,)) == [first, second]


def test_a_result_and_what_is_read_twice_have_names() -> None:
    x = source()
    twice, result = op("exp", x), op("sin", x)
    square, total = op("multiply", twice, twice), op("add", twice, result)
    last = op("subtract", square, total)
    assert inlined(x, twice, result, square, total, last, outputs=(last, result)) == [square, total]


def test_two_places_of_one_reader_are_two() -> None:
    x = source()
    value = op("exp", x)
    square = op("multiply", value, value)
    assert inlined(x, value, square, outputs=(square,)) == []


def test_what_meets_arrays_has_a_name() -> None:
    x, array = source(), source(spec(3), 1)
    read, total = op("exp", x), op("sum", array, kind=spec(), axis=(0,))
    mixed = op("of_mine", array, x, kind=FLOAT)
    product, other, third = op("multiply", read, array, kind=spec(3)), op("exp", total), op("exp", mixed)
    ops = (x, array, read, total, mixed, product, other, third)
    assert inlined(*ops, outputs=(product, other, third)) == []


def test_what_a_hook_sees_has_a_name() -> None:
    x = source()
    seen, other = op("exp", x), op("sin", x)
    hook = op("hook", seen, kind=BOOL)
    assert inlined(x, seen, hook, other, outputs=(other,)) == []


def test_what_a_branch_and_one_more_read_has_a_name() -> None:
    x, condition = source(), source(BOOL, 1)
    shared, given = op("exp", x), op("sin", x)
    cond, result = branch(condition, [op("negative", shared)], [given])
    cond.bodies[1].ops.clear()
    last = op("add", op("add", result, shared), given)
    assert inlined(x, condition, shared, given, cond, result, last.inputs[0], last, outputs=(last,)) == [last.inputs[0]]


def test_what_a_branch_reads_has_a_name() -> None:
    x, condition = source(), source(BOOL, 1)
    read, given, beside = op("exp", x), op("sin", x), op("cos", x)
    cond, result = branch(condition, [op("negative", read)], [given])
    cond.bodies[1].ops.clear()
    last = op("add", result, beside)
    found = inlined(x, condition, read, given, beside, cond, result, last, outputs=(last,))
    assert found == [beside]


def test_a_long_expression_has_a_name() -> None:
    x = source()
    value = op("exp", x)
    result = op("sin", value)
    found = inlining(x, value, result, outputs=(result,))
    assert not found.inlines(value, "e" * 61)
    assert found.inlines(value, "e" * 60)


def test_a_name_is_free_after_its_last_reader() -> None:
    x = source()
    value, other = op("exp", x), op("sin", x)
    first, second = op("add", value, other), op("multiply", value, other)
    result = op("subtract", first, second)
    ops = (x, value, other, first, second, result)
    found = inlining(*ops, outputs=(result, other))
    assert not found.inlines(value, "text")
    assert found.ended(value) == []  # what is given to the program has no name to give back
    assert found.ended(first) == []
    # ``value`` is read for the last time; ``other`` is a result.
    assert found.ended(second) == [value]
    assert found.ended(result) == [first, second]


def test_what_stands_inside_reads_where_it_stands() -> None:
    x = source()
    value = op("exp", x)
    inner, beside = op("add", value, x), op("multiply", value, value)
    result = op("subtract", inner, beside)
    found = inlining(x, value, inner, beside, result, outputs=(result,))
    assert found.inlines(inner, "exp + x")
    assert found.ended(beside) == []
    assert found.ended(result) == [value, beside]


VALUES = {"a": 3.3, "b": 5.4, "c": 6.0, "d": 3.7}
"""Of these numbers another order of operations gives other bits."""

OPERATORS = ["add", "subtract", "multiply", "greater", "negative", "exp", "where"]


def made_of(name: str, texts: dict[Op, str], letters: str) -> Op:
    leaves = [source(FLOAT, i) for i in range(len(letters))]
    texts.update(zip(leaves, letters, strict=True))
    if name == "where":
        condition = Op("constant", (), {"data": True}, BOOL)
        texts[condition] = "True"
        return Op("where", (condition, *leaves), {}, FLOAT)
    return Op(name, tuple(leaves[:1] if name in ("negative", "exp") else leaves), {}, FLOAT)


def value_of(one: Op, texts: dict[Op, str]) -> float:
    """What an operation gives, without any text."""
    if one in texts:
        return float(eval(texts[one], dict(VALUES)))
    given = [value_of(read, texts) for read in one.inputs]
    if one.name == "where":
        return given[1] if given[0] else given[2]
    return float(getattr(np, one.name)(*given))


PLACES = [(outer, place) for outer in OPERATORS for place in range({"negative": 1, "exp": 1, "where": 3}.get(outer, 2))]


@pytest.mark.parametrize("inner", OPERATORS)
@pytest.mark.parametrize(("outer", "place"), PLACES)
def test_brackets_keep_the_meaning(outer: str, place: int, inner: str) -> None:
    texts: dict[Op, str] = {}
    read, reader = made_of(inner, texts, "ab"), made_of(outer, texts, "cd")
    inputs = list(reader.inputs)
    inputs[place] = read
    reader = attrs.evolve(reader, inputs=tuple(inputs))
    shown = [
        parenthesized(one, reader, expression(one, [texts[leaf] for leaf in one.inputs]) if one is read else texts[one])
        for one in reader.inputs
    ]
    found = eval(expression(reader, shown), {"exp": np.exp, **VALUES})
    assert float(found) == value_of(reader, texts)


@pytest.mark.parametrize(
    ("outer", "inner", "text"),
    [
        ("add", "multiply", "a * b + d"),
        ("subtract", "multiply", "a * b - d"),
        ("add", "add", "a + b + d"),
        ("multiply", "add", "(a + b) * d"),
        ("multiply", "exp", "exp(a) * d"),
        ("exp", "add", "exp(a + b)"),
        ("subtract", "add", "(a + b) - d"),
    ],
)
def test_brackets_stand_where_they_are_needed(outer: str, inner: str, text: str) -> None:
    texts: dict[Op, str] = {}
    read, reader = made_of(inner, texts, "ab"), made_of(outer, texts, "cd")
    reader = attrs.evolve(reader, inputs=(read, *reader.inputs[1:]))
    shown = parenthesized(read, reader, expression(read, [texts[leaf] for leaf in read.inputs]))
    assert expression(reader, [shown, *[texts[one] for one in reader.inputs[1:]]]) == text


def test_what_is_given_to_the_program_needs_no_brackets() -> None:
    minus = number(-2.0)
    assert parenthesized(minus, op("multiply", minus, minus), "-2.0") == "-2.0"
