"""Initialisers: their distributions, their generator, what is wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from layertree import DTypeError
from symbolic import initializers, seed, weight
from symbolic.initializers import (
    fans,
    glorot_normal,
    glorot_uniform,
    he_normal,
    he_uniform,
    normal,
    ones,
    uniform,
    zeros,
)

DRAWN: list[Callable[..., Any]] = [normal, uniform, glorot_uniform, glorot_normal, he_uniform, he_normal]
ALL = [zeros, ones, *DRAWN]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 2, 3), (3, 3, 2, 4), (0, 3), (2, 1, 2, 3, 4)])
def test_shapes_and_dtypes(make: Callable[..., Any], shape: tuple[int, ...]) -> None:
    assert make(*shape).shape == shape
    assert make(*shape).dtype == np.float32
    assert make(*shape, dtype=np.float64).dtype == np.float64
    assert make(*map(np.int64, shape), dtype="float16").dtype == np.float16
    assert weight(make(*shape)).shape == shape


def test_constants() -> None:
    assert_array_equal(zeros(2, 3), [[0, 0, 0]] * 2)
    assert_array_equal(ones(2, 3), [[1, 1, 1]] * 2)
    assert ones(2, dtype=np.int64).dtype == np.int64


def test_fans() -> None:
    assert fans(()) == (1, 1)
    assert fans((5,)) == (5, 5)
    assert fans((5, 7)) == (5, 7)
    assert fans((3, 3, 16, 32)) == (144, 288)


# The standard deviation of a large sample, and its bound where there is one.
SPREAD: list[tuple[str, Callable[[], Any], float, float | None]] = [
    ("normal", lambda: normal(200, 500), 1.0, None),
    ("normal-narrow", lambda: normal(200, 500, std=0.02), 0.02, None),
    ("uniform", lambda: uniform(200, 500), 1.0 / np.sqrt(3.0), 1.0),
    ("glorot-uniform", lambda: glorot_uniform(200, 500), np.sqrt(2.0 / 700), np.sqrt(6.0 / 700)),
    ("glorot-normal", lambda: glorot_normal(200, 500), np.sqrt(2.0 / 700), None),
    ("he-uniform", lambda: he_uniform(200, 500), np.sqrt(2.0 / 200), np.sqrt(6.0 / 200)),
    ("he-normal", lambda: he_normal(200, 500), np.sqrt(2.0 / 200), None),
    ("glorot-of-kernels", lambda: glorot_uniform(3, 3, 60, 80), np.sqrt(2.0 / 1260), np.sqrt(6.0 / 1260)),
    ("he-of-kernels", lambda: he_normal(3, 3, 60, 80), np.sqrt(2.0 / 540), None),
    ("glorot-of-vectors", lambda: glorot_normal(100_000), np.sqrt(2.0 / 200_000), None),
]


@pytest.mark.parametrize(("make", "std", "bound"), [row[1:] for row in SPREAD], ids=[row[0] for row in SPREAD])
def test_statistics(make: Callable[[], Any], std: float, bound: float | None) -> None:
    with seed(11):
        drawn = make()
    assert_allclose(drawn.std(), std, rtol=0.02)
    assert abs(drawn.mean()) < 0.02 * std
    if bound is not None:
        assert np.abs(drawn).max() <= np.float32(bound)
        assert np.abs(drawn).max() > 0.99 * bound
    else:
        # Of a normal distribution a share of 0.0455 is further away than two standard deviations.
        assert_allclose(np.mean(np.abs(drawn) > 2.0 * std), 0.0455, rtol=0.1)


def test_uniform_between_bounds() -> None:
    with seed(5):
        drawn = uniform(50_000, low=2.0, high=6)
    assert 2.0 <= drawn.min() < 2.01
    assert 5.99 < drawn.max() <= 6.0
    assert_allclose(drawn.mean(), 4.0, rtol=0.01)


# The generator.


@pytest.mark.parametrize("make", DRAWN)
def test_a_seed_fixes_what_is_drawn(make: Callable[..., Any]) -> None:
    def drawn(number: int) -> Any:
        with seed(number):
            return make(4, 5), make(4, 5)

    first, second = drawn(3)
    again = drawn(3)
    assert_array_equal(first, again[0])
    assert_array_equal(second, again[1])
    assert (first != second).any()
    assert (first != drawn(4)[0]).any()


def test_without_a_seed_each_draw_is_another() -> None:
    assert (normal(20) != normal(20)).any()


def test_seeds_nest_and_end() -> None:
    with seed(1):
        first = normal(3)
        with seed(2):
            inner = normal(3)
        second = normal(3)
    with seed(1):
        assert_array_equal(normal(3), first)
        assert_array_equal(normal(3), second)
    with seed(2):
        assert_array_equal(normal(3), inner)
    with pytest.raises(RuntimeError, match="no"), seed(1):
        raise RuntimeError("no")
    assert (normal(3) != first).any()


def test_a_seed_is_of_its_own_thread() -> None:
    drawn: list[Any] = []

    def other() -> None:
        with seed(9):
            drawn.append(normal(3))

    with seed(1):
        first = normal(3)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        second = normal(3)
    with seed(1):
        assert_array_equal(normal(6), np.concatenate([first, second]))
    with seed(9):
        assert_array_equal(normal(3), drawn[0])


# What is wrong.

WRONG_SHAPES = [(-1,), (2, -3), (1.5,), ("a",), (None,), (True,), ((2, 3),), ([2, 3],)]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("shape", WRONG_SHAPES, ids=str)
def test_wrong_shapes(make: Callable[..., Any], shape: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"shape = .* is not allowed: give a tuple of int of at least 0"):
        make(*shape)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: normal(3, std=-1), ValueError, "normal: std = -1.0 is not allowed"),
    (lambda: normal(3, std="a"), TypeError, "normal: std = 'a' is not allowed"),
    (lambda: normal(3, dtype=int), DTypeError, "normal: dtype = int64 is not allowed: give one of floats"),
    (lambda: glorot_uniform(3, dtype=bool), DTypeError, "dtype = bool is not allowed"),
    (lambda: he_normal(3, dtype=complex), DTypeError, "dtype = complex128 is not allowed"),
    (lambda: uniform(3, dtype="bogus"), TypeError, "uniform: dtype = 'bogus' is not allowed"),
    (lambda: uniform(3, low=None), TypeError, "uniform: bound = None is not allowed"),
    (lambda: uniform(3, low=1.0, high=0.0), ValueError, "high - low < 0"),
    (lambda: initializers.seed(-1).__enter__(), ValueError, "seed: number = -1 is not allowed"),
    (lambda: initializers.seed(1.5).__enter__(), TypeError, "seed: number = 1.5 is not allowed"),
    (lambda: initializers.seed(None).__enter__(), TypeError, "seed: number = None is not allowed"),
]


@pytest.mark.parametrize(("make", "error", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_wrong_options(make: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)
