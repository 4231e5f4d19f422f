"""Indexing: parts of tuples, static indices, look-ups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from layertree import DTypeError, GetItem, IndexRangeError, Item, Take
from layertree.typing import ArraySpec
from symbolic import placeholder, sum, weight
from tests.symbolic.support import array_of

DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

STATIC = [
    "0",
    "-1",
    "1, 2",
    "0, -3",
    "..., 0",
    "0, ..., 1",
    "...",
    "1:",
    ":-1",
    "::-1",
    "::2, 1:3",
    "5:9",
    "-2:",
    "None",
    "None, 0",
    "0, None, :, None",
    ":, None, ..., -1",
    "()",
    "np.int64(1)",
    "np.uint8(1), 0",
    "np.array(1)",
    "1, 2, 3",
]


@pytest.mark.parametrize("index", STATIC)
@pytest.mark.parametrize("shape", [(2, 3, 4), (None, 3, 4), ("A", "B", "C")], ids=["sizes", "unknown", "names"])
def test_static_indices(index: str, shape: Any) -> None:
    x = array_of(*shape)
    formula, wanted = eval(f"x[{index}]", {"x": x, "np": np}), eval(f"x[{index}]", {"x": DATA, "np": np})
    assert isinstance(formula.layer, GetItem)
    assert_array_equal(formula.predict(DATA), wanted)
    assert formula.ndim == wanted.ndim
    assert all(not isinstance(dim, int) or dim == size for dim, size in zip(formula.shape, wanted.shape, strict=True))
    if shape == (2, 3, 4):
        assert formula.shape == wanted.shape


@pytest.mark.parametrize(
    ("part", "left"),
    [
        (slice(None), "A"),
        (slice(0, None), "A"),
        (slice(None, None, -1), "A"),
        (slice(None, None, -2), None),
        (slice(None, None, 2), None),
        (slice(1, None), None),
        (slice(None, 1), None),
        (slice(0, None, -1), None),
    ],
)
def test_what_a_slice_leaves_of_a_named_size(part: slice, left: str | None) -> None:
    assert array_of("A", 3)[part].shape == (left, 3)


@given(st.data())
def test_static_indices_as_numpy_has_them(data: st.DataObject) -> None:
    slices = st.slices(4)
    parts = st.lists(st.one_of(st.integers(-4, 3), slices, st.none(), st.just(...)), max_size=5)
    index = tuple(data.draw(parts))
    x = array_of(2, 3, 4)
    try:
        wanted = DATA[index]
    except IndexError:
        with pytest.raises(IndexRangeError):
            x[index]
        return
    formula = x[index]
    assert formula.shape == wanted.shape
    assert_array_equal(formula.predict(DATA), wanted)


@pytest.mark.parametrize("index", ["i", ":, i", "..., i", "..., i, :", ":, :, i", ":, ..., i"])
@pytest.mark.parametrize("rows", [[1, 0, 1], [[0, 1], [1, 1]], [], [-1, -2]])
def test_look_ups(index: str, rows: Any) -> None:
    indices = np.array(rows, np.int64)
    x, i = placeholder((ArraySpec((None, 3, 4), np.float32), ArraySpec((None,) * indices.ndim, np.int64)))
    by_formula = eval(f"x[{index}]", {"x": x, "i": i})
    wanted = eval(f"x[{index}]", {"x": DATA, "i": indices})
    assert isinstance(by_formula.layer, Take)
    assert_array_equal(by_formula.predict((DATA, indices)), wanted)
    assert by_formula.ndim == wanted.ndim
    for constant in (indices, rows):
        assert_array_equal(eval(f"x[{index}]", {"x": array_of(2, 3, 4), "i": constant}).predict(DATA), wanted)


def test_a_look_up_in_a_weight_trains_the_rows_it_read() -> None:
    table = weight(np.zeros((4, 2), np.float32))
    i = array_of(None, dtype=np.int64)
    found = sum(table[i]).forward(np.array([1, 1, 3])).gradients()
    assert_array_equal(found[table], np.array([[0, 0], [2, 2], [0, 0], [1, 1]], np.float32))


def test_parts_of_tuples() -> None:
    x, y, z = placeholder((float, (float, int), ArraySpec((3,), np.float32)))
    assert isinstance(x.layer, Item)
    data = (2.0, (3.0, 4), np.array([5, 6, 7], np.float32))
    assert [f.predict(data) for f in (x, y[0], y[1], y[-1], y[-2], y[np.int64(0)], z[1])] == [
        2.0,
        3.0,
        4,
        4,
        3.0,
        3.0,
        6.0,
    ]
    assert repr(y[-1].layer) == "Item(Item(Identity(), position=1), position=1)"


WRONG: list[tuple[Any, type[Exception], str]] = [
    (True, TypeError, "True is no index for x: give integers, slices, None, ..., or an array of integers"),
    (np.True_, TypeError, "is no index"),
    (1.5, TypeError, "1.5 is no index"),
    ("a", TypeError, "'a' is no index"),
    (slice(1.5), TypeError, "is no index"),
    (slice("a"), TypeError, "is no index"),
    ({}, TypeError, "is no index"),
    (1j, TypeError, "is no index"),
    ((..., ...), IndexRangeError, "more than one ...: there can be one"),
    (slice(0, 2, 0), IndexRangeError, "getitem(x: float32 (2, 3, 4)): a slice has a step of 0"),
    ((0, 0, 0, 0), IndexRangeError, "4 indices for (2, 3, 4), which has 3 axes"),
    (2, IndexRangeError, "index 2 is out of range for axis 0 of size 2"),
    ((0, -4), IndexRangeError, "index -4 is out of range for axis 1 of size 3"),
    (np.array([True, False]), DTypeError, "indices and labels are integers, but these are bool (2,)"),
    ([1.5], DTypeError, "indices and labels are integers, but these are float64 (1,); cast them to int"),
    (np.array(["a"]), DTypeError, "cannot be computed with"),
    ((0, [1]), DTypeError, "look up along one axis at a time, as in x[:, indices]"),
    (([0], [1]), DTypeError, "look up along one axis at a time"),
    ((None, [1]), DTypeError, "look up along one axis at a time"),
]


@pytest.mark.parametrize(("index", "error", "words"), WRONG, ids=[str(words) for _, _, words in WRONG])
def test_wrong_indices(index: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        array_of(2, 3, 4)[index]
    assert words in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_mask_is_no_index() -> None:
    x = array_of(3)
    with pytest.raises(DTypeError, match=r"for a mask use where\(mask, x, 0\)"):
        x[x > 0.0]


def test_bounds_that_are_formulas() -> None:
    x = array_of(3, dtype=np.int64)
    with pytest.raises(TypeError, match="is no index"):
        x[x[0] :]


@pytest.mark.parametrize(
    ("position", "error", "words"),
    [
        (2, IndexRangeError, "x is a tuple of 2: it has no part 2"),
        (-3, IndexRangeError, "it has no part -3"),
        (True, TypeError, "its parts have integer positions, not True"),
        (1.0, TypeError, "not 1.0"),
        (slice(None), TypeError, "integer positions"),
        ((0,), TypeError, "integer positions"),
        (None, TypeError, "integer positions"),
    ],
)
def test_wrong_positions(position: Any, error: type[Exception], words: str) -> None:
    whole = placeholder((float, (float, float)))[1]
    with pytest.raises(error) as caught:
        whole[position]
    assert words.replace("x is", "x[1] is") in str(caught.value)


def test_a_tuple_has_no_shape() -> None:
    pair = placeholder((float, (float, float)))[1]
    for name in ("shape", "ndim", "dtype"):
        assert not hasattr(pair, name)
        with pytest.raises(TypeError, match=rf"x\[1\] is a tuple of 2, which has no {name}: take a part"):
            getattr(pair, name)


def test_an_index_out_of_range_in_the_data() -> None:
    x, i = placeholder((ArraySpec((None, 3), np.float32), ArraySpec((None,), np.int64)))
    data = np.ones((2, 3), np.float32)
    with pytest.raises(IndexRangeError, match=r"getitem\(x\[0\]: .*index 2 is out of range for axis 0 of size 2"):
        x[2].predict((data, np.zeros(1, np.int64)))
    with pytest.raises(IndexRangeError, match=r"take\(x\[0\]: .*index 5 is out of bounds.*size 2"):
        x[i].predict((data, np.array([0, 5])))
