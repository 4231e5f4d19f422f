"""Chains of elementwise operations, computed block by block: the same bits as in one piece."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from layertree import SGD, Adam, compile, parameters
from layertree.program.passes import batch_splitting as split
from layertree.program.passes import elementwise_fusion as fuse
from layertree.program.passes import loop_nest as chain
from layertree.typing import ArraySpec
from symbolic import exp, hook, mean, ones_like, placeholder, sigmoid, sin, sum, tanh, value_and_grad, weight, where


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few elements, and no parts."""
    monkeypatch.setattr(fuse, "BLOCK", 24)
    monkeypatch.setattr(split, "WORTH", 1 << 40)


@pytest.mark.parametrize("shape", [(100,), (11, 5), (7, 2, 3)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_chain_of_all_kinds_of_operands(shape: tuple[int, ...], dtype: type) -> None:
    a = placeholder(ArraySpec(shape, dtype))
    row = weight(np.linspace(0.5, 1.5, shape[-1]).astype(dtype))
    number = weight(0.25)
    whole = weight(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype(dtype))
    chain = tanh(a * row + number) * whole - where(a > 0.0, exp(-a * a), sigmoid(whole)) / 3.0
    formula = sum(chain * chain) + mean(chain)
    data = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    program = compile(value_and_grad(formula, [row, number, whole]))
    value, deltas = program.predict(data)
    wanted, slopes = program.formula.predict(data)
    assert " in blocks:" in program.source
    tolerance = {"rtol": 2e-4, "atol": 1e-4} if dtype == np.float32 else {"rtol": 1e-10, "atol": 1e-12}
    np.testing.assert_allclose(value, wanted, **tolerance)
    for given, slope in zip(deltas, slopes, strict=True):
        np.testing.assert_allclose(given, slope, **tolerance)


def test_results_that_are_handed_out_are_new_each_time() -> None:
    a = placeholder(ArraySpec((50,)))
    program = compile(exp(tanh(a * 2.0) + 1.0))
    data = np.linspace(-1, 1, 50)
    first = program.predict(data)
    kept = first.copy()
    program.predict(-data)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(first, np.exp(np.tanh(data * 2.0) + 1.0))
    assert " in blocks:" in program.source


@pytest.mark.parametrize("optimizer", [SGD(0.1), Adam(0.1)])
def test_new_values_are_filled_block_by_block(optimizer: SGD | Adam) -> None:
    start = np.linspace(-1, 1, 60)
    x, w, other = placeholder(ArraySpec((60,))), weight(start), weight(start)
    step = compile(sum((x - w) * (x - w)), train=True, optimizer=optimizer)
    twin = sum((x - other) * (x - other))
    data = np.random.default_rng(0).standard_normal(60)
    for _ in range(3):
        tape = twin.forward(data)
        np.testing.assert_allclose(step(data), tape.value, rtol=1e-12)
        tape.backward(optimizer=optimizer)
    (trained,) = parameters(step.objective)
    np.testing.assert_allclose(trained.value, other.value, rtol=1e-12)


def test_constants_keep_their_dtype() -> None:
    """A float64 constant beside float32 data makes float64 of it, also where it is one number."""
    x = placeholder(ArraySpec((30, 6), np.float32))
    ones = weight(np.ones((30, 6)))
    formula = sin(ones_like(ones)) * x * 3.0
    data = np.random.default_rng(0).standard_normal((30, 6)).astype(np.float32)
    found = compile(formula).predict(data)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, formula.predict(data), rtol=1e-14)


def test_a_rate_is_in_the_dtype_of_what_it_moves() -> None:
    x, w, other = placeholder(ArraySpec((30, 6), np.float32)), weight(np.ones((30, 6))), weight(np.ones((30, 6)))
    data = np.random.default_rng(0).standard_normal((30, 6)).astype(np.float32)
    compile(sum(x * w), train=True, optimizer=SGD(0.1))(data)
    sum(x * other).forward(data).backward(optimizer=SGD(0.1))
    np.testing.assert_allclose(w.value, other.value, rtol=1e-15)


def test_integers_wrap_around_before_they_meet_floats() -> None:
    u = placeholder(ArraySpec((3,), np.uint8))
    data = np.array([1, 100, 200], np.uint8)
    for formula in ((u * 2) * 0.5, np.float32(2.0) * (3 * u), (u + 100) * 1.5):
        np.testing.assert_array_equal(compile(formula).predict(data), formula.predict(data))


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains are shared among threads however small they are."""
    monkeypatch.setattr(chain, "WORTH", 1)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("threads", [2, 3])
def test_a_chain_that_threads_share_gives_the_same_bits(threads: int) -> None:
    a = placeholder(ArraySpec((100,)))
    row = weight(np.linspace(0.5, 1.5, 100))
    formula = exp(tanh(a * row + 1.0)) * row + sigmoid(a)
    data = np.random.default_rng(0).standard_normal(100)
    program = compile(formula, threads=threads)
    alone = compile(formula, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            np.testing.assert_array_equal(program.predict(data), alone.predict(data))
        assert np.isinf(program.predict(np.full(100, -1e308))).sum() == 0
    assert "in_threads(loop, blocks)" in program.source
    assert "in_threads" not in alone.source


@pytest.mark.usefixtures("shared")
def test_updates_that_threads_share() -> None:
    start = np.linspace(-1, 1, 60)
    x, w, other = placeholder(ArraySpec((60,))), weight(start), weight(start)
    step = compile(sum((x - w) * (x - w)), train=True, optimizer=Adam(0.1), threads=2, check_finite=True)
    twin = sum((x - other) * (x - other))
    data = np.random.default_rng(0).standard_normal(60)
    for _ in range(3):
        tape = twin.forward(data)
        np.testing.assert_allclose(step(data), tape.value, rtol=1e-12)
        tape.backward(optimizer=Adam(0.1))
    (trained,) = parameters(step.objective)
    np.testing.assert_allclose(trained.value, other.value, rtol=1e-12)
    assert "in_turn(" in step.source  # it is watched, line by line
    assert {"Minus weight_0", "Adam"} <= {row.name for row in step.profile(data)}
    with pytest.raises(FloatingPointError, match="the input x holds a NaN"):
        step(data * np.nan)


@pytest.mark.usefixtures("shared")
def test_an_error_in_a_thread_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a line raises comes out of the loop, with the layer and the line; the next run is whole again."""
    a = placeholder(ArraySpec((100,)))
    program = compile(exp(tanh(a) + 1.0) * 2.0, threads=2)
    data = np.linspace(0.0, 1.0, 100)
    program.predict(data)
    with monkeypatch.context() as patch:
        patch.setattr(program._used_compilations().last.program.function.__globals__["np"], "tanh", _fails)
        with pytest.raises(ArithmeticError, match="no") as caught:
            program.predict(data)
    assert "in Tanh, tanh(x)" in caught.value.__notes__[0]
    np.testing.assert_array_equal(program.predict(data), np.exp(np.tanh(data) + 1.0) * 2.0)


def _fails(*arguments: object, **options: object) -> None:
    raise ArithmeticError("no")


def test_a_reduction_does_not_end_a_chain() -> None:
    """Forward and backward go over the same blocks, where no delta needs the sum."""
    a = placeholder(ArraySpec((11, 5)))
    formula = sum(tanh(a) * sigmoid(a) + exp(-a * a))
    program = compile(value_and_grad(formula, a))
    data = np.random.default_rng(0).standard_normal((11, 5))
    value, slope = program.predict(data)
    wanted, expected = program.formula.predict(data)
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    np.testing.assert_allclose(slope, expected, rtol=1e-12)
    assert program.source.count(" in blocks") == 1


def test_functions_see_what_passes_in_its_turn() -> None:
    seen: list[str] = []
    a = placeholder(ArraySpec((11, 5)))
    first = hook(tanh(a), lambda value: seen.append("first"))
    second = hook(exp(first) * 2.0, lambda value: seen.append("second"))
    formula = sum(hook(second + a, lambda value: seen.append("third")))
    found = compile(formula).predict(np.ones((11, 5)))
    assert found == pytest.approx(55 * (2.0 * np.exp(np.tanh(1.0)) + 1.0))
    assert seen == ["first", "second", "third"]
