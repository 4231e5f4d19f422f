"""Owl's Algodiff and Neural, what its documentation promises: A-S1, A-S3 to A-S10, A-S12."""

from __future__ import annotations

import weakref
from typing import Any

import attrs
import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Conv2D,
    Hook,
    Identity,
    Input,
    Layer,
    Literal,
    MaxPool2D,
    Minus,
    MissingGradientError,
    Optimizer,
    Plus,
    ReLU,
    Sigmoid,
    Tape,
    Times,
    Weight,
    backward_all,
    layer,
    operand,
    parameters,
)
from layertree.typing import ArraySpec

from .support import counted, live_tapes, no_collector, tapes_upstream

EVENTS: list[str] = []


@layer
class Spy(Layer[Any, Tape[Any, Any]]):
    """The operand; notes when it runs and when its delta passes."""

    operand: Layer[Any, Any] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        EVENTS.append("run")
        return a

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        EVENTS.append("backward")
        return (lambda: delta,)


@attrs.frozen
class NotedSGD(Optimizer):
    """SGD that notes its step."""

    def update(self, xp: Any, value: Any, delta: Any, state: Any) -> tuple[Any, Any]:
        EVENTS.append("update")
        return xp.subtract(value, xp.multiply(delta, 0.1)), state


def test_a_s1_a_training_step_in_order() -> None:
    x, y = sy.placeholder((ArraySpec((2, 1)), ArraySpec((2, 1))))
    w = sy.weight(np.zeros((1, 1)), optimizer=NotedSGD())
    prediction = sy.wrap(Spy((sy.placeholder(ArraySpec((2, 1))) @ w).layer), ArraySpec((2, 1)))
    loss = sy.hook(sy.mean_squared_error(prediction(x), y), lambda value: EVENTS.append("loss"))
    data = (np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]]))
    EVENTS.clear()  # inference of the shapes ran the spy, too
    assert loss.train(data) == 5.0  # (1 + 9) / 2, the mean over the rows
    assert EVENTS == ["run", "loss", "backward", "update"]
    # The derivative of the mean is -2 (1 * 1 + 2 * 3) / 2.
    np.testing.assert_allclose(w.value, [[0.7]], rtol=1e-15)


def test_a_s3_only_layers_with_weights_have_parameters() -> None:
    assert parameters(ReLU(Identity())) == ()
    assert parameters(MaxPool2D(Identity(), (2, 2), (2, 2))) == ()
    x = sy.placeholder(ArraySpec((None, 3), np.float32))
    net = sy.relu(sy.dense(sy.relu(x), 2))
    kernel, bias = parameters(net)
    with net.forward(np.ones((1, 3), np.float32)) as tape:
        gradients = tape.gradients(np.ones((1, 2), np.float32))
    assert set(gradients) == {kernel, bias}
    assert (gradients[kernel].shape, gradients[bias].shape) == ((3, 2), (2,))


def test_a_s4_three_trainable_tapes() -> None:
    with ReLU(Minus(Identity(), Literal(2.0))).forward(Input(5.0)) as tape:
        found = tapes_upstream(tape)
        trainable = [one for one in found if one.is_trainable]
        # Theirs leaves constants off the tape; here the tape tree mirrors the formula, and they are not trainable.
        assert len(found) == 4
        assert sorted(type(one).__name__ for one in trainable) == ["Input", "OperationTape", "OperationTape"]
        assert [one for one in found if not one.is_trainable] == [Literal(2.0)]


def test_a_s5_a_fresh_leaf() -> None:
    leaf = Input(np.zeros((2, 3), np.float32))
    assert leaf.upstream == ()
    with Times(Literal(2.0), Weight(3.0)).forward(leaf) as tape:
        gradients = tape.gradients()
    # Theirs has zeros for a leaf that nothing reached; here it has no delta, and the look-up says so.
    assert leaf not in gradients
    with pytest.raises(MissingGradientError, match=r"did not reach <Input of float32 array of shape \(2, 3\)>"):
        gradients[leaf]


def test_a_s6_a_second_pass_starts_from_nothing() -> None:
    x = Input(3.0)
    with Times(Identity(), Identity()).forward(x) as tape:
        assert tape.gradients(retain=True)[x] == 6.0
        assert tape.gradients()[x] == 6.0


def test_a_s7_a_constant_kernel_gets_nothing() -> None:
    images, kernel = Input(np.ones((1, 3, 3, 1))), Literal(np.arange(4.0).reshape(2, 2, 1, 1))
    with Conv2D(Identity(), kernel).forward(images) as tape:
        gradients = tape.gradients(np.ones((1, 2, 2, 1)))
    assert list(gradients) == [images]
    np.testing.assert_array_equal(gradients[images][0, :, :, 0], [[0, 1, 1], [2, 6, 4], [2, 5, 3]])


def test_a_s8_the_output_holds_all_that_it_needs() -> None:
    w = Weight(np.full(1000, 2.0), optimizer=SGD(1.0))
    values: list[weakref.ref[Any]] = []

    def forward() -> Any:
        formula = Times(Hook(Sigmoid(Identity()), lambda value: values.append(weakref.ref(value))), w)
        return formula.forward(Input(np.zeros(1000)))

    with no_collector():
        before = live_tapes()
        tape = forward()
        assert live_tapes() > before
        assert values[0]() is not None
        tape.backward(np.ones(1000), retain=True)
        np.testing.assert_array_equal(w.value, 1.5)
        del tape
        assert values[0]() is None
        assert live_tapes() == before


def test_a_s9_each_visit_adds_and_goes_on_once() -> None:
    x = sy.placeholder(float)
    s = x * 2.0
    source = Input(3.0)
    with (s + s * s).forward(source) as tape:
        assert tape.value == 42.0
        assert tape.gradients()[source] == 26.0


def test_a_s9_thirty_doublings(monkeypatch: pytest.MonkeyPatch) -> None:
    formula: Any = Identity()
    for _ in range(30):
        formula = Plus(formula, formula)
    source = Input(1.0)
    with counted(monkeypatch, Plus) as calls, formula.forward(source) as tape:
        assert tape.gradients()[source] == 1073741824.0
        assert (calls.compute, calls.gradient) == (30, 30)


def test_a_s10_a_chain_of_100_000_additions() -> None:
    w = Weight(0.5, optimizer=SGD(1.0))
    formula: Any = Identity()
    for _ in range(100_000):
        formula = Plus(formula, w)
    source = Input(1.0)
    tape = formula.forward(source)
    assert tape.value == 50_001.0
    gradients = tape.gradients()
    assert gradients[source] == 1.0
    assert gradients[w] == 100_000.0  # 1 for each use


def test_a_s12_the_seed_is_an_argument() -> None:
    x = Input(3.0)
    square = Times(Identity(), Identity())
    with square.forward(x) as tape:
        assert tape.gradients(2.5)[x] == 15.0
    w = Weight(1.0, optimizer=SGD(1.0))
    backward_all({Times(w, 2.0).forward(None): 2.5, Times(w, 3.0).forward(None): -1.0})
    assert w.value == 1.0 - (2.5 * 2.0 - 3.0)
