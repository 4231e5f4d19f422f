"""Curve fitting: the NIST problems to the last digits, from both starts, and what else a fit promises."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, ShapeError, parameters
from layertree.datasets import nist
from layertree.typing import ArraySpec
from tests.datasets.nist_files import MADE, certified, text_of

BUNDLED = ["Chwirut2", "Gauss1", "Lanczos1", "MGH09", "Misra1a", "Rat43", "Thurber"]
STARTS = [0, 1]


def digits(found, wanted):
    """How many digits agree, in the one with the fewest."""
    error = np.max(np.abs(np.asarray(found) - wanted) / np.abs(wanted))
    return float(-np.log10(max(error, 1e-16)))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", BUNDLED)
def test_certified_answers(name, start):
    problem = nist(name)
    found = sy.curve_fit(problem.model, problem.x, problem.y, problem.starts[start])
    assert found.success
    assert digits(found.parameters, problem.parameters) > 9
    # Lanczos1 has residuals of 1e-13: of these, double precision leaves two or three digits.
    wanted = 2 if name == "Lanczos1" else 9
    assert digits(found.standard_errors, problem.standard_deviations) > wanted
    assert digits(found.residual_sum_of_squares, problem.residual_sum_of_squares) > wanted
    assert digits(found.residual_standard_deviation, problem.residual_standard_deviation) > wanted


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("made", MADE, ids=lambda made: made.name)
def test_problems_like_the_others_of_the_collection(made, start, tmp_path):
    path = tmp_path / f"{made.name}.dat"
    path.write_text(text_of(made))
    problem = nist(path)
    found = sy.curve_fit(problem.model, problem.x, problem.y, problem.starts[start])
    deviations, total = certified(made)
    assert found.success
    assert digits(found.parameters, made.parameters) > 9
    assert digits(found.standard_errors, deviations) > 8
    assert digits(found.residual_sum_of_squares, total) > 8


def saturation(x, b1, b2):
    return b1 * (1.0 - sy.exp(-b2 * x))


MISRA = nist("Misra1a")


def test_a_function_a_formula_and_a_formula_over_weights_are_the_same_model():
    from_function = sy.curve_fit(saturation, MISRA.x, MISRA.y, (250.0, 5e-4))
    x, b1, b2 = sy.placeholder((ArraySpec((None,), np.float64), float, float))
    from_formula = sy.curve_fit(saturation(x, b1, b2), MISRA.x, MISRA.y, [250, 5e-4])
    x = sy.placeholder(ArraySpec((None,), np.float64))
    model = saturation(x, sy.weight(250.0, name="volume"), sy.weight(5e-4, name="rate"))
    from_weights = sy.curve_fit(model, MISRA.x, MISRA.y)
    for found in (from_function, from_formula, from_weights):
        assert digits(found.parameters, MISRA.parameters) > 9
        assert digits(found.standard_errors, MISRA.standard_deviations) > 9
        assert found.degrees_of_freedom == 12
        wanted = 238.94212918 * (1.0 - np.exp(-5.5015643181e-4 * np.array([0.0, 100.0])))
        np.testing.assert_allclose(found.predict(np.array([0.0, 100.0])), wanted, rtol=1e-9)
    assert [one.value for one in parameters(model)] == [250.0, 5e-4]
    assert [one.name for one in parameters(from_weights.formula)] == ["volume", "rate"]


def test_weights_are_set_only_where_it_succeeds():
    x = sy.placeholder(ArraySpec((None,), np.float64))
    rate, volume = sy.weight(5e-4), sy.weight(250.0)
    model = saturation(x, volume, rate)
    found = sy.curve_fit(model, MISRA.x, MISRA.y, update=True, bounds=(0.0, np.inf), max_nfev=2)
    assert not found.success
    assert (volume.value, rate.value) == (250.0, 5e-4)
    found = sy.curve_fit(model, MISRA.x, MISRA.y, update=True, wrt=[rate, volume])
    assert found.success
    assert digits([rate.value, volume.value], MISRA.parameters[::-1]) > 9
    assert (rate.value, volume.value) == tuple(found.parameters)


def test_parameters_that_are_arrays():
    x = np.linspace(-1.0, 1.0, 30)
    basis = np.stack([x, x * x, np.sin(3 * x)], -1)
    y = basis @ [1.0, -2.0, 0.5] + 4.0 + 0.01 * np.cos(40 * x)
    found = sy.curve_fit(lambda rows, w, b: rows @ w + b, basis, y, (np.zeros(3), 0.0))
    whole = np.column_stack([basis, np.ones(30)])
    best, total = np.linalg.lstsq(whole, y, rcond=None)[:2]
    np.testing.assert_allclose([*found.parameters[0], found.parameters[1]], best, rtol=1e-12)
    covariance = np.linalg.inv(whole.T @ whole) * total / 26
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose([*found.standard_errors[0], found.standard_errors[1]], np.sqrt(np.diag(covariance)))
    assert found.residual_sum_of_squares == pytest.approx(total[0], rel=1e-9)
    assert found.predict(basis[:2]).shape == (2,)


def test_a_parameter_by_its_name():
    x = np.linspace(0.0, 1.0, 8)
    found = sy.curve_fit(lambda x, rate, w: w[0] * sy.exp(-rate * x) + w[1], x, 2.0 * np.exp(-x), (0.5, np.ones(2)))
    rate, w = found.parameters
    assert (found["rate"], found["w[0]"], found["w[1]"]) == (float(rate), w[0], w[1])
    with pytest.raises(KeyError) as caught:
        found["rates"]
    assert str(caught.value) == "the fit has no parameter 'rates': it has rate, w[0], w[1]; near it is 'rate'"
    for key, shown in (("c", "'c'"), (0, "0"), (x[:2], "array.*")):
        with pytest.raises(KeyError, match=rf"^the fit has no parameter {shown}: it has rate, w\[0\], w\[1\]$"):
            found[key]
    with pytest.raises(TypeError, match=r"found\.parameters and found\.covariance are arrays, and found\['rate'\]"):
        _, _ = found


def test_several_predictors():
    first, second = np.linspace(0.0, 1.0, 12), np.cos(np.arange(12.0))
    y = 2.0 * np.exp(0.5 * first) - 3.0 * second

    def model(x, a, k, c):
        one, other = x
        return a * sy.exp(k * one) + c * other

    found = sy.curve_fit(model, (first, second), y, (1.0, 1.0, 1.0))
    np.testing.assert_allclose(found.parameters, [2.0, 0.5, -3.0], rtol=1e-9)
    np.testing.assert_allclose(found.predict((first, second)), y, rtol=1e-9)


def test_sigma():
    x, y = np.arange(6.0), np.array([1.0, 3.2, 4.9, 7.1, 9.0, 30.0])
    sigma = np.array([1.0, 1.0, 2.0, 1.0, 1.0, 1e9])
    found = sy.curve_fit(lambda x, a, b: a + b * x, x, y, (0.0, 0.0), sigma=sigma)
    whole = np.stack([np.ones(6), x], -1) / sigma[:, None]
    best, total = np.linalg.lstsq(whole, y / sigma, rcond=None)[:2]
    np.testing.assert_allclose(found.parameters, best, rtol=1e-10)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(whole.T @ whole) * total / 4, rtol=1e-8)
    found = sy.curve_fit(lambda x, a, b: a + b * x, x, y, (0.0, 0.0), sigma=sigma, absolute_sigma=True)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(whole.T @ whole), rtol=1e-8)
    same = sy.curve_fit(lambda x, a, b: a + b * x, x, y, (0.0, 0.0), sigma=3.0)
    plain = sy.curve_fit(lambda x, a, b: a + b * x, x, y, (0.0, 0.0))
    np.testing.assert_allclose(same.standard_errors, plain.standard_errors, rtol=1e-10)
    assert same.residual_sum_of_squares == pytest.approx(plain.residual_sum_of_squares / 9.0)


def test_bounds_and_robust_losses():
    found = sy.curve_fit(saturation, MISRA.x, MISRA.y, (200.0, 5e-4), bounds=(0.0, (220.0, 1.0)))
    assert found.parameters[0] == pytest.approx(220.0)
    assert 0.0 < found.parameters[1] < 1.0
    x = np.arange(20.0)
    y = 2.0 * x + 1.0
    y[7] = 500.0
    found = sy.curve_fit(lambda x, a, b: a * x + b, x, y, (1.0, 1.0), loss="soft_l1", f_scale=0.001)
    np.testing.assert_allclose(found.parameters, [2.0, 1.0], rtol=1e-3)


def test_what_the_data_do_not_determine_has_infinite_errors():
    x = np.arange(8.0)
    found = sy.curve_fit(lambda x, a, b: a * x + b * x, x, 3.0 * x + np.cos(x), (1.0, 1.0))
    assert np.isinf(found.standard_errors).all()
    assert sum(found.parameters) == pytest.approx(np.sum(x * (3.0 * x + np.cos(x))) / np.sum(x * x))
    found = sy.curve_fit(lambda x, a, b: a * x + b, x[:2], np.array([1.0, 3.0]), (0.0, 0.0))
    np.testing.assert_allclose(found.parameters, [2.0, 1.0])
    assert found.degrees_of_freedom == 0
    assert np.isinf(found.standard_errors).all()


def test_one_parameter_integers_and_single_precision():
    x = np.arange(1, 6)
    found = sy.curve_fit(lambda x, a: a * x**-1.0, x, 6 // x + 0, 1)
    assert found.parameters.shape == (1,)
    assert found.parameters[0] == pytest.approx(np.sum((6 // x) / x) / np.sum(1.0 / x**2))
    narrow = sy.curve_fit(saturation, MISRA.x.astype(np.float32), MISRA.y.astype(np.float32), np.float32([250, 5e-4]))
    assert narrow.parameters.dtype == np.float64
    assert digits(narrow.parameters, MISRA.parameters) > 5


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_of_two_equal_minima_the_one_on_the_side_of_the_start_is_found(side):
    made = next(made for made in MADE if made.name == "Eckerle4")
    y = made.curve(made.x, *made.parameters) + 1e-3 * np.cos(made.x)
    found = sy.curve_fit(lambda x, b, c: b / c * sy.exp(-0.5 * ((x - 451.5) / c) ** 2), made.x, y, (side, side * 10.0))
    np.testing.assert_allclose(found.parameters, [side * 1.55, side * 4.09], rtol=1e-2)
    assert found.success


def test_misuse_is_an_error():
    x, y = MISRA.x, MISRA.y
    with pytest.raises(ShapeError, match=r"the model is float64 \(13,\), but y is float64 array of shape \(14,\)"):
        sy.curve_fit(saturation, x[1:], y, (250.0, 5e-4))
    with pytest.raises(ShapeError, match=r"the model is float, but y"):
        sy.curve_fit(lambda x, a: a, x, y, (1.0,))
    with pytest.raises(ValueError, match="2 observations that are not finite"):
        sy.curve_fit(saturation, x, np.where(x < 120.0, np.nan, y), (250.0, 5e-4))
    with pytest.raises(ValueError, match=r"at the start \[1.0, -1000.0\] the model is not finite for 14 of 14"):
        sy.curve_fit(saturation, x, y, (1.0, -1000.0))
    with pytest.raises(ValueError, match="larger than 0"):
        sy.curve_fit(saturation, x, y, (250.0, 5e-4), sigma=0.0)
    with pytest.raises(ShapeError, match="sigma is float64 array of shape"):
        sy.curve_fit(saturation, x, y, (250.0, 5e-4), sigma=x[1:])
    with pytest.raises(TypeError, match="takes a formula"):
        sy.curve_fit("b1*x", x, y, (1.0,))
    with pytest.raises(TypeError, match="with a Python function give start: got"):
        sy.curve_fit(saturation, x, y)
    with pytest.raises(TypeError, match="has no weights to vary: give start"):
        sy.curve_fit(sy.placeholder(ArraySpec((None,), np.float64)) * 2.0, x, y)
    for word in ("p0", "x0"):
        with pytest.raises(TypeError, match=rf"begin with are start, not {word}: start=\(250.0, 0.0005\)"):
            sy.curve_fit(saturation, x, y, **{word: (250.0, 5e-4)})
    with pytest.raises(TypeError, match="start starts the arguments, wrt and update are of weights"):
        sy.curve_fit(saturation, x, y, (250.0, 5e-4), update=True)
    with pytest.raises(DTypeError, match="part 0 of start is bool"):
        sy.curve_fit(saturation, x, y, (np.array([True]), 5e-4))
    with pytest.raises(ShapeError, match="the upper bound is 3 parts: a tuple of 2 is wanted, as in start"):
        sy.curve_fit(saturation, x, y, (250.0, 5e-4), bounds=([0.0, 0.0], [1e3, 1.0, 1.0]))
    with pytest.raises(ValueError, match=r"bounds are a pair.*got 3 parts"):
        sy.curve_fit(saturation, x, y, (250.0, 5e-4), bounds=[(0.0, 1e3), (0.0, 1.0), (0.0, 1.0)])
    with pytest.raises(DTypeError, match="y is missing"):
        sy.curve_fit(saturation, x, None, (250.0, 5e-4))


def test_a_missing_scipy_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy.optimize")
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'layertree\[scipy\]'"):
        sy.curve_fit(saturation, MISRA.x, MISRA.y, (250.0, 5e-4))


SIZES = [1e-60, 1e-12, 1.0, 1e60]


@pytest.mark.parametrize("of_y", SIZES)
@pytest.mark.parametrize("of_x", SIZES)
@pytest.mark.parametrize("method", [None, "trf", "dogbox"])
def test_fits_within_bounds_do_not_depend_on_units(method, of_x, of_y):
    x = np.linspace(1.0, 2.0, 20)
    noise = 1.0 + 1e-3 * np.cos(np.arange(20.0))
    more = {} if method is None else {"method": method}

    def line(x, a):
        return a * x

    found = sy.curve_fit(line, of_x * x, of_y * 2.0 * x * noise, (2.2 * (of_y / of_x),), bounds=(0.0, np.inf), **more)
    plain = sy.curve_fit(line, x, 2.0 * x * noise, (2.2,))
    assert found.success
    np.testing.assert_allclose(found.parameters / of_y * of_x, plain.parameters, rtol=1e-9)
    np.testing.assert_allclose(found.standard_errors / of_y * of_x, plain.standard_errors, rtol=1e-6)
    np.testing.assert_allclose(found.residual_standard_deviation / of_y, plain.residual_standard_deviation, rtol=1e-6)


def test_a_start_at_a_bound_and_at_zero_has_a_unit():
    x = np.linspace(1.0, 2.0, 20)
    found = sy.curve_fit(lambda x, a: a * x, x, 1e-12 * x, (0.0,), bounds=(0.0, np.inf))
    np.testing.assert_allclose(found.parameters, [1e-12], rtol=1e-9)
    found = sy.curve_fit(lambda x, a, b: a * x + b, x, 1e-12 * x, (1.1e-12, 0.0), bounds=(0.0, np.inf))
    np.testing.assert_allclose(found.parameters[0], 1e-12, rtol=1e-6)


def test_units_leave_the_result_and_the_options_in_those_of_the_data():
    x = np.linspace(1.0, 2.0, 20)
    y = 1e-12 * (x + 0.1 * np.cos(np.arange(20.0)))
    bounded = {"bounds": (0.0, 1.0), "x_scale": [1e-12]}
    found = sy.curve_fit(lambda x, a: a * x, x, y, (1.1e-12,), sigma=2.0, absolute_sigma=True, **bounded)
    a = (x @ y) / (x @ x)
    np.testing.assert_allclose(found.parameters, [a], rtol=1e-9)
    np.testing.assert_allclose(found.standard_errors, [2.0 / np.sqrt(x @ x)], rtol=1e-9)
    np.testing.assert_allclose(found.result.fun, (a * x - y) / 2.0, rtol=1e-6, atol=1e-20)
    np.testing.assert_allclose(found.result.jac, x[:, None] / 2.0, rtol=1e-9)
    np.testing.assert_allclose(found.result.cost, np.sum((a * x - y) ** 2) / 8.0, rtol=1e-6)
    outlier = np.where(np.arange(20) == 3, 1e-10, y)
    robust = sy.curve_fit(lambda x, a: a * x, x, outlier, (1.1e-12,), loss="soft_l1", f_scale=1e-13)
    np.testing.assert_allclose(robust.parameters, [1e-12], rtol=0.1)


def test_fewer_observations_than_parameters_are_an_error():
    with pytest.raises(ValueError, match="0 observations of 1 parameter: at least one observation for each"):
        sy.curve_fit(lambda x, a: a * x, np.zeros(0), np.zeros(0), (1.0,))
    with pytest.raises(ValueError, match="1 observation of 2 parameters: at least"):
        sy.curve_fit(saturation, np.ones(1), np.ones(1), (1.0, 1.0))
    slope = sy.weight(np.ones(3))
    x = sy.placeholder(ArraySpec((None, 3), np.float64))
    with pytest.raises(ValueError, match="2 observations of 3 parameters: at least"):
        sy.curve_fit(x @ slope, np.ones((2, 3)), np.ones(2))
    as_many = sy.curve_fit(lambda x, a, b: a * x + b, np.array([1.0, 2.0]), np.array([1.0, 2.0]), (2.0, 2.0))
    assert as_many.degrees_of_freedom == 0


def test_a_model_may_index_a_parameter_by_the_observations():
    groups, y = np.array([0.0, 1.0, 0.0, 1.0]), np.array([1.0, 2.0, 1.5, 2.5])
    found = sy.curve_fit(lambda x, a: a[sy.astype(x, int)], groups, y, (np.ones(2),))
    np.testing.assert_allclose(found.parameters[0], [1.25, 2.25])
    np.testing.assert_allclose(found.formula.predict(np.array([1.0, 0.0])), [2.25, 1.25])


HABITS = {
    "maxfev": (100, "max_nfev, not maxfev: max_nfev=100"),
    "maxiter": (100, "max_nfev=100"),
    "weights": (2.0, r"sigma=1/np.sqrt\(weights\)"),
    "yerr": (2.0, "sigma=yerr"),
    "jac": (None, "derivatives are exact"),
    "full_output": (True, "attribute result"),
    "nan_policy": ("omit", "leave these out"),
}


@pytest.mark.parametrize("name", HABITS)
def test_names_of_other_libraries_name_those_of_this_one(name):
    value, message = HABITS[name]
    with pytest.raises(TypeError, match=message):
        sy.curve_fit(saturation, MISRA.x, MISRA.y, (250.0, 5e-4), **{name: value})


def test_errors_name_parameters_and_observations():
    x, y = MISRA.x, MISRA.y
    with pytest.raises(ValueError, match=r"b2 starts at 5, outside of its bounds, 0 to 1"):
        sy.curve_fit(saturation, x, y, (250.0, 5.0), bounds=((0.0, 0.0), (1e3, 1.0)))
    with pytest.raises(ValueError, match=r"the bounds of b1 are 2 and 1: the lower one has to be below"):
        sy.curve_fit(saturation, x, y, (250.0, 5.0), bounds=((2.0, 0.0), (1.0, 1.0)))
    slope = sy.weight(5.0, name="slope")
    with pytest.raises(ValueError, match=r"slope starts at 5, outside of its bounds, 0 to 1"):
        sy.curve_fit(slope * sy.placeholder(ArraySpec((None,), np.float64)), x, y, bounds=(0.0, 1.0))
    with pytest.raises(ValueError, match=r"part 1 of x0 starts at 5, outside of its bounds, 0 to 1"):
        sy.least_squares(lambda a, b: a * x + b - y, (0.5, 5.0), bounds=(0.0, 1.0))
    with pytest.raises(
        ValueError, match=r"2 of 14 observations, rows 1 and 2; x has NaN.*leave these observations out"
    ):
        sy.curve_fit(saturation, np.where((x > 80.0) & (x < 150.0), np.nan, x), y, (250.0, 5e-4))
    with pytest.raises(ValueError, match=r"14 observations that are not finite, rows 0, 1, 2, 3, 4 and 9 more: leave"):
        sy.curve_fit(saturation, x, y * np.nan, (250.0, 5e-4))
    with pytest.raises(ShapeError, match=r"the model is float, but y.*write c \+ 0.0 \* x"):
        sy.curve_fit(lambda x, c: c, x, y, (1.0,))
    with pytest.raises(ShapeError, match=r"the model is .*concat joins the parts"):
        sy.curve_fit(lambda x, c: (c * x, x), x, y, (1.0,))
