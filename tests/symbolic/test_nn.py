"""Blocks of networks against loops over plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symbolic as sy
from layertree import SGD, DTypeError, ShapeError, named_cells, parameters, scope
from layertree.typing import ArraySpec
from symbolic import initializers, placeholder
from tests.symbolic.support import array_of


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    with sy.seed(0):
        yield


def random(*shape: int) -> Any:
    """The same numbers each time."""
    return np.random.default_rng(7).normal(size=shape)


def values_of(formula: Any) -> list[Any]:
    """The values of a formula's weights."""
    return [w.value for w in parameters(formula)]


def shift(formula: Any) -> None:
    """Give every weight random values, so that none is at its start of zeros."""
    for w in parameters(formula):
        w.set(random(*w.value.shape).astype(w.value.dtype))


# dense


@pytest.mark.parametrize("lead", [(), (5,), (2, 3), (0,)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dense(lead: tuple[int, ...], dtype: Any) -> None:
    x = array_of(*[None] * len(lead), 4, dtype=dtype)
    y = sy.dense(x, 3)
    shift(y)
    kernel, bias = values_of(y)
    data = random(*lead, 4).astype(dtype)
    assert (kernel.shape, bias.shape, kernel.dtype) == ((4, 3), (3,), dtype)
    assert y.shape == (*[None] * len(lead), 3)
    found = y.predict(data)
    assert found.dtype == dtype
    assert_allclose(found, data @ kernel + bias, rtol=1e-5)


def test_dense_options() -> None:
    x = array_of(None, 4)
    y = sy.dense(x, 2, bias=False, name="head", kernel=initializers.ones)
    assert list(named_cells(y)) == ["head/kernel"]
    assert_array_equal(y.predict(np.ones((1, 4), np.float32)), [[4.0, 4.0]])
    with scope("model"):
        twice = sy.dense(sy.dense(x, 3), 2)
    assert list(named_cells(twice)) == [f"model/dense/{name}" for name in ("kernel", "bias", "kernel_1", "bias_1")]
    assert [value.shape for value in values_of(twice)] == [(4, 3), (3,), (3, 2), (2,)]
    assert not values_of(twice)[1].any()
    assert np.abs(values_of(twice)[0]).max() <= np.sqrt(6.0 / 7.0)


def test_dense_trains() -> None:
    data = random(20, 3)
    target = data @ np.array([[1.0], [-2.0], [3.0]]) + 0.5
    x, y = placeholder((ArraySpec((None, 3), np.float64), ArraySpec((None, 1), np.float64)))
    model = sy.dense(x, 1)
    loss = sy.mean_squared_error(model, y)
    for _ in range(300):
        with loss.forward((data, target)) as tape:
            tape.backward(optimizer=SGD(0.1))
    assert_allclose(values_of(model)[0], [[1.0], [-2.0], [3.0]], atol=1e-3)
    assert_allclose(values_of(model)[1], [0.5], atol=1e-3)


# conv2d


def convolved(
    x: Any, kernel: Any, stride: tuple[int, int], padding: tuple[int, int], dilation: tuple[int, int], groups: int
) -> Any:
    """The convolution, element by element."""
    x = np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)))
    height, width, inside, filters = kernel.shape
    rows = (x.shape[1] - dilation[0] * (height - 1) - 1) // stride[0] + 1
    columns = (x.shape[2] - dilation[1] * (width - 1) - 1) // stride[1] + 1
    result = np.zeros((x.shape[0], rows, columns, filters))
    for row, column, i, j in product(range(rows), range(columns), range(height), range(width)):
        pixels = x[:, row * stride[0] + i * dilation[0], column * stride[1] + j * dilation[1]]
        for group in range(groups):
            outs = slice(group * filters // groups, (group + 1) * filters // groups)
            seen = pixels[:, group * inside : (group + 1) * inside]
            result[:, row, column, outs] += seen @ kernel[i, j][:, outs]
    return result


CONVOLUTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"window": 1}, {}),
    ({"window": (2, 3)}, {}),
    ({"stride": 2}, {"stride": (2, 2)}),
    ({"stride": (1, 2)}, {"stride": (1, 2)}),
    ({"padding": 1}, {"padding": (1, 1)}),
    ({"padding": (2, 0)}, {"padding": (2, 0)}),
    ({"padding": "same"}, {"padding": (1, 1)}),
    ({"padding": "same", "window": (5, 1)}, {"padding": (2, 0)}),
    ({"padding": "same", "dilation": 2}, {"padding": (2, 2), "dilation": (2, 2)}),
    ({"dilation": (2, 1)}, {"dilation": (2, 1)}),
    ({"groups": 2}, {"groups": 2}),
    ({"groups": 4, "stride": 2, "padding": 1}, {"groups": 4, "stride": (2, 2), "padding": (1, 1)}),
]


@pytest.mark.parametrize(("options", "wanted"), CONVOLUTIONS, ids=[str(options) for options, _ in CONVOLUTIONS])
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_conv2d(options: dict[str, Any], wanted: dict[str, Any], data_format: str) -> None:
    plain = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1} | wanted
    images = random(2, 7, 6, 4).astype(np.float32)
    first = data_format == "NCHW"
    x = array_of(None, 4, 7, 6) if first else array_of(None, 7, 6, 4)
    y = sy.conv2d(x, 8, data_format=data_format, **options)
    shift(y)
    kernel, bias = values_of(y)
    found = y.predict(images.transpose(0, 3, 1, 2) if first else images)
    assert found.dtype == np.float32
    assert found.shape[1:] == y.shape[1:]
    channels_last = found.transpose(0, 2, 3, 1) if first else found
    assert_allclose(channels_last, convolved(images, kernel, **plain) + bias, rtol=1e-4, atol=1e-5)
    if options.get("padding") == "same":
        assert channels_last.shape[1:3] == (7, 6)


def test_conv2d_options() -> None:
    y = sy.conv2d(array_of(None, 5, 5, 2), 3, bias=False, name="first", kernel=initializers.zeros)
    assert list(named_cells(y)) == ["first/kernel"]
    assert not y.predict(np.ones((1, 5, 5, 2), np.float32)).any()
    deep = sy.conv2d(array_of(None, 40, 40, 16), 32, 5)
    assert_allclose(values_of(deep)[0].std(), np.sqrt(2.0 / (25 * 16)), rtol=0.05)


def test_conv2d_of_no_images() -> None:
    y = sy.conv2d(array_of(None, 5, 5, 2), 3)
    assert y.predict(np.ones((0, 5, 5, 2), np.float32)).shape == (0, 3, 3, 3)


# max_pool2d


def pooled(x: Any, window: tuple[int, int], stride: tuple[int, int], padding: tuple[int, int]) -> Any:
    """The largest element of each window."""
    x = np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)), constant_values=-np.inf)
    rows, columns = ((x.shape[i + 1] - window[i]) // stride[i] + 1 for i in range(2))
    result = np.zeros((x.shape[0], rows, columns, x.shape[3]), x.dtype)
    for row, column in product(range(rows), range(columns)):
        top, left = row * stride[0], column * stride[1]
        result[:, row, column] = x[:, top : top + window[0], left : left + window[1]].max(axis=(1, 2))
    return result


POOLS: list[tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    ((), {}, ((2, 2), (2, 2), (0, 0))),
    ((3,), {}, ((3, 3), (3, 3), (0, 0))),
    (((2, 3),), {}, ((2, 3), (2, 3), (0, 0))),
    ((2,), {"stride": 1}, ((2, 2), (1, 1), (0, 0))),
    ((3,), {"stride": (2, 1)}, ((3, 3), (2, 1), (0, 0))),
    ((3,), {"padding": 1}, ((3, 3), (3, 3), (1, 1))),
    ((3,), {"stride": 2, "padding": (2, 0)}, ((3, 3), (2, 2), (2, 0))),
]


@pytest.mark.parametrize(("window", "options", "wanted"), POOLS)
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_max_pool2d(window: tuple[Any, ...], options: dict[str, Any], wanted: Any, data_format: str) -> None:
    images = random(2, 7, 6, 3).astype(np.float32) - 5.0
    first = data_format == "NCHW"
    x = array_of(None, 3, 7, 6) if first else array_of(None, 7, 6, 3)
    y = sy.max_pool2d(x, *window, data_format=data_format, **options)
    found = y.predict(images.transpose(0, 3, 1, 2) if first else images)
    assert found.shape[1:] == y.shape[1:]
    assert_array_equal(found.transpose(0, 2, 3, 1) if first else found, pooled(images, *wanted))


# dropout


def test_dropout_drops_a_share_and_keeps_the_mean() -> None:
    x = array_of(None)
    formula = sy.dropout(x, 0.25)
    data = np.full(100_000, 3.0, np.float32)
    found = formula.forward(data).value
    assert found.dtype == np.float32
    assert sorted(set(found.tolist())) == [0.0, 4.0]
    assert abs(np.mean(found == 0.0) - 0.25) < 0.01
    assert abs(found.mean() - 3.0) < 0.05
    assert_array_equal(formula.predict(data), data)


def test_dropout_draws_anew_each_step_and_not_before() -> None:
    x = array_of(None)
    w = sy.weight(np.ones(1000, np.float32))
    formula = sy.dropout(x * w, 0.5)
    data = np.ones(1000, np.float32)
    first = formula.forward(data).value
    assert_array_equal(formula.forward(data).value, first)
    with formula.forward(data) as tape:
        found = tape.gradients(np.ones(1000, np.float32))
    # What was dropped gets no delta, and the rest gets its scale.
    assert_array_equal(found[w], first)
    assert_array_equal(formula.forward(data).value, first)
    formula.train(data, np.zeros(1000, np.float32))
    second = formula.forward(data).value
    assert 400 < np.sum(first != second) < 600


def test_dropouts_of_one_formula_are_independent() -> None:
    x = array_of(None)
    first, second = sy.dropout(x, 0.5), sy.dropout(x, 0.5)
    data = np.ones(1000, np.float32)
    assert 400 < np.sum(first.forward(data).value != second.forward(data).value) < 600
    assert list(named_cells(first + second)) == ["dropout/counter", "dropout/counter_1"]


def test_dropout_under_a_seed_is_the_same() -> None:
    def drawn() -> Any:
        with sy.seed(3):
            formula = sy.dropout(array_of(None), 0.5)
        data = np.ones(1000, np.float32)
        values = []
        for _ in range(3):
            values.append(formula.train(data, np.zeros(1000, np.float32)))
        return np.stack(values)

    first = drawn()
    assert_array_equal(first, drawn())
    assert (first[0] != first[1]).any()
    assert (first[1] != first[2]).any()


@pytest.mark.parametrize(("rate", "left"), [(0, 2.5), (0.0, 2.5), (1, 0.0), (1.0, 0.0)])
def test_dropout_of_nothing_and_of_all(rate: float, left: float) -> None:
    formula = sy.dropout(array_of(3), rate)
    assert formula.forward(np.full(3, 2.5, np.float32)).value.tolist() == [left] * 3
    assert formula.predict(np.full(3, 2.5, np.float32)).tolist() == [2.5] * 3


def test_dropout_of_a_number() -> None:
    formula = sy.dropout(placeholder(float), np.float32(0.5))
    drawn = set()
    for _ in range(50):
        drawn.add(formula.train(3.0))
    assert drawn == {0.0, 6.0}
    assert formula.predict(3.0) == 3.0


# running_average


def test_running_average() -> None:
    x = array_of(2)
    formula = 2.0 * sy.running_average(x, [1.0, 3.0], momentum=0.75)
    assert formula.predict(np.zeros(2, np.float32)).tolist() == [2.0, 6.0]
    data = np.array([5.0, -1.0], np.float32)
    assert formula.train(data, np.zeros(2, np.float32)).tolist() == [10.0, -2.0]
    average = formula.predict(np.zeros(2, np.float32))
    assert average.tolist() == [2.0 * (0.75 * 1.0 + 0.25 * 5.0), 2.0 * (0.75 * 3.0 - 0.25)]
    assert average.dtype == np.float32


def test_running_average_of_a_number() -> None:
    formula = sy.running_average(placeholder(float), 0.0)
    for _ in range(2):
        formula.train(1.0)
    assert_allclose(formula.predict(7.0), 1.0 - 0.9**2, rtol=1e-12)
    assert type(formula.predict(7.0)) is float


# Options that are wrong.

IMAGES = (None, 8, 8, 4)
WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: sy.dense(array_of(2, 3), 0), ValueError, "dense: units = 0 is not allowed: give int of at least 1"),
    (lambda: sy.dense(array_of(2, 3), -1), ValueError, "dense: units = -1 is not allowed"),
    (lambda: sy.dense(array_of(2, 3), 1.5), TypeError, "dense: units = 1.5 is not allowed"),
    (lambda: sy.dense(array_of(2, 3), True), TypeError, "dense: units = True is not allowed"),
    (lambda: sy.dense(array_of(2, 3), "2"), TypeError, "dense: units = '2' is not allowed"),
    (lambda: sy.dense(array_of(2, 3), 2, name=""), TypeError, "scope takes a name"),
    (lambda: sy.dense(array_of(2, 3), 2, kernel="glorot"), TypeError, "dense: kernel = 'glorot' is not allowed"),
    (
        lambda: sy.dense(array_of(2, 3), 2, kernel=lambda *shape, dtype: np.ones(3, dtype)),
        ShapeError,
        "dense: the initialiser made an array of shape (3,), but (3, 2) is wanted",
    ),
    (
        lambda: sy.dense(array_of(None, None), 2),
        ShapeError,
        "dense(x: float32 (?, ?)): the size of the last axis is",
    ),
    (lambda: sy.dense(array_of(2, "F"), 2), ShapeError, "the size of the last axis is not known"),
    (lambda: sy.dense(placeholder(float), 2), ShapeError, "dense(x: float): an array with a last axis of features"),
    (lambda: sy.dense(array_of(2, 3, dtype=np.int64), 2), DTypeError, "dense(x: int64 (2, 3)): floats are wanted, so"),
    (lambda: sy.dense(placeholder((float, float)), 2), DTypeError, "one array of floats is wanted, no tuple"),
    (lambda: sy.dense(None, 2), DTypeError, "None is no operand"),
    (lambda: sy.conv2d(array_of(*IMAGES), 0), ValueError, "conv2d: filters = 0 is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 1.5), TypeError, "conv2d: filters = 1.5 is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, 0), ValueError, "conv2d: window = 0 is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, (3, -1)), ValueError, "conv2d: window = -1 is not allowed"),
    (
        lambda: sy.conv2d(array_of(*IMAGES), 8, (3, 3, 3)),
        TypeError,
        "window = (3, 3, 3) is not allowed",
    ),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, 2.0), TypeError, "window = 2.0 is not allowed"),
    (
        lambda: sy.conv2d(array_of(*IMAGES), 8, 9),
        ShapeError,
        "a window that reaches over 9 does not fit an axis",
    ),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, 3, dilation=4), ShapeError, "a window that reaches over 9"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, stride=0), ValueError, "Conv2D.stride = (0, 0) is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, stride="2"), TypeError, "stride = '2' is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, dilation=0), ValueError, "Conv2D.dilation = (0, 0) is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, padding=-1), ValueError, "Conv2D.padding = (-1, -1) is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, padding="valid"), ValueError, "give an integer, a pair, or 'same'"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, 2, padding="same"), ValueError, "'same' needs a window of odd sizes"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, groups=0), ValueError, "conv2d: groups = 0 is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, groups="2"), TypeError, "conv2d: groups = '2' is not allowed"),
    (lambda: sy.conv2d(array_of(*IMAGES), 9, groups=3), ShapeError, "4 channels do not fall into 3 groups"),
    (lambda: sy.conv2d(array_of(*IMAGES), 6, groups=4), ShapeError, "6 filters do not fall into 4 groups"),
    (lambda: sy.conv2d(array_of(*IMAGES), 8, data_format="CHWN"), ValueError, "give 'NHWC' or 'NCHW'"),
    (lambda: sy.conv2d(array_of(8, 8, 3), 8, data_format="NCHW"), ShapeError, "are no permutation of the 3 axes"),
    (lambda: sy.conv2d(array_of(8, 8), 8), ShapeError, "images are (..., H, W, channels)"),
    (lambda: sy.conv2d(array_of(*IMAGES, dtype=np.uint8), 8), DTypeError, "conv2d(x: uint8 (?, 8, 8, 4)): floats are"),
    (lambda: sy.max_pool2d(array_of(*IMAGES), 0), ValueError, "MaxPool2D.window = (0, 0) is not allowed"),
    (lambda: sy.max_pool2d(array_of(*IMAGES), 9), ShapeError, "a window that reaches over 9"),
    (lambda: sy.max_pool2d(array_of(*IMAGES), 2, padding=2), ValueError, "a window (2, 2) would see no element"),
    (lambda: sy.max_pool2d(array_of(*IMAGES), 2, stride=-1), ValueError, "MaxPool2D.stride = (-1, -1) is not allowed"),
    (
        lambda: sy.dropout(array_of(3), 1.5),
        ValueError,
        "dropout: rate = 1.5 is not allowed: give float from",
    ),
    (lambda: sy.dropout(array_of(3), -0.5), ValueError, "dropout: rate = -0.5 is not allowed"),
    (lambda: sy.dropout(array_of(3), float("nan")), ValueError, "dropout: rate = nan is not allowed"),
    (lambda: sy.dropout(array_of(3), None), TypeError, "dropout: rate = None is not allowed"),
    (lambda: sy.dropout(array_of(3), True), TypeError, "dropout: rate = True is not allowed"),
    (lambda: sy.dropout(array_of(3, dtype=np.int64), 0.5), DTypeError, "dropout(x: int64 (3,)): floats are wanted"),
    (
        lambda: sy.running_average(array_of(3), 0.0),
        ShapeError,
        "the average is float32 (), but the operand",
    ),
    (lambda: sy.running_average(array_of(3), np.zeros(4)), ShapeError, "the average is float32 (4,)"),
    (lambda: sy.running_average(array_of(3), np.zeros(3), momentum=2), ValueError, "Average.momentum = 2"),
    (lambda: sy.running_average(array_of(3, dtype=np.int64), np.zeros(3)), DTypeError, "floats are wanted"),
]


@pytest.mark.parametrize(("build", "error", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_wrong_options(build: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        build()
    assert words in str(caught.value)
    assert caught.value.__cause__ is None
