"""Minima, roots and least squares: SciPy gets exact derivatives, and its answers keep the caller's structure."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import optimize

import symbolic as sy
from layertree import DTypeError, ShapeError, parameters
from layertree.typing import ArraySpec
from symbolic.solvers import _evaluation, _scipy


def rosenbrock(x):
    return sy.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


START = np.array([-1.2, 1.0, 0.3])


def evaluation(f, x0, args=()):
    return _evaluation.of_arguments(f, x0, (), args, "test")


def wanders(a, b, c):
    return sy.sum(a * sy.exp(-b) * sy.sin(c * b)) + a * a * sy.sum(c)


POINT = (0.7, np.array([0.3, -0.4]), np.array([[1.1], [0.9]]))


def differences(function, flat, step=1e-6):
    return np.stack(
        [(function(flat + one) - function(flat - one)) / (2 * step) for one in step * np.eye(flat.size)], -1
    )


def test_derivatives_by_several_arguments_are_those_of_differences():
    found = evaluation(wanders, POINT)
    flat = found.packing.pack(POINT)
    assert flat.tolist() == [0.7, 0.3, -0.4, 1.1, 0.9]
    assert found.number(flat) == pytest.approx(np.sum(0.7 * np.exp(-POINT[1]) * np.sin(POINT[2] * POINT[1])) + 0.98)
    value, gradient = found.number_and_gradient(flat)
    assert value == found.number(flat)
    np.testing.assert_allclose(gradient, differences(found.number, flat), rtol=1e-8)
    hessian = differences(lambda at: found.number_and_gradient(at)[1], flat)
    np.testing.assert_allclose(found.hessian(flat), hessian, rtol=1e-7, atol=1e-9)
    vector = np.array([1.0, -2.0, 0.5, 3.0, 0.0])
    np.testing.assert_allclose(found.hessian_product(flat, vector), hessian @ vector, rtol=1e-7)


def test_jacobians_of_several_outputs_stand_below_each_other():
    found = evaluation(lambda a, b: (a * b, (sy.sum(b), b[0] * b[0] * a)), (2.0, np.array([1.0, 3.0])))
    flat = np.array([2.0, 1.0, 3.0])
    assert found.value(flat).tolist() == [2.0, 6.0, 4.0, 2.0]
    assert found.jacobian(flat).tolist() == [[1, 2, 0], [3, 0, 2], [0, 1, 1], [1, 4, 0]]


def test_hessians_of_several_outputs_are_weighted():
    found = evaluation(lambda a, b: (a * b * b, sy.sum(a * a * b)), (2.0, np.array([1.0, 3.0])))
    flat, weights = np.array([2.0, 1.0, 3.0]), np.array([10.0, 100.0, 1.0])
    wanted = differences(lambda at: weights @ found.jacobian(at), flat)
    np.testing.assert_allclose(found.hessian_along(flat, weights), wanted, rtol=1e-8)


@pytest.mark.parametrize(
    "method",
    [None, "CG", "BFGS", "L-BFGS-B", "TNC", "SLSQP", "Newton-CG", "trust-ncg", "trust-krylov", "trust-exact",
     "trust-constr", "Nelder-Mead", "Powell", "COBYQA"],
)  # fmt: skip
def test_every_method_finds_the_minimum(method):
    found = sy.minimize(rosenbrock, START, method=method, tol=1e-9, options={"maxfun": 900} if method == "TNC" else {})
    np.testing.assert_allclose(found.x, np.ones(3), atol=2e-3)
    assert found.fun < 1e-5
    assert isinstance(found, optimize.OptimizeResult)


def test_dogleg_finds_the_minimum_of_a_convex_function():
    found = sy.minimize(lambda x: sy.sum(sy.exp(x) - 2.0 * x) + x[0] * x[0], START, method="dogleg", tol=1e-10)
    np.testing.assert_allclose(found.x, [0.3149230578, np.log(2.0), np.log(2.0)], rtol=1e-8)
    assert found.nhev < 15


def test_exact_derivatives_are_what_scipy_gets(monkeypatch):
    seen = {}

    def spy(fun, x0, **options):
        seen.update(options, fun=fun)
        return optimize.OptimizeResult(x=x0, success=True)

    monkeypatch.setattr(_scipy.optimize(), "minimize", spy)
    for method in ("CG", "trust-ncg", "trust-exact", "powell"):
        seen.clear()
        sy.minimize(rosenbrock, START, method=method)
        given = seen["fun"](START)
        value, gradient = (given, None) if method == "powell" else given
        assert value == pytest.approx(optimize.rosen(START), rel=1e-13)
        if gradient is not None:
            assert seen["jac"] is True
            np.testing.assert_allclose(gradient, optimize.rosen_der(START), rtol=1e-13)
        assert ("hessp" in seen, "hess" in seen) == (method == "trust-ncg", method == "trust-exact")
        if "hessp" in seen:
            vector = np.array([1.0, 2.0, -1.0])
            np.testing.assert_allclose(seen["hessp"](START, vector), optimize.rosen_hess_prod(START, vector))
        if "hess" in seen:
            np.testing.assert_allclose(seen["hess"](START), optimize.rosen_hess(START))


def test_derivatives_are_built_once():
    traced = []

    def f(x):
        traced.append(x)
        return rosenbrock(x)

    found = sy.minimize(f, START, method="Newton-CG")
    assert found.nfev > 5
    assert len(traced) == 1


def test_x_has_the_structure_of_x0():
    def f(a, pair):
        b, c = pair
        return (a - 1.0) ** 2 + sy.sum((b - 2.0) ** 2) + sy.sum((c - 3.0) ** 2)

    a, (b, c) = sy.minimize(f, (0, (np.zeros((2, 1), np.float32), [0.0, 1.0]))).x
    assert type(a) is float
    assert a == pytest.approx(1.0)
    assert (b.shape, b.dtype, c.shape) == ((2, 1), np.float64, (2,))
    np.testing.assert_allclose(b, 2.0, atol=1e-5)
    np.testing.assert_allclose(c, 3.0, atol=1e-5)
    found = sy.minimize(lambda x: (x - 3.0) ** 2, 1)
    assert type(found.x) is float
    assert found.x == pytest.approx(3.0)
    assert sy.minimize(lambda x: sy.sum((x - 3.0) ** 2), np.zeros((2, 2))).x.shape == (2, 2)


def test_formulas_and_further_arguments():
    x, scale, shift = sy.placeholder((ArraySpec((None,), np.float32), float, ArraySpec((None,), np.int64)))
    formula = sy.sum((x * scale - shift) ** 2)
    found = sy.minimize(formula, np.zeros(2, np.float32), args=(2.0, np.array([4, -6])))
    np.testing.assert_allclose(found.x, [2.0, -3.0], rtol=1e-6)
    found = sy.minimize(formula.layer, np.zeros(2), args=(2.0, np.array([4, -6])))
    np.testing.assert_allclose(found.x, [2.0, -3.0], rtol=1e-6)
    with pytest.raises(ShapeError, match="part 2"):
        sy.minimize(formula, np.zeros(2), args=(2.0, 4))
    with pytest.raises(DTypeError, match="cast"):
        sy.minimize(formula, np.zeros(2), args=(2.0, np.array([4.0, -6.0])))


def test_inside_all_is_double_precision():
    x = sy.placeholder(ArraySpec((3,), np.float32))
    found = sy.minimize(sy.sum((x - np.float64(1.0) / 3.0) ** 2), np.zeros(3, np.float32), method="BFGS", tol=1e-12)
    np.testing.assert_allclose(found.x, 1.0 / 3.0, rtol=1e-12)


def test_bounds():
    found = sy.minimize(lambda x: sy.sum((x - 3.0) ** 2), np.zeros(2), bounds=[(0.0, 1.0), (0.0, 9.0)])
    np.testing.assert_allclose(found.x, [1.0, 3.0], rtol=1e-6)
    bounds = optimize.Bounds([0.0, 0.0], [1.0, 9.0])
    found = sy.minimize(lambda x: sy.sum((x - 3.0) ** 2), np.zeros(2), bounds=bounds)
    np.testing.assert_allclose(found.x, [1.0, 3.0], rtol=1e-6)
    found = sy.least_squares(lambda a, b: (a - 3.0, b - 3.0), (0.5, [0.5, 0.5]), bounds=(0.0, (1.0, [9.0, 2.0])))
    assert found.x[0] == pytest.approx(1.0)
    np.testing.assert_allclose(found.x[1], [3.0, 2.0], rtol=1e-6)
    with pytest.raises(
        ShapeError, match=r"part 1 of the upper bound.*float64 array of shape \(2,\) is wanted, as in x0"
    ):
        sy.least_squares(lambda a, b: (a, b), (0.5, [0.5, 0.5]), bounds=(0.0, (1.0, [9.0, 2.0, 1.0])))


def test_constraints():
    def distance(x, y):
        return x * x + y * y

    def on_line(x, y):
        return x + y - 2.0

    for method in ("SLSQP", "trust-constr"):
        found = sy.minimize(distance, (3.0, 0.0), method=method, constraints={"type": "eq", "fun": on_line})
        np.testing.assert_allclose(found.x, 1.0, rtol=1e-5)
    x, y = sy.placeholder((float, float))
    constraint = optimize.NonlinearConstraint(x - y, 1.0, 1.0)
    found = sy.minimize(distance, (3.0, 0.0), method="trust-constr", constraints=constraint, tol=1e-10)
    np.testing.assert_allclose(found.x, [0.5, -0.5], atol=1e-5)
    linear = optimize.LinearConstraint([[1.0, 1.0]], 2.0, 2.0)
    found = sy.minimize(distance, (3.0, 0.0), constraints=[linear], method="SLSQP")
    np.testing.assert_allclose(found.x, 1.0, rtol=1e-5)
    further = {"type": "ineq", "fun": lambda x, y, least: x - least, "args": (1.5,)}
    found = sy.minimize(distance, (3.0, 0.0), constraints=[{"type": "eq", "fun": on_line}, further])
    np.testing.assert_allclose(found.x, [1.5, 0.5], rtol=1e-5)


def line(kind=np.float64):
    x, y = sy.placeholder((ArraySpec((None,), kind), ArraySpec((None,), kind)))
    slope, offset = sy.weight(kind(0.0), name="slope"), sy.weight(kind(0.0), name="offset")
    return sy.mean((slope * x + offset - y) ** 2), slope, offset


DATA = (np.arange(4.0), 3.0 * np.arange(4.0) - 1.0)


def test_weights_are_varied_and_set_only_if_asked():
    loss, slope, offset = line()
    found = sy.minimize(loss, args=DATA, method="BFGS", tol=1e-10)
    np.testing.assert_allclose(found.x, (3.0, -1.0), rtol=1e-7)
    assert (slope.value, offset.value) == (0.0, 0.0)
    assert found.formula.predict(DATA) < 1e-12 < loss.predict(DATA)
    assert [one.name for one in parameters(found.formula)] == ["slope", "offset"]
    found = sy.minimize(loss, args=DATA, update=True, tol=1e-10)
    np.testing.assert_allclose((slope.value, offset.value), (3.0, -1.0), rtol=1e-7)
    assert loss.predict(DATA) < 1e-12


def test_some_of_the_weights():
    loss, slope, offset = line()
    offset.layer.set(1.0)
    found = sy.minimize(loss, args=DATA, wrt=slope, update=True)
    best = np.sum(DATA[0] * (DATA[1] - 1.0)) / np.sum(DATA[0] ** 2)
    assert found.x == pytest.approx(best)
    assert slope.value == found.x
    assert offset.value == 1.0
    found = sy.least_squares(DATA[0] * slope + offset - DATA[1], wrt=[offset, slope])
    np.testing.assert_allclose(found.x, (-1.0, 3.0), rtol=1e-7)
    with pytest.raises(TypeError, match="not a weight of"):
        sy.minimize(loss, args=DATA, wrt=[sy.weight(1.0)])


def test_weights_keep_their_precision_and_their_optimizers():
    loss, slope, offset = line(np.float32)
    data = tuple([part.astype(np.float32) for part in DATA])
    found = sy.minimize(loss, args=data, update=True, tol=1e-12)
    assert {type(slope.value), type(offset.value)} == {np.float32}
    assert {type(one) for one in found.x} == {np.float64}
    np.testing.assert_allclose(found.x, (3.0, -1.0), rtol=1e-10)
    assert slope.value == np.float32(found.x[0])


def test_a_solver_that_fails_changes_nothing():
    loss, slope, offset = line()
    found = sy.minimize(loss, args=DATA, update=True, method="CG", options={"maxiter": 1})
    assert not found.success
    assert found.x != (0.0, 0.0)
    assert (slope.value, offset.value) == (0.0, 0.0)

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sy.minimize(loss, args=DATA, update=True, callback=interrupt)
    assert (slope.value, offset.value) == (0.0, 0.0)


def test_a_network_over_weights_with_dropout_runs_in_inference_mode():
    with sy.seed(0):
        rows, wanted = sy.placeholder((ArraySpec((None, 2), np.float64), ArraySpec((None, 1), np.float64)))
        outputs = sy.nn.dense(sy.dropout(sy.tanh(sy.nn.dense(rows, 5)), 0.5), 1)
    loss = sy.mean((outputs - wanted) ** 2)
    data = (np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([[0.0], [1.0], [1.0], [0.0]]))
    before = loss.predict(data)
    found = sy.minimize(loss, args=data, method="L-BFGS-B", update=True)
    assert loss.predict(data) == pytest.approx(found.fun, abs=1e-6)
    assert found.fun < 1e-3 < before


def test_roots():
    found = sy.root(lambda x: [x[0] + x[1] - 3.0, x[0] * x[1] - 2.0], np.array([0.0, 5.0]))
    np.testing.assert_allclose(found.x, [1.0, 2.0], rtol=1e-9)
    assert found.nfev < 20
    assert "njev" in found
    found = sy.root(lambda x, y: (x + y - 3.0, x * y - 2.0), (0.0, 5.0), method="lm")
    np.testing.assert_allclose(found.x, (1.0, 2.0), rtol=1e-9)
    found = sy.root(lambda x: sy.cos(x) - x, 1.0, method="broyden1")
    assert found.x == pytest.approx(0.7390851, rel=1e-5)
    x, a = sy.placeholder((float, float))
    found = sy.root(x * x - a, 1.0, args=2.0)
    assert type(found.x) is float
    assert found.x == pytest.approx(2.0**0.5, rel=1e-10)


def test_least_squares():
    times = np.linspace(0.0, 3.0, 12)
    wanted = 5.0 * np.exp(-0.5 * times)
    found = sy.least_squares(lambda a, k, t, y: a * sy.exp(-k * t) - y, (1.0, 1.0), args=(times, wanted), method="lm")
    np.testing.assert_allclose(found.x, (5.0, 0.5), rtol=1e-8)
    exact = np.stack([np.exp(-0.5 * times), -5.0 * times * np.exp(-0.5 * times)], -1)
    np.testing.assert_allclose(found.jac, exact, rtol=1e-7, atol=1e-12)
    wanted[3] += 50.0
    found = sy.least_squares(lambda b: b[0] * sy.exp(-b[1] * times) - wanted, [1.0, 1.0], loss="soft_l1", f_scale=0.01)
    np.testing.assert_allclose(found.x, [5.0, 0.5], rtol=1e-2)


def test_misuse_is_an_error():
    x = sy.placeholder(ArraySpec((None,), np.float64))
    with pytest.raises(ShapeError, match="minimize wants one number, but the formula gives float64"):
        sy.minimize(x * 2.0, np.zeros(3))
    with pytest.raises(TypeError, match="has no weights to vary: give x0"):
        sy.minimize(sy.sum(x), args=np.zeros(3))
    with pytest.raises(TypeError, match="x0 starts the arguments"):
        sy.minimize(sy.sum(x), np.zeros(3), update=True)
    with pytest.raises(TypeError, match="with a Python function give x0"):
        sy.minimize(rosenbrock)
    with pytest.raises(TypeError, match="takes a formula, a layer or a function: 3 is none"):
        sy.minimize(3, np.zeros(3))
    with pytest.raises(DTypeError, match="x0 is bool"):
        sy.minimize(rosenbrock, True)
    with pytest.raises(DTypeError, match="x0 is missing"):
        sy.root(rosenbrock, None)


def test_a_missing_scipy_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy.optimize")
    monkeypatch.setitem(sys.modules, "scipy", None)
    for solve in (sy.minimize, sy.root, sy.least_squares):
        with pytest.raises(ModuleNotFoundError, match=r"pip install 'layertree\[scipy\]'"):
            solve(lambda x: x, 1.0)
