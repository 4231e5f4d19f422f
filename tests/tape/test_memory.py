"""Memory: tapes and values go by reference count alone, as soon as nobody needs them."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    Adam,
    Compose,
    Exp,
    GreaterEqual,
    Hook,
    Identity,
    If,
    Input,
    Negative,
    Plus,
    ReLU,
    ShapeError,
    Sigmoid,
    Sum,
    Tape,
    Times,
    Tuple,
    Weight,
    parameters,
)
from layertree.typing import ArraySpec


@pytest.fixture(autouse=True)
def _without_the_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def live_tapes() -> int:
    return sum(issubclass(type(one), Tape) for one in gc.get_objects())


class Watch:
    """Weak references to the values that pass."""

    def __init__(self) -> None:
        self.seen: list[weakref.ref[Any]] = []

    def __call__(self, value: Any) -> None:
        self.seen.append(weakref.ref(value))

    @property
    def alive(self) -> list[bool]:
        return [one() is not None for one in self.seen]


A_THOUSAND_STEPS = """
import gc
import json
import numpy as np
import symbolic as sy
from layertree import Adam, Tape
from layertree.typing import ArraySpec

x, y = sy.placeholder((ArraySpec(("Batch", 6, 6, 1), np.float32), ArraySpec(("Batch",), np.int64)))
hidden = sy.max_pool2d(sy.relu(sy.conv2d(x, 2, 3)), 2)
hidden = sy.dropout(sy.dense(sy.flatten(hidden), 4), 0.5)
hidden = sy.if_(sy.mean(hidden) > 0.0, sy.tanh(hidden), sy.sigmoid(hidden))
loss = sy.cross_entropy(sy.dense(hidden, 3), y)
data = np.ones((4, 6, 6, 1), np.float32), np.array([0, 1, 2, 0])
gc.collect()
gc.disable()
counts = []
for step in range(1001):
    with loss.forward(data) as tape:
        tape.backward(optimizer=Adam(0.01))
    loss.predict(data)
    if step % 100 == 0:
        kept = gc.get_objects()
        counts.append((sum(issubclass(type(one), Tape) for one in kept), len(kept)))
        del kept
print(json.dumps(counts))
"""


def test_a_thousand_steps_keep_the_number_of_tapes_flat() -> None:
    ran = subprocess.run([sys.executable, "-c", A_THOUSAND_STEPS], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    tapes, objects = zip(*json.loads(ran.stdout), strict=True)
    assert len(tapes) == 11
    assert len(set(tapes)) == 1
    # The lists of the counts themselves are among the objects.
    assert max(objects[1:]) - objects[1] < 100


def a_formula_of_everything(watch: Watch) -> Any:
    """Sharing, a region, a composition, a tuple and a weight, with a look at two values."""
    w = Weight(np.full(100, 2.0), optimizer=Adam(0.01))
    shared = Hook(Sigmoid(Times(Identity(), w)), watch)
    branch = If(GreaterEqual(Sum(Identity()), 0.0), Exp(shared), Negative(shared))
    composed = Compose(Hook(ReLU(Plus(Identity(), w)), watch), Plus(shared, shared))
    return Tuple((branch, composed, Times(shared, 3.0)))


DELTA = (np.ones(100), np.ones(100), np.ones(100))


def test_a_dropped_output_frees_everything() -> None:
    watch = Watch()
    formula, x = a_formula_of_everything(watch), Input(np.zeros(100))
    before = live_tapes()
    tape = formula.forward(x)
    assert watch.alive == [True, True]
    assert live_tapes() > before + 5
    root = weakref.ref(tape)
    del tape
    assert root() is None
    assert watch.alive == [False, False]
    assert live_tapes() == before


@pytest.mark.parametrize("end", ["backward", "gradients", "close", "with"])
def test_a_used_up_or_closed_tape_frees_what_is_upstream(end: str) -> None:
    watch = Watch()
    formula, x = a_formula_of_everything(watch), Input(np.zeros(100))
    before = live_tapes()
    tape: Any = formula.forward(x)
    found = None
    if end == "backward":
        tape.backward(DELTA)
    elif end == "gradients":
        found = tape.gradients(DELTA)
    elif end == "close":
        tape.close()
    else:
        with tape:
            pass
    if end in ("backward", "gradients"):
        # The value stays, and holds the second look's array, which is part of it.
        assert watch.alive == [False, True]
        assert [part.shape for part in tape.value] == [(100,)] * 3
        del found
    else:
        assert watch.alive == [False, False]
    assert live_tapes() == before + 1  # the tape itself


def test_a_retained_tape_keeps_the_way_back() -> None:
    watch = Watch()
    formula = a_formula_of_everything(watch)
    tape = formula.forward(Input(np.zeros(100)))
    first = tape.gradients(DELTA, retain=True)
    assert watch.alive == [True, True]
    second = tape.gradients(DELTA)
    assert watch.alive == [False, True]
    for key in first:
        np.testing.assert_array_equal(first[key], second[key])
    assert len(first) == 2


def test_gradients_hold_no_tapes() -> None:
    watch = Watch()
    formula, x = a_formula_of_everything(watch), Input(np.zeros(100))
    before = live_tapes()
    found = formula.forward(x).gradients(DELTA)
    assert watch.alive == [False, False]
    assert live_tapes() == before
    assert (found[x] != 0).all()


def test_upstream_tapes_serve_other_roots() -> None:
    x = Input(2.0)
    shared = Times(Identity(), Identity()).forward(x)
    first, second = Exp(Identity()).forward(shared), Negative(Identity()).forward(shared)
    first.backward()
    assert second.gradients()[x] == -4.0
    gone = weakref.ref(shared)
    del shared
    assert gone() is None


def test_a_formula_that_ran_is_freed_with_its_weights() -> None:
    watch = Watch()
    formula = a_formula_of_everything(watch)
    formula.train(np.zeros(100), delta=DELTA)
    formula.predict(np.zeros(100))
    hash(formula), repr(formula), formula == formula  # what they cache must not hold it
    [w] = parameters(formula)
    kept = [weakref.ref(one) for one in (formula, w, w.cell, w.value)]
    del w
    assert all(one() is not None for one in kept)
    del formula
    assert [one() for one in kept] == [None] * 4


def test_predict_lets_values_go_at_their_last_use() -> None:
    watch, at_the_end = Watch(), []
    x = sy.placeholder(ArraySpec((100,)))
    first = sy.hook(x + 1.0, watch)
    second = sy.hook(first * 2.0, watch)
    third = sy.hook(sy.exp(second) * first, watch)  # the last use of both
    net = sy.hook(sy.sin(third) + third, lambda _: at_the_end.append(watch.alive))
    value = net.predict(np.zeros(100))
    assert at_the_end == [[False, False, False]]
    np.testing.assert_allclose(value, np.sin(np.exp(2.0)) + np.exp(2.0))
    # A forward run has to keep what its gradients need.
    watch.seen.clear()
    with net.forward(np.zeros(100)):
        assert at_the_end[-1] == [True, True, True]


def test_predict_needs_few_arrays_at_a_time() -> None:
    size, depth = 10_000, 40
    formula: Any = Identity()
    for _ in range(depth):
        formula = Sigmoid(Times(formula, 2.0))
    data = np.zeros(size)
    formula.predict(data)  # makes what is kept: the plan
    peaks = []
    for run in (formula.predict, formula.forward):
        tracemalloc.start()
        result = run(data)
        peaks.append(tracemalloc.get_traced_memory()[1] / data.nbytes)
        tracemalloc.stop()
        del result
    assert peaks[0] < 6
    assert peaks[1] > 2 * depth


def test_an_error_lets_go_of_the_data_it_was_raised_for() -> None:
    data = np.zeros(100)
    kept = weakref.ref(data)
    with pytest.raises(ShapeError, match="do not broadcast"):
        Plus(Identity(), np.ones(3)).forward(data)
    del data
    assert kept() is None
