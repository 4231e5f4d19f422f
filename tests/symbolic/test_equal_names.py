"""Two weights of one name, such as those of a teacher and of a student made by deepcopy."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import compile, named_cells, nodes
from layertree.core.weight import CellLayer
from layertree.typing import ArraySpec
from symbolic import parse, placeholder, weight


def names(formula: Any) -> list[str | None]:
    return sorted(
        {node.cell: node.cell.path for node in nodes(formula) if isinstance(node, CellLayer)}.values(), key=str
    )


def test_the_formula_runs_and_trains() -> None:
    x = placeholder(float)
    student = x * weight(1.0, name="slope")
    teacher = copy.deepcopy(student)
    loss = (student - 2.0 * teacher) ** 2
    assert loss.predict(1.0) == 1.0
    assert compile(loss, train=True)(1.0) == 1.0
    with loss.forward(1.0) as tape:
        tape.backward(1.0)
    assert student.predict(1.0) != teacher.predict(1.0)


def test_its_text_numbers_the_names_and_parses_back() -> None:
    x = placeholder(float)
    first, second, third = weight(1.0, name="w"), weight(2.0, name="w"), weight(3.0, name="w")
    formula = x * first + second * third + first + weight(4.0, name="w_1")
    for text in (format(formula, "full"), format(formula.layer, "full"), str(formula)):
        read: Any = parse(text, float)
        assert read.predict(2.0) == formula.predict(2.0)
        assert names(read) == ["w", "w_1", "w_2", "w_3"]
    assert format(parse(format(formula, "full")), "full") == format(formula, "full")
    assert str(x * first + first) == "a = weight(1.0, name='w')\nx * a + a"


def test_naming_shows_both_places() -> None:
    x = placeholder(float)
    formula = sy.exp(x * weight(1.0, name="w")) + weight(2.0, name="w")
    message = (
        r"(?s)two different cells have the name 'w': give each its own, or a scope of its own\n"
        r"  one in x \* weight\(1.0, name='w'\)\n  written at .*test_equal_names.*\n"
        r"  one in exp\(x \* weight.*\n  written at .*test_equal_names"
    )
    with pytest.raises(ValueError, match=message):
        named_cells(formula)


def test_fitted_weights_of_one_name_are_numbered() -> None:
    x = placeholder(ArraySpec((None,), np.float64))
    formula = x * weight(1.0, name="w") + weight(0.0, name="w")
    found = sy.curve_fit(formula, np.arange(3.0), np.array([1.0, 3.1, 4.9]))
    assert "\n  w_1 = " in str(found)
