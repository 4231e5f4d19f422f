"""Faults that users of MXNet met, with the right values: C-H1 to C-H23, every second one, but for C-H21."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Identity,
    Input,
    Negative,
    Plus,
    Reshape,
    ShapeError,
    Sum,
    Times,
    Weight,
    backward_all,
    commit,
    nodes,
)
from layertree.typing import ArraySpec

from .support import live_tapes, no_collector


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_c_h1_sums_of_many_operands(count: int) -> None:
    sources = [Input(np.full(3, float(i))) for i in range(1, count + 1)]
    parts = sy.placeholder((ArraySpec((3,)),) * count)
    before = [source.value.copy() for source in sources]
    with sum(parts[1:], start=parts[0]).forward(tuple(sources)) as tape:
        np.testing.assert_array_equal(tape.value, np.full(3, count * (count + 1) / 2))
        gradients = tape.gradients(np.array([1.0, 2.0, 3.0]))
    for source, value in zip(sources, before, strict=True):
        # No operand served as the place for the sum.
        np.testing.assert_array_equal(source.value, value)
        np.testing.assert_array_equal(gradients[source], [1.0, 2.0, 3.0])


def test_c_h3_two_accumulated_passes_are_exactly_twice_one() -> None:
    x = sy.placeholder(ArraySpec((4, 3)))
    w = sy.weight(np.array([0.1, 0.2, 0.3]), optimizer=SGD(1.0))
    loss = sy.sum(sy.tanh(x * w))
    data = np.linspace(-1, 1, 12).reshape(4, 3)
    one, other = (loss.forward(data).gradients() for _ in range(2))
    assert (one[w] != 0).all()
    np.testing.assert_array_equal((one + other)[w], 2.0 * one[w])


@pytest.mark.parametrize("delta", [np.ones((3, 2)), np.ones(2), 1.0, np.ones((1, 3)), None])
def test_c_h5_a_delta_of_another_shape(delta: Any) -> None:
    w = Weight(np.ones((2, 3)), optimizer=SGD(1.0))
    with pytest.raises(ShapeError, match=r"\(2, 3\)"):
        Times(w, 2.0).train(delta=delta)
    np.testing.assert_array_equal(w.value, 1.0)


def test_c_h7_two_passes_over_a_shared_tape() -> None:
    x = Input(2.0)
    h = Times(Identity(), Identity()).forward(x)
    a, b = Plus(Identity(), 1.0).forward(h), Times(3.0, Identity()).forward(h)
    first = a.gradients()
    assert first[x] == 4.0
    assert (first + b.gradients())[x] == 16.0


def test_c_h9_where_sends_its_delta_to_the_right_side() -> None:
    x, b = sy.placeholder((ArraySpec((3,), np.bool_), ArraySpec((3,))))
    source, scalar = Input(np.zeros(3)), sy.weight(5.0)
    chosen = sy.sum(sy.where(x, b, scalar))
    with chosen.forward((np.array([True, False, True]), source)) as tape:
        assert tape.value == 5.0
        gradients = tape.gradients()
    assert gradients[source].tolist() == [1.0, 0.0, 1.0]
    assert gradients[scalar] == 1.0


def test_c_h11_rank_0() -> None:
    x = Input(np.array([[1.0, 2.0]]))
    with Sum(Identity()).forward(x) as tape:
        assert tape.value.shape == ()
        assert tape.gradients()[x].tolist() == [[1.0, 1.0]]
    one = Input(np.array([3.0]))
    with Reshape(Identity(), ()).forward(one) as tape:
        assert (tape.value.shape, tape.value) == ((), 3.0)
        assert tape.gradients()[one].tolist() == [1.0]
    for leaf in (Input(np.array(3.0)), Input(np.float64(3.0))):
        with Times(Identity(), Identity()).forward(leaf) as tape:
            gradient = tape.gradients()[leaf]
        assert (gradient.shape, gradient.dtype, gradient) == ((), np.float64, 6.0)


def test_c_h13_a_prediction_in_between_changes_nothing() -> None:
    x = sy.placeholder(ArraySpec((2,)))
    w = sy.weight(np.array([1.0, 2.0]), optimizer=SGD(1.0))
    net = sy.sum(sy.dropout(x, 0.0) * w)
    with net.forward(np.array([3.0, 4.0])) as tape:
        assert net.predict(np.array([100.0, 200.0])) == 500.0
        tape.backward()
    np.testing.assert_array_equal(w.value, [-2.0, -2.0])


def test_c_h15_repeated_indices_add_up() -> None:
    x = Input(np.array([1.0, 2.0, 3.0]))
    taken = sy.sum(sy.take(sy.placeholder(ArraySpec((3,))), np.array([0, 0, 1])))
    with taken.forward(x) as tape:
        assert tape.value == 4.0
        assert tape.gradients()[x].tolist() == [2.0, 1.0, 0.0]


def test_c_h17_an_operand_used_twice_survives_a_pickle() -> None:
    w = Weight(2.0, name="a")
    formula = Plus(w, w)
    loaded = pickle.loads(pickle.dumps(formula))
    assert repr(loaded) == repr(formula)
    assert loaded.predict() == 4.0
    assert loaded.operand1 is loaded.operand2
    assert len(list(nodes(loaded))) == 2
    assert loaded.operand1.cell is not w.cell


def test_c_h19_a_chain_of_100_000_nodes_comes_and_goes() -> None:
    formula: Any = Identity()
    for _ in range(100_000):
        formula = Negative(formula)
    x = Input(2.0)
    with no_collector():
        before = live_tapes()
        tape = formula.forward(x)
        assert tape.value == 2.0
        assert live_tapes() == before + 100_000
        del tape
        assert live_tapes() == before
        assert formula.forward(x).gradients()[x] == 1.0
        del formula
        assert live_tapes() == before


def test_c_h23_the_slope_of_sqrt_at_0() -> None:
    x = sy.placeholder(ArraySpec((2,)))
    source = Input(np.array([0.0, 4.0]))

    def gradient(formula: Any) -> Any:
        return sy.sum(formula).forward(source).gradients()[source]

    # The IEEE values stand: the slope at 0 is inf, and 0 times it NaN.
    np.testing.assert_array_equal(gradient(sy.sqrt(x)), [np.inf, 0.25])
    np.testing.assert_array_equal(gradient(sy.sqrt(x) * 0.0), [np.nan, 0.0])
    np.testing.assert_array_equal(gradient(sy.sqrt(x * x)), [np.nan, 1.0])
    # Masking what goes in, as well as what comes out, is the way to a finite one.
    masked = sy.where(x > 0.0, sy.sqrt(sy.where(x > 0.0, x, 1.0)), 0.0)
    np.testing.assert_array_equal(gradient(masked), [0.0, 0.25])


def test_c_h7_backward_twice_over_a_shared_tape_updates_twice() -> None:
    w = Weight(2.0, optimizer=SGD(1.0))
    h = Times(w, w).forward(None)
    a, b = Plus(Identity(), 1.0).forward(h), Times(3.0, Identity()).forward(h)
    found = a.gradients(retain=True) + b.gradients(retain=True)
    assert found[w] == 16.0
    backward_all({a: 1.0, b: 1.0})
    assert w.value == -14.0
    commit(found)
    assert w.value == -30.0
