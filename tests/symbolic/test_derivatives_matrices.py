"""Jacobians, Hessians and what is made of them, against closed forms, one direction at a time, and differences."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import (
    EmbedDiagonal,
    EyeLike,
    If,
    MatMul,
    PermuteDims,
    nodes,
)
from layertree.typing import ArraySpec
from symbolic import (
    cos,
    curl,
    divergence,
    exp,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    laplacian,
    log,
    placeholder,
    sin,
    tanh,
    vjp,
    weight,
)

VECTOR = ArraySpec((3,))
W, V = np.random.default_rng(0).standard_normal((3, 4)), np.random.default_rng(1).standard_normal((4, 2))
AT = np.array([0.5, -1.0, 1.5])


def rows(formula, at):
    """The Jacobian, one delta of the output after the other."""
    back = vjp(formula)
    value = formula.predict(at)
    found = [back.predict((at, unit.reshape(value.shape))) for unit in np.eye(value.size)]
    return np.reshape(found, value.shape + np.shape(at))


def columns(formula, at):
    """The Jacobian, one tangent of the input after the other."""
    ahead = jvp(formula)
    found = [ahead.predict((at, unit.reshape(at.shape))) for unit in np.eye(at.size)]
    shape = np.shape(found[0])
    return np.moveaxis(np.reshape(found, at.shape + shape), range(at.ndim), range(len(shape), len(shape) + at.ndim))


def differences(function, at, step=1e-3):
    """The Jacobian of a NumPy function by central differences of order 4."""
    found = []
    for unit in np.eye(at.size):
        move = step * unit.reshape(at.shape)
        near = function(at + move) - function(at - move)
        far = function(at + 2 * move) - function(at - 2 * move)
        found.append((8 * near - far) / (12 * step))
    shape = np.shape(found[0])
    stacked = np.reshape(found, at.shape + shape)
    return np.moveaxis(stacked, range(at.ndim), range(len(shape), len(shape) + at.ndim))


LESS = ("network", "reshaped", "wide", "broadcast")
"""What needs sizes: of a matrix beside it, or to broadcast an axis against itself."""

FORMULAS = {
    "elementwise": ((3,), lambda x: sin(x) * exp(x)),
    "network": ((3,), lambda x: tanh(tanh(x @ W) @ V)),
    "wide": ((3,), lambda x: tanh(x @ W)),
    "slices": ((4,), lambda x: x[1:] ** 2 * x[:-1]),
    "broadcast": ((3,), lambda x: x * sy.expand_dims(sin(x), axis=1)),
    "axis sums": ((2, 3), lambda x: sy.sum(sin(x), axis=0) / (2.0 + sy.sum(x * x, axis=1, keepdims=True))),
    "products": ((2, 3), lambda x: sy.matrix_transpose(x) @ (x * x)),
    "reshaped": ((2, 3), lambda x: sin(sy.reshape(x, (3, 2))) @ np.ones((2, 2))),
    "maximum": ((3,), lambda x: sy.maximum(x * x, sy.sum(x))),
    "gathered": ((3,), lambda x: sy.take(x * x, np.array([2, 0, 2]), axis=0) * x),
    "softmax": ((2, 3), lambda x: sy.log_softmax(x * x, axis=1)),
    "number": ((3,), lambda x: sy.sum(x * x) * x[0]),
    "constant": ((3,), lambda x: sy.ones_like(x)),
}


def spec_of(shape, kind):
    named = {"sizes": shape, "names": tuple(f"D{size}" for size in shape), "unknown": (None,) * len(shape)}
    return ArraySpec(named[kind])


@pytest.mark.parametrize("kind", ["sizes", "names", "unknown"])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_jacobian_has_the_rows_and_columns_of_products(name, kind):
    shape, build = FORMULAS[name]
    at = np.random.default_rng(2).uniform(0.5, 1.5, shape)
    formula = build(placeholder(spec_of(shape, "sizes" if name in LESS else kind)))
    found = jacobian(formula).predict(at)
    assert found.shape == formula.predict(at).shape + shape
    np.testing.assert_allclose(found, rows(formula, at), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found, columns(formula, at), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found, differences(formula.predict, at), rtol=1e-6, atol=1e-8)
    assert np.abs(found).max() > 1e-3 or name == "constant"


@pytest.mark.parametrize("kind", ["sizes", "names", "unknown"])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_hessian_is_that_of_the_gradient(name, kind):
    shape, build = FORMULAS[name]
    at = np.random.default_rng(2).uniform(0.5, 1.5, shape)
    x = placeholder(spec_of(shape, "sizes" if name in LESS else kind))
    formula = sy.sum(sin(build(x)))
    found = hessian(formula).predict(at)
    assert found.shape == shape + shape
    np.testing.assert_allclose(found, differences(grad(formula).predict, at), rtol=1e-6, atol=1e-8)
    vector = np.random.default_rng(3).standard_normal(shape)
    product = np.tensordot(found, vector, len(shape))
    np.testing.assert_allclose(hvp(formula).predict((at, vector)), product, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(laplacian(formula).predict(at), np.trace(found.reshape(at.size, at.size)), rtol=1e-10)
    assert np.abs(found).max() > 1e-3 or name == "constant"


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_convolution_and_pooling(direction):
    with sy.seed(1):
        images = placeholder(ArraySpec((1, 6, 5, 2)))
        features = tanh(sy.conv2d(images, 3 if direction == "forward" else 1, padding="same"))
    pooled = sy.max_pool2d(features, 2)
    at = np.random.default_rng(2).standard_normal((1, 6, 5, 2))
    for formula in (features, pooled):
        np.testing.assert_allclose(jacobian(formula).predict(at), rows(formula, at), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(columns(formula, at), rows(formula, at), rtol=1e-10, atol=1e-12)
    loss = sy.sum(pooled**2)
    found = hessian(loss).predict(at)
    np.testing.assert_allclose(found, differences(grad(loss).predict, at), rtol=1e-6, atol=1e-8)
    assert np.abs(found).max() > 1e-2


def sizes_of(build, sizes):
    """How many nodes the formula has for each size."""
    return {len(list(nodes(build(placeholder(ArraySpec((n,))))))) for n in sizes}


def rosenbrock(x):
    return sy.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@pytest.mark.parametrize(
    "build",
    [
        lambda x: hessian(rosenbrock(x)),
        lambda x: laplacian(rosenbrock(x)),
        lambda x: jacobian(sin(x) * sy.sum(x)),
        lambda x: divergence(sin(x) * sy.sum(x)),
        lambda x: jacobian(jacobian(sin(x) * x[0])),
        lambda x: sy.vmap(hessian(rosenbrock(x))),
    ],
)
def test_trees_do_not_grow_with_the_dimension(build):
    # Constants of small ones may be folded, so these have fewer nodes.
    large = sizes_of(build, (2000, 3000, 9000))
    assert len(large) == 1
    assert max(sizes_of(build, (3, 10, 50, 200))) <= max(large) < 60


def test_the_hessian_of_the_rosenbrock_function():
    n = 50
    at = np.random.default_rng(2).standard_normal(n)
    expected = np.zeros((n, n))
    i = np.arange(n - 1)
    expected[i, i] = 1200 * at[:-1] ** 2 - 400 * at[1:] + 2
    expected[i + 1, i + 1] += 200
    expected[i, i + 1] = expected[i + 1, i] = -400 * at[:-1]
    found = hessian(rosenbrock(placeholder(ArraySpec((n,))))).predict(at)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)


def test_no_identity_is_multiplied_with():
    x = placeholder(VECTOR)
    kinds = [type(node) for node in nodes(jacobian(tanh(tanh(x @ W) @ V)))]
    assert kinds.count(MatMul) == 3  # two of the value, one of the derivative
    assert EyeLike not in kinds
    assert EmbedDiagonal not in kinds
    assert str(jacobian(sin(x))) == "embed_diagonal(cos(x), axes=1)"
    assert str(divergence(sin(x))) == "sum(cos(x))"
    assert str(jacobian(2.0 * x @ np.ones((3, 2)))).startswith("permute_dims(") or PermuteDims not in kinds


def test_zeros_beside_infinite_slopes_stay_zeros():
    at = np.array([0.0, 1.0, 4.0])
    found = jacobian(log(placeholder(VECTOR))).predict(at)
    np.testing.assert_array_equal(found, np.diag([np.inf, 1.0, 0.25]))
    found = jacobian(sy.sqrt(placeholder(VECTOR))).predict(at)
    np.testing.assert_array_equal(found, np.diag([np.inf, 0.5, 0.25]))


def test_the_smaller_side_is_stacked():
    x = placeholder(ArraySpec((2,)))
    tall, wide = np.ones((2, 30)), np.ones((30, 2))
    y = placeholder(ArraySpec((30,)))
    assert "permute_dims" in format(jacobian(tanh(x @ tall) * tanh(x @ tall)).layer, "formula")
    assert "permute_dims" not in format(jacobian(tanh(y @ wide) * tanh(y @ wide)).layer, "formula")


def test_targets():
    x, y = placeholder((VECTOR, float))
    w = weight(np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 0.7]]))
    scale = weight(0.5)
    formula = sin(w @ x) * y * scale
    data = (AT, 2.0)
    slope = np.cos(w.value @ AT)
    by_x, by_y, by_w, by_scale = jacobian(formula, [x, y, w, scale]).predict(data)
    np.testing.assert_allclose(by_x, slope[:, None] * w.value)
    np.testing.assert_allclose(by_y, np.sin(w.value @ AT) * 0.5)
    np.testing.assert_allclose(by_w, np.einsum("i,ij,k->ijk", slope, np.eye(2), AT))
    np.testing.assert_allclose(by_scale, np.sin(w.value @ AT) * 2.0)
    np.testing.assert_array_equal(jacobian(formula, w).predict(data), by_w)
    pair = jacobian(formula).predict(data)
    np.testing.assert_allclose(pair[0], by_x)
    np.testing.assert_allclose(pair[1], by_y)
    inner = w @ x
    np.testing.assert_allclose(
        jacobian(sin(inner) * inner, inner).predict(data),
        np.diag(slope * inner.predict(data) + np.sin(inner.predict(data))),
    )
    np.testing.assert_array_equal(jacobian(formula, weight(np.ones(2))).predict(data), np.zeros((2, 2)))


def test_a_part_within_a_composition_is_another_part():
    x = placeholder(float)
    f = exp(x)
    twice = f(f)
    assert grad(twice, f).predict(0.5) == pytest.approx(math.exp(math.exp(0.5)))
    assert jacobian(twice, f).predict(0.5) == pytest.approx(math.exp(math.exp(0.5)))


def test_hessians_by_several_targets():
    x, y = placeholder((float, float))
    w = weight(3.0)
    found = hessian(x**2 * y * w + sin(w), [x, w]).predict((2.0, 5.0))
    np.testing.assert_allclose(found, ((30.0, 20.0), (20.0, -math.sin(3.0))))
    np.testing.assert_allclose(hessian(x**2 * y).predict((2.0, 5.0)), ((10.0, 4.0), (4.0, 0.0)))
    v = placeholder(VECTOR)
    scale = weight(2.0)
    mixed = hessian(sy.sum(sin(v)) * scale**2, [v, scale]).predict(AT)
    np.testing.assert_allclose(mixed[0][0], np.diag(-4.0 * np.sin(AT)))
    np.testing.assert_allclose(mixed[0][1], 4.0 * np.cos(AT))
    np.testing.assert_allclose(mixed[1][0], 4.0 * np.cos(AT))
    assert mixed[1][1] == pytest.approx(2.0 * np.sum(np.sin(AT)))


def test_tuples_and_labels():
    x, label = placeholder((VECTOR, int))
    formula = sy.cross_entropy(x * x, label)
    found = hessian(formula).predict((AT, 1))
    np.testing.assert_allclose(found[0][0], differences(lambda at: grad(formula, x).predict((at, 1)), AT), rtol=1e-7)
    assert found[1][1] == 0
    parts = jacobian(sy.hook((sin(x), x[0] * x[1]), id), x).predict((AT, 1))
    np.testing.assert_allclose(parts[0], np.diag(np.cos(AT)))
    np.testing.assert_allclose(parts[1], [AT[1], AT[0], 0.0])


@settings(max_examples=25)
@given(st.lists(st.floats(-2, 2), min_size=2, max_size=2))
def test_the_jacobian_of_three_by_two(at):
    at = np.array(at)
    expected = [[at[1], at[0]], [math.cos(at[0]), 0.0], [0.0, 2 * at[1]]]
    x = placeholder(ArraySpec((2,)))
    formula = sy.stack([x[0] * x[1], sin(x[0]), x[1] ** 2])
    np.testing.assert_allclose(jacobian(formula).predict(at), expected, rtol=1e-12, atol=1e-14)
    found = jacobian(lambda v: sy.stack([v[0] * v[1], sin(v[0]), v[1] ** 2]))(at)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_derivatives_of_any_order():
    x = placeholder(VECTOR)
    third = jacobian(jacobian(jacobian(sy.sum(sin(x) * x[0]))))
    assert third.spec == ArraySpec((3, 3, 3))
    expected = differences(hessian(sy.sum(sin(x) * x[0])).predict, AT)
    np.testing.assert_allclose(third.predict(AT), expected, rtol=1e-7, atol=1e-9)
    y = placeholder(float)
    assert jacobian(jacobian(hessian(y**5))).predict(2.0) == pytest.approx(240.0)
    assert str(hessian(y**3)) == "6.0 * y".replace("y", "x")


def test_float32_stays():
    x = placeholder(ArraySpec((3,), np.float32))
    w = weight(np.ones((3, 2), np.float32))
    for formula in (sin(x), tanh(x @ w), x * 2.0):
        assert jacobian(formula).dtype == np.float32
        assert jacobian(formula).predict(np.float32(AT)).dtype == np.float32
    assert hessian(sy.sum(sin(x))).predict(np.float32(AT)).dtype == np.float32


def test_branches():
    x = placeholder(VECTOR)
    formula = sy.if_(sy.sum(x) > 0.0, sin(x), x * x)
    assert any(isinstance(node, If) for node in nodes(jacobian(formula)))
    np.testing.assert_allclose(jacobian(formula).predict(AT), np.diag(np.cos(AT)))
    np.testing.assert_allclose(jacobian(formula).predict(-AT), np.diag(-2.0 * AT))


def test_vector_calculus():
    x = placeholder(VECTOR)
    field = sy.stack([x[1] * x[2], x[0] ** 3 * x[2], sin(x[0]) * x[1]])
    rows = jacobian(field).predict(AT)
    expected = [rows[2, 1] - rows[1, 2], rows[0, 2] - rows[2, 0], rows[1, 0] - rows[0, 1]]
    np.testing.assert_allclose(curl(field).predict(AT), expected)
    assert np.abs(expected).min() > 0.1
    potential = x[0] ** 2 * x[1] + cos(x[2]) * x[0]
    np.testing.assert_allclose(curl(grad(potential)).predict(AT), 0.0, atol=1e-14)
    np.testing.assert_allclose(divergence(curl(field)).predict(AT), 0.0, atol=1e-14)
    np.testing.assert_allclose(divergence(grad(potential)).predict(AT), laplacian(potential).predict(AT))
    a, b, c = placeholder((float, float, float))
    np.testing.assert_allclose(
        curl(sy.hook((b * c, a**3 * c, sin(a) * b), id)).predict(tuple(map(float, AT))), expected
    )
    assert laplacian(lambda a, b: a**2 * b + sin(b))(2.0, 0.5) == pytest.approx(1.0 - math.sin(0.5))


def test_a_long_formula():
    x = placeholder(ArraySpec((2,)))
    f = x
    for _ in range(500):
        f = f * 1.001 + 0.0 * x[0]
    np.testing.assert_allclose(jacobian(f).predict(np.ones(2)), np.eye(2) * 1.001**500, rtol=1e-9, atol=1e-9)
