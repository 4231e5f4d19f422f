"""Programs in parts: what they compute is what the whole computes, for any number of parts and threads."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, Tuple, compile, parameters
from layertree.program.codegen import batch_program as parts
from layertree.typing import ArraySpec
from symbolic import (
    cross_entropy,
    exp,
    mean,
    nn,
    placeholder,
    prod,
    relu,
    reshape,
    sigmoid,
    sum,
    tanh,
    value_and_grad,
    weight,
)
from tests.program.forks import in_child, needs_fork


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split also what is small."""
    monkeypatch.setattr("layertree.program.passes.batch_splitting.WORTH", 1)
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
    for trained, other in zip(parameters(objective), parameters(twin), strict=True):
        np.testing.assert_allclose(trained.value, other.value, rtol=1e-7, atol=1e-9)


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


@pytest.mark.parametrize("threads", [1, 2])
def test_results_stay_as_they_are(threads: int) -> None:
    """Sums over rows, views of them, and what is the same for all rows lie where the next run writes."""
    x, v, w = placeholder((ArraySpec((120, 6)), ArraySpec((6, 3)), ArraySpec((1, 6, 3))))
    square = v * v
    formula = value_and_grad(sum(tanh(x @ reshape(w, (6, 3))) * (x @ square)), [w, square])
    program = compile(Tuple((formula.layer, square.layer)), threads=threads)
    generator = np.random.default_rng(1)
    data = tuple(generator.standard_normal(shape) for shape in ((120, 6), (6, 3), (1, 6, 3)))
    (_, slopes), same = program.predict(data)
    (_, wanted), squared = program.formula.predict(data)
    for found, other in zip((*slopes, same), (*wanted, squared), strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-10)
    program.predict((data[0], -2.0 * data[1], data[2]))
    assert "def part(" in program.source
    for found, other in zip((*slopes, same), (*wanted, squared), strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-10)


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


def test_deltas_of_a_layer_in_parts() -> None:
    """What comes in as a delta and what parts are handed are told apart."""
    x, w = placeholder(ArraySpec((None, 5))), weight(0.3)
    formula = mean(w * x) * 0.1 + sum(tanh(w * x)) * mean(exp(w))
    data = np.random.default_rng(0).normal(size=(200, 5))
    program = compile(formula, threads=2)
    given, wanted = (one.forward(data).gradients(0.7)[w] for one in (program, formula))
    assert "def part(" in program.source
    np.testing.assert_allclose(given, wanted, rtol=1e-10)


def test_a_product_over_rows() -> None:
    x = placeholder(ArraySpec((None, 5)))
    data = 1.0 + 1e-3 * np.random.default_rng(0).normal(size=(200, 5))
    for formula in (exp(x) * prod(x, axis=0), sum(prod(x, axis=-1)), prod(x), sum(x * prod(x))):
        np.testing.assert_allclose(compile(formula, threads=2).predict(data), formula.predict(data), rtol=1e-10)


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    program = compile(exp(placeholder(ArraySpec((None, 6)))) * 2.0 + 1.0, threads=2)
    data = np.ones((600, 6))
    wanted = program.predict(data)

    def child() -> None:
        assert np.array_equal(program.predict(data), wanted)

    assert in_child(child) == 0


def test_the_same_threads_give_the_same_bits() -> None:
    results = []
    for _ in range(2):
        from symbolic.initializers import seed

        with seed(3):
            objective = dense()
        generator = np.random.default_rng(0)
        batch = generator.standard_normal((64, 8, 8, 2)), generator.integers(0, 5, 64)
        step = compile(objective, train=True, threads=2)
        results.append([step(batch) for _ in range(3)] + [one.value.tobytes() for one in parameters(objective)])
    assert results[0] == results[1]


def test_what_needs_all_rows_stays_whole() -> None:
    x = placeholder(ArraySpec(("Batch", 4)))
    program = compile(x - mean(x, axis=0))
    data = np.random.default_rng(1).standard_normal((8, 4))
    np.testing.assert_allclose(program.predict(data), data - data.mean(0), atol=1e-12)
    assert "def part(" not in program.source
