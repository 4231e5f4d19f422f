"""The layout: ranks, crossings, and boxes that do not overlap."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from layertree import Greater, Identity, If, Maximum, Plus, Times, Weight, draw, scope
from layertree.drawing.crossings import crossings, ordered
from layertree.drawing.layout import Placed, placed
from layertree.drawing.model import Graph
from layertree.drawing.positions import isotonic
from layertree.drawing.ranks import longest_paths, ranked
from tests.drawing.pictures import branches, perceptron, seed


def balanced(leaves: int) -> Any:
    row: list[Any] = [Weight(float(i)) for i in range(leaves)]
    while len(row) > 1:
        row = [Plus(a, b) for a, b in zip(row[::2], row[1::2], strict=True)]
    return row[0]


def shared(count: int, number: int) -> Any:
    """A formula whose nodes have several users."""
    random = Random(number)
    pool: list[Any] = [Identity()]
    for _ in range(count):
        pool.append(random.choice((Plus, Times, Maximum))(random.choice(pool[-9:]), pool[-1]))
    return pool[-1]


FORMULAS = {
    "seed": seed,
    "perceptron": perceptron,
    "branches": branches,
    "tree": lambda: balanced(64),
    "shared": lambda: shared(40, 1),
    "nested": lambda: If(Greater(Identity(), 1.0), branches(), Times(Identity(), branches())),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_boxes_do_not_overlap(name: str) -> None:
    graph = draw(FORMULAS[name]()).graph
    scene = placed(graph)
    assert set(scene.nodes) == set(range(len(graph.nodes)))
    assert set(scene.paths) == set(range(len(graph.edges)))
    for first, second in combinations([*scene.nodes.values(), *scene.texts.values()], 2):
        assert not overlap(first, second)
    for group, box in scene.groups:
        for number, node in scene.nodes.items():
            assert contains(box, node) if number in group.members else not overlap(box, node)


@pytest.mark.parametrize("name", FORMULAS)
def test_edges_go_down_from_the_user_to_the_operand(name: str) -> None:
    graph = draw(FORMULAS[name]()).graph
    scene = placed(graph)
    for number, path in scene.paths.items():
        user, operand = scene.nodes[graph.edges[number].user], scene.nodes[graph.edges[number].operand]
        assert path[0][1] == pytest.approx(user.y + user.height)
        assert path[-1][1] == pytest.approx(operand.y)
        assert user.x <= path[0][0] <= user.x + user.width
        assert operand.x <= path[-1][0] <= operand.x + operand.width
        assert all(b[1] >= a[1] - 1e-6 for a, b in pairwise(path))


def overlap(a: Placed, b: Placed) -> bool:
    apart = 1e-6
    return (
        a.x + apart < b.x + b.width
        and b.x + apart < a.x + a.width
        and a.y + apart < b.y + b.height
        and b.y + apart < a.y + a.height
    )


def contains(outer: Placed, inner: Placed) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width + 1e-6
        and inner.y + inner.height <= outer.y + outer.height + 1e-6
    )


def test_operands_of_a_tree_keep_their_order_and_no_edges_cross() -> None:
    graph = draw(balanced(32)).graph
    layers = ranked(len(graph.nodes), [(edge.user, edge.operand) for edge in graph.edges])
    rows = ordered(layers)
    assert crossings(rows, layers.below) == 0
    leaves = [graph.nodes[vertex].chips[0].text for vertex in rows[-1]]
    assert leaves == [f"{i}.0" for i in range(32)]


def test_barycenters_uncross_edges() -> None:
    edges = [(0, 3), (0, 4), (1, 5), (2, 3), (1, 4)]
    layers = ranked(6, edges)
    first = [[v for v in range(len(layers.rank)) if layers.rank[v] == r] for r in range(max(layers.rank) + 1)]
    assert crossings(ordered(layers), layers.below) < crossings(first, layers.below)


def test_ranks_are_the_longest_paths() -> None:
    assert longest_paths(4, [(0, 1), (1, 2), (0, 2), (2, 3)]) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="circle"):
        longest_paths(2, [(0, 1), (1, 0)])


def test_isotonic_is_the_nearest_sequence_in_order() -> None:
    random = np.random.default_rng(0)
    values, weights = random.normal(size=20), random.uniform(0.5, 2.0, 20)
    found = np.array(isotonic(list(values), list(weights)))
    assert (np.diff(found) >= 0).all()
    least = float((weights * (found - values) ** 2).sum())
    for _ in range(200):
        other = np.sort(found + 0.05 * random.normal(size=20))
        assert float((weights * (other - values) ** 2).sum()) >= least


def test_500_nodes_are_laid_out_in_full() -> None:
    graph = draw(shared(480, 2)).graph
    assert 200 < len(graph.nodes) <= 500
    assert len(placed(graph).nodes) == len(graph.nodes)
    assert not graph.notes


def test_a_large_tree_shows_its_top_and_parts_to_unfold() -> None:
    picture = draw(balanced(2048))
    assert "30 of 4,095 nodes" in picture.graph.notes[0]
    assert len(picture.graph.nodes) < 200
    assert picture.folds
    assert picture.html.count("<details>") == len(picture.folds)
    for name, part in picture.folds:
        assert 1 < len(part.nodes) < 200
        count = name.rpartition(": ")[2]
        assert part.description.startswith(f"{count}, ")
        assert part.notes[0].startswith(f"30 of {count}: ")


def test_a_deep_formula_is_drawn_without_recursion() -> None:
    formula: Any = Identity()
    for _ in range(5_000):
        formula = Plus(formula, 1.0)
    picture = draw(formula)
    assert "of 10,001 nodes" in picture.graph.notes[0]
    assert picture.folds


def test_scopes_of_a_large_formula_fold() -> None:
    formula: Any = Identity()
    for number in range(20):
        with scope(f"block{number}"):
            formula = Plus(Times(formula, Weight(1.0, name="a")), Weight(2.0, name="b"))
    picture = draw(formula)
    assert [name.partition(":")[0] for name, _ in picture.folds] == [f"block{n}" for n in reversed(range(20))]
    assert [node.title for node in picture.graph.nodes] == [*[f"block{n}" for n in reversed(range(20))], "x"]
    assert "<details><summary" in picture.html


def test_groups_that_depend_on_each_other_are_no_boxes() -> None:
    with scope("a"):
        first = Times(Identity(), Weight(1.0, name="w"))
    with scope("b"):
        second = Times(first, Weight(1.0, name="w"))
    with scope("a"):
        third = Times(second, Weight(1.0, name="w"))
    graph: Graph = draw(third).graph
    assert len(placed(graph).groups) == 1


def test_scopes_deeper_than_eight_are_one_group() -> None:
    formula: Any = Identity()
    with ExitStack() as scopes:
        for number in range(200):
            scopes.enter_context(scope(f"s{number}"))
            formula = Plus(formula, Weight(1.0))
    drawn, depth = draw(formula), 0
    for picture in (drawn.graph, *[part for _, part in drawn.folds]):
        groups, deep = picture.groups, 0
        while groups:
            groups, deep = groups[-1].groups, deep + 1
        depth = max(depth, deep)
    assert 1 < depth <= 8
