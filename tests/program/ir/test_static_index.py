"""Static indices: axes and overlaps, and what becomes of parts that are put side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import basic_indices

import layertree
import symbolic as sy
from layertree.program.ir.static_index import are_disjoint, axes_of, cover, ranges_of
from layertree.typing import ArraySpec
from symbolic import placeholder

SHAPE = (3, 4, 5)


@given(basic_indices(SHAPE, allow_newaxis=True, allow_ellipsis=True))
def test_ranges_are_the_positions_that_numpy_takes(index: Any) -> None:
    wanted = np.zeros(SHAPE, bool)
    wanted[np.ix_(*ranges_of(index, SHAPE))] = True
    found = np.zeros(SHAPE, bool)
    found[index] = True
    assert (found == wanted).all()


@given(basic_indices(SHAPE, allow_newaxis=True, allow_ellipsis=True))
def test_each_kept_axis_is_where_numpy_has_it(index: Any) -> None:
    for source, target, taken in axes_of(index, 3):
        part = np.indices(SHAPE)[source][index]
        expected = np.arange(SHAPE[source])[taken]
        if target is None:
            assert (part == expected).all()
        else:
            assert (np.moveaxis(part, target, -1) == expected).all()


@given(st.tuples(*[basic_indices(SHAPE, allow_newaxis=False)] * 2))
def test_indices_are_apart_when_no_element_is_in_both(pair: tuple[Any, Any]) -> None:
    count = np.zeros(SHAPE, int)
    for index in pair:
        count[index] += 1
    assert are_disjoint(*pair, SHAPE) == bool((count < 2).all())
    if are_disjoint(*pair, SHAPE):
        assert cover(pair, SHAPE) == bool((count == 1).all())


def _sum_of_parts(*indices: Any) -> tuple[Any, str]:
    """The gradient of products of parts of an array, and the source of its program."""
    x = placeholder(ArraySpec((4, 6), np.float64))
    formula = sum(float(i + 2) * sy.sum(x[index] * x[index]) for i, index in enumerate(indices))
    compiled = layertree.compile(sy.grad(formula, x))
    data = np.arange(24.0).reshape(4, 6) + 1
    wanted = np.zeros((4, 6))
    for i, index in enumerate(indices):
        wanted[index] += 2 * (i + 2) * data[index]
    np.testing.assert_allclose(compiled.predict(data), wanted, rtol=1e-14)
    return compiled, str(compiled.source)


@pytest.mark.parametrize(
    ("indices", "puts", "is_whole"),
    [
        ([np.s_[:, :2], np.s_[:, 2:4], np.s_[:, 4:]], 1, True),
        ([np.s_[:, :2], np.s_[:, 3:5]], 1, False),
        ([np.s_[::2], np.s_[1::2]], 1, True),
        ([np.s_[0], np.s_[1], np.s_[2], np.s_[3]], 1, True),
        ([np.s_[:, :3], np.s_[:, 2:]], 2, False),
    ],
)
def test_gradients_of_parts_are_put_into_one_array(indices: list[Any], puts: int, is_whole: bool) -> None:
    _, source = _sum_of_parts(*indices)
    assert source.count("kernels.put(") == puts
    assert ("whole=True" in source) == is_whole
