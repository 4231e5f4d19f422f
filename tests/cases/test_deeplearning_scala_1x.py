"""DeepLearning.scala 1.x, its own tests: T1 to T12, T14 to T16, T18 to T20.

Their images are channels first and their layers ``im2col`` and ``permute``; here windows are taken channels last, so
the formulas permute first. The numbers are those of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Compose,
    Conv2D,
    Identity,
    Literal,
    Maximum,
    Minus,
    Negative,
    Pad,
    PermuteDims,
    Reshape,
    ShapeError,
    Weight,
    Windows,
)
from layertree.typing import ArraySpec

from .support import count_up, live_tapes, no_collector, train_squares, train_sum

CHANNELS_LAST = (0, 2, 3, 1)


def im2col(images: Any, window: tuple[int, int]) -> Windows[Any, Any, Any]:
    """Windows over (N, C, H, W) images with a border of one zero."""
    padded = Pad(PermuteDims(images, CHANNELS_LAST), ((1, 1), (1, 1), (0, 0)))
    return Windows(padded, window, (1, 1), (1, 1))


def test_t1_dot() -> None:
    w = sy.weight(np.array([[0.0, 5.0]]), optimizer=SGD(3e-4))
    x = sy.placeholder(ArraySpec((2, 3)))
    net = -(w @ x)
    data = np.array([[2.5, -3.2, -19.5], [7.5, -5.4, 4.5]])
    assert train_squares(net, data).sum() == pytest.approx(-33.0, abs=1e-12)
    for _ in range(100):
        train_squares(net, data)
    assert net.predict(data).sum() == pytest.approx(-0.77300, abs=5e-6)


def test_t2_product_of_four_axes() -> None:
    start = count_up(0, 1, 2, 3, 4)
    net = sy.placeholder(ArraySpec((1, 2, 3, 4))) * sy.weight(start, optimizer=SGD(0.003))
    assert train_squares(net, start).mean() == pytest.approx(4324 / 24, abs=1e-12)  # 180.1667
    for _ in range(100):
        train_squares(net, start)
    assert net.predict(start).mean() == pytest.approx(0.10868, abs=5e-6)


def test_t3_product_broadcast_in_four_axes() -> None:
    # The original has no expected value: its array library could not do it. These are the sums written out.
    w, x = count_up(0, 1, 3, 1, 5), count_up(0, 2, 1, 4, 5)
    weight = sy.weight(w, optimizer=SGD(1.0))
    net = sy.placeholder(ArraySpec((2, 1, 4, 5))) * weight
    expected = np.einsum("ijkl,mjnl->mjnl", w, np.broadcast_to(x, (2, 3, 4, 5)))
    np.testing.assert_array_equal(net.predict(x), expected)
    train_sum(net, x)
    np.testing.assert_array_equal(w - weight.value, np.broadcast_to(x.sum(axis=(0, 2), keepdims=True), w.shape))


def test_t4_im2col_forward() -> None:
    w = Weight(count_up(1, 2, 3, 3, 3), optimizer=SGD(0.03))
    net = Negative(im2col(w, (3, 3)))
    assert train_squares(net).sum() == -8085.0
    for _ in range(100):
        train_squares(net)
    assert abs(net.predict().sum()) == pytest.approx(0.00653, abs=5e-6)


def test_t5_im2col_backward() -> None:
    net = im2col(Weight(np.zeros((2, 3, 3, 3)), optimizer=SGD(1.0)), (2, 2))
    delta = im2col(Literal(count_up(23, 2, 3, 3, 3)), (2, 2)).predict()
    net.train(delta=delta)
    match net:
        case Windows(Pad(PermuteDims(Weight(value), axes), _, _), window, _, _):
            assert (axes, window) == (CHANNELS_LAST, (2, 2))
            assert value.sum() == -10692.0
        case _:
            pytest.fail(f"no match: {net}")


def test_t6_reshape_forward() -> None:
    net = -sy.reshape(sy.weight(count_up(1, 2, 3, 3, 3), optimizer=SGD(3e-4)), (2, 3, 9))
    assert train_squares(net).sum() == -1485.0
    for _ in range(25000):
        train_squares(net)
    assert abs(net.predict().sum()) == pytest.approx(0.82016, abs=5e-6)


def test_t7_reshape_backward() -> None:
    w = sy.weight(np.zeros((2, 3, 9)), optimizer=SGD(1.0))
    sy.reshape(w, (2, 3, 3, 3)).train(delta=count_up(1, 2, 3, 3, 3))
    assert w.value.sum() == -1485.0
    np.testing.assert_array_equal(w.value, -count_up(1, 2, 3, 9))


def test_t8_permute_forward() -> None:
    net = Negative(PermuteDims(Weight(count_up(1, 2, 3, 9), optimizer=SGD(3e-4)), (0, 2, 1)))
    first = train_squares(net)
    assert first.shape == (2, 9, 3)
    assert first.sum() == -1485.0
    # A tenth of their 25000 steps, to be quick: each multiplies the weight by 1 - rate. (T6 takes them all.)
    for _ in range(2500):
        train_squares(net)
    match net:
        case Negative(PermuteDims(Weight(value), (0, 2, 1))):
            assert value.sum() == pytest.approx(1485 * (1 - 3e-4) ** 2501, rel=1e-12)
        case _:
            pytest.fail(f"no match: {net}")


def test_t9_permute_backward() -> None:
    w = sy.weight(np.zeros((2, 6, 3, 9)), optimizer=SGD(1.0))
    net = sy.permute_dims(w, (0, 2, 1, 3))
    # The original takes a delta of the weight's shape, which is not the output's: it is refused here.
    with pytest.raises(ShapeError, match=r"\(2, 3, 6, 9\)"):
        net.train(delta=count_up(1, 2, 6, 3, 9))
    np.testing.assert_array_equal(w.value, 0.0)
    delta = count_up(1, 2, 3, 6, 9)
    net.train(delta=delta)
    assert w.value.shape == (2, 6, 3, 9)
    np.testing.assert_array_equal(w.value, -delta.transpose(0, 2, 1, 3))


def test_t10_shape() -> None:
    x = sy.placeholder(ArraySpec((2, 3, 3, 3)))
    assert (-x).spec.shape == (2, 3, 3, 3)
    assert (-x).shape == (2, 3, 3, 3)


CONVOLVED = np.array([[14, 24, 30, 22], [33, 54, 63, 45], [57, 90, 99, 69], [46, 72, 78, 54]], dtype=float)


def test_t11_conv2d() -> None:
    images = count_up(1, 1, 1, 4, 4)

    def ones(*shape: int, dtype: Any) -> Any:
        return np.ones(shape, dtype)

    x = sy.placeholder(ArraySpec((1, 1, 4, 4)))
    net = sy.conv2d(x, 1, 3, padding=1, data_format="NCHW", kernel=ones)
    np.testing.assert_array_equal(net.predict(images)[0, 0], CONVOLVED)
    by_hand = Conv2D(PermuteDims(Identity(), CHANNELS_LAST), np.ones((3, 3, 1, 1)), padding=(1, 1))
    np.testing.assert_array_equal(by_hand.predict(images)[0, :, :, 0], CONVOLVED)


def test_t12_max_pool() -> None:
    def pool(rate: float) -> tuple[Any, Any]:
        w = sy.weight(count_up(1, 2, 3, 4, 4), optimizer=SGD(rate))
        return w, sy.max_pool2d(w, 2, data_format="NCHW")

    _, net = pool(0.03)
    assert train_squares(net).sum() == 1224.0
    for _ in range(700):
        train_squares(net)
    assert abs(net.predict().sum()) < 10
    w, net = pool(1.0)
    train_squares(net)
    assert w.value.sum() == 3432.0


def test_t14_compose() -> None:
    x = sy.placeholder(float)
    net = (x + x)(sy.log(x))
    assert net.train(0.1) == pytest.approx(-4.60517, abs=5e-6)
    assert Compose((x + x).layer, sy.log(x).layer) == net.layer


def test_t15_a_hook_sees_the_value_once() -> None:
    seen: list[float] = []
    x = sy.placeholder(float)
    assert sy.hook(x + x, seen.append).train(1.2) == 2.4
    assert seen == [2.4]


def test_t16_a_hook_within_a_formula() -> None:
    seen: list[Any] = []
    x = sy.placeholder(ArraySpec((4, 4)))
    negative = sy.hook(-x, seen.append)
    # Their sum keeps the axis it sums over.
    net = sy.sum(negative, axis=1, keepdims=True) / x
    data = np.tile([1.0, 2.0, 3.0, 4.0], (4, 1))
    np.testing.assert_array_equal(train_sum(net, data), -10.0 / data)
    assert len(seen) == 1
    np.testing.assert_array_equal(seen[0], -data)


def test_t18_max_mixes_numbers_and_arrays() -> None:
    # Theirs refuses a number on the left of an array; here it is right (the operator is symmetric).
    x, y = sy.placeholder((float, ArraySpec((2, 3))))
    arrays = sy.maximum(sy.reshape(y, (3, 2)), x)
    data = count_up(-2, 2, 3)
    np.testing.assert_array_equal(arrays.predict((0.5, data)), np.maximum(data, 0.5).reshape(3, 2))
    np.testing.assert_array_equal(sy.maximum(0.1, y).predict((0.5, data)), np.maximum(0.1, data))
    np.testing.assert_array_equal(sy.maximum(y, 0.1).predict((0.5, data)), np.maximum(0.1, data))
    np.testing.assert_array_equal(np.maximum(data, y).predict((0.5, -data)), np.abs(data))
    assert sy.maximum(x, 2.0).predict((0.5, data)) == 2.0


def _operators_by_formula() -> Any:
    x = sy.placeholder(float)
    return -(0.0 - sy.maximum(sy.literal(1.0), 2.0) - x)


def _operators_by_layers() -> Any:
    return Negative(Minus(Minus(0.0, Maximum(1.0, 2.0)), Identity()))


def _operators_by_function() -> Any:
    @sy.formula
    def net(x: sy.Formula[float, float]) -> sy.Formula[float, float]:
        return -(0.0 - sy.maximum(sy.literal(1.0), 2.0) - x)

    return net


def _operators_by_wrapping() -> Any:
    return sy.wrap(_operators_by_layers(), float)


@pytest.mark.parametrize(
    "net", [_operators_by_formula, _operators_by_layers, _operators_by_function, _operators_by_wrapping]
)
def test_t19_operators_in_four_spellings(net: Any) -> None:
    assert net().predict(1.0) == 3.0
    assert net().__layer__() == _operators_by_layers()


def test_t20_nothing_is_cached_after_predict() -> None:
    # Theirs reads the size, x.shape(0), into the reshape; here -1 is what is left.
    x = sy.placeholder(ArraySpec((None, None)))
    net = sy.reshape(x, (-1, 1))(-x)
    with no_collector():
        before = live_tapes()
        np.testing.assert_array_equal(net.predict(np.array([[1.0]])), [[-1.0]])
        np.testing.assert_array_equal(net.predict(np.array([[1.0, 2.0]])), [[-1.0], [-2.0]])
        assert live_tapes() == before
    assert Reshape(Identity(), (-1, 1)) == sy.reshape(x, (-1, 1)).layer
