"""Walks over nested tuples: what a recursion would give, however deep they are."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symbolic as sy
from layertree import DTypeError, Identity, Input, Literal, ShapeError
from layertree.core.data import as_data, describe, is_differentiable, read_only
from layertree.core.deltas import conform, map_parts, seed
from layertree.core.nested import (
    apart,
    as_dict,
    at_path,
    flat,
    folded,
    mapped,
    nested,
    nested_text,
    parts_of_mapping,
    paths,
    place_text,
)
from layertree.core.spec import ArraySpec, as_spec, require, spec_of, spec_text

trees = st.recursive(st.integers(0, 99), lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=20)

DEEP = 2000


def deep(value: Any, levels: int = DEEP) -> Any:
    for _ in range(levels):
        value = (value,)
    return value


def innermost(value: Any) -> Any:
    """What is in a tuple of one, however deep, and how deep that is."""
    levels = 0
    while isinstance(value, tuple):
        (value,) = value
        levels += 1
    return value, levels


def leaves_of(tree: Any) -> list[Any]:
    return [leaf for part in tree for leaf in leaves_of(part)] if isinstance(tree, tuple) else [tree]


def rebuilt(tree: Any, leaves: Any) -> Any:
    return tuple([rebuilt(part, leaves) for part in tree]) if isinstance(tree, tuple) else next(leaves)


@given(trees)
def test_leaves_come_from_the_left(tree: Any) -> None:
    assert list(flat(tree)) == leaves_of(tree)
    assert [leaf for _, leaf in paths(tree)] == leaves_of(tree)
    for path, leaf in paths(tree):
        assert at_path(tree, path) == leaf


@given(trees)
def test_leaves_go_back_into_their_places(tree: Any) -> None:
    numbers = range(len(leaves_of(tree)))
    assert nested(tree, numbers) == rebuilt(tree, iter(numbers))
    assert mapped(str, tree) == rebuilt(tree, map(str, leaves_of(tree)))
    assert nested_text(tree, repr) == repr(tree)


@given(trees)
def test_a_fold_goes_up_from_the_leaves(tree: Any) -> None:
    def height(part: Any) -> Any:
        return 1 + max(map(height, part), default=0) if isinstance(part, tuple) else 0

    assert folded(tree, lambda _: 0, lambda _, below: 1 + max(below, default=0)) == height(tree)


def test_a_fold_is_told_the_parts_that_it_joins() -> None:
    joins: list[Any] = []
    folded((1, (2, 3)), operator.neg, lambda parts, results: joins.append((parts, results)))
    assert joins == [((2, 3), [-2, -3]), ((1, (2, 3)), [-1, None])]


def test_what_has_parts_may_be_something_else() -> None:
    by_place = {0: 1, 3: {1: 2}}
    assert list(flat(by_place, parts_of_mapping)) == [1, 2]
    assert folded(by_place, str, as_dict, parts_of_mapping) == {0: "1", 3: {1: "2"}}
    assert mapped(len, ["ab", ["c"]], lambda one: one if isinstance(one, list) else None) == (2, (1,))
    assert [at_path(by_place, path) for path in [(), (0,), (3, 1), (3, 2), (9, 9)]] == [by_place, 1, 2, None, None]


@given(trees)
def test_what_stands_for_a_tree_is_taken_apart_as_the_tree_is(tree: Any) -> None:
    assert list(apart((), tree, lambda path, i: (*path, i))) == [path for path, _ in paths(tree)]


def test_a_place_is_told_from_the_inside() -> None:
    assert place_text((), "x0") == "x0"
    assert place_text((2, 0), "x0") == "part 0 of part 2 of x0"


@pytest.mark.parametrize("levels", [0, DEEP, 50_000])
def test_depth_is_bounded_by_memory_alone(levels: int) -> None:
    tree = deep(7, levels)
    assert list(flat(tree)) == [7]
    assert innermost(mapped(str, tree)) == ("7", levels)
    assert innermost(nested(tree, "a")) == ("a", levels)
    assert list(apart(0, tree, lambda depth, _: depth + 1)) == [levels]
    assert nested_text(tree, str) == "(" * levels + "7" + ",)" * levels
    assert folded(tree, lambda _: 0, lambda _, below: below[0] + 1) == levels


def test_deep_data_has_a_spec_and_a_text() -> None:
    data = as_data(deep([1.0, 2.0]))
    array, levels = innermost(data)
    assert (array.tolist(), levels) == ([1.0, 2.0], DEEP)
    assert not innermost(read_only(deep(np.ones(2))))[0].flags.writeable
    assert is_differentiable(data)
    assert not is_differentiable(deep(1))
    assert innermost(spec_of(data)) == (ArraySpec((2,)), DEEP)
    assert spec_text(spec_of(data)).strip("(),") == "float64 (2"
    assert describe(data).count("(") == DEEP + 1
    assert innermost(as_spec(deep(float)))[0] == as_spec(float)
    assert Literal(data) == Literal(as_data(deep([1.0, 2.0])))
    assert Literal(data) != Literal(as_data(deep([1.0, 3.0])))
    assert Literal(data) != Literal(deep(np.array([1.0, 2.0]), DEEP - 1))


def test_deep_data_is_checked_against_its_spec() -> None:
    spec = as_spec(deep(float))
    require(spec, deep(1.0))
    with pytest.raises(DTypeError, match=r"^part 0 of part 0 of .* is a complex, but float is wanted"):
        require(spec, deep(1j))
    with pytest.raises(ShapeError, match="1 too many: a tuple of 1 is wanted"):
        require(spec, deep((1.0, 2.0), DEEP - 1))


def test_deep_deltas() -> None:
    value = deep(np.ones(2))
    delta = seed(value, deep(np.array([3.0, 4.0])))
    doubled = conform(map_parts(delta, lambda part: part * np.float64(2.0)), value)
    assert at_path(doubled, (0,) * DEEP).tolist() == [6.0, 8.0]


def test_a_formula_of_a_deep_tuple_runs_both_ways() -> None:
    seen: list[Any] = []
    formula = sy.hook(sy.wrap(Identity(), deep(float)), seen.append)
    source = Input(deep(2.0))
    with formula.forward(source) as tape:
        assert innermost(tape.value) == innermost(seen[0]) == (2.0, DEEP)
        found = tape.gradients(deep(3.0))[source]
    assert at_path(found, (0,) * DEEP) == 3.0


def test_a_part_of_a_deep_input() -> None:
    (part,) = sy.placeholder(deep(float))
    for _ in range(DEEP - 1):
        part = part[0]
    assert (part * 3.0).predict(deep(2.0)) == 6.0


def test_derivatives_and_stacks_of_a_deep_tuple() -> None:
    levels = 1200  # deeper than Python recurses
    formula = sy.wrap(Identity(), deep(float, levels))
    point, other = deep(2.0, levels), deep(3.0, levels)
    assert innermost(sy.jvp(formula).predict((point, other))) == (3.0, levels)
    assert innermost(sy.vjp(formula).predict((point, other))) == (3.0, levels)
    stack, depth = innermost(sy.vmap(formula).predict(deep(np.arange(3.0), levels)))
    assert (stack.tolist(), depth) == ([0.0, 1.0, 2.0], levels)
