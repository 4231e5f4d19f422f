"""vmap, against one example after the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import (
    DTypeError,
    Exp,
    Identity,
    Input,
    Layer,
    ShapeError,
    Tape,
    Times,
    Tuple,
    inference,
    layer,
    nodes,
    operand,
    parameters,
)
from layertree.core.free import Free
from layertree.core.spec import spec_of
from layertree.rewrite.batch import batch
from layertree.typing import ArraySpec
from symbolic import exp, grad, hessian, jacobian, placeholder, sin, tanh, vmap, weight
from tests.test_random_formulas import formulas

RNG = np.random.default_rng(0)
VECTOR = ArraySpec((3,))
ROWS = RNG.standard_normal((5, 3))


def each(formula, *columns):
    """The stack of what a formula is for each example."""
    return np.stack(
        [formula.predict(one if len(columns) == 1 else (one, *rest)) for one, *rest in zip(*columns, strict=True)]
    )


def network(seed=0):
    with sy.seed(seed):
        x, label = placeholder((VECTOR, int))
        return sy.cross_entropy(sy.dense(tanh(sy.dense(x, 4)), 2), label)


def test_per_example_gradients_of_a_network():
    loss = network()
    weights = parameters(loss)
    labels = np.array([0, 1, 1, 0, 1])
    found = vmap(grad(loss, weights)).predict((ROWS, labels))
    for w, stack in zip(weights, found, strict=True):
        expected = np.stack(
            [loss.forward((row, int(label))).gradients()[w] for row, label in zip(ROWS, labels, strict=True)]
        )
        assert stack.shape == (5, *w.value.shape)
        np.testing.assert_allclose(stack, expected, rtol=1e-10, atol=1e-12)
        assert np.abs(stack).max() > 1e-3
    mean = grad(sy.mean(vmap(loss)), weights).predict((ROWS, labels))
    for of_each, of_all in zip(found, mean, strict=True):
        np.testing.assert_allclose(of_each.mean(axis=0), of_all, rtol=1e-10, atol=1e-12)


def test_the_batch_is_named():
    assert vmap(sin(placeholder(VECTOR))).origin.spec == ArraySpec(("Batch", 3))
    assert vmap(sin(placeholder(VECTOR)), size=7).spec == ArraySpec((7, 3))
    assert vmap(sin(placeholder(VECTOR)), size=None).spec == ArraySpec((None, 3))
    twice = vmap(vmap(sin(placeholder(ArraySpec(("Batch",))))))
    assert twice.spec == ArraySpec(("Batch3", "Batch2", "Batch"))
    pair = vmap(network())
    with pytest.raises(ShapeError, match="Batch is 5"):
        pair.predict((ROWS, np.array([0, 1])))


def test_axes():
    x, y = placeholder((VECTOR, float))
    formula = sin(x) * y
    ys = RNG.standard_normal(5)
    expected = np.sin(ROWS) * ys[:, None]
    np.testing.assert_allclose(vmap(formula).predict((ROWS, ys)), expected)
    np.testing.assert_allclose(vmap(formula, in_axes=(1, 0)).predict((ROWS.T, ys)), expected)
    np.testing.assert_allclose(vmap(formula, in_axes=(-1, 0), out_axes=1).predict((ROWS.T, ys)), expected.T)
    np.testing.assert_allclose(vmap(formula, in_axes=(0, None)).predict((ROWS, 2.0)), np.sin(ROWS) * 2.0)
    np.testing.assert_allclose(vmap(formula, in_axes=(None, 0)).predict((ROWS[0], ys)), np.outer(ys, np.sin(ROWS[0])))
    parts = vmap(sy.hook((sin(x), x * y), id), out_axes=(0, 1)).predict((ROWS, ys))
    np.testing.assert_allclose(parts[0], np.sin(ROWS))
    np.testing.assert_allclose(parts[1], (ROWS * ys[:, None]).T)


def test_what_is_the_same_for_all_is_read_once_and_repeated():
    x, shared = placeholder((VECTOR, VECTOR))
    formula = x * exp(shared)
    mapped = vmap(formula, in_axes=(0, None))
    assert [node.operand for node in nodes(mapped) if isinstance(node, Exp)] == [shared.layer]
    np.testing.assert_array_equal(vmap(exp(shared), in_axes=(0, None)).predict((ROWS, ROWS[0])), np.exp(ROWS[[0] * 5]))
    np.testing.assert_array_equal(vmap(weight(2.0) + 0.0 * x).predict((ROWS, ROWS)), np.full((5, 3), 2.0))


def test_nested_maps():
    x, y = placeholder((float, float))
    table = vmap(vmap(x * exp(y), in_axes=(None, 0)), in_axes=(0, None))
    a, b = RNG.standard_normal(4), RNG.standard_normal(3)
    np.testing.assert_allclose(table.predict((a, b)), np.outer(a, np.exp(b)))
    np.testing.assert_allclose(vmap(lambda u: vmap(lambda v: u * sy.exp(v))(b))(a), np.outer(a, np.exp(b)))


def test_functions():
    m = RNG.standard_normal((3, 3))
    np.testing.assert_allclose(vmap(lambda row: sy.sum(row * row))(ROWS), np.sum(ROWS**2, axis=1))
    np.testing.assert_allclose(vmap(lambda a, b: a @ b, in_axes=(0, None))(ROWS, m), ROWS @ m)
    np.testing.assert_allclose(vmap(lambda a, b: a @ b, in_axes=(None, 1), out_axes=1)(m, ROWS.T), m @ ROWS.T)
    np.testing.assert_allclose(vmap(grad(lambda row: sy.sum(sin(row))))(ROWS), np.cos(ROWS))
    found = vmap(lambda pair: pair[0] * pair[1], in_axes=((0, None),))((ROWS, 2.0))
    np.testing.assert_allclose(found, ROWS * 2.0)
    pair = vmap(lambda row: (row, sy.sum(row)))(ROWS)
    np.testing.assert_allclose(pair[1], ROWS.sum(axis=1))


def test_functions_of_formulas():
    x = placeholder(ArraySpec(("N", 3)))
    formula = vmap(lambda row: row / sy.sum(row * row))(x)
    assert formula.spec == ArraySpec(("N", 3))
    np.testing.assert_allclose(formula.predict(ROWS), ROWS / np.sum(ROWS**2, axis=1, keepdims=True))
    outer = grad(lambda scale: sy.sum(vmap(lambda row: sin(row * scale))(ROWS)))
    assert outer(0.5) == pytest.approx(np.sum(ROWS * np.cos(ROWS * 0.5)))


def test_derivatives_and_maps_commute():
    x = placeholder(VECTOR)
    formula = sy.sum(tanh(x) * x[0])
    np.testing.assert_allclose(vmap(hessian(formula)).predict(ROWS), each(hessian(formula), ROWS))
    by_rows = jacobian(vmap(formula, size=5)).predict(ROWS)
    expected = np.zeros((5, 5, 3))
    expected[range(5), range(5)] = each(grad(formula), ROWS)
    np.testing.assert_allclose(by_rows, expected)


def test_gathering_with_indices_of_each_example():
    table, places = placeholder((ArraySpec((4, 3)), ArraySpec((2,), np.int64)))
    formula = sy.sum(sin(sy.take(table, places, axis=0)), axis=1)
    tables, indices = RNG.standard_normal((5, 4, 3)), RNG.integers(-4, 4, (5, 2))
    for axes, data in (
        ((0, 0), (tables, indices)),
        ((None, 0), (tables[0], indices)),
        ((0, None), (tables, indices[0])),
    ):
        columns = [data[i] if axis == 0 else [data[i]] * 5 for i, axis in enumerate(axes)]
        np.testing.assert_allclose(vmap(formula, in_axes=axes).predict(data), each(formula, *columns))
        slopes = vmap(grad(sy.sum(formula), table), in_axes=axes)
        np.testing.assert_allclose(slopes.predict(data), each(grad(sy.sum(formula), table), *columns))
    with pytest.raises(IndexError, match="index 4 is out of bounds"):
        vmap(formula).predict((tables, indices + 8 - indices - 4))


def test_kernels_of_each_example():
    from symbolic.building.operations import apply

    images, kernel = placeholder((ArraySpec((6, 5, 2)), ArraySpec((3, 3, 1, 4))))
    formula = tanh(apply("conv2d", images, kernel, padding=(1, 0), groups=2))
    data = RNG.standard_normal((5, 6, 5, 2)), RNG.standard_normal((5, 3, 3, 1, 4))
    np.testing.assert_allclose(vmap(formula).predict(data), each(formula, *data), rtol=1e-10, atol=1e-12)
    slopes = vmap(grad(sy.sum(formula), kernel)).predict(data)
    np.testing.assert_allclose(slopes, each(grad(sy.sum(formula), kernel), *data), rtol=1e-10, atol=1e-12)


def test_a_condition_of_each_example():
    x = placeholder(float)
    formula = sy.if_(x > 0.0, sin(x), x * x)
    xs = np.array([-2.0, -0.5, 0.5, 3.0])
    np.testing.assert_allclose(vmap(formula).predict(xs), np.where(xs > 0, np.sin(xs), xs * xs))
    np.testing.assert_allclose(vmap(grad(formula)).predict(xs), np.where(xs > 0, np.cos(xs), 2 * xs))
    np.testing.assert_allclose(grad(sy.sum(vmap(formula))).predict(xs), np.where(xs > 0, np.cos(xs), 2 * xs))


def test_dropout_draws_for_each_example():
    with sy.seed(3):
        x = placeholder(ArraySpec((100,)))
        formula = vmap(sy.dropout(x, 0.5))
    ones = np.ones((6, 100))
    drawn = formula.forward(ones).value
    assert set(np.unique(drawn)) == {0.0, 2.0}
    assert len({row.tobytes() for row in drawn}) == 6
    np.testing.assert_array_equal(formula.predict(ones), ones)
    assert vmap(inference(sy.dropout(x, 0.5).layer), spec=ArraySpec((100,))).predict(ones).sum() == 600


def test_float32_and_integers_stay():
    x, y = placeholder((ArraySpec((3,), np.float32), float))
    formula = vmap(x * y + 1.0)
    assert formula.dtype == np.float32
    found = formula.predict((ROWS.astype(np.float32), np.arange(5.0)))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, ROWS * np.arange(5.0)[:, None] + 1.0, rtol=1e-5)
    n = placeholder(int)
    assert vmap(n * 2).predict(np.array([1, 2])).dtype == np.int64
    assert vmap(n > 1).predict(np.array([1, 2])).tolist() == [False, True]


def test_no_examples():
    x = placeholder(VECTOR)
    assert vmap(sy.sum(sin(x))).predict(np.ones((0, 3))).shape == (0,)
    assert vmap(jacobian(sin(x) * sy.sum(x))).predict(np.ones((0, 3))).shape == (0, 3, 3)


@layer
class StraightThrough(Layer):
    """Rounds down, and hands the delta on: its gradient is not that of what it computes."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.floor(a)

    def gradient(self, xp, delta, output, a):
        return (lambda: xp.multiply(delta, 1.0),)


@layer
class Centred(Layer):
    """The operand without its mean, by what this is made of."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.subtract(a, xp.mean(a, axis=(-1,), keepdims=True))

    def gradient(self, xp, delta, output, a):
        return (lambda: xp.subtract(delta, xp.mean(delta, axis=(-1,), keepdims=True)),)


@layer
class BlackBox(Layer):
    """A layer with a tape of its own."""

    operand: Layer = operand()

    def tape(self, xp, upstream: Tape):
        return upstream


def test_layers_of_a_users_own():
    straight = sy.wrap(StraightThrough(Identity()), VECTOR)
    mapped = vmap(straight)
    assert isinstance(mapped.layer, StraightThrough)
    np.testing.assert_array_equal(mapped.predict(ROWS), np.floor(ROWS))
    source = Input(ROWS)
    np.testing.assert_array_equal(mapped.forward(source).gradients(np.ones((5, 3)))[source], np.ones((5, 3)))
    centred = sy.wrap(Centred(Identity()), VECTOR)
    np.testing.assert_allclose(vmap(centred).predict(ROWS), ROWS - ROWS.mean(axis=1, keepdims=True))
    np.testing.assert_allclose(vmap(jacobian(centred)).predict(ROWS), [np.eye(3) - 1 / 3] * 5, atol=1e-15)


def test_what_cannot_be_mapped_says_so():
    with pytest.raises(DTypeError, match="BlackBox makes a tape of its own"):
        vmap(sy.wrap(BlackBox(Identity()), VECTOR))
    x = placeholder(VECTOR)
    with pytest.raises(DTypeError, match=r"running_average\(.*statistics of its own.*inference"):
        vmap(sy.wrap(_with_statistics(), VECTOR))
    for build, error, words in (
        (lambda: vmap(weight(1.0)), ShapeError, "an input is wanted"),
        (lambda: vmap(x, in_axes=2), ShapeError, "in_axes = 2 is out of range"),
        (lambda: vmap(x, out_axes=2), ShapeError, "out_axes = 2 is out of range"),
        (lambda: vmap(x, in_axes=None), ValueError, "nothing would be mapped"),
        (lambda: vmap(x, in_axes="0"), TypeError, "in_axes = '0'"),
        (lambda: vmap(x, out_axes=None), ValueError, "out_axes = None"),
        (lambda: vmap(network(), in_axes=(0,)), ValueError, "has 2 parts"),
        (lambda: vmap(sin)(1.0), ShapeError, "in_axes = 0 is out of range"),
        (lambda: vmap(lambda a, b: a + b)(np.ones(2), np.ones(3)), ShapeError, "2 and 3 examples"),
    ):
        with pytest.raises(error, match=words):
            build()


def _with_statistics():
    from layertree import Average, RunningAverage, State

    return RunningAverage(Identity(), State(np.zeros(3), Average(0.9)))


@settings(max_examples=100)
@given(formulas(), st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=4), st.sampled_from(["Batch", None]))
def test_random_formulas(formula, points, size):
    mapped = batch(formula, ArraySpec((size,)), (size,), axes=0, example=spec_of(1.0))
    np.testing.assert_allclose(mapped.predict(np.array(points)), [formula.predict(at) for at in points], rtol=1e-12)


@settings(max_examples=60)
@given(formulas(), st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=4))
def test_random_derivatives(formula, points):
    one = sy.wrap(formula, float)
    slope = grad(one)
    expected = [slope.predict(at) for at in points]
    np.testing.assert_allclose(vmap(slope).predict(np.array(points)), expected, rtol=1e-10, atol=1e-12)
    total = grad(sy.sum(vmap(one)))
    np.testing.assert_allclose(total.predict(np.array(points)), expected, rtol=1e-10, atol=1e-12)


def test_free_variables_and_what_is_shared():
    a, b = Free(VECTOR), Free(spec_of(1.0))
    layer = Times(a, b)
    found = batch(Tuple((layer, b)), ArraySpec((2, 3)), (2,), stacks={a: Identity()})
    assert found.operands[0] == Times(Identity(), b)
    assert found.operands[1].operand == b


def test_a_long_formula():
    x = placeholder(float)
    f = x
    for _ in range(800):
        f = f * 1.0001 + 0.0
    np.testing.assert_allclose(vmap(f).predict(np.ones(2)), np.full(2, 1.0001**800), rtol=1e-9)
