"""Faults that users of Owl met, with the right values: A-H1, A-H7, A-H11, A-H13, A-H17 to A-H23, A-H27."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Adam, Conv2D, Identity, Input, Literal, Negative, Plus, Sum, Weight, named_cells, scope
from layertree.typing import ArraySpec


def test_a_h1_ranks_that_differ() -> None:
    x = Input(np.array([2.0]))
    with Sum(Plus(Identity(), Literal(np.ones((1, 1))))).forward(x) as tape:
        gradient = tape.gradients()[x]
    assert gradient.shape == (1,)
    assert gradient.tolist() == [1.0]


@pytest.mark.parametrize(
    ("formula", "slope"),
    [(Identity(), 1.0), (Plus(Identity(), Identity()), 2.0), (Negative(Identity()), -1.0)],
    ids=["x", "x+x", "-x"],
)
def test_a_h7_derivatives_keep_the_shape(formula: Any, slope: float) -> None:
    x = Input(np.ones((2, 3)))
    gradient = formula.forward(x).gradients(np.ones((2, 3)))[x]
    np.testing.assert_array_equal(gradient, np.full((2, 3), slope))


def test_a_h7_a_constant_has_no_derivative() -> None:
    # Theirs gives zeros; here what a backward pass does not reach has no delta at all.
    x = Input(np.ones((2, 3)))
    assert x not in Plus(Literal(np.ones((2, 3))), 1.0).forward(x).gradients(np.ones((2, 3)))


def test_a_h11_constants_among_tracked_operands() -> None:
    first, last = Input(np.array([1.0, 2.0])), Input(np.array([5.0]))
    x, y = sy.placeholder((ArraySpec((2,)), ArraySpec((1,))))
    joined = sy.concat([x, np.array([3.0, 4.0]), y])
    with joined.forward((first, last)) as tape:
        assert tape.value.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
        gradients = tape.gradients(np.ones(5))
    assert set(gradients) == {first, last}
    assert gradients[first].tolist() == [1.0, 1.0]
    assert gradients[last].tolist() == [1.0]
    # One tracked part of a tuple, and a plain array for the other.
    gradients = joined.forward((first, np.array([9.0]))).gradients(np.ones(5))
    assert list(gradients) == [first]


def test_a_h13_two_layers_of_one_name() -> None:
    x = sy.placeholder(ArraySpec((None, 2)))
    cells = named_cells(sy.dense(sy.dense(x, 2, name="d"), 2, name="d"))
    assert len(cells) == len({cell.cell for cell in cells.values()}) == 4
    with scope("d"):
        first, second = Weight(1.0, name="kernel"), Weight(2.0, name="kernel")
    with pytest.raises(ValueError, match="two different cells have the name 'd/kernel'"):
        named_cells(Plus(first, second))
    assert list(named_cells(Plus(first, first))) == ["d/kernel"]


def test_a_h17_the_gradient_of_a_kernel_over_a_long_signal() -> None:
    kernel = Weight(np.zeros((1, 100, 1, 1)))
    with Conv2D(Identity(), kernel).forward(np.ones((1, 1, 5243, 1))) as tape:
        gradient = tape.gradients(np.ones((1, 1, 5144, 1)))[kernel]
    np.testing.assert_array_equal(gradient, np.full((1, 100, 1, 1), 5144.0))


def test_a_h19_adam_steps_on_where_the_gradient_is_zero() -> None:
    w = sy.weight(0.0, optimizer=Adam(0.001))
    (w * 1.0).train()
    assert w.value == pytest.approx(-0.00099999999, rel=1e-12)
    before = w.value
    (w * 0.0).train()
    assert w.value - before == pytest.approx(-0.0006700582446, rel=1e-9)


def test_a_h21_cross_entropy_of_a_certain_prediction() -> None:
    logits, labels = sy.placeholder((ArraySpec((1, 2)), ArraySpec((1, 2))))
    x = Input(np.array([[0.0, -np.inf]]))  # the logits of the probabilities 1 and 0
    with sy.cross_entropy(logits, labels).forward((x, np.array([[1.0, 0.0]]))) as tape:
        assert tape.value == 0.0
        np.testing.assert_array_equal(tape.gradients()[x], [[0.0, 0.0]])


@pytest.mark.parametrize("kind", [float, np.float32, np.float64])
def test_a_h23_maximum_and_minimum_far_apart(kind: Any) -> None:
    x = sy.placeholder(float if kind is float else ArraySpec((), kind))
    assert sy.maximum(x, 1.0).predict(kind(-np.inf)) == 1.0
    assert sy.minimum(x, 1.0).predict(kind(1e20)) == 1.0


def test_a_h27_predict_changes_nothing() -> None:
    x = sy.placeholder(ArraySpec((8, 4)))
    hidden = sy.running_average(sy.dropout(sy.dense(x, 4), 0.5), np.full((8, 4), 0.25))
    net = sy.sum(hidden * hidden)
    data = np.linspace(-1, 1, 32).reshape(8, 4)
    net.train(data)
    contents = {name: cell.cell.content for name, cell in named_cells(net).items()}
    values = [net.predict(data) for _ in range(2)]
    assert values[0] == values[1] != 0.0
    assert {name: cell.cell.content for name, cell in named_cells(net).items()} == contents
