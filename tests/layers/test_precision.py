"""float16 accumulates in float32, and long sums of float32 are accurate, on the tape and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Identity, Literal, Sum, SumTo, compile
from layertree.core.spec import spec_of
from tests.layers.checks import check_float16
from tests.layers.sample import Sample
from tests.layers.samples import SAMPLES

HALVES = np.full(100_000, 0.5, np.float16)
NORMAL = np.random.default_rng(0).normal(size=65_536).astype(np.float16)

FORMULAS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "mean": (sy.mean, HALVES),
    "var": (sy.var, NORMAL),
    "var, unbiased": (lambda x: sy.var(x, correction=1), NORMAL),
    "std": (sy.std, NORMAL),
    "mean_squared_error": (lambda x: sy.mean_squared_error(x, x * 0.0), NORMAL),
    "softmax": (lambda x: sy.softmax(x) * 100.0, NORMAL),
    "log_softmax": (sy.log_softmax, HALVES),
    "logsumexp": (sy.logsumexp, HALVES),
    "vector_norm": (sy.vector_norm, NORMAL),
    "layer_norm": (sy.layer_norm, NORMAL),
    "cumulative_sum": (lambda x: sy.cumulative_sum(x * 0.0 + 0.01, axis=0), NORMAL),
    "cumulative_prod": (lambda x: sy.cumulative_prod(x * 0.0 + float(np.float16(0.999)), axis=0), NORMAL[:2000]),
    "sum by columns": (lambda x: sy.sum(x, axis=0), np.full((9000, 2), 0.5, np.float16)),
}


def agree(given: Any, wanted: Any, tolerance: float = 2e-3) -> None:
    assert np.asarray(given).dtype == np.float16
    scale = np.max(np.abs(wanted)) + 3e-4
    np.testing.assert_allclose(np.asarray(given, float), wanted, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("name", FORMULAS)
def test_float16_accumulates_in_float32(name: str) -> None:
    """Value and gradient are those of float64 to the precision of float16."""
    formula, data = FORMULAS[name]
    half: Any = formula(sy.placeholder(spec_of(data)))
    wide: Any = formula(sy.placeholder(spec_of(data.astype(float))))
    for made in (half, compile(half)):
        agree(made.predict(data), wide.predict(data.astype(float)))
    x, y = sy.placeholder(spec_of(data)), sy.placeholder(spec_of(data.astype(float)))
    if name.startswith("cumulative"):
        return  # the sums of the deltas are beyond the range of float16
    slopes: Any = sy.grad(sy.sum(formula(x)), x)
    expected = sy.grad(sy.sum(formula(y)), y).predict(data.astype(float))
    for made in (slopes, compile(slopes)):
        agree(made.predict(data), expected, 4e-3)


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.id for sample in SAMPLES])
def test_kinds_in_float16(sample: Sample) -> None:
    check_float16(sample)


def test_long_sums_of_float32() -> None:
    for shape, axis in (((2**25, 2), 0), ((2**13, 3, 2**11), (0, 1)), ((3, 2**25, 1, 1), 1)):
        ones = np.broadcast_to(np.float32(1.0), shape) if shape[1] == 3 else np.ones(shape, np.float32)
        found = Sum(Identity(), axis=axis).predict(ones)
        assert found.dtype == np.float32
        assert np.unique(found) == np.prod([shape[one] for one in np.atleast_1d(axis)])


def test_a_broadcast_operand_gets_an_accurate_delta() -> None:
    found = SumTo(Identity(), np.zeros(2, np.float32)).predict(np.full((2**22, 2), 0.1, np.float32))
    np.testing.assert_allclose(found, 2**22 * float(np.float32(0.1)), rtol=3e-5)


def test_the_delta_of_a_number_among_halves_is_not_rounded_to_a_half() -> None:
    halves = np.array([1.0, 65504.0, 1.0], np.float16)
    formula = SumTo(Literal(halves), Identity())
    assert formula.forward(1.0).value == compile(formula).forward(1.0).value == 65506.0
