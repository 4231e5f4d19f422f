"""DeepLearning.scala 2.x and 3.x, their own tests: F1 to F12, N1 to N10, X1. An array's delta is ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD

from .support import count_up, train_squares, train_sum


def scalar(value: float, rate: float = 1.0) -> Any:
    return sy.weight(value, optimizer=SGD(rate))


def square(value: float, rate: float = 1.0) -> Any:
    return sy.weight(np.full((4, 4), value), optimizer=SGD(rate))


def test_f1_plus() -> None:
    x, w = sy.placeholder(float), scalar(1.0)
    train_sum(6.7 + x + w + 5.5, 1.0, times=5)
    assert w.value == -4.0


def test_f2_predict() -> None:
    x, w = sy.placeholder(float), scalar(1.0)
    net = 1.0 + x + w + 4.0
    train_sum(net, 1.0, times=7)
    assert net.predict(1.0) == 0.0
    assert w.value == -6.0


@pytest.mark.parametrize(("case", "steps"), [("F3", 6), ("F4", 1000)])
def test_f3_f4_loops(case: str, steps: int) -> None:
    x, w = sy.placeholder(float), scalar(1.0)
    net = -10.0 + 20.0 - ((x - w + 4.0) * 2.0 / 2.0)
    train_sum(net, 1.0, times=steps)
    assert w.value == 1.0 - steps  # F3: -5
    assert net.predict(1.0) == 6.0 - steps  # F3: 0


def test_f5_min() -> None:
    w = scalar(1.0)
    net = 5.0 - sy.minimum(5.0, w)
    train_sum(net, times=4)
    assert (net.predict(), w.value) == (0.0, 5.0)


def test_f6_max() -> None:
    w = scalar(1.0)
    net = 10.0 - sy.maximum(0.0, w)
    train_sum(net, times=9)
    assert (net.predict(), w.value) == (0.0, 10.0)


def test_f7_log() -> None:
    w = scalar(1.0, 0.5)
    net = math.log(5.0) - sy.log(w)
    train_sum(net, times=23)
    assert w.value == pytest.approx(4.98787, abs=5e-6)
    assert net.predict() == pytest.approx(0.00243, abs=5e-6)


def test_f8_exp() -> None:
    w = scalar(1.0, 0.1)
    net = math.exp(3.0) - sy.exp(w)
    train_sum(net, times=4)
    assert w.value == pytest.approx(2.98665, abs=5e-6)
    assert net.predict() == pytest.approx(0.26629, abs=5e-6)


def test_f9_abs() -> None:
    w = scalar(1.0)
    net = 5.0 - abs(w)
    train_sum(net, times=4)
    assert (net.predict(), w.value) == (0.0, 5.0)


def test_f10_abs_of_negative() -> None:
    w = scalar(5.0)
    net = abs(-w)
    train_sum(net, times=5)
    assert (net.predict(), w.value) == (0.0, 0.0)


def test_f11_eager_values_have_no_gradient() -> None:
    # Their eager ``!layer`` is stop_gradient.
    x, w = sy.placeholder(float), scalar(1.0)
    train_sum(6.7 + sy.stop_gradient(x + w) + w + 5.5, 1.0, times=5)
    assert w.value == -4.0


def test_f11_eager_tuple() -> None:
    x, w = sy.placeholder(float), scalar(1.0)
    parts = [sy.stop_gradient(part) for part in (x + w, sy.literal(2.0), w)]
    net = 6.7 + parts[0] + parts[1] * parts[2] + w + 5.5
    assert net.predict(1.0) == pytest.approx(6.7 + 2.0 + 2.0 + 1.0 + 5.5)
    train_sum(net, 1.0, times=5)
    assert w.value == -4.0


def test_f12_two_weights() -> None:
    first, second = scalar(10.0), scalar(300.0)
    assert (first + second).train() == 310.0
    assert (first.value, second.value) == (9.0, 299.0)


MATRIX = np.ones((4, 4))
N1 = {
    "w+1": (1.0, lambda w: w + 1.0, -16.0),
    "1+w": (1.0, lambda w: 1.0 + w, -16.0),
    "w+ones": (1.0, lambda w: w + MATRIX, -16.0),
    "ones+w": (1.0, lambda w: MATRIX + w, -16.0),
    "w-(-1)": (1.0, lambda w: w - (-1.0), -16.0),
    "w-(-ones)": (1.0, lambda w: w - (-MATRIX), -16.0),
    "1-w": (-1.0, lambda w: 1.0 - w, 16.0),
    "ones-w": (-1.0, lambda w: MATRIX - w, 16.0),
    "w*1": (2.0, lambda w: w * 1.0, 0.0),
    "1*w": (2.0, lambda w: 1.0 * w, 0.0),
    "ones*w": (2.0, lambda w: MATRIX * w, 0.0),
    "w/1": (2.0, lambda w: w / 1.0, 0.0),
    "w/ones": (2.0, lambda w: w / MATRIX, 0.0),
}


@pytest.mark.parametrize(("start", "build", "total"), N1.values(), ids=N1)
def test_n1_arithmetic(start: float, build: Any, total: float) -> None:
    w = square(start)
    net = build(w)
    assert net.predict().sum() == 32.0
    train_sum(net, times=2)
    assert net.predict().sum() == 0.0
    assert w.value.sum() == total


def test_n2_reciprocal() -> None:
    w = square(1.0)
    net = 1.0 / w
    train_sum(net, times=20000)
    assert net.predict().sum() == pytest.approx(0.40867, abs=5e-6)
    assert w.value.sum() == pytest.approx(626.43, abs=5e-3)


@pytest.mark.parametrize("bounded", [lambda w: sy.maximum(w, 0.0), lambda w: sy.minimum(w, 100.0)], ids=["max", "min"])
def test_n3_bounds(bounded: Any) -> None:
    w = square(10.0)
    net = bounded(w)
    assert net.predict().sum() == 160.0
    train_sum(net, times=10)
    assert (net.predict().sum(), w.value.sum()) == (0.0, 0.0)


def test_n4_exp() -> None:
    w = square(10.0)
    net = sy.exp(w)
    assert train_sum(net).sum() == pytest.approx(16 * math.exp(10.0))
    train_sum(net, times=49)
    assert net.predict().sum() < 1.0


def test_n4_log() -> None:
    w = square(10.0)
    net = sy.log(w)
    train_sum(net, times=50)
    assert net.predict().sum() < 10.0
    assert w.value.sum() == pytest.approx(21.9357, abs=5e-5)


def test_n5_abs() -> None:
    w = square(10.0)
    net = abs(w)
    assert net.predict().sum() == 160.0
    train_sum(net, times=10)
    assert net.predict().sum() == 0.0


def test_n6_matrix_product() -> None:
    w = square(10.0)
    net = np.ones((4, 4)) @ w
    train_sum(net, times=10)
    assert (net.predict().sum(), w.value.sum()) == (-1920.0, -480.0)


def test_n7_convolution_pooling_and_products() -> None:
    # The same rows as T4, T12 and T2, in the front end alone; T11 is in the front end already.
    w = sy.weight(count_up(1, 2, 3, 3, 3), optimizer=SGD(0.03))

    def taps(*shape: int, dtype: Any) -> Any:
        # One filter for each element of a window, so that the convolution is im2col.
        return np.eye(int(np.prod(shape[:3])), dtype=dtype).reshape(shape)

    im2col = -sy.conv2d(w, 27, 3, padding=1, bias=False, data_format="NCHW", kernel=taps)
    assert im2col.predict().sum() == -8085.0

    pooled = sy.max_pool2d(sy.weight(count_up(1, 2, 3, 4, 4), optimizer=SGD(0.03)), 2, data_format="NCHW")
    assert pooled.predict().sum() == 1224.0
    for _ in range(700):
        train_squares(pooled)
    assert abs(pooled.predict().mean()) < 10.0

    start = count_up(0, 1, 2, 3, 4)
    assert (sy.weight(start) * start).predict().mean() == pytest.approx(4324 / 24, abs=1e-12)


@pytest.mark.parametrize(
    ("build", "shape"),
    [
        (lambda w: sy.reshape(w, (2, 3, 9)), (2, 3, 9)),
        (lambda w: sy.permute_dims(w, (0, 2, 3, 1)), (2, 3, 3, 3)),
    ],
    ids=["reshape", "permute"],
)
def test_n8_the_output_is_the_value_before_the_update(build: Any, shape: tuple[int, ...]) -> None:
    # Upstream asserts 1431 = 1485 - 54, the effect of an update in place on a view.
    w = sy.weight(count_up(1, 2, 3, 3, 3), optimizer=SGD(1.0))
    value = build(w).train(delta=np.ones(shape))
    assert value.sum() == 1485.0
    assert w.value.sum() == 1431.0


@pytest.mark.parametrize(
    ("shape", "axis"), [((54,), None), ((6, 9), 0), ((2, 3, 3, 3), (0, 1))], ids=["all", "axis 0", "axes 0 and 1"]
)
def test_n9_sum(shape: tuple[int, ...], axis: Any) -> None:
    w = sy.weight(count_up(1, *shape), optimizer=SGD(1.0))
    net = sy.sum(w, axis=axis)
    train_sum(net, times=54)
    assert net.predict().sum() == 1485.0 - 54 * 54
    assert net.predict().sum() < 1.0


def test_n10_mean() -> None:
    w = sy.weight(count_up(1, 54), optimizer=SGD(1.0))
    net = sy.mean(w)
    train_sum(net, times=27)
    assert net.predict() == pytest.approx(27.0, abs=1e-12)


def test_x1_a_tape_keeps_its_data_when_the_weight_moves() -> None:
    w = sy.weight(np.array([[1.0, 2.0], [3.0, 4.0]]), optimizer=SGD(1.0))
    with (w + w).forward(None) as tape:
        data = tape.value
        np.testing.assert_array_equal(data, [[2.0, 4.0], [6.0, 8.0]])
        tape.backward(np.ones((2, 2)))
        np.testing.assert_array_equal(tape.value, [[2.0, 4.0], [6.0, 8.0]])
    np.testing.assert_array_equal(w.value, [[-1.0, 0.0], [1.0, 2.0]])
    np.testing.assert_array_equal(data, [[2.0, 4.0], [6.0, 8.0]])
