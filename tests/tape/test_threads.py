"""Threads: a formula never changes, a run has its tapes to itself, and a commit loses no step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, Bernoulli, Count, Dropout, Momentum, State, Times, Tuple, Weight, parameters
from layertree.typing import ArraySpec
from tests.threads import switching_often, together

COUNT = 8


_switch_often = pytest.fixture(autouse=True)(switching_often)


def model(number: int) -> Any:
    """A classifier with dropout, different for each number."""
    with sy.seed(number):
        x, y = sy.placeholder((ArraySpec((6, 4), np.float32), ArraySpec((6,), np.int64)))
        hidden = sy.dropout(sy.tanh(sy.dense(x, 5)), 0.3)
        return sy.cross_entropy(sy.dense(hidden, 3), y)


def batch(number: int) -> Any:
    generator = np.random.default_rng(number)
    return generator.normal(size=(6, 4)).astype(np.float32), generator.integers(0, 3, 6)


def trained(loss: Any, number: int, steps: int = 30) -> list[bytes]:
    """The bits of the weights after some steps, and those of the losses on the way."""
    seen = []
    for _ in range(steps):
        with loss.forward(batch(number)) as tape:
            seen.append(tape.value.tobytes())
            tape.backward(optimizer=Adam(0.01))
    return seen + [w.value.tobytes() for w in parameters(loss)]


def test_eight_threads_train_eight_models() -> None:
    alone = [trained(model(number), number) for number in range(COUNT)]
    assert together(lambda number: trained(model(number), number), COUNT) == alone
    assert len({bits[-1] for bits in alone}) == COUNT


def test_eight_threads_train_eight_models_of_one_formula() -> None:
    # The layers are shared (one formula, composed), the weights are not: what the tree caches is common to all.
    x = sy.placeholder(ArraySpec((6, 4), np.float32))
    shared = sy.tanh(sy.relu(x) + 0.5 * x)

    def run(number: int) -> list[bytes]:
        with sy.seed(number):
            images, y = sy.placeholder((ArraySpec((6, 4), np.float32), ArraySpec((6,), np.int64)))
            return trained(sy.cross_entropy(sy.dense(shared(images), 3), y), number)

    alone = [run(number) for number in range(COUNT)]
    assert together(run, COUNT) == alone


def test_eight_threads_read_one_model() -> None:
    loss = model(0)
    data = [batch(number) for number in range(COUNT)]
    alone = [loss.predict(one) for one in data]
    gradients = [loss.forward(one).gradients() for one in data]

    def read(number: int) -> None:
        for _ in range(20):
            assert loss.predict(data[number]) == alone[number]
            found = loss.forward(data[number]).gradients()
            for w in parameters(loss):
                np.testing.assert_array_equal(found[w], gradients[number][w])

    together(read, COUNT)
    assert len(set(map(float, alone))) == COUNT


def test_a_first_run_in_eight_threads_at_once() -> None:
    # Plans, cells and the inference form are made at the first run and kept by the formula.
    for attempt in range(10):
        loss, twin, data = model(attempt), model(attempt), batch(attempt)
        expected = twin.predict(data)
        assert together(lambda _, loss=loss, data=data: loss.predict(data), COUNT) == [expected] * COUNT


def read_while(writes: Callable[[], object], read: Callable[[], Any], readers: int = COUNT) -> set[Any]:
    """All that readers see before, while and after one thread writes."""
    has_begun, done = threading.Barrier(readers + 1), threading.Event()

    def work(number: int) -> set[Any]:
        if number == readers:
            has_begun.wait()
            try:
                writes()
            finally:
                done.set()
            return set()
        seen = {read()}
        has_begun.wait()
        while not done.is_set():
            seen.add(read())
        return seen | {read()}

    return set().union(*together(work, readers + 1))


def test_readers_see_all_weights_of_one_step_or_none() -> None:
    # Two weights move in steps of 1 and keep their sum; a reader between two rebindings would see another one.
    up, down = (sy.weight(start, optimizer=SGD(1.0)) for start in (0.0, 1000.0))
    difference = down - up
    both = Tuple(((up + down).layer, difference.layer))

    def write() -> None:
        for _ in range(500):
            difference.train()

    seen = read_while(write, both.predict)
    assert {(1000.0, 1000.0), (1000.0, 0.0)} <= seen <= {(1000.0, 1000.0 - 2.0 * step) for step in range(501)}


def test_eight_threads_read_a_model_that_another_trains() -> None:
    loss, twin = model(3), model(3)
    data, steps = batch(3), 60
    # The losses that a reader may see: one for each state of the weights, and none besides.
    possible = [float(twin.predict(data))]
    for _ in range(steps):
        trained(twin, 3, 1)
        possible.append(float(twin.predict(data)))
    assert len(set(possible)) == steps + 1
    seen = read_while(lambda: trained(loss, 3, steps), lambda: float(loss.predict(data)))
    assert {possible[0], possible[-1]} <= seen <= set(possible)
    assert [w.value.tobytes() for w in parameters(loss)] == [w.value.tobytes() for w in parameters(twin)]


@pytest.mark.parametrize("start", [0.0, np.zeros(3)], ids=["float", "array"])
def test_no_step_of_a_shared_weight_is_lost(start: Any) -> None:
    w = Weight(start, optimizer=SGD(1.0))
    net, steps = Times(w, 1.0), 100

    def work(_: int) -> None:
        for _ in range(steps):
            net.train(delta=np.ones_like(start) if np.ndim(start) else 1.0)

    together(work, COUNT)
    np.testing.assert_array_equal(w.value, start - float(COUNT * steps))


def test_no_count_and_no_moment_is_lost() -> None:
    momentum, adam = Weight(0.0, optimizer=Momentum(1.0, 0.5)), Weight(0.0, optimizer=Adam(0.001))
    counter = State(0, Count())
    masked = Dropout(Times(momentum, adam), Bernoulli(momentum, counter, 1.0), 0.0)
    net, steps = Tuple((momentum, adam, masked)), 50

    def work(_: int) -> None:
        for _ in range(steps):
            net.train(delta=(1.0, 1.0, None))

    together(work, COUNT)
    total = COUNT * steps
    assert adam.state[-1] == counter.value == total
    velocity = position = 0.0
    for _ in range(total):
        velocity = 0.5 * velocity + 1.0
        position -= velocity
    assert (momentum.value, momentum.state[0]) == (position, velocity)
