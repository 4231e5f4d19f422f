"""What is derived may be a formula, a layer or a function of the user; anything else is an error."""

import math

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, Identity, ShapeError, Sin, Times
from layertree.typing import ArraySpec
from symbolic import curl, divergence, grad, hessian, hvp, jacobian, jvp, laplacian, placeholder, sin, vjp, weight

VECTOR = ArraySpec((3,))
AT = np.array([0.5, -1.0, 1.5])


def test_functions_of_several_arguments():
    def f(x, y):
        return sin(x) * sy.sum(y)

    y = np.array([1.0, 2.0])
    np.testing.assert_allclose(jacobian(f)(AT, y), np.diag(np.cos(AT) * 3.0))
    both = jacobian(f, wrt=(1, 0))(AT, y)
    np.testing.assert_allclose(both[0], np.outer(np.sin(AT), np.ones(2)))
    np.testing.assert_allclose(both[1], np.diag(np.cos(AT) * 3.0))
    mixed = hessian(lambda x, y: sy.sum(f(x, y)), wrt=(0, 1))(AT, y)
    np.testing.assert_allclose(mixed[0][1], np.outer(np.cos(AT), np.ones(2)))


def test_functions_of_formulas():
    x = placeholder(VECTOR)
    found = sy.sum(jacobian(lambda v: v * v)(x) @ x)
    assert found.predict(AT) == pytest.approx(2 * np.sum(AT**2))
    np.testing.assert_allclose(grad(found).predict(AT), 4 * AT)


def test_nested_functions_see_their_own_variables():
    theta = np.array([1.0, 2.0])

    def squared(t):
        inner = jacobian(lambda x: grad(lambda y: sy.sum(y**2 * t**2))(x))(np.ones(2))
        return sy.sum(inner**2)

    assert squared(theta).predict() == 4 * np.sum(theta**4)
    np.testing.assert_allclose(grad(squared)(theta), 16 * theta**3)
    outer = jacobian(lambda x: x * jacobian(lambda y: x * y)(x) @ np.ones(3))(AT)
    np.testing.assert_allclose(outer, np.diag(2 * AT))


def test_products_of_tuples_weights_and_functions():
    x, y = placeholder((VECTOR, float))
    formula = sin(x) * y
    data, tangent, delta = (AT, 2.0), (np.array([1.0, 0.5, -1.0]), 0.3), np.array([0.2, -1.0, 0.7])
    pushed = np.cos(AT) * 2.0 * tangent[0] + np.sin(AT) * tangent[1]
    np.testing.assert_allclose(jvp(formula).predict((data, tangent)), pushed)
    pulled = vjp(formula).predict((data, delta))
    np.testing.assert_allclose(pulled[0], np.cos(AT) * 2.0 * delta)
    np.testing.assert_allclose(pulled[1], np.sum(np.sin(AT) * delta))
    np.testing.assert_allclose(jvp(lambda a, b: sin(a) * b)(data, tangent), pushed)
    of_function = vjp(lambda a, b: sin(a) * b)(data, delta)
    np.testing.assert_allclose(of_function[0], pulled[0])
    w = weight(np.ones((3, 2)))
    v = placeholder(VECTOR)
    np.testing.assert_allclose(
        jvp(sin(v @ w), w).predict((AT, 2.0 * w.value)), np.cos(AT @ w.value) * (AT @ w.value) * 2.0
    )
    np.testing.assert_allclose(vjp(sy.sum(w * w, axis=0), w).predict(np.array([1.0, 2.0])), [[2.0, 4.0]] * 3)
    slopes = hvp(sy.sum(sin(v)) * y_squared(w), [v, w]).predict((AT, (np.ones(3), np.ones((3, 2)))))
    np.testing.assert_allclose(slopes[0], -np.sin(AT) * 6.0 + np.cos(AT) * 12.0)
    np.testing.assert_allclose(slopes[1], np.full((3, 2), 2.0 * (np.sum(np.sin(AT)) + np.sum(np.cos(AT)))))
    assert vjp(sin)(0.5, 2.0) == pytest.approx(2.0 * math.cos(0.5))
    outputs = jvp(lambda a: (a * a, sin(a)))(0.5, 2.0)
    np.testing.assert_allclose(outputs, (2.0, 2.0 * math.cos(0.5)))


def y_squared(w):
    return sy.sum(w * w)


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: jacobian(weight(1.0)), ShapeError, "no input"),
        (lambda: jacobian(placeholder(int)), DTypeError, "cast to float"),
        (lambda: jacobian(3.0), TypeError, "formula, a layer or a function"),
        (lambda: jacobian(placeholder(float), wrt="x"), TypeError, "wrt = 'x'"),
        (lambda: jacobian(sin, wrt=1)(2.0), TypeError, "wrt = 1"),
        (lambda: hessian(sin(placeholder(VECTOR))), ShapeError, "sum or mean"),
        (lambda: laplacian(sin(placeholder(VECTOR))), ShapeError, "sum or mean"),
        (lambda: divergence(sy.sum(placeholder(VECTOR))), ShapeError, "divergence.*built as"),
        (lambda: curl(sin(placeholder(ArraySpec((2,))))), ShapeError, "curl.*three"),
        (lambda: jvp(sin)(1.0, np.ones(2)), ShapeError, "jvp: the vector"),
        (lambda: vjp(sin)(np.ones(2), 1.0), ShapeError, "vjp: the vector"),
    ],
)
def test_what_has_no_such_derivative_says_so(build, error, words):
    with pytest.raises(error, match=words):
        build()


def test_bare_layers_need_a_spec():
    layer = Times(Sin(Identity()), Identity())
    np.testing.assert_allclose(jacobian(layer, spec=VECTOR).predict(AT), np.diag(np.sin(AT) + AT * np.cos(AT)))
    with pytest.raises(DTypeError, match="spec"):
        jacobian(layer)


# The derivative of a Python function that uses a weight holds the weight, and is a formula.

CALLS = {
    "grad": lambda w: grad(lambda y: w * y)(2.0),
    "grad of several": lambda w: grad(lambda y, z: w * y + w * z, wrt=(0, 1))(2.0, 1.0)[1],
    "jvp": lambda w: jvp(lambda y: w * y)(2.0, 1.0),
    "vjp": lambda w: vjp(lambda y: w * y)(2.0, 1.0),
    "hvp": lambda w: hvp(lambda y: w * y**2)(2.0, 0.5),
    "hessian": lambda w: hessian(lambda y: w * y**2)(2.0) / 2.0,
    "jacobian": lambda w: sy.sum(jacobian(lambda y: w * y)(np.ones(1))),
    "value_and_grad": lambda w: sy.value_and_grad(lambda y: w * y)(2.0)[1],
    "vmap": lambda w: sy.sum(sy.vmap(lambda y: w * y)(np.ones(1))),
    "laplacian": lambda w: laplacian(lambda y: sy.sum(w * y**2))(np.ones(1)) / 2.0,
    "divergence": lambda w: divergence(lambda y: w * y)(np.ones(1)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_derivatives_of_functions_keep_weights(call):
    w = weight(3.0)
    inner = call(w)
    assert isinstance(inner, sy.Symbolic)
    assert inner.predict() == pytest.approx(3.0)
    assert grad(w * inner, w).predict() == pytest.approx(6.0)
    w.layer.set(4.0)
    assert inner.predict() == pytest.approx(4.0)


def test_derivatives_of_functions_at_weights_and_constant_formulas_are_formulas():
    w = weight(2.0)
    slope = grad(lambda y: y**3)(w)
    assert slope.predict() == 12.0
    assert grad(slope, w).predict() == 12.0
    assert jvp(lambda y: 3.0 * y)(1.0, w).predict() == 6.0
    assert grad(lambda y: y**3)(sy.literal(2.0)).predict() == 12.0


def test_a_derivative_without_a_weight_in_it_is_data():
    w = weight(3.0)
    assert type(grad(lambda y: w + y)(2.0)) is float
    value, slope = sy.value_and_grad(lambda y: w + y)(2.0)
    assert (value.predict(), slope.predict()) == (5.0, 1.0)  # the parts of one result are all formulas, or all data


@pytest.mark.parametrize("vector", [2, 2.0, np.float32(2.0), np.float64(2.0), np.int64(2)], ids=repr)
@pytest.mark.parametrize("at", [1.0, np.float32(1.0), np.float64(1.0)], ids=repr)
@pytest.mark.parametrize("product", [vjp, jvp, hvp])
def test_products_have_the_kind_of_the_target(product, at, vector):
    found = product(sin)(at, vector)
    assert type(found) is type(at)
    exact = {vjp: math.cos(1.0), jvp: math.cos(1.0), hvp: -math.sin(1.0)}[product]
    assert found == pytest.approx(2.0 * exact, rel=1e-15 if type(at) is not np.float32 else 1e-6)


def test_products_of_tuples_have_the_dtypes_of_the_targets():
    at = np.ones(3, np.float32)
    double = np.ones(3)
    assert vjp(lambda x: x * 2.0)(at, double).dtype == np.float32
    assert vjp(lambda x: (x * double, x))(at, (double, double)).dtype == np.float32
    found = vjp(lambda x, y: (x * double, y))((at, 1.0), (double, np.float32(1.0)))
    assert (found[0].dtype, type(found[1])) == (np.float32, float)
    assert jvp(lambda x, y: x * y)((at, 1.0), (double, np.float32(1.0))).dtype == np.float32
    assert vjp(lambda x: x * 2.0)(at, sy.literal(double)).predict().dtype == np.float32
    assert vjp(lambda x: x * 2.0)(at, placeholder(ArraySpec((3,)))).spec.dtype == np.float32
