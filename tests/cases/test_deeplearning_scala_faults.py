"""DeepLearning.scala, faults of the original that must not come along: B1, B5 to B11."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, Compose, Hook, Identity, Input, Momentum, Sigmoid, StopGradient, Times, Weight
from layertree.typing import ArraySpec

from .support import counted


def test_b1_mean_divides_by_the_count() -> None:
    w = sy.weight(np.ones((2, 2)), optimizer=SGD(1.0))
    sy.mean(w).train()
    np.testing.assert_array_equal(w.value, np.full((2, 2), 0.75))


def test_b5_rules_read_the_values_of_the_forward_run() -> None:
    first, second = (sy.weight(np.array([[value]]), optimizer=SGD(1.0)) for value in (2.0, 3.0))
    (first @ second).train(delta=np.ones((1, 1)))
    assert (first.value.item(), second.value.item()) == (-1.0, 1.0)


def test_b5_another_commit_between_forward_and_backward_changes_nothing() -> None:
    first, second = (sy.weight(np.array([[value]]), optimizer=SGD(1.0)) for value in (2.0, 3.0))
    with (first @ second).forward(None) as tape:
        second.layer.set(np.array([[50.0]]))
        gradients = tape.gradients(np.ones((1, 1)))
    assert (gradients[first].item(), gradients[second].item()) == (3.0, 2.0)


@pytest.mark.parametrize("rule", [Momentum(0.1), Adam(0.1)], ids=["momentum", "Adam's counter"])
def test_b6_predict_is_no_step(rule: Any) -> None:
    x, w = sy.placeholder(float), sy.weight(1.0, optimizer=rule)
    net = w + x
    # Their predict sent a delta of 0, so that decay, momentum and counters went on.
    net.predict(3.0)
    assert (w.value, w.layer.state) == (1.0, None)
    net.train(3.0)
    value, state = w.value, w.layer.state
    assert value != 1.0
    assert state is not None
    net.predict(3.0)
    with net.forward(3.0):
        pass
    assert (w.value, w.layer.state) == (value, state)


def test_b7_a_weight_used_twice_takes_one_step() -> None:
    w = sy.weight(np.zeros(3), optimizer=Momentum(0.1, 0.9))
    (w + w).train(delta=np.ones(3))
    # One step for the sum of both deltas; a step a use gives -0.29.
    np.testing.assert_allclose(w.value, -0.2, rtol=1e-15)


@pytest.mark.parametrize("depth", [1, 5, 20])
def test_b8_shared_formulas_run_once_below_a_compose(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # y = f(x), then y * y, nested: n + 1 runs in all, however many paths there are.
    formula: Any = Sigmoid(Identity())
    for _ in range(depth):
        formula = Times(formula, formula)
    composed = Compose(formula, Identity())
    x = Input(np.array([15.0, 16.0]))  # sigmoids so near to 1 that no power vanishes
    with counted(monkeypatch, Times, Sigmoid) as calls, composed.forward(x) as tape:
        assert calls.compute == depth + 1
        gradients = tape.gradients(np.ones(2))
        assert calls.gradient == depth + 1
    y = 1 / (1 + np.exp(-x.value))
    np.testing.assert_allclose(gradients[x], 2**depth * y**2**depth * (1 - y), rtol=1e-6)
    assert (gradients[x] > 1e-7).all()


def test_b8_one_input_through_two_composes_of_one_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = Sigmoid(Identity())
    twice = Times(Compose(Times(Identity(), 2.0), inner), Compose(Times(Identity(), 3.0), inner))
    with counted(monkeypatch, Sigmoid) as calls, twice.forward(0.0) as tape:
        assert tape.value == 1.5
        assert calls.compute == 1


def test_b9_sqrt_uses_its_delta() -> None:
    x = Input(np.array([4.0, 9.0]))
    gradients = sy.sqrt(sy.placeholder(ArraySpec((2,)))).forward(x).gradients(np.array([3.0, -12.0]))
    np.testing.assert_array_equal(gradients[x], [3.0 * 0.5 / 2.0, -12.0 * 0.5 / 3.0])


def test_b10_weights_are_rebound_never_changed() -> None:
    seen: list[Any] = []
    w = Weight(np.ones(3), optimizer=SGD(1.0))
    before = w.value
    with Hook(w, seen.append).forward(None) as tape:
        tape.backward(np.array([1.0, 2.0, 3.0]))
        for view in (before, seen[0], tape.value):
            np.testing.assert_array_equal(view, np.ones(3))
    np.testing.assert_array_equal(w.value, [0.0, -1.0, -2.0])
    with pytest.raises(ValueError, match="read-only"):
        w.value[0] = 5.0


def test_b11_a_delta_of_zero_is_a_step_and_no_delta_is_none() -> None:
    w = Weight(np.array([1.0]), optimizer=Momentum(1.0, 0.5))
    Times(w, 1.0).train(delta=np.array([4.0]))
    np.testing.assert_array_equal(w.value, [-3.0])
    # A delta that is exactly 0 still lets momentum run on.
    Times(w, 0.0).train(delta=np.array([1.0]))
    np.testing.assert_array_equal(w.value, [-5.0])
    # No delta at all does not.
    Times(StopGradient(w), 1.0).train(delta=np.array([1.0]))
    np.testing.assert_array_equal(w.value, [-5.0])
    np.testing.assert_array_equal(w.state[0], [2.0])


def test_b11_adams_counter_counts_zero_deltas() -> None:
    w = Weight(1.0, optimizer=Adam(0.1))
    for factor in (1.0, 0.0, 1.0):
        Times(w, factor).train()
    assert w.state[-1] == 3
