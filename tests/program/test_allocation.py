"""After its first steps a program allocates next to nothing; what it has handed out stays as it was."""

from __future__ import annotations

import gc
import linecache
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, Momentum, Tuple, compile, parameters
from layertree.program.codegen import batch_program as parts
from layertree.program.passes import batch_splitting as split
from layertree.typing import ArraySpec
from symbolic import (
    cross_entropy,
    exp,
    layer_norm,
    max_pool2d,
    mean,
    nn,
    placeholder,
    relu,
    reshape,
    seed,
    softmax,
    tanh,
    weight,
)
from tests.program.networks import batch, convolutional, mlp, placeholders

LITTLE = 1 << 15
"""Bytes: what NumPy takes meanwhile where it broadcasts, as much as programs ask it for, and a few small objects."""


def largest_allocation(run: Callable[[], object], times: int = 3) -> int:
    """The bytes that some runs take at most at one time, beside what there was before."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(6):  # NumPy and Python keep some small blocks for later
            run()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        for _ in range(times):
            run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
        gc.enable()


def large_mlp() -> Any:
    return mlp((64, 256, 128, 3))


def large_convolutional() -> Any:
    with seed(0):
        images, labels = placeholders(16, 16, 3)
        hidden = max_pool2d(relu(nn.conv2d(images, 8, 3, padding=1)), 2)
        hidden = max_pool2d(relu(nn.conv2d(hidden, 12, 3, padding=1)), 2)
        return cross_entropy(nn.dense(reshape(hidden, (-1, 192)), 3), labels)


NETWORKS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "mlp": (large_mlp, (64,)),
    "convolutional": (large_convolutional, (16, 16, 3)),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("rule", [SGD(0.1), Momentum(0.1), Adam(0.01)], ids=lambda rule: type(rule).__name__)
def test_a_step_allocates_a_few_small_objects(name: str, rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "WORTH", 1 << 40)
    make, shape = NETWORKS[name]
    objective, data = make(), batch(64, *shape)
    step = compile(objective, train=True, optimizer=rule)
    for _ in range(3):
        step(data)
    assert largest_allocation(lambda: step(data)) < LITTLE < step.memory.peak / 4


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("threads", [1, 2])
def test_so_does_a_step_in_parts(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 16 if name == "mlp" else 1 << 19)
    make, shape = NETWORKS[name]
    objective, data = make(), batch(64, *shape)
    step = compile(objective, train=True, optimizer=SGD(0.1), threads=threads)
    for _ in range(3):
        step(data)
    assert "def part(" in step.source
    # Each thread may be casting at the same time.
    assert largest_allocation(lambda: step(data)) < (threads + 1) * LITTLE < step.memory.without_reuse / 2


def test_a_value_allocates_its_result_alone() -> None:
    x = placeholder(ArraySpec((512, 64), np.float32))
    program = compile(softmax(tanh(layer_norm(x * weight(1.5)))))
    data = batch(512, 64)[0]
    program.predict(data)
    assert LITTLE < data.nbytes < largest_allocation(lambda: program.predict(data)) < data.nbytes + LITTLE


def test_old_values_stay_while_somebody_has_them() -> None:
    objective, data = large_mlp(), batch(64, 64)
    step = compile(objective, train=True, optimizer=Adam(0.01))
    kept: list[tuple[Any, bytes]] = []
    for number in range(12):
        step(data)
        for w in parameters(objective):
            if number in (0, 1, 4, 5, 6):
                kept.append((w.value, w.value.tobytes()))
    assert len(kept) == 5 * len(parameters(objective))
    assert all(value.tobytes() == bits for value, bits in kept)
    assert len({bits for _, bits in kept}) == len(kept)


def test_a_view_of_an_old_value_keeps_it_too() -> None:
    objective, data = large_mlp(), batch(64, 64)
    step = compile(objective, train=True, optimizer=SGD(0.1))
    step(data)
    view = parameters(objective)[0].value[3:5].T
    bits = view.tobytes()
    for _ in range(6):
        step(data)
    assert view.tobytes() == bits


def test_two_sets_of_arrays_take_turns() -> None:
    objective, data = large_mlp(), batch(64, 64)
    step = compile(objective, train=True, optimizer=SGD(0.1))
    first = parameters(objective)[0]
    seen = []
    for _ in range(8):
        step(data)
        seen.append(first.value.__array_interface__["data"][0])
    assert seen[2] != seen[3]
    assert seen[2::2] == [seen[2]] * 3
    assert seen[3::2] == [seen[3]] * 3


def test_states_of_a_run_that_is_kept_stay() -> None:
    """A tape that was made between steps goes back over the weights as it saw them."""
    objective, data = large_mlp(), batch(64, 64)
    step = compile(objective, train=True, optimizer=SGD(0.1))
    for _ in range(3):
        step(data)
    wanted = {w: delta.copy() for w, delta in objective.forward(data).gradients().items()}
    tape = objective.forward(data)
    for _ in range(4):
        step(data)
    for w, delta in tape.gradients().items():
        np.testing.assert_array_equal(delta, wanted[w])


@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=lambda rule: type(rule).__name__)
def test_weights_and_states_are_read_only(rule: Any) -> None:
    objective, data = mlp(), batch(4, 6)
    step = compile(objective, train=True, optimizer=rule)
    for _ in range(3):
        step(data)
        for w in parameters(objective):
            arrays = [w.value, *[part for part in w.cell.state[1] if isinstance(part, np.ndarray)]]
            for array in arrays:
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0.0


@pytest.mark.parametrize("rows", [3, 200_000])
def test_what_predict_gives_is_read_only_and_stays(rows: int) -> None:
    x = placeholder(ArraySpec((None, 2)))
    program = compile(exp(x * weight(2.0)))
    data = np.random.default_rng(0).standard_normal((rows, 2))
    first = program.predict(data)
    bits = first.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0.0
    program.predict(-data)
    assert first.tobytes() == bits


def test_parts_of_a_tuple_and_views_of_the_input_are_read_only() -> None:
    x = placeholder(ArraySpec((3, 2)))
    data = np.ones((3, 2))
    program = compile(Tuple((x.layer, x[0].layer, (x + 1.0).layer, (x * weight(1.0)).layer)))
    for part in program.predict(data):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 0.0
    data[0] = 5.0  # the caller's own array is as it was
    assert data[0, 0] == 5.0


def test_deltas_and_values_of_tapes_are_read_only() -> None:
    x = placeholder(ArraySpec((3,)))
    w = weight(np.ones(3))
    tape = compile(exp(x * w)).forward(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        tape.value[0] = 0.0
    found = tape.gradients(np.ones(3))
    with pytest.raises(ValueError, match="read-only"):
        found[w][0] = 0.0


def test_a_program_goes_when_nobody_has_it() -> None:
    """With its arena, and its source, which tracebacks read."""
    step = compile(convolutional(), train=True)
    step(batch(2, 8, 8, 1))
    program = step._programs.last
    watched = [weakref.ref(program), weakref.ref(program._memory[0][0].buffers[0].base)]
    assert not [name for name in linecache.cache if program.program.function.__code__.co_filename == name]
    del step, program
    gc.collect()
    assert [one() for one in watched] == [None, None]


def test_dropout_makes_masks_and_nothing_else() -> None:
    objective, data = mlp((64, 256, 128, 3), rate=0.5), batch(64, 64)
    step = compile(objective, train=True, optimizer=SGD(0.1))
    for _ in range(3):
        step(data)
    found = largest_allocation(lambda: step(data))
    assert "bernoulli" in step.source
    # The generator makes a float64 for each element of a mask.
    assert found < 64 * (256 + 128) * (8 + 2) + LITTLE


def test_a_chain_of_blocks_allocates_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "WORTH", 1 << 40)
    x = placeholder(ArraySpec((2048, 64)))
    step = compile(mean(tanh(exp(x * weight(0.1)) * weight(1.5)) ** 2), train=True)
    data = np.random.default_rng(0).standard_normal((2048, 64))
    for _ in range(3):
        step(data)
    assert " in blocks:" in step.source
    assert largest_allocation(lambda: step(data)) < 2 * LITTLE < data.nbytes / 4
