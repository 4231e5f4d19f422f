"""Faults that users of MatConvNet met, with the right values: B-H1 to B-H7, B-H11 to B-H15, B-H19 to B-H25."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Average,
    Bernoulli,
    Compose,
    Count,
    Dropout,
    Identity,
    Input,
    Item,
    Plus,
    ReLU,
    RunningAverage,
    State,
    Times,
    Tuple,
    Weight,
    backward_all,
    commit,
)
from layertree.tape.backward import gradients as gradients_of
from layertree.tape.update import updated
from layertree.typing import ArraySpec


def test_b_h1_relu_leaves_its_input_to_others() -> None:
    h = sy.placeholder(float)
    x = Input(-2.0)
    with (sy.relu(h) + h * h).forward(x) as tape:
        assert tape.value == 4.0
        assert tape.gradients()[x] == -4.0


def test_b_h3_an_objective_that_is_also_consumed() -> None:
    source, w = Input(2.0), Weight(1.0, optimizer=SGD(1.0))
    h = Times(Identity(), w).forward(source)
    z = Times(Identity(), Identity()).forward(h)
    found = gradients_of({h: 5.0, z: 1.0}, retain=True)
    assert found[source] == 9.0  # 5 + 2 h
    backward_all({h: 5.0, z: 1.0})
    assert w.value == 1.0 - 9.0 * 2.0


def test_b_h5_a_missing_input_is_an_error() -> None:
    x, y = sy.placeholder((float, float))
    net = x * y
    assert net.predict((2.0, 3.0)) == 6.0
    for given in ((2.0,), 2.0, (2.0, 3.0, 4.0)):
        with pytest.raises((TypeError, ValueError), match=r"\(float, float\)"):
            net.predict(given)


def test_b_h7_no_gradient_is_left_from_the_last_pass() -> None:
    first, second = sy.weight(1.0), sy.weight(2.0)
    both, one = first * second, second * 3.0
    found = both.forward(None).gradients()
    assert (found[first], found[second]) == (2.0, 1.0)
    found = one.forward(None).gradients()
    assert first not in found
    assert found[second] == 3.0


def test_b_h11_a_shared_average_hears_all_batches() -> None:
    average = State(0.0, Average(0.9))
    block = RunningAverage(Identity(), average)
    siamese = Plus(Compose(block, Item(Identity(), 0)), Compose(block, Item(Identity(), 1)))
    assert siamese.train((1.0, 3.0)) == 4.0
    assert average.value == pytest.approx(0.1 * 2.0, rel=1e-15)  # both batches, not their sum and not the last
    siamese.train((1.0, 3.0))
    assert average.value == pytest.approx(0.9 * 0.2 + 0.1 * 2.0, rel=1e-15)


def test_b_h13_parts_of_a_batch_have_the_gradient_of_the_whole() -> None:
    x, y = sy.placeholder((ArraySpec(("Batch", 3)), ArraySpec(("Batch", 1))))
    w = sy.weight(np.zeros((3, 1)), optimizer=SGD(1.0))
    difference = x @ w - y
    loss = sy.sum(difference * difference)
    data = np.arange(24.0).reshape(8, 3), np.arange(8.0).reshape(8, 1)
    whole = loss.forward(data).gradients()
    parts = [loss.forward((data[0][i : i + 2], data[1][i : i + 2])).gradients() for i in range(0, 8, 2)]
    total = parts[0] + parts[1] + parts[2] + parts[3]
    np.testing.assert_array_equal(total[w], whole[w])
    np.testing.assert_array_equal(whole[w], -2.0 * data[0].T @ data[1])
    commit(total)
    np.testing.assert_array_equal(w.value, 2.0 * data[0].T @ data[1])


def test_b_h15_the_share_of_a_map_of_labels() -> None:
    logits, labels = sy.placeholder((ArraySpec((2, 3, 3, 4)), ArraySpec((2, 3, 3), np.int64)))
    truth = np.arange(18).reshape(2, 3, 3) % 4
    scores = np.eye(4)[truth]
    wrong = truth.copy()
    wrong[0] = (wrong[0] + 1) % 4
    accuracy = sy.accuracy(logits, labels)
    assert accuracy.predict((scores, truth)) == 1.0
    assert accuracy.predict((scores, wrong)) == 0.5


@pytest.mark.parametrize("other", [7.0, math.inf, math.nan])
def test_b_h19_an_objective_of_weight_zero(other: float) -> None:
    # The weights of objectives are deltas, so a value of inf or NaN is never multiplied by 0.
    w = Weight(2.0, optimizer=SGD(1.0))
    first, second = Times(w, w).forward(None), Plus(w, other).forward(None)
    backward_all({first: 1.0, second: 0.0})
    assert w.value == -2.0


def test_b_h19_an_objective_without_a_delta() -> None:
    # Where the slope itself is infinite, 0 times it would be NaN: no delta is not the same as a delta of 0.
    w = Weight(0.0, optimizer=SGD(1.0))
    Tuple((Times(w, 3.0), sy.log(sy.wrap(w, float)).layer)).train(delta=(1.0, None))
    assert w.value == -3.0


def test_b_h21_counters_and_averages_stay_exact() -> None:
    ticks = State(2**24, Count())
    ones = State(np.float32(1.0), Average(0.9))
    for cell, told in ((ticks, 1), (ones, np.float32(1.0))):
        for _ in range(100):
            cell.cell.content = updated(cell.cell, cell.cell.content, [told], None)
    assert ticks.value == 2**24 + 100
    assert ones.value == 1.0


def test_b_h21_one_commit_is_one_tick_of_a_shared_counter() -> None:
    counter = State(0, Count())
    w = Weight(np.ones(4), optimizer=SGD(0.0))
    first, second = (Dropout(w, Bernoulli(w, counter, 0.5, seed), 0.5) for seed in (0, 1))
    for step in range(1, 4):
        Plus(first, second).train(delta=np.ones(4))
        assert counter.value == step


def test_b_h23_copies_leave_the_original_as_it_was() -> None:
    w = Weight(np.array([1.0, 2.0]), optimizer=SGD(1.0))
    net = Times(w, 3.0)
    assert copy.copy(net) is net  # copies share cells
    twin = copy.deepcopy(net)
    twin.train(delta=np.ones(2))
    np.testing.assert_array_equal(net.predict(), [3.0, 6.0])
    np.testing.assert_array_equal(w.value, [1.0, 2.0])
    np.testing.assert_array_equal(twin.predict(), [-6.0, -3.0])


def test_b_h25_a_link_past_two_layers() -> None:
    first, second = Weight(2.0), Weight(3.0)
    l1: Any = ReLU(Times(Identity(), first))
    x = Input(5.0)
    with Plus(Times(l1, second), Identity()).forward(x) as tape:
        assert tape.value == 35.0
        found = tape.gradients()
    assert (found[second], found[first], found[x]) == (10.0, 15.0, 7.0)
