"""The numeric conventions of networks and training: where other systems disagree, these are the answers."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, AdamW, IndexRangeError, Input, parameters
from layertree.typing import ArraySpec
from symbolic import initializers

LOGITS = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 5.0, 2.0]])
LABELS = np.array([2, 0, 1])
LOG_P = LOGITS - np.log(np.exp(LOGITS).sum(axis=1, keepdims=True))
PICKED = -LOG_P[[0, 1, 2], LABELS]


def entropies(**options: Any) -> tuple[Any, Any]:
    """The loss of LOGITS for labels, and its pair of placeholders."""
    logits, labels = sy.placeholder((ArraySpec(("Batch", 3)), ArraySpec(("Batch",), np.int64)))
    return sy.cross_entropy(logits, labels, **options), labels


def test_cross_entropy_of_labels_and_of_probabilities() -> None:
    loss, _ = entropies()
    assert loss.predict((LOGITS, LABELS)) == pytest.approx(PICKED.mean(), rel=1e-14)
    x = Input(LOGITS)
    gradient = loss.forward((x, LABELS)).gradients()[x]
    np.testing.assert_allclose(gradient, (np.exp(LOG_P) - np.eye(3)[LABELS]) / 3, atol=1e-15)
    logits, wanted = sy.placeholder((ArraySpec((3, 3)), ArraySpec((3, 3))))
    soft = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    by_probability = sy.cross_entropy(logits, wanted).predict((LOGITS, soft))
    assert by_probability == pytest.approx(-(soft * LOG_P).sum() / 3, rel=1e-14)


def test_cross_entropy_with_label_smoothing() -> None:
    loss, _ = entropies(label_smoothing=0.1)
    expected = 0.9 * PICKED.mean() - 0.1 * LOG_P.mean()
    assert loss.predict((LOGITS, LABELS)) == pytest.approx(expected, rel=1e-14)


def test_ignored_labels_count_neither_in_the_sum_nor_in_the_mean() -> None:
    loss, _ = entropies(ignore=-100)
    labels = np.array([2, -100, 1])
    assert loss.predict((LOGITS, labels)) == pytest.approx(PICKED[[0, 2]].mean(), rel=1e-14)
    x = Input(LOGITS)
    gradient = loss.forward((x, labels)).gradients()[x]
    np.testing.assert_array_equal(gradient[1], 0.0)
    assert (gradient[[0, 2]] != 0).all()


def test_a_label_out_of_range_is_an_error_with_value_position_and_classes() -> None:
    loss, _ = entropies()
    for wrong in (3, -1):
        with pytest.raises(IndexRangeError, match=rf"label {wrong} at position 1 is out of range: there are 3 classes"):
            loss.predict((LOGITS, np.array([2, wrong, 1])))


def test_losses_are_means_over_what_counts() -> None:
    labels = np.array([2, -1, 1])
    kept = PICKED[[0, 2]]
    options = {"ignore": -1}
    assert entropies(**options, reduction="sum")[0].predict((LOGITS, labels)) == pytest.approx(kept.sum(), rel=1e-14)
    total, count = entropies(**options, reduction="parts")[0].predict((LOGITS, labels))
    assert (total, count) == (pytest.approx(kept.sum(), rel=1e-14), 2.0)
    single = entropies(**options, reduction="none")[0].predict((LOGITS, labels))
    np.testing.assert_allclose(single, [kept[0], 0.0, kept[1]], rtol=1e-14)
    x, y = sy.placeholder((ArraySpec((2, 2)), ArraySpec((2, 2))))
    assert sy.mean_squared_error(x, y).predict((np.full((2, 2), 3.0), np.array([[1.0, 3.0], [3.0, 3.0]]))) == 1.0


def test_batch_norm_normalises_by_the_biased_variance_and_keeps_it() -> None:
    formula = sy.batch_norm(sy.placeholder(ArraySpec((None, 1))))
    data = np.array([[1.0], [3.0]])
    with formula.forward(data) as tape:
        # The variance is 1, and epsilon, 1e-5, stands inside of the root.
        np.testing.assert_allclose(tape.value, np.array([[-1.0], [1.0]]) / math.sqrt(1.0 + 1e-5), rtol=1e-15)
        tape.backward(np.zeros((2, 1)))
    kept_mean, kept_variance = 0.9 * 0.0 + 0.1 * 2.0, 0.9 * 1.0 + 0.1 * 1.0
    np.testing.assert_allclose(formula.predict(data), (data - kept_mean) / math.sqrt(kept_variance + 1e-5), rtol=1e-14)


def test_decoupled_decay_is_adamw_s_and_a_penalty_is_in_the_slope() -> None:
    decayed = sy.weight(2.0, optimizer=AdamW(0.1, decay=0.5))
    (decayed * 1.0).train()
    assert decayed.value == pytest.approx(2.0 - 0.1 * 0.5 * 2.0 - 0.1)
    penalised = sy.weight(2.0, optimizer=SGD(0.1))
    (0.5 * 0.5 * penalised * penalised).train()  # half lambda times the square
    assert penalised.value == pytest.approx(2.0 - 0.1 * 0.5 * 2.0)


def test_a_loss_over_nothing_is_0() -> None:
    loss, _ = entropies(ignore=-1)
    for logits, labels in ((LOGITS, np.full(3, -1)), (np.zeros((0, 3)), np.zeros(0, np.int64))):
        x = Input(logits)
        with loss.forward((x, labels)) as tape:
            assert tape.value == 0.0
            np.testing.assert_array_equal(tape.gradients()[x], np.zeros(logits.shape))


@pytest.mark.parametrize("slope_of_loss", [1e-3, 1.0, -1e4])
def test_the_first_step_of_adam_has_the_size_of_its_rate(slope_of_loss: float) -> None:
    w = sy.weight(5.0, optimizer=Adam(0.25))
    (w * slope_of_loss).train()
    # The epsilon stands outside of the root: 1e-8 against the size of the slope.
    assert w.value == pytest.approx(
        5.0 - math.copysign(0.25, slope_of_loss) / (1 + 1e-8 / abs(slope_of_loss)), rel=1e-15
    )


def test_images_are_channels_last_and_data_format_is_for_the_other() -> None:
    data = np.random.default_rng(0).normal(size=(2, 6, 5, 3))
    last, first = sy.placeholder(ArraySpec((2, 6, 5, 3))), sy.placeholder(ArraySpec((2, 3, 6, 5)))
    with sy.seed(0):
        net = sy.max_pool2d(sy.conv2d(last, 4, 3), 2)
    with sy.seed(0):
        other = sy.max_pool2d(sy.conv2d(first, 4, 3, data_format="NCHW"), 2, data_format="NCHW")
    value = net.predict(data)
    assert (value.shape, net.shape, other.shape) == ((2, 2, 1, 4), (2, 2, 1, 4), (2, 4, 2, 1))
    np.testing.assert_array_equal(other.predict(data.transpose(0, 3, 1, 2)), value.transpose(0, 3, 1, 2))


def _trained(steps: int, pause: int | None = None) -> list[bytes]:
    """The weights of a small net after some steps, pickled and loaded once in between."""
    with sy.seed(7):
        x, y = sy.placeholder((ArraySpec((6, 4), np.float32), ArraySpec((6,), np.int64)))
        loss = sy.cross_entropy(sy.dense(sy.dropout(sy.tanh(sy.dense(x, 5)), 0.4), 3), y)
        data = initializers.normal(6, 4), np.arange(6) % 3
    for step in range(steps):
        if step == pause:
            loss = pickle.loads(pickle.dumps(loss))
        with loss.forward(data) as tape:
            tape.backward(optimizer=Adam(0.05))
    return [w.value.tobytes() for w in parameters(loss)]


def test_one_seed_gives_the_same_bits_after_a_resume_too() -> None:
    straight = _trained(8)
    assert straight == _trained(8) == _trained(8, pause=3)
    assert straight != _trained(7)
