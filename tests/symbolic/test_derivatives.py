"""Derivatives of formulas and functions, against closed forms and differences."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import DTypeError, Exp, Identity, Input, ShapeError, Times, nodes
from layertree.typing import ArraySpec
from symbolic import cos, exp, grad, hvp, jvp, log, placeholder, sin, sqrt, tanh, value_and_grad, vjp, weight

VECTOR = ArraySpec((3,), np.float64)
RNG = np.random.default_rng(0)


def times(n, f):
    """A derivative of order n."""
    for _ in range(n):
        f = grad(f)
    return f


@pytest.mark.parametrize(("order", "expected"), [(1, math.cos(1)), (2, -math.sin(1)), (3, -math.cos(1))])
def test_derivatives_of_the_sine(order, expected):
    assert times(order, sin(placeholder(float))).predict(1.0) == pytest.approx(expected, rel=1e-12)
    assert times(order, sin)(1.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("order", "expected"), [(1, 31.0), (2, 30.0), (3, 12.0), (4, 0.0)])
def test_derivatives_of_a_polynomial(order, expected):
    x = placeholder(float)
    assert times(order, 2.0 * x**3 + 3.0 * x**2 - 5.0 * x + 1.0).predict(2.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("f", "at", "expected"),
    [
        (
            lambda x: 2.0 * x**2 + 3.0 * sin(x) - 1.0 / x,
            3.0,
            [9.141133621309773, 3.5025659017463244, 3.0440515638754104],
        ),
        (
            lambda x: 2.0 * x**2 + sqrt(x) - tanh(x),
            4.0,
            [16.248659049316974, 3.971430102614106, 0.006365736160302258],
        ),
    ],
)
def test_orders_one_to_three(f, at, expected):
    formula = f(placeholder(float))
    assert [times(n, formula).predict(at) for n in (1, 2, 3)] == pytest.approx(expected, rel=1e-10)
    assert [times(n, f)(at) for n in (1, 2, 3)] == pytest.approx(expected, rel=1e-10)


def test_a_gradient_prints_as_a_person_writes_it():
    x = placeholder(float)
    assert str(grad((1.0 + x) * weight(2.0))) == "weight(2.0)"
    assert str(grad(x**3)) == "3.0 * x ** 2"
    assert str(grad(sin(x))) == "cos(x)"
    assert str(grad(exp(2.0 * x))) == "2.0 * exp(2.0 * x)"


@settings(max_examples=30)
@given(st.floats(-2, 2), st.floats(-2, 2))
def test_two_arguments(x, y):
    def f(x, y):
        return x * sin(y) + exp(x * y)

    assert grad(f)(x, y) == pytest.approx(math.sin(y) + y * math.exp(x * y), rel=1e-9, abs=1e-12)
    found = grad(f, wrt=(1, 0))(x, y)
    assert found[0] == pytest.approx(x * math.cos(y) + x * math.exp(x * y), rel=1e-9, abs=1e-12)
    assert found[1] == grad(f)(x, y)


def test_a_derivative_inside_a_differentiated_function_sees_its_own_variable():
    assert grad(lambda x: x * grad(lambda y: x + y)(x))(5.0) == 1.0
    assert grad(lambda x: x * grad(lambda y: x * y)(2.0))(3.0) == 6.0
    assert grad(lambda x: grad(lambda y: grad(lambda z: x * y * z)(y))(x) * x)(2.0) == 4.0
    inner = grad(lambda x: grad(lambda y: sin(x * y), wrt=0)(x), wrt=0)
    at = 0.7
    expected = math.cos(at**2) - 2 * at**2 * math.sin(at**2)
    assert inner(at) == pytest.approx(expected, rel=1e-12)


def test_a_function_takes_formulas_of_an_outer_input():
    x = placeholder(float)
    outer = x * grad(lambda y: x * y**2)(x)
    assert outer.predict(3.0) == 3.0 * 2.0 * 3.0 * 3.0
    assert grad(outer).predict(3.0) == pytest.approx(6.0 * 9.0)
    assert grad(lambda y: y * y)(sin(x)).predict(0.5) == pytest.approx(2.0 * math.sin(0.5))


def test_arrays():
    x = placeholder(VECTOR)
    at = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(grad(sy.sum(x**2 * sin(x))).predict(at), 2 * at * np.sin(at) + at**2 * np.cos(at))
    assert grad(sy.sum(x**2)).spec == VECTOR
    np.testing.assert_array_equal(grad(lambda v: sy.sum(v * v))(at), 2.0 * at)


def test_a_network_has_the_gradients_of_its_tape():
    with sy.seed(0):
        images, labels = placeholder((ArraySpec(("N", 6, 6, 2), np.float64), ArraySpec(("N",), np.int64)))
        model = sy.dense(sy.reshape(sy.max_pool2d(sy.relu(sy.conv2d(images, 3))), (-1, 12)), 4)
    loss = sy.cross_entropy(model, labels)
    data = (RNG.standard_normal((5, 6, 6, 2)), np.array([0, 3, 1, 1, 2]))
    source = Input(data)
    found = loss.forward(source).gradients()
    from layertree import parameters

    for w in parameters(loss):
        np.testing.assert_allclose(grad(loss, w).predict(data), found[w], rtol=1e-9, atol=1e-12)
    pair = grad(loss, [images, parameters(loss)[0]]).predict(data)
    np.testing.assert_allclose(pair[0], found[source][0], rtol=1e-9, atol=1e-12)
    assert np.abs(pair[0]).max() > 1e-4


def test_targets():
    x, y = placeholder((float, float))
    w = weight(3.0)
    f = x * y * w
    assert grad(f, x).predict((2.0, 5.0)) == 15.0
    assert grad(f, w).predict((2.0, 5.0)) == 10.0
    assert grad(f, (w, y)).predict((2.0, 5.0)) == (10.0, 6.0)
    assert grad(f).predict((2.0, 5.0)) == (15.0, 6.0)
    part = sin(x)
    assert grad(part * part * y, part).predict((2.0, 5.0)) == pytest.approx(10.0 * math.sin(2.0))
    assert grad(x * 2.0, y).predict((2.0, 5.0)) == 0.0
    assert grad(x * 2.0, weight(1.0)).predict((2.0, 5.0)) == 0.0


def test_value_and_grad_share():
    x = placeholder(float)
    both = value_and_grad(exp(sin(x)))
    value, slope = both.predict(0.3)
    assert value == pytest.approx(math.exp(math.sin(0.3)))
    assert slope == pytest.approx(value * math.cos(0.3))
    assert sum(isinstance(node, Exp) for node in nodes(both)) == 1


def test_products():
    x = placeholder(VECTOR)
    f = sin(x) * x[0]
    at, v = np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.3, -0.7])
    jacobian = np.diag(np.cos(at) * at[0])
    jacobian[:, 0] += np.sin(at)
    np.testing.assert_allclose(vjp(f).predict((at, v)), v @ jacobian)
    np.testing.assert_allclose(jvp(f).predict((at, v)), jacobian @ v)


def test_the_hessian_product():
    x = placeholder(ArraySpec((2,), np.float64))
    f = x[0] ** 2 * x[1] + x[1] ** 3
    np.testing.assert_allclose(hvp(f).predict((np.array([1.0, 2.0]), np.array([1.0, -1.0]))), [2.0, -10.0])


def test_a_jvp_does_no_reverse_work_that_is_not_needed():
    x = placeholder(float)
    f = x
    for _ in range(10):
        f = sin(f)
    pushed = jvp(f)
    kinds = [type(node).__name__ for node in nodes(pushed)]
    assert kinds.count("Sin") <= 10
    assert kinds.count("Cos") == 10
    assert kinds.count("Times") == 10
    expected = grad(f).predict(0.4) * 2.5
    assert pushed.predict((0.4, 2.5)) == pytest.approx(expected, rel=1e-12)


def test_broadcasts_sums_products_and_slices_have_hessians():
    x = placeholder(VECTOR)
    matrix = RNG.standard_normal((3, 3))
    at, v = RNG.standard_normal(3), RNG.standard_normal(3)
    cases = {
        "sum over an axis": (sy.sum(sy.sum(x, axis=0) ** 2), lambda z: np.sum(z) ** 2),
        "matrix product": (sy.sum(sin(matrix @ x)), lambda z: np.sum(np.sin(matrix @ z))),
        "broadcast": (sy.sum(exp(x * sy.expand_dims(x, axis=1))), lambda z: np.sum(np.exp(z * z[:, None]))),
        "slice": (sy.sum(cos(x[1:] * x[:-1])), lambda z: np.sum(np.cos(z[1:] * z[:-1]))),
        "log": (log(sy.sum(exp(x))), lambda z: np.log(np.sum(np.exp(z)))),
    }
    for name, (formula, function) in cases.items():
        step = 1e-3
        expected = np.array(
            [
                sum(
                    coefficient * function(at + step * (i * v + j * unit))
                    for i, j, coefficient in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
                )
                / (4 * step * step)
                for unit in np.eye(3)
            ]
        )
        found = hvp(formula).predict((at, v))
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4, err_msg=name)
        assert np.abs(found).max() > 1e-3


def test_a_bare_layer_needs_a_spec():
    layer = Times(Identity(), Identity())
    assert grad(layer, spec=float).predict(3.0) == 6.0
    with pytest.raises(DTypeError, match="spec"):
        grad(layer)


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: grad(placeholder(VECTOR)), ShapeError, "sum or mean"),
        (lambda: grad(placeholder(int)), DTypeError, "cast to float"),
        (lambda: grad(placeholder(float), wrt="x"), TypeError, "wrt = 'x'"),
        (lambda: grad(3.0), TypeError, "formula, a layer or a function"),
        (lambda: grad(sin, wrt=1)(2.0), TypeError, "wrt = 1"),
        (lambda: grad(lambda v: v)(np.ones(2)), ShapeError, "sum or mean"),
        (lambda: grad(lambda v: sin(v))(1), DTypeError, "cast to float"),
        (lambda: vjp(weight(1.0)), ShapeError, "vjp"),
    ],
)
def test_what_has_no_gradient_says_so(build, error, words):
    with pytest.raises(error, match=words):
        build()


def test_a_variable_does_not_leave_its_function():
    kept = []

    def f(x):
        kept.append(x)
        return x * x

    assert grad(f)(3.0) == 6.0
    with pytest.raises(DTypeError, match="outside of its function"):
        kept[0].predict()


def test_the_gradient_of_a_long_formula():
    x = placeholder(float)
    f = x
    for _ in range(3_000):
        f = f * 1.0001 + 0.0
    assert grad(f).predict(2.0) == pytest.approx(1.0001**3_000, rel=1e-9)


def test_a_formula_inside_a_differentiated_function_keeps_its_own_input():
    x = placeholder(float)
    model = sin(x) * x
    value, slope = value_and_grad(lambda y: model(y * y) * y)(0.7)
    inner = 0.7**2
    assert value == pytest.approx(math.sin(inner) * inner * 0.7)
    outer = math.sin(inner) * inner
    assert slope == pytest.approx(outer + 0.7 * (math.cos(inner) * inner + math.sin(inner)) * 2 * 0.7)
    pair = value_and_grad(lambda y: model(sin(x) * y))(x)
    assert pair[0].predict(0.4) == pytest.approx(model.predict(math.sin(0.4) * 0.4))


def test_value_and_gradient_share_what_simplifies():
    x = placeholder(float)
    both = value_and_grad(exp(sin(x) + 0.0) * 1.0)
    kinds = [type(node).__name__ for node in nodes(both)]
    assert (kinds.count("Exp"), kinds.count("Sin")) == (1, 1)


def test_the_gradient_of_an_array_of_one_element_has_a_delta_of_ones() -> None:
    x = placeholder(ArraySpec((1, 1)))
    at = np.array([[0.5]])
    found = grad(sy.sin(x))
    assert found.spec == ArraySpec((1, 1))
    np.testing.assert_allclose(found.predict(at), np.cos(at))
    value, slope = sy.value_and_grad(sy.sin(x)).predict(at)
    np.testing.assert_allclose(value, np.sin(at))
    np.testing.assert_allclose(slope, np.cos(at))
    np.testing.assert_allclose(grad(sy.sin)(at), np.cos(at))
    np.testing.assert_allclose(sy.hvp(sy.sin(x)).predict((at, np.ones((1, 1)))), -np.sin(at))
    np.testing.assert_allclose(sy.hessian(sy.sin(x)).predict(at).ravel(), -np.sin(at).ravel())
    vector = placeholder(ArraySpec((3,)))
    slopes = grad(sy.sum(vector**2, keepdims=True)).predict(np.ones(3))
    np.testing.assert_allclose(slopes, 2.0 * np.ones(3))
    with Input(at) as source, sy.sin(x).forward(source) as tape:
        np.testing.assert_allclose(tape.gradients()[source], found.predict(at))
    with pytest.raises(ShapeError, match="the gradient is that of one number"):
        grad(placeholder(ArraySpec((None,))))
