"""Programs in parts: what they compute is what the whole computes, for any number of parts and threads."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, compile, parameters
from layertree.program import parts
from layertree.typing import ArraySpec
from symbolic import cross_entropy, exp, mean, nn, placeholder, relu, reshape, sigmoid, sum, tanh, value_and_grad


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split also what is small."""
    monkeypatch.setattr("layertree.program.split.WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 12)


def convolutional() -> Any:
    images, labels = placeholder((ArraySpec(("Batch", 8, 8, 2)), ArraySpec(("Batch",), np.int64)))
    hidden = nn.max_pool2d(relu(nn.conv2d(images, 4, 3, padding=1)))
    hidden = reshape(nn.conv2d(hidden, 3, 3, groups=1), (-1, 12))
    return cross_entropy(nn.dense(tanh(hidden), 5), labels)


def dense() -> Any:
    rows, labels = placeholder((ArraySpec(("Batch", 8, 8, 2)), ArraySpec(("Batch",), np.int64)))
    hidden = sigmoid(nn.dense(reshape(rows, (-1, 128)), 16))
    return cross_entropy(nn.dense(hidden, 5), labels) + 0.01 * mean(hidden * hidden)


@pytest.mark.parametrize("make", [convolutional, dense])
@pytest.mark.parametrize("optimizer", [SGD(0.1), Adam(0.01)])
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("rows", [12, 13])
def test_steps(make: Any, optimizer: Any, threads: int, rows: int) -> None:
    objective = make()
    twin = copy.deepcopy(objective)
    generator = np.random.default_rng(0)
    batch = generator.standard_normal((rows, 8, 8, 2)), generator.integers(0, 5, rows)
    step = compile(objective, train=True, optimizer=optimizer, threads=threads)
    for _ in range(3):
        loss, tape = step(batch), twin.forward(batch)
        np.testing.assert_allclose(loss, tape.value, rtol=1e-12)
        tape.backward(optimizer=optimizer)
    assert "def part(" in step.source
    for weight, other in zip(parameters(objective), parameters(twin), strict=True):
        np.testing.assert_allclose(weight.value, other.value, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("threads", [2, 3])
def test_rows_come_back_in_their_place(threads: int) -> None:
    x = placeholder(ArraySpec(("Batch", 6)))
    program = compile(exp(nn.dense(x, 3)) * 2.0, threads=threads)
    data = np.random.default_rng(1).standard_normal((11, 6))
    first = program.predict(data)
    np.testing.assert_allclose(first, program.formula.predict(data), rtol=1e-12)
    assert "def part(" in program.source
    kept = first.copy()
    program.predict(-data)
    np.testing.assert_array_equal(first, kept)


def test_an_elementwise_chain() -> None:
    a = placeholder(ArraySpec((1000,), np.float32))
    formula = value_and_grad(sum(tanh(a) * sigmoid(a) + exp(-a * a)))
    data = np.linspace(-2, 2, 1000, dtype=np.float32)
    program = compile(formula, threads=2)
    value, gradient = program.predict(data)
    wanted, slope = formula.predict(data)
    assert "def part(" in program.source
    np.testing.assert_allclose(value, wanted, rtol=1e-5)
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-6)


def test_the_same_threads_give_the_same_bits() -> None:
    results = []
    for _ in range(2):
        from symbolic.initializers import seed

        with seed(3):
            objective = dense()
        generator = np.random.default_rng(0)
        batch = generator.standard_normal((64, 8, 8, 2)), generator.integers(0, 5, 64)
        step = compile(objective, train=True, threads=2)
        results.append([step(batch) for _ in range(3)] + [weight.value.tobytes() for weight in parameters(objective)])
    assert results[0] == results[1]


def test_what_needs_all_rows_stays_whole() -> None:
    x = placeholder(ArraySpec(("Batch", 4)))
    program = compile(x - mean(x, axis=0))
    data = np.random.default_rng(1).standard_normal((8, 4))
    np.testing.assert_allclose(program.predict(data), data - data.mean(0), atol=1e-12)
    assert "def part(" not in program.source
