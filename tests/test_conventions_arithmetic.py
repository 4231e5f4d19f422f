"""The numeric conventions of data, values and derivatives: where other systems disagree, these are the answers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, ClosedTapeError, DTypeError, IndexRangeError, Input, ShapeError, Weight
from layertree.typing import ArraySpec
from tests.slopes import both_slopes, slope, vector


def test_dtypes_promote_as_numpy_does_with_weak_python_numbers() -> None:
    x = vector(3, np.float32)
    data = np.array([-1.0, 0.5, 2.0], np.float32)
    for formula in (x * 2.0, 2 + x, x**2, sy.maximum(x, 0.0), sy.where(x > 0, x, 0.0), x / 3, sy.mean(x), x - x):
        assert formula.predict(data).dtype == formula.dtype == np.float32
        gradient = slope(formula, data)
        assert (gradient.dtype, gradient.shape) == (np.float32, (3,))
    wide = x * np.array([1.0, 2.0, 3.0])
    assert wide.predict(data).dtype == wide.dtype == np.float64
    gradient = slope(wide, data)
    assert gradient.dtype == np.float32
    assert gradient.tolist() == [1.0, 2.0, 3.0]


def test_a_rank_0_result_is_a_numpy_scalar() -> None:
    for formula in (sy.sum(vector(3, np.float32)), sy.mean(vector(3, np.float32)), vector(3, np.float32)[1]):
        assert type(formula.predict(np.ones(3, np.float32))) is np.float32
    assert type((sy.placeholder(float) + 1.0).predict(1.0)) is float


@pytest.mark.parametrize("data", [1, True, np.arange(2), np.array([True, False])], ids=repr)
def test_integers_and_booleans_are_never_differentiated(data: Any) -> None:
    for make in (Input, Weight):
        with pytest.raises(DTypeError, match="cast to float"):
            make(data)
    whole = vector(2, np.int64)
    with (whole + whole).forward(np.arange(2)) as tape, pytest.raises(DTypeError, match="cast"):
        tape.gradients(np.ones(2))


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((), (2,)), ((0, 3), (1, 3)), ((2, 1), (1, 0)), ((1,), (4, 1))])
def test_broadcasting_sums_each_delta_back(shapes: Any) -> None:
    first, second = (np.arange(1.0, 1 + math.prod(shape)).reshape(shape)[()] for shape in shapes)
    x, y = sy.placeholder((ArraySpec(shapes[0]), ArraySpec(shapes[1])))
    np.testing.assert_array_equal((x * y).predict((first, second)), first * second)
    found = both_slopes(x * y, first, second)
    whole = np.broadcast_shapes(*shapes)
    for delta, shape, other in zip(found, shapes, (second, first), strict=True):
        assert np.shape(delta) == shape
        # The delta of each element is the sum of what it was multiplied with.
        spread = np.broadcast_to(other, whole)
        owner = np.broadcast_to(np.arange(math.prod(shape)).reshape(shape), whole)
        expected = [spread[owner == element].sum() for element in range(math.prod(shape))]
        np.testing.assert_array_equal(np.ravel(delta), expected)


def test_relu_abs_and_sign_at_0() -> None:
    for x, zero, nan in (
        (sy.placeholder(float), 0.0, math.nan),
        (vector(1), np.zeros(1), np.array([np.nan])),
    ):
        for formula in (sy.relu(x), abs(x), sy.sign(x)):
            assert slope(formula, zero) == 0.0
            assert formula.predict(zero) == 0.0
        assert np.isnan(sy.relu(x).predict(nan))
        assert sy.relu(x).predict(zero + 2.0) == 2.0
        assert slope(sy.relu(x), zero + 2.0) == 1.0


IEEE = {
    "sqrt(0)": (lambda x: sy.sqrt(x), 0.0, 0.0, math.inf),
    "sqrt(-1)": (lambda x: sy.sqrt(x), -1.0, math.nan, math.nan),
    "1/0": (lambda x: 1.0 / x, 0.0, math.inf, -math.inf),
    "log(0)": (lambda x: sy.log(x), 0.0, -math.inf, math.inf),
    "log(-1)": (lambda x: sy.log(x), -1.0, math.nan, -1.0),
    "exp(1000)": (lambda x: sy.exp(x), 1000.0, math.inf, math.inf),
    "x*x": (lambda x: x * x, 1e200, math.inf, 2e200),
    "x**3": (lambda x: x**3.0, 1e150, math.inf, 3e300),
    "0**-1": (lambda x: x**-1.0, 0.0, math.inf, -math.inf),
    "tan(inf)": (lambda x: sy.tan(x), math.inf, math.nan, math.nan),
    "asin(1)": (lambda x: sy.asin(x), 1.0, math.pi / 2, math.inf),
    "asin(2)": (lambda x: sy.asin(x), 2.0, math.nan, math.nan),
    "acosh(1)": (lambda x: sy.acosh(x), 1.0, 0.0, math.inf),
    "atanh(1)": (lambda x: sy.atanh(x), 1.0, math.inf, math.inf),
    "cosh(1000)": (lambda x: sy.cosh(x), 1000.0, math.inf, math.inf),
    "log1p(-1)": (lambda x: sy.log1p(x), -1.0, -math.inf, math.inf),
    "log10(0)": (lambda x: sy.log10(x), 0.0, -math.inf, math.inf),
    "cbrt(0)": (lambda x: sy.cbrt(x), 0.0, 0.0, math.inf),
    "reciprocal(0)": (lambda x: sy.reciprocal(x), 0.0, math.inf, -math.inf),
    "expm1(1000)": (lambda x: sy.expm1(x), 1000.0, math.inf, math.inf),
    "sin(inf)": (lambda x: sy.sin(x), math.inf, math.nan, math.nan),
}


@pytest.mark.parametrize(("build", "at", "value", "derivative"), IEEE.values(), ids=IEEE)
def test_ieee_values_without_exceptions_or_warnings(build: Any, at: float, value: float, derivative: float) -> None:
    scalar, array = build(sy.placeholder(float)), build(vector(1))
    assert type(scalar.predict(at)) is float
    np.testing.assert_equal(scalar.predict(at), value)
    np.testing.assert_equal(array.predict(np.array([at])), [value])
    np.testing.assert_allclose(slope(scalar, at), derivative)
    np.testing.assert_allclose(slope(array, np.array([at])), [derivative])


@pytest.mark.parametrize("function", [sy.maximum, sy.minimum])
def test_a_tie_of_maximum_or_minimum_is_halved(function: Any) -> None:
    x, y = sy.placeholder((float, float))
    assert both_slopes(function(x, y), 3.0, 3.0) == (0.5, 0.5)
    assert sorted(both_slopes(function(x, y), 3.0, 4.0)) == [0.0, 1.0]
    x, y = sy.placeholder((ArraySpec((2,)), ArraySpec((2,))))
    first, second = both_slopes(function(x, y), np.array([1.0, 2.0]), np.array([1.0, 5.0]))
    assert first[0] == second[0] == 0.5
    assert {first[1], second[1]} == {0.0, 1.0}


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["max", "min"])
def test_ties_over_an_axis_share_evenly(sign: float) -> None:
    x = sy.placeholder(ArraySpec((2, 4)))
    data = sign * np.array([[5.0, 1.0, 5.0, 5.0], [0.0, 2.0, 1.0, 0.0]])
    reduce = sy.max if sign > 0 else sy.min
    expected = np.array([[1 / 3, 0, 1 / 3, 1 / 3], [0, 1, 0, 0]])
    np.testing.assert_allclose(slope(reduce(x, axis=1), data), expected, rtol=1e-15)
    all_data = np.where(expected > 0, data, sign * -9.0)
    all_data[1, 1] = data[0, 0]
    np.testing.assert_allclose(slope(reduce(x), all_data), (expected > 0) / 4, rtol=1e-15)


def test_ties_of_max_pooling_share_evenly() -> None:
    images = np.array([[3.0, 3.0, 1.0, 0.0], [0.0, 3.0, 2.0, 2.0]]).reshape(1, 2, 4, 1)
    gradient = slope(sy.max_pool2d(sy.placeholder(ArraySpec((1, 2, 4, 1))), 2), images)
    np.testing.assert_allclose(gradient[0, :, :, 0], [[1 / 3, 1 / 3, 0, 0], [0, 1 / 3, 0.5, 0.5]], rtol=1e-15)


POWERS = [(-2.0, 2.0, 4.0, -4.0), (0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (0.0, 2.0, 0.0, 0.0)]


@pytest.mark.parametrize(("base", "exponent", "value", "derivative"), POWERS)
def test_powers(base: float, exponent: float, value: float, derivative: float) -> None:
    for x, data in ((sy.placeholder(float), base), (vector(1), np.array([base]))):
        formula = x**exponent
        assert formula.predict(data) == value
        assert slope(formula, data) == derivative
    x, y = sy.placeholder((float, float))
    assert both_slopes(x**y, base, exponent)[0] == derivative


def test_the_derivative_for_an_exponent() -> None:
    x, y = sy.placeholder((float, float))
    assert both_slopes(x**y, 0.0, 2.0)[1] == 0.0
    assert both_slopes(x**y, 2.0, 3.0)[1] == pytest.approx(8.0 * math.log(2.0))
    # Where the exponent is a constant, the logarithm of a negative base is not even looked at.
    logarithms: list[Any] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            if name == "log":
                logarithms.append(name)
            from layertree.namespaces import SCALAR

            return getattr(SCALAR, name)

    formula = (x**2.0).layer
    base, exponent = formula.gradient(Watched(), 1.0, 4.0, -2.0, 2.0)
    assert base() == -4.0
    assert logarithms == []
    assert math.isnan(exponent())
    assert logarithms == ["log"]


def test_where_gives_exactly_0_to_the_other_side() -> None:
    x, y = sy.placeholder((ArraySpec((3,)), ArraySpec((3,))))
    chosen = sy.where(x > 0.0, x * 2.0, y * 3.0)
    first, second = both_slopes(chosen, np.array([1.0, -1.0, 0.0]), np.array([5.0, 6.0, 7.0]))
    assert first.tolist() == [2.0, 0.0, 0.0]
    assert second.tolist() == [0.0, 3.0, 3.0]
    # Of a delta that is inf or NaN, too.
    condition, side = Input(np.array([1.0, -1.0, 1.0])), Input(np.ones(3))
    found = chosen.forward((condition, side)).gradients(np.array([np.inf, np.inf, np.nan]))
    np.testing.assert_array_equal(found[side], [0.0, np.inf, 0.0])


def test_if_runs_only_the_branch_taken() -> None:
    seen: list[str] = []
    x = sy.placeholder(float)
    formula = sy.if_(
        x > 0.0, sy.hook(x * 2.0, lambda _: seen.append("then")), sy.hook(sy.log(x), lambda _: seen.append("else"))
    )
    assert formula.predict(3.0) == 6.0
    assert slope(formula, 3.0) == 2.0
    assert seen == ["then", "then"]


def test_softmax_subtracts_the_maximum() -> None:
    x = sy.placeholder(ArraySpec((3, 2)))
    data = np.array([[1000.0, 1001.0], [-np.inf, -np.inf], [-1e308, -1e308]])
    expected = np.array([[1 / (1 + math.e), math.e / (1 + math.e)], [0.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(sy.softmax(x).predict(data), expected)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(sy.log_softmax(x).predict(data), np.log(expected), rtol=1e-12)
    source = Input(data)
    gradient = sy.softmax(x).forward(source).gradients(np.array([[1.0, 0.0]] * 3))[source]
    product = expected[:, 0] * expected[:, 1]
    np.testing.assert_allclose(gradient, np.stack([product, -product], axis=1))
    gradient = sy.log_softmax(x).forward(source).gradients(np.array([[1.0, 0.0], [1.0, 2.0], [3.0, 3.0]]))[source]
    np.testing.assert_allclose(gradient, [[expected[0, 1], -expected[0, 1]], [0.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sigmoid_and_tanh_at_any_magnitude(dtype: Any) -> None:
    x = vector(5, dtype)
    data = np.array([-1e30, -1000.0, 0.0, 1000.0, 1e30], dtype)
    assert sy.sigmoid(x).predict(data).tolist() == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert slope(sy.sigmoid(x), data).tolist() == [0.0, 0.0, 0.25, 0.0, 0.0]
    assert sy.tanh(x).predict(data).tolist() == [-1.0, -1.0, 0.0, 1.0, 1.0]
    assert slope(sy.tanh(x), data).tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    y = sy.placeholder(float)
    assert [sy.sigmoid(y).predict(float(one)) for one in data] == [0.0, 0.0, 0.5, 1.0, 1.0]


def test_norm_std_and_distance_at_0_have_the_slope_0() -> None:
    x = vector(3)
    for formula in (sy.vector_norm(x), sy.std(x), sy.vector_norm(x - np.zeros(3)), sy.vector_norm(x, ord=1)):
        assert formula.predict(np.zeros(3)) == 0.0
        assert slope(formula, np.zeros(3)).tolist() == [0.0, 0.0, 0.0]
    assert sy.std(x).predict(np.full(3, 7.0)) == 0.0
    assert slope(sy.std(x), np.full(3, 7.0)).tolist() == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(slope(sy.vector_norm(x), np.array([2.0, -3.0, 6.0])), np.array([2, -3, 6]) / 7)
    data = np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(slope(sy.std(x), data), (data - 3) / (3 * data.std()), rtol=1e-14)
    pair = sy.placeholder((float, float))
    assert both_slopes(sy.hypot(*pair), 0.0, 0.0) == (0.0, 0.0)
    assert both_slopes(sy.hypot(*pair), 3.0, -4.0) == (0.6, -0.8)
    # The square root itself has the IEEE value.
    assert slope(sy.sqrt(x), np.array([0.0, 1.0, 4.0])).tolist() == [math.inf, 0.5, 0.25]


def test_products_with_zeros_are_exact() -> None:
    x = vector(3)
    zeros = np.array([2.0, 0.0, 3.0])
    assert slope(sy.prod(x), zeros).tolist() == [0.0, 6.0, 0.0]
    assert slope(sy.cumulative_prod(x), zeros).tolist() == [1.0, 2.0 + 6.0, 0.0]
    # So is what is derived from the derivative.
    source = Input(zeros)
    with sy.grad(sy.prod(x)).forward(source) as tape:
        assert tape.value.tolist() == [0.0, 6.0, 0.0]
        assert tape.gradients(np.array([1.0, 10.0, 100.0]))[source].tolist() == [
            10.0 * 3,
            1.0 * 3 + 100.0 * 2,
            10.0 * 2,
        ]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_logsumexp_and_softplus_at_any_magnitude(dtype: Any) -> None:
    x = sy.placeholder(ArraySpec((3, 2), dtype))
    data = np.array([[1e30, 1e30], [-np.inf, -np.inf], [-1e30, 0.0]], dtype)
    total = sy.logsumexp(x, axis=1)
    assert total.predict(data).tolist() == [data[0, 0], -math.inf, 0.0]
    assert slope(total, data).tolist() == [[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]]
    assert sy.softplus(x).predict(data).tolist() == [[data[0, 0]] * 2, [0.0, 0.0], [0.0, dtype(math.log(2))]]
    assert slope(sy.softplus(x), data).tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.5]]


def test_reductions_over_nothing() -> None:
    x = sy.placeholder(ArraySpec((0, 2)))
    nothing = np.zeros((0, 2))
    assert sy.sum(x).predict(nothing) == 0.0
    assert sy.sum(x, axis=0).predict(nothing).tolist() == [0.0, 0.0]
    assert sy.prod(x).predict(nothing) == 1.0
    assert sy.prod(x, axis=0).predict(nothing).tolist() == [1.0, 1.0]
    assert np.isnan(sy.var(x).predict(nothing))
    assert np.isnan(sy.std(x, axis=0).predict(nothing)).tolist() == [True, True]
    assert np.isnan(sy.mean(x).predict(nothing))
    assert np.isnan(sy.mean(x, axis=0).predict(nothing)).tolist() == [True, True]
    for reduce in (sy.max, sy.min):
        with pytest.raises(ValueError, match=r"(max|min)"):
            reduce(x).predict(nothing)
        free = sy.placeholder(ArraySpec(("Batch", 2)))
        with pytest.raises(ValueError, match=r"(max|min)"):
            reduce(free, axis=0).predict(nothing)


def test_the_seed_of_backward() -> None:
    assert slope(sy.placeholder(float) * 3.0, 2.0) == 3.0
    x = Input(np.array([[2.0]]))
    one = sy.placeholder(ArraySpec((1, 1))) * 3.0
    assert one.forward(x).gradients()[x].tolist() == [[3.0]]
    several = vector(2) * 3.0
    y = Input(np.ones(2))
    for delta in (None, 1.0, np.ones(3), np.ones((1, 2))):
        with pytest.raises(ShapeError, match=r"\(2,\)"):
            several.forward(y).gradients(delta)
    with pytest.raises(ShapeError, match="number"):
        (sy.placeholder(float) * 3.0).forward(Input(1.0)).gradients(np.ones(1))
    assert several.forward(y).gradients(np.array([1.0, 2.0]))[y].tolist() == [3.0, 6.0]


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_out_of_range_names_it_and_the_size(index: int) -> None:
    x = vector(3)
    with pytest.raises(IndexRangeError, match=rf"index {index} .*size 3"):
        x[index]
    with pytest.raises(IndexRangeError, match=rf"index {index} .*size 3"):
        sy.take(x, np.array([index])).predict(np.ones(3))


def test_negative_indices_count_from_the_end_and_repeated_ones_add_up() -> None:
    x = vector(3)
    data = np.array([1.0, 2.0, 3.0])
    assert x[-1].predict(data) == 3.0
    assert sy.take(x, np.array([-1, 0])).predict(data).tolist() == [3.0, 1.0]
    assert slope(sy.take(x, np.array([-1, 2, 0])), data).tolist() == [1.0, 0.0, 2.0]


def test_a_second_backward_is_an_error_unless_retained() -> None:
    w = sy.weight(3.0, optimizer=SGD(0.0))
    tape = (w * w).forward(None)
    assert tape.gradients(retain=True)[w] == 6.0
    assert tape.gradients(retain=True)[w] == 6.0  # it repeats, it does not double
    tape.backward()
    for again in (tape.gradients, tape.backward):
        with pytest.raises(ClosedTapeError, match="used up by a backward pass"):
            again()


TINY = math.exp(-40.0)  # the derivatives of sigmoid and softplus at -40, to 17 digits


@pytest.mark.parametrize(
    ("function", "point", "wanted"),
    [(sy.sigmoid, -40.0, TINY), (sy.softplus, -40.0, TINY), (sy.exp, -700.0, math.exp(-700.0))],
    ids=["sigmoid", "softplus", "exp"],
)
def test_tails_of_derivatives_that_are_accurate_relatively(function: Any, point: float, wanted: float) -> None:
    assert slope(function(sy.placeholder(float)), point) == pytest.approx(wanted, rel=1e-15, abs=0.0)


@pytest.mark.parametrize("point", [10.0, 20.0, 40.0])
def test_tails_of_derivatives_that_are_accurate_to_the_rounding_of_one(point: float) -> None:
    tail = math.exp(-point)
    for function, wanted in ((sy.sigmoid, tail / (1 + tail) ** 2), (sy.tanh, 1 / math.cosh(point) ** 2)):
        assert slope(function(sy.placeholder(float)), point) == pytest.approx(wanted, rel=0.0, abs=2.0**-52)
