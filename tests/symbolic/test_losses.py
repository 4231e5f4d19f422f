"""Losses against numbers worked out by hand, and at the edges: nothing counted, huge logits, wrong labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symbolic as sy
from layertree import DTypeError, IndexRangeError, Input, ShapeError, compile
from layertree.typing import ArraySpec
from symbolic import placeholder
from tests.symbolic.support import array_of

# The logarithms of these are logits whose softmax is the row itself.
SHARES = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.25, 0.5, 0.25], [0.6, 0.2, 0.2]])
LOGITS = np.log(SHARES)
LABELS = np.array([0, 2, 1, 1])
LOSSES = -np.log([0.5, 0.7, 0.5, 0.2])


def pair(logits: Any = np.float64, labels: Any = np.int64, rank: int = 1) -> Any:
    """Placeholders of logits and labels."""
    return placeholder((ArraySpec((None,) * rank + (3,), logits), ArraySpec((None,) * rank, labels)))


# Cross entropy.


def test_the_mean_over_rows() -> None:
    x, y = pair()
    loss = sy.cross_entropy(x, y)
    assert loss.shape == ()
    assert_allclose(loss.predict((LOGITS, LABELS)), LOSSES.mean(), rtol=1e-12)
    # A constant added to a row changes nothing.
    shifts = np.array([[1.0], [-5.0], [100.0], [0.0]])
    assert_allclose(loss.predict((LOGITS + shifts, LABELS)), LOSSES.mean(), rtol=1e-12)


def test_reductions() -> None:
    x, y = pair()
    data = (LOGITS, LABELS)
    assert_allclose(sy.cross_entropy(x, y, reduction="none").predict(data), LOSSES, rtol=1e-12)
    assert_allclose(sy.cross_entropy(x, y, reduction="sum").predict(data), LOSSES.sum(), rtol=1e-12)
    total, count = sy.cross_entropy(x, y, reduction="parts").predict(data)
    assert_allclose(total, LOSSES.sum(), rtol=1e-12)
    assert count == 4.0
    assert_allclose(sy.cross_entropy(x, y, reduction="mean").predict(data), total / count, rtol=1e-15)


def test_the_gradient_is_softmax_minus_the_labels() -> None:
    x, y = pair()
    logits = Input(LOGITS)
    found = sy.cross_entropy(x, y).forward((logits, LABELS)).gradients()[logits]
    assert_allclose(found, (SHARES - np.eye(3)[LABELS]) / 4, atol=1e-15)


def test_ignored_labels_count_nowhere() -> None:
    x, y = pair()
    labels = np.array([0, -100, 1, 255])
    loss = sy.cross_entropy(x, sy.where(y == 255, -100, y), ignore=-100)
    assert_allclose(loss.predict((LOGITS, labels)), (LOSSES[0] + LOSSES[2]) / 2, rtol=1e-12)
    logits = Input(LOGITS)
    found = loss.forward((logits, labels)).gradients()[logits]
    assert_array_equal(found[[1, 3]], np.zeros((2, 3)))
    assert_allclose(found[[0, 2]], (SHARES - np.eye(3)[[0, 0, 1, 0]])[[0, 2]] / 2, atol=1e-15)
    kept = np.array([0, 2, 2, 1])
    none = sy.cross_entropy(x, y, ignore=2, reduction="none").predict((LOGITS, kept))
    assert_allclose(none, [LOSSES[0], 0.0, 0.0, LOSSES[3]], rtol=1e-12)
    assert sy.cross_entropy(x, y, ignore=2, reduction="parts").predict((LOGITS, kept))[1] == 2.0


def test_nothing_counted_is_no_loss() -> None:
    x, y = pair()
    for loss, data in [
        (sy.cross_entropy(x, y, ignore=0), (LOGITS, np.zeros(4, int))),
        (sy.cross_entropy(x, y), (np.empty((0, 3)), np.empty(0, int))),
        (sy.cross_entropy(x, y, label_smoothing=0.1, ignore=0), (LOGITS, np.zeros(4, int))),
    ]:
        logits = Input(data[0])
        with loss.forward((logits, data[1])) as tape:
            assert tape.value == 0.0
            assert_array_equal(tape.gradients()[logits], np.zeros_like(data[0]))


def test_label_smoothing() -> None:
    x, y = pair()
    smoothed = 0.8 * LOSSES - 0.2 * LOGITS.mean(axis=1)
    assert_allclose(sy.cross_entropy(x, y, label_smoothing=0.2).predict((LOGITS, LABELS)), smoothed.mean(), rtol=1e-12)
    logits = Input(LOGITS)
    found = sy.cross_entropy(x, y, label_smoothing=0.2).forward((logits, LABELS)).gradients()[logits]
    assert_allclose(found, (SHARES - 0.8 * np.eye(3)[LABELS] - 0.2 / 3) / 4, atol=1e-15)
    even = sy.cross_entropy(x, y, label_smoothing=1).predict((LOGITS, LABELS))
    assert_allclose(even, -LOGITS.mean(), rtol=1e-12)


def test_probabilities_as_labels() -> None:
    x, p = placeholder((ArraySpec((None, 3)), ArraySpec((None, 3))))
    hot = np.eye(3)[LABELS]
    assert_allclose(sy.cross_entropy(x, p).predict((LOGITS, hot)), LOSSES.mean(), rtol=1e-12)
    soft = np.array([[0.5, 0.5, 0.0]] * 4)
    wanted = -(soft * LOGITS).sum(axis=1)
    assert_allclose(sy.cross_entropy(x, p, reduction="none").predict((LOGITS, soft)), wanted, rtol=1e-12)
    # A class of probability 0 may be impossible.
    never = np.array([[0.0, 0.0, -math.inf]])
    logits = Input(never)
    with sy.cross_entropy(x, p).forward((logits, np.array([[0.5, 0.5, 0.0]]))) as tape:
        assert_allclose(tape.value, math.log(2.0), rtol=1e-12)
        assert_array_equal(tape.gradients()[logits], np.zeros((1, 3)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_huge_logits(dtype: Any) -> None:
    x, y = pair(dtype)
    row = np.array([[-431, 279, 427]], dtype)
    for label, wanted in ((0, 858.0), (1, 148.0), (2, 0.0)):
        logits = Input(row)
        with sy.cross_entropy(x, y).forward((logits, np.array([label]))) as tape:
            assert tape.value == wanted
            assert tape.value.dtype == dtype
            found = tape.gradients()[logits]
        assert_allclose(found, np.array([[0.0, 0.0, 1.0]]) - np.eye(3)[[label]], atol=1e-30)
        assert found.dtype == dtype
    assert_array_equal(sy.softmax(x).predict((row, np.array([0])))[0, [0, 2]], [0.0, 1.0])


def test_float32_stays() -> None:
    x, y = pair(np.float32, np.uint8)
    data = (LOGITS.astype(np.float32), LABELS.astype(np.uint8))
    for options in ({}, {"ignore": 1}, {"label_smoothing": 0.1}, {"reduction": "sum"}):
        loss = sy.cross_entropy(x, y, **options)  # type: ignore[arg-type]  # options of several types
        assert loss.dtype == loss.predict(data).dtype == np.float32
    total, count = sy.cross_entropy(x, y, reduction="parts", ignore=1).predict(data)
    assert (total.dtype, count.dtype, float(count)) == (np.float32, np.float32, 2.0)


def test_labels_of_sequences() -> None:
    x, y = pair(rank=2)
    data = (LOGITS.reshape(2, 2, 3), LABELS.reshape(2, 2))
    assert_allclose(sy.cross_entropy(x, y).predict(data), LOSSES.mean(), rtol=1e-12)
    with pytest.raises(IndexRangeError, match=r"label 7 at position \(1, 0\) is out of range: there are 3 classes"):
        sy.cross_entropy(x, y).predict((data[0], np.array([[0, 1], [7, 2]])))


def test_one_row() -> None:
    x, y = placeholder((ArraySpec((3,)), int))
    assert_allclose(sy.cross_entropy(x, y).predict((LOGITS[1], 2)), LOSSES[1], rtol=1e-12)


@pytest.mark.parametrize(("label", "position"), [(3, 1), (-1, 2), (100, 0)])
@pytest.mark.parametrize("run", ["predict", "forward"])
def test_a_label_out_of_range(run: str, label: int, position: int) -> None:
    x, y = pair()
    labels = np.array([0, 1, 2, 0])
    labels[position] = label
    with pytest.raises(IndexRangeError) as caught:
        getattr(sy.cross_entropy(x, y), run)((LOGITS, labels))
    message = str(caught.value)
    assert message.startswith("cross_entropy(log_softmax(x[0]): float64 (4, 3), x[1]: int64 (4,)): ")
    assert f"label {label} at position {position} is out of range: there are 3 classes, 0 to 2" in message
    assert f"written at {__file__}" in message


def test_ignore_is_for_labels_alone() -> None:
    x, y = placeholder((ArraySpec((None, 3)), ArraySpec((None, 3))))
    with pytest.raises(ValueError, match=r"ignore = 2 is for integer labels, and the target is float64 \(\?, 3\)"):
        sy.cross_entropy(x, y, ignore=2)


def test_an_ignored_label_may_be_out_of_range_and_no_other() -> None:
    x, y = pair()
    loss = sy.cross_entropy(x, y, ignore=-1)
    assert_allclose(loss.predict((LOGITS[:2], np.array([-1, 2]))), LOSSES[1], rtol=1e-12)
    with pytest.raises(IndexRangeError, match="label -2 at position 1"):
        loss.predict((LOGITS[:2], np.array([-1, -2])))


# Softmax.


def test_softmax_of_impossible_rows() -> None:
    x = array_of(None, 3, dtype=np.float64)
    rows = np.array([[-math.inf] * 3, [0.0, -math.inf, 0.0], [1e300, 1e300, -1e300], [5.0, 5.0, 5.0]])
    wanted = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]]
    logits = Input(rows)
    with sy.softmax(x).forward(logits) as tape:
        assert_allclose(tape.value, wanted, rtol=1e-12)
        found = tape.gradients(np.arange(12.0).reshape(4, 3))[logits]
    assert np.isfinite(found).all()
    assert_array_equal(found[0], [0.0, 0.0, 0.0])
    assert_allclose(found[1], [-0.5, 0.0, 0.5], atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_softmax_along_any_axis(axis: int) -> None:
    x = array_of(None, None, dtype=np.float64)
    data = LOGITS * 3.0
    wanted = np.exp(data) / np.exp(data).sum(axis=axis, keepdims=True)
    assert_allclose(sy.softmax(x, axis=axis).predict(data), wanted, rtol=1e-12)
    assert_allclose(sy.log_softmax(x, axis=axis).predict(data), np.log(wanted), rtol=1e-12)


def test_softmax_of_no_rows() -> None:
    assert sy.softmax(array_of(None, 3)).predict(np.empty((0, 3), np.float32)).shape == (0, 3)


# Mean squared error and accuracy.


def test_mean_squared_error() -> None:
    x, y = placeholder((ArraySpec((None, 2)), ArraySpec((None, 2))))
    loss = sy.mean_squared_error(x, y)
    first = Input(np.array([[1.0, 2.0], [3.0, 4.0]]))
    with loss.forward((first, np.array([[0.0, 2.0], [5.0, 1.0]]))) as tape:
        assert tape.value == (1.0 + 0.0 + 4.0 + 9.0) / 4
        assert_array_equal(tape.gradients()[first], np.array([[0.5, 0.0], [-1.0, 1.5]]))
    a, b = placeholder((float, float))
    assert sy.mean_squared_error(a, b).predict((1.0, 4.0)) == 9.0
    assert sy.mean_squared_error(a, 1.5).predict((1.0, 0.0)) == 0.25


def test_accuracy() -> None:
    x, y = pair()
    assert sy.accuracy(x, y).predict((LOGITS, LABELS)) == 0.75
    assert sy.accuracy(x, y).predict((LOGITS, np.array([1, 1, 1, 1]))) == 0.25
    assert sy.accuracy(x, y).dtype == np.float32
    assert np.isnan(sy.accuracy(x, y).predict((np.empty((0, 3)), np.empty(0, int))))


# What is wrong.

ROWS = (4, 3)
WRONG: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda x: sy.cross_entropy(x, [0], reduction="avg"), ValueError, "reduction = 'avg' is not allowed: give one of"),
    (lambda x: sy.cross_entropy(x, [0] * 4, label_smoothing=2), ValueError, "label_smoothing = 2.0 is not allowed"),
    (lambda x: sy.cross_entropy(x, [0] * 4, label_smoothing=-0.1), ValueError, "label_smoothing = -0.1 is not"),
    (lambda x: sy.cross_entropy(x, [0] * 4, label_smoothing="a"), TypeError, "label_smoothing = 'a' is not allowed"),
    (lambda x: sy.cross_entropy(x, [0] * 4, ignore=1.5), TypeError, "ignore = 1.5 is not allowed: give int or None"),
    (lambda x: sy.cross_entropy(x, [[0]] * 4), ShapeError, "the labels have one axis less, without the classes"),
    (
        lambda x: sy.cross_entropy(x, [0] * 5),
        ShapeError,
        "the rows are (4,), but the labels are (5,)",
    ),
    (lambda x: sy.cross_entropy(x, [True] * 4), DTypeError, "indices and labels are integers, but these are bool (4,)"),
    (lambda x: sy.cross_entropy(x, np.ones(3)), ShapeError, "probabilities have the shape of the logits"),
    (lambda x: sy.cross_entropy(x, np.ones((4, 1))), ShapeError, "probabilities have the shape of the logits"),
    (lambda x: sy.cross_entropy(x[0, 0], 0), ShapeError, "log_softmax(x[0, 0]: float64 ()): axis -1 is out of range"),
    (lambda x: sy.cross_entropy(x, (0, 1)), TypeError, "(0, 1) is a tuple of 2, which has no dtype"),
    (lambda x: sy.cross_entropy(x, None), DTypeError, "None is no operand"),
    (lambda x: sy.mean_squared_error(x, np.ones(4)), ShapeError, "the target has the shape of the prediction"),
    (lambda x: sy.mean_squared_error(x, np.ones((4, 1))), ShapeError, "prediction, but they are (4, 1) and (4, 3)"),
    (lambda x: sy.accuracy(x, [[0]] * 4), ShapeError, "accuracy: there is one label for each row"),
    (lambda x: sy.accuracy(x, [0] * 5), ShapeError, "there is one label for each row"),
    (lambda x: sy.softmax(x, axis=2), ShapeError, "axis 2 is out of range"),
    (lambda x: sy.softmax(x, axis=None), TypeError, "Softmax.axis = None is not allowed: give int or a tuple of int"),
]


@pytest.mark.parametrize(("build", "error", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_wrong_losses(build: Callable[[Any], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        build(array_of(*ROWS, dtype=np.float64))
    assert words in str(caught.value)
    assert caught.value.__cause__ is None


def test_labels_of_another_input() -> None:
    with pytest.raises(ValueError, match="two different placeholder calls"):
        sy.cross_entropy(array_of(None, 3), array_of(None, dtype=np.int64))


def test_what_must_not_broadcast_is_found_when_it_runs() -> None:
    rows = ArraySpec((None, None), np.float64)
    x, y = sy.placeholder((rows, rows))
    with pytest.raises(ShapeError, match="the target has the shape of the prediction"):
        sy.mean_squared_error(x, y).predict((np.ones((4, 3)), np.ones((4, 1))))
    with pytest.raises(ShapeError, match="probabilities have the shape of the logits"):
        sy.cross_entropy(x, y).predict((np.ones((4, 3)), np.ones((1, 3))))
    x, labels = sy.placeholder((rows, ArraySpec((None,), np.int64)))
    with pytest.raises(ShapeError, match="there is one label for each row"):
        sy.accuracy(x, labels).predict((np.ones((4, 3)), np.zeros(1, np.int64)))


def test_a_class_of_probability_0_has_a_slope() -> None:
    spec = ArraySpec((2,), np.float64)
    x, p = sy.placeholder((spec, spec))
    at = Input((np.array([0.0, 1.0]), np.array([1.0, 0.0])))
    found = sy.cross_entropy(x, p).forward(at).gradients()[at]
    log_p = np.array([0.0, 1.0]) - np.log1p(np.e)
    np.testing.assert_allclose(found[1], -log_p)
    at = Input((np.array([0.0, -np.inf]), np.array([1.0, 0.0])))
    tape = sy.cross_entropy(x, p).forward(at)
    assert tape.value == 0.0
    assert np.isfinite(tape.gradients()[at][0]).all()


def test_reductions_of_the_mean_squared_error() -> None:
    spec = ArraySpec((None,), np.float64)
    x, y = sy.placeholder((spec, spec))
    data = (np.array([1.0, 2.0, 4.0]), np.array([0.0, 2.0, 1.0]))
    assert sy.mean_squared_error(x, y).predict(data) == pytest.approx(10.0 / 3.0)
    assert sy.mean_squared_error(x, y, reduction="sum").predict(data) == 10.0
    assert sy.mean_squared_error(x, y, reduction="none").predict(data).tolist() == [1.0, 0.0, 9.0]
    assert sy.mean_squared_error(x, y, reduction="parts").predict(data) == (10.0, 3.0)
    assert sy.mean_squared_error(x, y).predict((np.ones(0), np.ones(0))) == 0.0
    with pytest.raises(ValueError, match="reduction"):
        sy.mean_squared_error(x, y, reduction="max")  # type: ignore[call-overload]  # what is wrong is the test


@pytest.mark.parametrize("function", [sy.softmax, sy.log_softmax])
def test_the_softmax_of_no_elements_is_empty(function: Callable[..., Any]) -> None:
    assert function(placeholder(ArraySpec(("N", None), float))).predict(np.zeros((3, 0))).shape == (3, 0)
    x = placeholder(ArraySpec((3, 0), np.float32))
    empty = np.zeros((3, 0), np.float32)
    found = function(x)
    assert found.spec == ArraySpec((3, 0), np.float32)
    assert found.predict(empty).shape == compile(found).predict(empty).shape == (3, 0)
    assert function(x, axis=0).predict(empty).shape == (3, 0)
    assert sy.grad(sy.sum(found)).predict(empty).shape == (3, 0)


def test_attention_to_no_steps_gives_zeros() -> None:
    query = placeholder(ArraySpec((3, 4), np.float64))
    steps, values = np.zeros((0, 4)), np.zeros((0, 2))
    found = sy.scaled_dot_product_attention(query, sy.literal(steps), sy.literal(values))
    assert_array_equal(found.predict(np.ones((3, 4))), np.zeros((3, 2)))
