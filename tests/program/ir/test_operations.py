"""Graphs as text: one line an operation, with the numbers of its operands."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from layertree import Greater, Identity, If, Plus, Sum, Times, Tuple, Weight
from layertree.core.spec import spec_of
from layertree.program.ir.operations import Op, all_ops, remapped, users_of
from layertree.program.lower.lowering import lower
from tests.program.graphs import op, source

X: Any = Identity()


def test_a_graph_is_shown_with_operands_attributes_and_specs() -> None:
    graph = lower(Tuple((Sum(Times(X, Weight(2.0, name="factor")), axis=0),)), spec_of(np.ones((3, 2), np.float32)))
    assert str(graph).splitlines() == [
        "%0 = input: float32 (3, 2)",
        "%1 = cell name='factor': float",
        "%2 = multiply %0 %1: float32 (3, 2)",
        "%3 = sum_of_rows %2: float32 (2,)",
        "outputs (%3,)",
    ]


def test_the_sides_of_a_branch_are_shown_before_it() -> None:
    graph = lower(Tuple((If(Greater(X, 0.0), Plus(X, 1.0), X),)), spec_of(1.0))
    lines = str(graph).splitlines()
    assert [line.split(" = ")[1].split(":")[0] for line in lines[:-1]] == [
        *["input", "constant 0.0", "greater %0 %1", "constant 1.0", "add %0 %3", "cond %2", "result %5 position=0"]
    ]
    assert len(list(all_ops(graph.ops))) == len(lines) - 1


def test_users_and_replacements() -> None:
    graph = lower(Tuple((Times(Plus(X, 1.0), Plus(X, 1.0)),)), spec_of(1.0))
    x, one, total, product = graph.ops
    assert users_of(graph) == {x: [total], one: [total], total: [product, product], product: []}
    made = {total: x}
    new = remapped(product, made)
    assert (new.inputs, made[product], remapped(one, made)) == ((x, x), new, one)


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(Op)])
def test_an_operation_never_changes(field: str) -> None:
    x = source()
    made = op("exp", x)
    before = getattr(made, field)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(made, field, before)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        delattr(made, field)
    assert getattr(made, field) is before


def test_an_operation_is_equal_to_itself_alone() -> None:
    x = source()
    one, other = op("exp", x), op("exp", x)
    assert one != other
    assert len({one, other, one}) == 2
