"""Sums over rows that are put together lie side by side from the start."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from layertree import Adam, compile, parameters
from layertree.layers import layer_of
from layertree.program.codegen import batch_program as parts
from layertree.program.ir.operations import Graph, Op
from layertree.program.passes.batch_sums import Room, slots_of
from layertree.typing import ArraySpec
from symbolic import mean, nn, placeholder, sum, tanh


def _op(name: str, shape: tuple[int, ...], *inputs: Op, **attributes: Any) -> Op:
    return Op(name, inputs, attributes, ArraySpec(shape))


def test_a_concatenation_of_sums_is_one_slot() -> None:
    a, b, c, n = _op("sum", (2, 3)), _op("sum", (4,)), _op("sum", (5,)), _op("sum", ())
    flat = _op("reshape", (6,), a)
    joined = _op("concat", (10,), b, flat)
    graph = Graph([a, b, c, n, flat, joined], (), (joined, c, n))
    slots = slots_of(graph, [a, n, c, b])
    assert [(slot.op, slot.sums) for slot in slots] == [(joined, (b, a)), (n, (n,)), (c, (c,))]
    room = Room(slots)
    for number, part in enumerate(room.sums):
        part[...] = number + 1.0
    assert [part.shape for part in room.sums] == [(4,), (2, 3), (5,)]
    whole, number, other = room.filled(slots, [None, None, 7.0, None])
    assert whole.tolist() == [1.0] * 4 + [2.0] * 6
    assert number == 7.0
    assert other.tolist() == [3.0] * 5


@pytest.mark.parametrize("reason", ["read", "result", "twice", "other"])
def test_what_somebody_else_reads_stays_by_itself(reason: str) -> None:
    a, b, other = _op("sum", (2,)), _op("sum", (4,)), _op("exp", (4,))
    second = {"twice": a, "other": other}.get(reason, b)
    joined = _op("concat", (2 + second.spec.shape[0],), a, second)
    read = _op("exp", (2,), a)
    results: Any = {"read": (joined, read), "result": (joined, a)}.get(reason, (joined,))
    graph = Graph([a, b, other, joined, read], (), results)
    if reason != "read":
        graph.ops.remove(read)
    assert [(slot.op, slot.sums) for slot in slots_of(graph, [a, b])] == [(a, (a,)), (b, (b,))]


@pytest.mark.parametrize("decay", [False, True])
def test_deltas_of_all_weights_are_added_up_as_one(monkeypatch: pytest.MonkeyPatch, decay: bool) -> None:
    """With a term of its own that reads a weight, its delta is no plain sum over rows, and is put together later."""
    monkeypatch.setattr("layertree.program.passes.batch_splitting.WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 10)
    x: Any = placeholder(ArraySpec(("Batch", 8)))
    hidden: Any = nn.dense(tanh(nn.dense(x, 6, name="first")), 3, name="second")
    objective: Any = mean(hidden * hidden)
    if decay:
        first = parameters(objective)[0]
        objective = objective + 0.01 * sum(layer_of("multiply")(first, first))
    twin = copy.deepcopy(objective)
    data = np.random.default_rng(0).standard_normal((12, 8)).astype(np.float32)
    step = compile(objective, train=True, optimizer=Adam(0.01))
    for _ in range(3):
        tape = twin.forward(data)
        np.testing.assert_allclose(step(data), tape.value, rtol=1e-5)
        tape.backward(optimizer=Adam(0.01))
    assert ("np.concatenate" in str(step.source)) == decay
    for one, other in zip(parameters(objective), parameters(twin), strict=True):
        np.testing.assert_allclose(one.value, other.value, rtol=1e-4, atol=1e-6)
