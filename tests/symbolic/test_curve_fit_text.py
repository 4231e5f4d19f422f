"""What the text of a fitted curve says: the names of the parameters, and what is special of each."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import symbolic as sy
from layertree import scope
from layertree.datasets import nist
from layertree.typing import ArraySpec

MISRA = nist("Misra1a")
BEST = "238.9421292 ± 2.71", "0.0005501564318 ± 7.27e-06"
TAIL = "  residual standard deviation 0.10188, degrees of freedom 12"
X = np.arange(8.0)


def saturation(x, volume, rate):
    return volume * (1.0 - sy.exp(-rate * x))


def lines(*args, **options):
    return str(sy.curve_fit(*args, **options)).splitlines()


def fitted(model):
    return lines(model, MISRA.x, MISRA.y, (250.0, 5e-4))


def called(first, second):
    return ["CurveFit", f"  {first} = {BEST[0]}", f"  {second} = {BEST[1]}", TAIL]


def test_parameters_are_called_as_in_the_signature():
    assert fitted(saturation) == called("volume", "rate")
    assert fitted(lambda x, a, k, scale=1.0: saturation(x, a * scale, k)) == called("a", "k")
    assert fitted(functools.partial(saturation)) == called("volume", "rate")


def test_without_names_they_are_numbered():
    x, b1, b2 = sy.placeholder((ArraySpec((None,), np.float64), float, float))
    for model in (lambda x, *b: saturation(x, *b), lambda x, a, *b: saturation(x, a, *b), saturation(x, b1, b2)):
        assert fitted(model) == called("b1", "b2")


def test_weights_have_the_names_of_cells():
    x = sy.placeholder(ArraySpec((None,), np.float64))
    with scope("gas"):
        model = saturation(x, sy.weight(250.0, name="volume"), sy.weight(5e-4))
    assert lines(model, MISRA.x, MISRA.y) == called("gas/volume", "gas/weight_0")
    one = sy.weight(5e-4, name="rate")
    text = lines(saturation(x, sy.weight(238.9421292), one), MISRA.x, MISRA.y, wrt=one)
    assert text[1].startswith("  rate = 0.000550156431")
    assert len(text) == 3


def test_elements_of_arrays_and_tuples_have_their_place():
    rows = np.stack([X, X * X], -1)
    y = rows @ [2.0, 0.5] + 3.0 + 4.0 * np.cos(X) + 0.01 * np.sin(9.0 * X)

    def model(both, w, pair):
        rows, x = both
        shift, factor = pair
        return rows @ w + shift + factor[0] * sy.cos(x)

    found = sy.curve_fit(model, (rows, X), y, (np.zeros(2), (0.0, np.ones(1))))
    assert found.names == ("w[0]", "w[1]", "pair[0]", "pair[1][0]")
    same = sy.curve_fit(model, (rows, X), y, [[0.0, 0.0], (0.0, [1.0])])
    np.testing.assert_array_equal(same.covariance, found.covariance)
    assert [line.split(" = ")[0] for line in str(found).splitlines()[1:5]] == [f"  {name}" for name in found.names]


@pytest.mark.parametrize(
    "bounds",
    [(0.0, (220.0, 1.0)), ([0.0, 0.0], [220.0, 1.0]), [[0, 0], (220, 1)], np.array([[0.0, 0.0], [220.0, 1.0]])],
    ids=["tuple", "lists", "list", "array"],
)
def test_a_parameter_at_its_bound_says_so(bounds):
    found = sy.curve_fit(saturation, MISRA.x, MISRA.y, (200.0, 5e-4), bounds=bounds)
    assert found.remarks == ("at its bound", "")
    volume, rate = str(found).splitlines()[1:3]
    assert volume.startswith("  volume = 220 ± ")
    assert volume.endswith(", at its bound")
    assert rate == f"  rate = {found.parameters[1]:.10g} ± {found.standard_errors[1]:.3g}"
    free = sy.curve_fit(saturation, MISRA.x, MISRA.y, (200.0, 5e-4), bounds=([0.0, 0.0], [np.inf, 1.0]))
    assert free.remarks == ("", "")


def test_what_the_data_do_not_determine_says_so_and_the_others_have_their_errors():
    y = 3.0 * X + np.cos(X)
    found = sy.curve_fit(lambda x, a, b, c: (a + b) * x + c, X, y, (1.0, 1.0, 0.0))
    assert found.remarks == ("not determined by the data", "not determined by the data", "")
    plain = sy.curve_fit(lambda x, s, c: s * x + c, X, y, (1.0, 0.0))
    a, b = str(found).splitlines()[1:3]
    assert a == f"  a = {found.parameters[0]:.10g}, not determined by the data"
    assert b == f"  b = {found.parameters[1]:.10g}, not determined by the data"
    factor = np.sqrt(6 / 5)  # a parameter more leaves a degree of freedom less
    np.testing.assert_allclose(found.standard_errors, [np.inf, np.inf, factor * plain.standard_errors[1]], rtol=1e-8)
    np.testing.assert_array_equal(np.isinf(found.covariance), [[1, 1, 1], [1, 1, 1], [1, 1, 0]])


def test_without_degrees_of_freedom_there_is_no_figure():
    assert lines(lambda x, a, b: a * x + b, X[:2], np.array([1.0, 3.0]), (0.0, 0.0)) == [
        "CurveFit",
        "  a = 2, with no degrees of freedom for an error",
        "  b = 1, with no degrees of freedom for an error",
        "  degrees of freedom 0",
    ]


def test_a_fit_that_stopped_early_says_so():
    text = lines(saturation, MISRA.x, MISRA.y, (500.0, 1e-4), bounds=(0.0, np.inf), max_nfev=2)
    assert text[0] == "CurveFit, not at a minimum"
