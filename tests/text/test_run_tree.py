"""Runs as indented trees: a row for each tape, with its value."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    ClosedTapeError,
    Compose,
    Exp,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Layer,
    Literal,
    MatMul,
    Plus,
    Sin,
    Sum,
    Tape,
    Times,
    Weight,
)
from tests.drawing.pictures import seed


def rows(tape: Tape[Any, Any] | Layer[Any, Any], style: str = "tree:60") -> list[str]:
    """The lines of a tree, each without its lines to other nodes: the texts of its columns."""
    return [" ".join(line.strip("\u2502\u251c\u2514\u2500 ").split()) for line in format(tape, style).splitlines()]


def test_each_node_has_its_value() -> None:
    with seed().forward(3.0) as tape:
        assert format(tape, "tree:60") == (
            "Times          8.0\n"
            "\u251c\u2500 Plus        4.0\n"
            "\u2502  \u251c\u2500 Literal  1.0\n"
            "\u2502  \u2514\u2500 x        3.0\n"
            "\u2514\u2500 Weight      2.0"
        )


def test_the_text_without_a_style_is_the_repr_and_the_tree_of_formulas_is_untouched() -> None:
    with seed().forward(Input(3.0)) as tape:
        assert f"{tape}" == str(tape) == repr(tape) == "<OperationTape of float 8.0>"
        assert rows(tape)[3] == "Input 3.0"
        width = shutil.get_terminal_size().columns
        assert f"{tape:tree}" == format(tape, f"tree:{width}")
        for style in ("code", "tree:", "tree:x", "trees", "full"):
            with pytest.raises(ValueError, match=rf"a tape has no format '{style}': there is 'tree', of some width"):
                format(tape, style)
    one: Any = Literal(2.0)
    assert format(one, "tree:60") == "Literal 2.0  float", "a constant is a formula and a tape"


def test_the_rows_are_those_of_the_layers_in_their_order() -> None:
    w = Weight(2.0, name="w")
    formula = Sum(Times(Plus(Identity(), w), Plus(Exp(Identity()), 1.0)), axis=0)
    with formula.forward(np.array([0.0, 1.0])) as tape:
        assert [row.split()[0] for row in rows(tape)] == [row.split()[0] for row in rows(formula)]
        assert rows(tape)[0].startswith("Sum axis=0 ")


def test_a_shared_tape_is_drawn_once() -> None:
    shared, w = Exp(Identity()), Weight(2.0, name="w")
    with Plus(Times(shared, shared), Times(w, w)).forward(0.0) as tape:
        assert rows(tape) == [
            "Plus 5.0",
            "Times 1.0",
            "a: Exp 1.0",
            "x 0.0",
            "a \u2191 1.0",
            "Times 4.0",
            "b: Weight w 2.0",
            "b \u2191 2.0",
        ]


def test_a_composition_has_the_values_of_both_its_runs() -> None:
    inner = Times(Identity(), Weight(2.0, name="w"))
    with Compose(inner, inner).forward(3.0) as tape:
        assert rows(tape) == ["Times 12.0", "Times 6.0", "x 3.0", "Weight w 2.0", "Weight w 2.0"]


def test_values_of_other_kinds() -> None:
    numbers = np.arange(12.0).reshape(3, 4) / 3.0
    with MatMul(Identity(), Literal(numbers)).forward(np.eye(3)[:2]) as tape:
        assert rows(tape, "tree:120") == [
            "MatMul [[0. , 0.3333, 0.6667, 1. ], [1.3333, 1.6667, 2. , 2.3333]]",
            "x [[1., 0., 0.], [0., 1., 0.]]",
            "Literal float64 (3, 4)",
        ]
    with Item(Identity(), 1).forward((1, np.zeros(2))) as tape:
        assert rows(tape) == ["Item position=1 [0., 0.]", "x (1, [0., 0.])"]
    with Sum(Identity()).forward(np.zeros((0, 2), np.float32)) as tape:
        assert rows(tape) == ["Sum 0.0", "x float32 (0, 2)"]
    with Greater(Identity(), 0).forward(3) as tape:
        assert rows(tape) == ["Greater True", "x 3", "Literal 0"]


def test_the_branch_that_was_taken() -> None:
    formula = If(Greater(Identity(), 0.0), Times(Identity(), 3.0), Plus(Identity(), 1.0))
    with formula.forward(2.0) as tape:
        assert rows(tape) == [
            "If 6.0",
            "Greater True",
            "x 2.0",
            "Literal 0.0",
            "branch: Times 6.0",
            "x 2.0",
            "Literal 3.0",
        ]


class Doubled(Tape[float, float]):
    """A tape of a user."""

    def __init__(self, upstream: Any) -> None:
        self._upstream = upstream

    @property
    def value(self) -> float:
        return 2.0 * float(self._upstream.value)

    @property
    def upstream(self) -> tuple[Tape[Any, Any], ...]:
        return (self._upstream,)


def test_a_tape_of_a_user() -> None:
    assert rows(Doubled(Input(3.0))) == ["Doubled 6.0", "Input 3.0"]
    assert rows(Sin(Identity()).forward(Doubled(Input(0.0)))) == ["Sin 0.0", "Doubled 0.0", "Input 0.0"]


@pytest.mark.parametrize("width", [20, 40, 100])
def test_a_large_run_is_shortened_within_the_width(width: int) -> None:
    formula: Layer[Any, Any] = Identity()
    for _ in range(20_000):
        formula = Sin(formula)
    with formula.forward(1.0) as tape:
        lines = format(tape, f"tree:{width}").splitlines()
    assert max(map(len, lines[:-1])) <= width
    assert lines[-1] == "(19801 of 20001 nodes are left out)"
    assert len(lines) <= 2 * 200 + 1, "a row for each node that is shown, and a blank one before each deep tree"
    assert lines[0].startswith("Sin ")


def test_a_wide_run_is_shortened() -> None:
    x = sy.placeholder(float)
    total = sy.sum(sy.stack([x * float(i) for i in range(1000)]))
    with total.forward(1.0) as tape:
        lines = format(tape, "tree:60").splitlines()
    assert "more" in lines[-2]
    assert lines[-1].endswith("nodes are left out)")


def test_a_used_or_closed_tape_has_no_tree() -> None:
    used, closed = seed().forward(3.0), seed().forward(3.0)
    used.gradients()
    closed.close()
    with pytest.raises(ClosedTapeError, match=r"used up by a backward pass.*Run forward again"):
        format(used, "tree")
    with pytest.raises(ClosedTapeError, match="closed"):
        format(closed, "tree")
    assert f"{closed}" == "<OperationTape closed>"
