"""Look-ups by labels: looked at once in a program, and added in place where they point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import SGD, If, IndexRangeError, compile, kernels
from layertree.typing import ArraySpec
from symbolic import cross_entropy, placeholder, sum, weight, wrap

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">i8", ">u2"]


def places(labels: Any, classes: int, by_columns: bool = False) -> Any:
    out = np.empty(np.size(labels), np.int64)
    kernels.places(labels, out, classes, by_columns)
    return out


@pytest.mark.parametrize("dtype", INTEGERS)
def test_places_of_labels_of_any_integers(dtype: str) -> None:
    labels = np.array([[2, 0], [3, 1]], np.dtype(dtype))
    assert places(labels, 4).tolist() == [2, 4, 11, 13]
    assert places(labels.T, 4).tolist() == [2, 7, 8, 13]
    assert places(labels[:, 1], 4).tolist() == [0, 5]
    assert places(labels[:, 1], 4, by_columns=True).tolist() == [0, 3]
    assert places(labels[:0], 4).tolist() == places(labels[:0], 0).tolist() == []


@pytest.mark.parametrize("wrong", [-1, 4, 100])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_a_label_out_of_range(dtype: str, wrong: int) -> None:
    if wrong < 0 and "u" in dtype:
        wrong += 1 << 8 * np.dtype(dtype).itemsize
    labels = np.array([0, 3, wrong], np.dtype(dtype))
    with pytest.raises(IndexRangeError, match=f"label {wrong} at position 2 .* 4 classes"):
        places(labels, 4)


def test_labels_that_are_no_integers() -> None:
    with pytest.raises(TypeError, match="got float64"):
        places(np.array([0.0]), 4)


@pytest.mark.parametrize("order", ["C", "F"])
def test_kernels_read_and_fill_what_the_places_tell(order: Any) -> None:
    x: Any = np.array(np.arange(12.0).reshape(4, 3), order=order)
    labels, by_columns = np.array([2, 0, 1, 1]), order == "F"
    at = places(labels, 3, by_columns)
    out = np.empty(4)
    kernels.pick_at(x, at, out, by_columns)
    assert out.tolist() == [2.0, 3.0, 7.0, 10.0]
    wanted = np.zeros((4, 3))
    wanted[np.arange(4), labels] = [1.0, 2.0, 3.0, 4.0]
    made = np.full_like(x, 9.0)
    kernels.unpick_at(np.array([1.0, 2.0, 3.0, 4.0]), at, made, by_columns)
    np.testing.assert_array_equal(made, wanted)
    kernels.add_at(x, np.array([1.0, 2.0, 3.0, 4.0]), at, made, by_columns)
    np.testing.assert_array_equal(made, x + wanted)
    kernels.add_at(x, np.array([1.0, 2.0, 3.0, 4.0]), at, x, by_columns)
    np.testing.assert_array_equal(made, x)


def test_kernels_fill_a_part_of_the_columns_of_an_array() -> None:
    whole = np.full((2, 5), 7.0)
    at = places(np.array([2, 0]), 3)
    kernels.unpick_at(np.array([1.0, 2.0]), at, whole[:, 1:4])
    assert whole.tolist() == [[7, 0, 0, 1, 7], [7, 2, 0, 0, 7]]
    kernels.add_at(np.ones((2, 3)), np.array([1.0, 2.0]), at, whole[:, 1:4])
    assert whole.tolist() == [[7, 1, 1, 2, 7], [7, 3, 1, 1, 7]]


def test_labels_of_several_look_ups_are_looked_at_once() -> None:
    x, first, second = placeholder((ArraySpec((4, 3)), ArraySpec((4,), np.int64), ArraySpec((4,), np.int64)))
    w = weight(np.linspace(0.0, 1.0, 9).reshape(3, 3))
    logits = x @ w
    objective: Any = cross_entropy(logits, first) + 2.0 * cross_entropy(logits * x, first)
    objective = objective + cross_entropy(logits, second, reduction="sum")
    data = np.arange(12.0).reshape(4, 3) / 7, np.array([0, 1, 2, 2]), np.array([2, 0, 1, 1])
    tape = objective.forward(data)
    step = compile(objective, train=True, optimizer=SGD(1.0))
    before = w.value
    assert step(data) == pytest.approx(tape.value, rel=1e-12)
    np.testing.assert_allclose(before - w.value, tape.gradients()[w], rtol=1e-10)
    assert step.source.count("kernels.places(") == 2


def test_labels_in_a_branch() -> None:
    spec = ArraySpec((2, 3)), ArraySpec((2,), np.int64)
    x, labels = placeholder(spec)
    total: Any = sum(x)
    formula = wrap(If((total > 0.0).layer, cross_entropy(x, labels).layer, total.layer), spec)
    program = compile(formula)
    for rows in ([[1.0, 2.0, 3.0], [1.0, 0.0, 3.0]], [[-1.0, -2.0, -3.0], [0.0, 0.0, 0.0]]):
        data = np.array(rows), np.array([1, 2])
        assert program.predict(data) == pytest.approx(formula.predict(data), rel=1e-12)


def test_the_error_is_that_of_the_interpreter() -> None:
    x, labels = placeholder((ArraySpec((4, 3)), ArraySpec((4,), np.int64)))
    objective: Any = cross_entropy(x * weight(np.ones(3)), labels)
    step = compile(objective, train=True)
    data = np.ones((4, 3)), np.array([0, 1, 3, 2])
    with pytest.raises(IndexRangeError, match="label 3 at position 2") as wanted:
        objective.forward(data)
    with pytest.raises(IndexRangeError, match="label 3 at position 2") as caught:
        step(data)
    assert str(caught.value) == str(wanted.value)
