"""What a curve fit runs: no further attempt after a good one, programs for long ones, and counts that are true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Layer, layer, operand
from layertree.datasets import nist
from layertree.program import Compiled
from layertree.typing import ArraySpec
from symbolic.solvers import _evaluation, _scipy
from symbolic.solvers._regression import Residuals

MISRA = nist("Misra1a")
START = (500.0, 1e-4)


def saturation(x, volume, rate):
    return volume * (1.0 - sy.exp(-rate * x))


@pytest.fixture
def methods(monkeypatch):
    """The methods that SciPy's least_squares is called with."""
    used = []
    original = _scipy.optimize().least_squares

    def spy(*args, **options):
        used.append(options["method"])
        return original(*args, **options)

    monkeypatch.setattr(_scipy.optimize(), "least_squares", spy)
    return used


def noisy(x, size):
    return size * np.random.default_rng(3).normal(size=x.size)


X = np.linspace(0.0, 4.0, 60)


def test_a_good_fit_is_the_only_one(methods):
    found = sy.curve_fit(lambda x, a, k: a * sy.exp(-k * x), X, 2.0 * np.exp(-X) + noisy(X, 0.02), (1.0, 2.0))
    assert found.success
    np.testing.assert_allclose(found.parameters, [2.0, 1.0], atol=0.1)
    assert methods == ["lm"]


def test_an_exact_fit_is_good(methods):
    found = sy.curve_fit(lambda x, a, k: a * sy.exp(-k * x) + 100.0, X, 2.0 * np.exp(-X) + 100.0, (1.0, 2.0))
    np.testing.assert_allclose(found.parameters, [2.0, 1.0], rtol=1e-9)
    assert methods == ["lm"]


@pytest.mark.parametrize(
    "y", [2.0 - 2.0 * np.exp(-X) + noisy(X, 2.0), X + 0.5 * np.cos(1.5 * X)], ids=["much is left", "a trend is left"]
)
def test_others_are_tried_where_the_model_does_not_agree(methods, y):
    found = sy.curve_fit(lambda x, a, b: a * x + b, X, y, (1.0, 0.0))
    assert methods[:3] == ["lm", "trf", "lm"]
    np.testing.assert_allclose(found.parameters, np.polyfit(X, y, 1), rtol=1e-9)


def test_agreement_is_of_observations_over_their_deviations(methods):
    sigma = np.where(np.arange(60) % 2, 1.0, 1e3)
    y = 2.0 * X + 1.0 + sigma * noisy(X, 0.02)
    found = sy.curve_fit(lambda x, a, b: a * x + b, X, y, (1.0, 0.0), sigma=sigma)
    np.testing.assert_allclose(found.parameters, [2.0, 1.0], atol=0.05)
    assert methods == ["lm"]
    sy.curve_fit(lambda x, a, b: a * x + b, X, y, (1.0, 0.0))
    assert len(methods) > 2


def test_of_a_first_minimum_that_disagrees_a_better_one_is_found(methods):
    y = np.sin(5.0 * X)
    found = sy.curve_fit(lambda x, a, w: a * sy.sin(w * x), X, y, (1.0, 4.0))
    np.testing.assert_allclose(np.abs(found.parameters), [1.0, 5.0], rtol=1e-6)
    assert len(methods) > 1


@pytest.mark.parametrize("options", [{}, {"bounds": (0.0, np.inf)}, {"method": "dogbox"}], ids=str)
def test_all_evaluations_are_counted(monkeypatch, options):
    seen = {"value": 0, "jacobian": 0}

    def counting(name):
        original = getattr(Residuals, name)

        def counted(self, flat):
            seen[name] += 1
            return original(self, flat)

        return counted

    for name in seen:
        monkeypatch.setattr(Residuals, name, counting(name))
    result = sy.curve_fit(saturation, MISRA.x, MISRA.y, START, **options).result
    assert seen["value"] > 10
    assert (result.nfev, result.njev) == (seen["value"], seen["jacobian"])


@pytest.mark.parametrize("after", [1, 7])
def test_a_long_fit_goes_on_compiled_and_finds_the_same(monkeypatch, after):
    plain = sy.curve_fit(saturation, MISRA.x, MISRA.y, START)
    used = []
    original = Compiled.predict
    monkeypatch.setattr(Compiled, "predict", lambda self, data: (used.append(data), original(self, data))[1])
    monkeypatch.setattr(_evaluation, "COMPILED_AFTER", after)
    found = sy.curve_fit(saturation, MISRA.x, MISRA.y, START)
    np.testing.assert_allclose(found.parameters, plain.parameters, rtol=1e-12)
    np.testing.assert_allclose(found.covariance, plain.covariance, rtol=1e-9)
    assert found.result.nfev + found.result.njev - len(used) == 2 * (after - 1)


@layer
class Measured(Layer[Any, Any]):
    """A black box: it does not compile."""

    inner: Any = operand()

    def tape(self, xp: Any, inner: Any) -> Any:
        return inner

    def spec(self, inner: Any) -> Any:
        return inner


def test_what_does_not_compile_goes_on_as_it_is(monkeypatch):
    monkeypatch.setattr(_evaluation, "COMPILED_AFTER", 3)
    x = sy.placeholder(ArraySpec((None,), np.float64))
    measured = sy.Symbolic(Measured(x.layer), x.spec, x.origin)
    found = sy.curve_fit(saturation(measured, sy.weight(START[0]), sy.weight(START[1])), MISRA.x, MISRA.y)
    np.testing.assert_allclose(found.parameters, MISRA.parameters, rtol=1e-9)
    assert found.result.nfev > 6
