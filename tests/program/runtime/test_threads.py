"""Threads: they may run one program at a time, no step is lost, and no reader sees half of a commit."""

from __future__ import annotations

import _thread
import copy
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, Momentum, compile, parameters
from layertree.core import cell as cells
from layertree.program.codegen import batch_program as parts
from layertree.program.passes import batch_splitting as split
from layertree.tape import commit as commits
from layertree.typing import ArraySpec
from symbolic import exp, hook, mean, placeholder, seed, sum, tanh, weight
from tests.program.networks import IMAGE, batch, convolutional, mlp
from tests.threads import switching_often, together

COUNT = 4


_switch_often = pytest.fixture(autouse=True)(switching_often)


def test_threads_run_one_program_of_a_value() -> None:
    objective = mlp((6, 32, 3))
    program = compile(objective)
    data = [batch(8, 6, number=number) for number in range(COUNT)]
    wanted = [objective.predict(one) for one in data]

    def run(number: int) -> None:
        for _ in range(100):
            np.testing.assert_allclose(program.predict(data[number]), wanted[number], rtol=1e-6)

    together(run, COUNT)
    assert len(set(map(float, wanted))) == COUNT


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_run_one_program_in_parts(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 12)
    objective = convolutional()
    program = compile(objective, threads=threads)
    data = [batch(8, *IMAGE, number=number) for number in range(COUNT)]
    wanted = [objective.predict(one) for one in data]

    def run(number: int) -> None:
        for _ in range(10):
            np.testing.assert_allclose(program.predict(data[number]), wanted[number], rtol=1e-5)

    together(run, COUNT)
    assert "def part(" in program.source


def linear(start: Any) -> Any:
    """A formula whose delta is the input, whatever the weights are: steps add up in any order."""
    x = placeholder(float) if isinstance(start, float) else placeholder(ArraySpec(start.shape))
    w = weight(start)
    return w, sum(x * w) if not isinstance(start, float) else x * w


@pytest.mark.parametrize("start", [0.0, np.zeros(3)], ids=["number", "array"])
@pytest.mark.parametrize("rule", [SGD(1.0), Momentum(1.0, 0.0)], ids=["SGD", "Momentum"])
def test_no_step_of_one_cell_is_lost(start: Any, rule: Any) -> None:
    w, objective = linear(start)
    step = compile(objective, train=True, optimizer=rule)
    one = 1.0 if isinstance(start, float) else np.ones(3)
    together(lambda _: [step(one) for _ in range(200)], COUNT)
    np.testing.assert_array_equal(w.value, -200.0 * COUNT * np.asarray(one))


def test_no_step_of_several_cells_is_lost() -> None:
    x = placeholder(ArraySpec((3,)))
    weights = [weight(np.zeros(3)) for _ in range(3)]
    step = compile(sum(x * weights[0] + 2.0 * x * weights[1] + x * weights[2]), train=True, optimizer=SGD(1.0))
    together(lambda _: [step(np.ones(3)) for _ in range(100)], COUNT)
    for w, factor in zip(weights, (1.0, 2.0, 1.0), strict=True):
        np.testing.assert_array_equal(w.value, np.full(3, -100.0 * COUNT * factor))


def test_no_step_is_lost_between_programs_and_tapes_that_share_a_weight() -> None:
    """One rebinds a cell without a lock, one several cells with it, one is the interpreter's commit."""
    x = placeholder(float)
    shared, others = weight(0.0), [weight(0.0) for _ in range(12)]
    single = compile(x * shared, train=True, optimizer=SGD(1.0))
    several = x * shared
    for other in others:  # the more there are, the longer takes it to rebind them
        several = x * other + several
    pair = compile(several, train=True, optimizer=SGD(1.0))

    def run(number: int) -> None:
        for _ in range(300):
            if number % 3 == 0:
                single(1.0)
            elif number % 3 == 1:
                pair(1.0)
            else:
                several.forward(1.0).backward(optimizer=SGD(1.0))

    together(run, 6)
    assert shared.value == -300.0 * 6
    assert [other.value for other in others] == [-300.0 * 4] * 12


def test_a_step_of_one_cell_takes_no_lock() -> None:
    w, objective = linear(0.0)
    v, arrays = linear(np.zeros(3))
    step, other = [compile(one, train=True, optimizer=SGD(1.0)) for one in (objective, arrays)]
    step(1.0)
    other(np.ones(3))
    with cells.rebinding:  # would wait for ever
        step(1.0)
        other(np.ones(3))
    assert w.value == -2.0
    assert v.value.tolist() == [-2.0] * 3


def test_a_step_of_one_cell_waits_while_several_are_rebound() -> None:
    w, objective = linear(0.0)
    step = compile(objective, train=True, optimizer=SGD(1.0))
    step(1.0)
    thread = threading.Thread(target=step, args=(1.0,))
    with cells.rebinding, cells.changing:
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
        assert w.value == -1.0
    thread.join()
    assert w.value == -2.0


def test_who_rebinds_several_cells_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    rebind = commits.rebind

    def look(*arguments: Any) -> None:
        seen.append(cells.changing.now and not cells.rebinding.acquire(blocking=False))
        rebind(*arguments)

    monkeypatch.setattr(commits, "rebind", look)
    objective = mlp()
    compile(objective, train=True)(batch(4, 6))
    objective.train(batch(4, 6))
    assert seen == [True, True]
    assert not cells.changing.now


@pytest.mark.parametrize("rule", [SGD(0.5), Adam(0.01)], ids=["SGD", "Adam"])
def test_a_reader_never_sees_half_a_commit(rule: Any) -> None:
    """Two weights start equal and get equal deltas, so they are equal between any two commits."""
    x = placeholder(ArraySpec((64,)))
    first, second = weight(np.zeros(64)), weight(np.zeros(64))
    step = compile(mean((x * first - 1.0) ** 2) + mean((x * second - 1.0) ** 2), train=True, optimizer=rule)
    difference = compile(mean((first - second) ** 2) + 0.0 * sum(x))
    data = np.linspace(0.1, 1.0, 64)
    step(data)
    done = threading.Event()
    seen: list[float] = []

    def run(number: int) -> None:
        if number < 2:
            for turn in range(20_000):
                step(data)
                if turn >= 100 and len(seen) >= 100:
                    break
            done.set()
        while not done.is_set():
            seen.append(float(difference.predict(data)))

    together(run, COUNT)
    assert len(seen) >= 100
    assert set(seen) == {0.0}
    assert float(np.abs(first.value).max()) > 0.1


def test_weights_that_a_reader_keeps_do_not_change_under_it() -> None:
    objective, data = mlp((6, 32, 3)), batch(8, 6)
    step = compile(objective, train=True, optimizer=Adam(0.01))
    step(data)
    done = threading.Event()

    def run(number: int) -> None:
        if number < 2:
            for _ in range(150):
                step(data)
            done.set()
        while not done.is_set():
            for w in parameters(objective):
                value = w.value
                bits = value.tobytes()
                time.sleep(0)
                assert value.tobytes() == bits

    together(run, COUNT)


def test_steps_in_threads_are_those_of_one_thread_in_some_order() -> None:
    """Each step is whole: with equal batches the weights are those after as many steps one after the other."""
    objective, data = mlp((6, 16, 3)), batch(8, 6)
    twin = copy.deepcopy(objective)
    step, alone = compile(objective, train=True, optimizer=Adam(0.01)), compile(twin, train=True, optimizer=Adam(0.01))
    losses = [loss for found in together(lambda _: [step(data) for _ in range(20)], COUNT) for loss in found]
    wanted = [alone(data) for _ in range(20 * COUNT)]
    assert sorted(map(float, losses), reverse=True) == sorted(map(float, wanted), reverse=True)
    for w, other in zip(parameters(objective), parameters(twin), strict=True):
        np.testing.assert_array_equal(w.value, other.value)


def test_one_program_is_compiled_once() -> None:
    for number in range(5):
        step = compile(mlp(), train=True)
        rows = 3 + number
        made = together(lambda _, step=step, rows=rows: step._programs.get(batch(rows, 6))[1], COUNT)
        assert len(set(map(id, made))) == 1


def test_threads_with_programs_for_several_shapes() -> None:
    objective = mlp()
    program = compile(objective)
    data = [batch(number + 1, 6, number=number) for number in range(COUNT)]
    wanted = [objective.predict(one) for one in data]

    def run(number: int) -> None:
        for turn in range(60):
            place = (number + turn) % COUNT
            assert program.predict(data[place]) == pytest.approx(float(wanted[place]), rel=1e-6)

    together(run, COUNT)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_one_thread_leaves_the_others_alone(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 12)
    objective = convolutional()
    program = compile(objective, threads=threads)
    rows, labels = batch(8, *IMAGE)
    wanted = objective.predict((rows, labels))
    wrong = labels.copy()
    wrong[5] = 9

    def run(number: int) -> None:
        for _ in range(10):
            if number % 2:
                with pytest.raises(IndexError, match=r"9.*5"):
                    program.predict((rows, wrong))
            else:
                np.testing.assert_allclose(program.predict((rows, labels)), wanted, rtol=1e-5)

    together(run, COUNT)


@pytest.fixture
def raised_interrupts() -> Iterator[None]:
    """Interrupts raise KeyboardInterrupt, also where the tests run in the background of a shell, which ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("raised_interrupts")
def test_ctrl_c_in_the_middle_of_a_step() -> None:
    """Nothing has changed, and the next step is right."""
    x = placeholder(ArraySpec((3,)))
    interrupts = {"left": 3}

    def interrupt(value: Any) -> None:
        if interrupts["left"]:
            interrupts["left"] -= 1
            _thread.interrupt_main()

    first, second = weight(np.ones(3)), weight(np.ones(3))
    objective = sum(exp(hook(x * first, interrupt)) * second)
    twin = compile(sum(exp(x * weight(np.ones(3))) * weight(np.ones(3))))
    step = compile(objective, train=True, optimizer=SGD(0.1))
    data = np.arange(3.0)
    held = [w.cell for w in parameters(objective)]
    for _ in range(3):
        contents = [cell.content for cell in held]
        with pytest.raises(KeyboardInterrupt):
            step(data)
        assert all(cell.content is one for cell, one in zip(held, contents, strict=True))
    assert step(data) == pytest.approx(float(twin.predict(data)))
    assert first.value[1] < 1.0
    assert cells.rebinding.acquire(blocking=False)
    cells.rebinding.release()


def test_ctrl_c_between_two_rebindings_finishes_them() -> None:
    x = placeholder(float)
    first, second = weight(1.0), weight(1.0)
    step = compile(x * first + x * second, train=True, optimizer=SGD(0.5))
    step(1.0)
    lines: list[int] = []

    def count_lines(frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            lines.append(frame.f_lineno)
            if len(lines) == 4:
                raise KeyboardInterrupt
        return count_lines

    sys.settrace(lambda frame, event, argument: count_lines if frame.f_code is commits.rebind.__code__ else None)
    try:
        with pytest.raises(KeyboardInterrupt):
            step(1.0)
    finally:
        sys.settrace(None)
    assert len(lines) >= 4
    assert first.value == second.value == 0.0
    step(1.0)
    assert first.value == second.value == -0.5


def test_dropout_draws_once_for_each_step_of_all_threads() -> None:
    with seed(1):
        objective = mlp((6, 16, 3), rate=0.5)
    step = compile(objective, train=True, optimizer=SGD(0.0))
    losses = [
        float(loss) for found in together(lambda _: [step(batch(8, 6)) for _ in range(15)], COUNT) for loss in found
    ]
    twin = compile(mlp((6, 16, 3), rate=0.5), train=True, optimizer=SGD(0.0))
    wanted = [float(twin(batch(8, 6))) for _ in range(15 * COUNT)]
    assert sorted(losses) == sorted(wanted)
    assert len(set(losses)) > 30


def test_a_tape_in_one_thread_while_another_steps() -> None:
    x = placeholder(ArraySpec((16,)))
    w = weight(np.ones(16))
    compiled: Any = compile(sum(tanh(x * w)))
    step = compile(sum(tanh(x * w)), train=True, optimizer=SGD(0.01))
    data = np.linspace(-1, 1, 16)

    def run(number: int) -> None:
        for _ in range(60):
            if number % 2:
                step(data)
            else:
                tape = compiled.forward(data)
                value = tape.value
                deltas = tape.gradients()[w]
                # d/dw sum(tanh(x w)) is x (1 - tanh^2), of the same weights as the value
                slopes = 1.0 - deltas[data != 0] / data[data != 0]
                np.testing.assert_allclose(np.sum(np.sqrt(slopes) * np.sign(data[data != 0])), value, atol=1e-6)

    together(run, COUNT)
