"""Faults that users of Marian met, with the right values: D-H1, D-H5 to D-H27."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, Identity, Input, Literal, Max, Plus, ShapeError, Tuple, commit, parameters
from layertree.typing import ArraySpec
from symbolic import initializers


def test_d_h1_the_largest_of_negative_numbers() -> None:
    x = sy.placeholder(ArraySpec((4,)))
    assert sy.max(x).predict(np.array([-1.0, -2.0, -3.0, -4.0])) == -1.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [3, 4, 8])
def test_d_h5_sigmoid_and_tanh_of_large_numbers(size: int, dtype: Any) -> None:
    x = sy.placeholder(ArraySpec((size,), dtype))
    large = np.resize(np.array([100.0, 1000.0, -1000.0], dtype), size)
    np.testing.assert_array_equal(sy.sigmoid(x).predict(large), np.resize([1.0, 1.0, 0.0], size))
    large = np.resize(np.array([50.0, 1000.0], dtype), size)
    np.testing.assert_array_equal(sy.tanh(x).predict(large), np.ones(size))


def test_d_h7_equal_hashes_are_not_equal_nodes() -> None:
    # The hash of an array literal reads its dtype and shape, not its elements.
    first, second = (Plus(Identity(), Literal(np.array([value]))) for value in (1.0, 2.0))
    assert hash(first) == hash(second)
    assert first != second
    one, two = Tuple((first, second)).predict(np.array([10.0]))
    assert (one.item(), two.item()) == (11.0, 12.0)


def test_d_h9_a_transpose_accumulates() -> None:
    source = Input(np.arange(6.0).reshape(2, 3))
    x = sy.placeholder(ArraySpec((2, 3)))
    gradient = (sy.sum(x.T) + sy.sum(x)).forward(source).gradients()[source]
    np.testing.assert_array_equal(gradient, np.full((2, 3), 2.0))


def _accumulated(data: np.ndarray, sizes: list[int]) -> Any:
    x = sy.placeholder(ArraySpec(("Batch", 2)))
    bias = sy.weight(np.zeros(2), optimizer=SGD(1.0))
    loss = sy.sum((x + bias) * (x + bias))
    parts = np.split(data, np.cumsum(sizes)[:-1])
    found = [loss.forward(part).gradients() for part in parts]
    total = found[0]
    for one in found[1:]:
        total = total + one
    commit(total)
    return bias.value


def test_d_h11_delayed_updates_of_a_bias() -> None:
    data = np.arange(16.0).reshape(8, 2)
    np.testing.assert_array_equal(_accumulated(data, [8]), -2.0 * data.sum(axis=0))
    np.testing.assert_array_equal(_accumulated(data, [2, 2, 2, 2]), -2.0 * data.sum(axis=0))


def test_d_h13_no_dropout_of_embeddings_in_predict() -> None:
    table = initializers.normal(10, 4)
    labels = sy.placeholder(ArraySpec(("Batch",), np.int64))
    rows = sy.take(sy.weight(table), labels)
    wanted = np.array([3, 1, 3])
    with sy.seed(0):
        dropped = sy.dropout(rows, 0.9)
    np.testing.assert_array_equal(dropped.predict(wanted), table[wanted])
    assert (dropped.forward(wanted).value == 0).any()


def _model() -> Any:
    with sy.seed(1):
        x, y = sy.placeholder((ArraySpec((8, 3), np.float32), ArraySpec((8,), np.int64)))
        hidden = sy.dropout(sy.relu(sy.dense(x, 5)), 0.25)
        return sy.cross_entropy(sy.dense(hidden, 3), y)


def test_d_h15_a_resumed_run_is_the_same_run() -> None:
    generator = np.random.default_rng(0)
    data = generator.normal(size=(8, 3)).astype(np.float32), generator.integers(0, 3, 8)

    def run(model: Any, steps: int) -> None:
        for _ in range(steps):
            with model.forward(data) as tape:
                tape.backward(optimizer=Adam(0.01))

    straight, stopped = _model(), _model()
    run(straight, 10)
    run(stopped, 5)
    resumed = pickle.loads(pickle.dumps(stopped))
    run(resumed, 5)
    # Bit-identical: Adam's moments and step, and the counter of the dropout, went along.
    for one, other in zip(parameters(straight), parameters(resumed), strict=True):
        assert one.value.tobytes() == other.value.tobytes()
        assert one.state[-1] == other.state[-1] == 10
    for one, other in zip(parameters(straight), parameters(stopped), strict=True):
        assert one.value.tobytes() != other.value.tobytes()


def test_d_h17_the_spread_of_normal() -> None:
    with sy.seed(0):
        drawn = initializers.normal(100_000, std=0.5)
    assert abs(drawn.mean()) < 0.005
    assert drawn.std() == pytest.approx(0.5, rel=0.01)


def test_d_h19_a_shape_that_does_not_hold_the_elements() -> None:
    with pytest.raises(ShapeError) as raised:
        sy.reshape(sy.literal(np.arange(5.0)), (2, 3))
    for part in ("(2, 3)", "6", "5"):
        assert part in str(raised.value)


def test_d_h21_a_clipped_gradient_does_not_depend_on_the_batch_size() -> None:
    x, y = sy.placeholder((ArraySpec(("Batch", 2)), ArraySpec(("Batch",))))
    w = sy.weight(np.array([1.0, -1.0]))
    loss = sy.mean_squared_error(x @ w, y)
    data = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([4.0, 0.0])
    doubled = np.tile(data[0], (2, 1)), np.tile(data[1], 2)

    def clipped(batch: Any) -> Any:
        found = loss.forward(batch).gradients()
        norm = float(np.sqrt(np.square(found[w]).sum()))
        assert norm > 1.0
        return found.map(lambda delta: delta / norm)[w]

    np.testing.assert_array_equal(clipped(data), clipped(doubled))


@pytest.mark.parametrize(("data", "shares"), [([5, 5, 1], [0.5, 0.5, 0]), ([2, 2, 2], [1 / 3] * 3)])
def test_d_h23_ties_share_the_delta(data: list[int], shares: list[float]) -> None:
    x = Input(np.array(data, float))
    gradient = Max(Identity()).forward(x).gradients()[x]
    np.testing.assert_allclose(gradient, shares, rtol=1e-15)
    assert gradient.sum() == pytest.approx(1.0)


def test_d_h25_an_operation_that_is_not_there_says_what_is() -> None:
    x = sy.placeholder(ArraySpec((3, 3)))
    with pytest.raises(TypeError, match=r"np\.nextafter builds no formula.* add, .*maximum"):
        np.nextafter(x, x)
    with pytest.raises(TypeError, match=r"np\.kron builds no formula.*concat"):
        np.kron(x, x)


def test_d_h27_an_empty_slice() -> None:
    x = sy.placeholder(ArraySpec((4, 3)))
    source = Input(np.ones((4, 3)))
    with x[2:2].forward(source) as tape:
        assert tape.value.shape == x[2:2].shape == (0, 3)
        np.testing.assert_array_equal(tape.gradients(np.ones((0, 3)))[source], np.zeros((4, 3)))
