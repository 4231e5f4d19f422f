"""Displays of large and wide formulas: what they show is bounded, and so is the work, counted in visits of nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from layertree import Identity, Input, Literal, Plus, Times, Tuple, Weight, draw, scope, steps
from layertree.core import structure
from layertree.drawing import formulas, runs
from layertree.drawing.bundles import bundle
from layertree.drawing.extracts import OPERANDS


def wide(count: int) -> Any:
    return Tuple(tuple([Weight(float(i)) for i in range(count)]))


def chain(depth: int) -> Any:
    formula: Any = Identity()
    for _ in range(depth):
        formula = Plus(formula, Literal(1.0))
    return formula


def balanced(levels: int) -> Any:
    row: list[Any] = [Weight(float(i)) for i in range(2**levels)]
    while len(row) > 1:
        row = [Plus(a, b) for a, b in zip(row[::2], row[1::2], strict=True)]
    return row[0]


def repeated(count: int) -> Any:
    return Tuple((Identity(),) * count)


def dense(count: int) -> Any:
    """A formula in which each node uses all before it."""
    found: list[Any] = [Identity()]
    for _ in range(count):
        found.append(Tuple(tuple(found)))
    return found[-1]


LARGE: dict[str, Callable[[], Any]] = {
    "wide": lambda: wide(8000),
    "chain": lambda: chain(15_000),
    "balanced": lambda: balanced(14),
    "repeated": lambda: repeated(5000),
    "dense": lambda: dense(60),
}


@pytest.mark.parametrize("name", LARGE)
def test_the_picture_of_a_large_formula_or_run_is_small(name: str) -> None:
    formula = LARGE[name]()
    for shown in [formula] if name == "dense" else [formula, formula.forward(1.0)]:  # its value is too large
        picture = draw(shown)
        for graph in (picture.graph, *[part for _, part in picture.folds]):
            assert 1 < len(graph.nodes) <= 201
            assert len(graph.edges) <= 500
        assert picture.graph.notes
        assert len(bundle(shown)["text/html"]) < 400_000


@pytest.mark.parametrize("name", ["chain", "balanced"])
def test_a_display_walks_a_large_formula_a_few_times(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    formula, visits = LARGE[name](), 0
    count = len(structure.post_order(formula))

    def counted(layer: Any) -> Any:
        nonlocal visits
        visits += 1
        return operands_of(layer)

    operands_of = structure.operands_of
    monkeypatch.setattr(structure, "operands_of", counted)
    bundle(formula)
    assert 0 < visits < 4.2 * count, "names and size of the text, nodes and sizes of the picture"


def test_a_large_run_has_the_deltas_that_its_picture_shows() -> None:
    formula = balanced(13)
    with formula.forward(Input(1.0)) as tape:
        whole, part = runs.run_of(tape), runs.run_of(tape, is_whole=False)
        assert len(whole.deltas) == len(whole.tapes) == 2**14 - 1
        assert 0 < len(part.deltas) <= 2 * runs.MOST
        assert runs.run_graph(part) == runs.run_graph(whole)


def test_operands_that_a_picture_leaves_out_are_one_box() -> None:
    graph = draw(wide(8000)).graph
    assert [node.title for node in graph.nodes if node.family == "more"] == ["\N{HORIZONTAL ELLIPSIS} 7,984 operands"]
    assert len(graph.edges) == OPERANDS + 1
    tape = repeated(5000).forward(1.0)
    assert "no more than 16 operands of a tape are shown" in draw(tape).graph.notes
    assert len(steps(repeated(5000), 1.0).frames[-1].graph.edges) == OPERANDS


def test_counts_of_a_large_formula_are_those_of_its_parts() -> None:
    """As in a formula that is read as a whole: the nodes, the weights, and which of them train."""
    formula = Plus(balanced(13), Times(Weight(1.0, name="near"), 2.0))
    picture = draw(formula)
    assert picture.graph.description.startswith("16,387 nodes, 8,193 weights and states; ")
    assert picture.graph.notes == ("30 of 16,387 nodes: those nearest to the output",)
    assert picture.folds[0][0].endswith(" nodes")
    near = next(node for node in picture.graph.nodes if node.title == "near")
    assert near.chips[-1].text == "trains"


def test_large_and_small_formulas_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = chain(400)
    read = draw(formula)
    monkeypatch.setattr(formulas, "_LARGEST", 100)
    counted = draw(formula)
    assert counted.graph.notes == read.graph.notes
    assert [node.title for node in counted.graph.nodes] == [node.title for node in read.graph.nodes]
    assert [name for name, _ in counted.folds] == [name for name, _ in read.folds]


def test_of_many_scopes_some_unfold() -> None:
    formula: Any = Identity()
    for number in range(100):
        with scope(f"block{number}"):
            formula = Plus(Times(formula, Weight(1.0, name="a")), Weight(2.0, name="b"))
    picture = draw(formula)
    assert len(picture.folds) == 30
    assert picture.graph.notes[-1] == "the pictures of 30 of 100 scopes follow"


def test_texts_of_long_tuples_are_short() -> None:
    data = (1.0,) * 100_000
    for shown in (Literal(data), Input(data)):
        found = bundle(shown)
        assert "tuple of 100,000 parts" in found["text/plain"]
        assert len(found["text/html"]) < 20_000
    assert len(format(Literal(data), "full")) > 500_000


def test_the_pictures_of_the_first_steps_have_the_nodes_of_these_steps() -> None:
    found = steps(chain(1000), 1.0)
    assert [sum(node.is_active for node in frame.graph.nodes) for frame in found.frames] == [1] * 60
    assert found.frames[0].graph.notes == ("60 of 2,001 tapes are shown: the first ones",)


def test_the_text_of_many_gradients_is_short() -> None:
    found = Plus(wide(1000).operands[0], balanced(10)).forward(1.0).gradients()
    assert repr(found).endswith(", 825 more)")
    assert repr(found).count("Weight(") == 200
