"""fit: what a step is, what the means are means of, what the history tells."""

import io
import pickle

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Adam,
    History,
    fit,
    optimizer,
)
from layertree.training.fit import Epoch
from layertree.typing import ArraySpec
from tests.training.line import DATA, POINTS, ROWS, TARGETS, Line, batches_of, by_hand


def test_the_steps_and_the_weighted_mean_with_a_short_last_batch():
    line = Line()
    history = fit(line.objective, DATA, optimizer=SGD(0.1), epochs=2, batch_size=4, seed=5)
    first, second = batches_of(5, 1, 4), batches_of(5, 2, 4)
    assert [len(batch) for batch in first] == [4, 4, 3]
    assert first[0].tolist() != second[0].tolist()
    slopes, losses = by_hand(0.5, 0.1, first + second)
    assert line.slope.value == pytest.approx(slopes[-1], rel=1e-12)
    assert history.losses == pytest.approx(
        [np.average(losses[:3], weights=[4, 4, 3]), np.dot(losses[3:], [4, 4, 3]) / 11]
    )
    assert abs(history.losses[0] - np.mean(losses[:3])) > 1e-3  # the plain mean of the batches is another number


def test_metrics_are_weighted_means_of_the_values_before_each_step():
    line = Line()
    history = fit(line.objective, DATA, optimizer=SGD(0.1), batch_size=4, seed=5, metrics=line.metrics)
    batches = batches_of(5, 1, 4)
    slopes = [0.5, *by_hand(0.5, 0.1, batches)[0]]
    residuals = [POINTS[b] * slope - TARGETS[b] for b, slope in zip(batches, slopes, strict=False)]
    assert history[0].metrics["bias"] == pytest.approx(np.concatenate(residuals).mean())
    largest = [np.abs(residual).max() for residual in residuals]
    assert history[0].metrics["largest"] == pytest.approx(np.average(largest, weights=[4, 4, 3]))


def test_what_objective_and_metrics_share_is_computed_once_a_batch():
    seen = []
    line = Line(hook=seen.append)
    fit(line.objective, DATA, epochs=2, batch_size=4, metrics=line.metrics)
    assert [len(value) for value in seen] == 2 * [4, 4, 3]


def trained(seed, rows=64):
    generator = np.random.default_rng(1)
    images, labels = generator.normal(size=(rows, 6)).astype(np.float32), generator.integers(0, 3, rows)
    with sy.seed(seed):
        x, y = sy.placeholder((ArraySpec(("Batch", 6), np.float32), ArraySpec("Batch", np.int64)))
        hidden = sy.dropout(sy.relu(sy.dense(x, 16)), 0.5)
        scores = sy.dense(hidden, 3)
    objective = sy.cross_entropy(scores, y)
    history = fit(
        objective,
        (images, labels),
        optimizer=Adam(0.01),
        epochs=3,
        batch_size=10,
        seed=seed,
        validation=(images[:25], labels[:25]),
        metrics={"accuracy": sy.accuracy(scores, y)},
    )
    return history, scores, objective, (images, labels)


def test_one_seed_gives_the_same_bits():
    history, scores, _, data = trained(3)
    again, same, _, _ = trained(3)
    other, different, _, _ = trained(4)
    assert history == again != other
    assert scores.predict(data).tobytes() == same.predict(data).tobytes() != different.predict(data).tobytes()


def test_validation_runs_without_dropout_after_each_epoch():
    history, scores, objective, data = trained(3)
    held = tuple(part[:25] for part in data)
    # 25 rows in batches of 10: the mean of the whole is the mean weighted by batch size.
    assert history[-1].validation_loss == pytest.approx(float(objective.predict(held)), rel=1e-6)
    right = (scores.predict(held).argmax(-1) == held[1]).mean()
    assert history[-1].validation_metrics["accuracy"] == pytest.approx(right)
    assert abs(float(objective.forward(held).value) - history[-1].validation_loss) > 1e-3
    assert len(set(history.validation_losses)) == 3


def test_the_history():
    history, *_ = trained(3)
    assert [epoch.number for epoch in history] == [1, 2, 3]
    assert history.losses == [epoch.loss for epoch in history]
    assert history.metrics == {"accuracy": [epoch.metrics["accuracy"] for epoch in history]}
    assert history.validation_losses == [epoch.validation_loss for epoch in history]
    assert list(history.validation_metrics) == ["accuracy"]
    assert history[1:].losses == history.losses[1:]
    assert all(epoch.seconds > 0 for epoch in history)
    assert pickle.loads(pickle.dumps(history)) == history
    head, *rows = repr(history).splitlines()
    assert head.split("  ")[0] == "epoch"
    for name in ("loss", "accuracy", "validation loss", "validation accuracy", "seconds"):
        assert name in head
    assert [row.split()[:2] for row in rows] == [[str(e.number), f"{e.loss:.4f}"] for e in history]


def test_a_history_without_metrics_and_validation():
    history = History((Epoch(1, 2.0, seconds=1.0), Epoch(2, 1e-9, seconds=2.0)))
    assert history == History((Epoch(1, 2.0), Epoch(2, 1e-9)))
    assert (history.validation_losses, history.metrics, history.validation_metrics) == ([], {}, {})
    assert repr(history).splitlines()[2].split() == ["2", "1.000e-09", "2.0"]


def test_a_long_history_leaves_out_the_middle():
    lines = repr(History(tuple(Epoch(number, 1.0) for number in range(1, 1001)))).splitlines()
    assert len(lines) == 22
    assert [lines[i].split()[0] for i in (1, 10, 11, 12, -1)] == ["1", "10", "...", "991", "1000"]


@pytest.mark.parametrize("width", [50, 80, 100, 140])
def test_a_history_fits_the_terminal(width):
    means = {"accuracy": 0.5, "top-5 accuracy": 0.75}
    held = {"accuracy": 0.625, "top-5 accuracy": 1e-7}
    history = History((Epoch(1, 3.0, means, 2.0, held, 1.0), Epoch(2, 1.5, means, 2.0, held, 1.0)))
    lines = history.table(width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) == (3 if width == 140 else 5)
    assert lines[-1].split()[:2] == ["2", "1.5000"]
    assert {"2.0000", "0.6250", "1.000e-07"} <= set(lines[-1].split())
    assert ("1.0" in lines[-1].split(), "0.7500" in lines[-1].split()) == (width >= 80, width >= 80)
    assert all(line.strip() for line in lines)


def test_a_history_in_no_terminal_has_one_width(monkeypatch):
    history, *_ = trained(3)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setenv("COLUMNS", "60")
    assert repr(history) == history.table(100) != history.table(60)


def test_no_epochs_change_nothing():
    line = Line()
    history = fit(line.objective, DATA, epochs=0)
    assert (len(history), history.losses, line.slope.value) == (0, [], 0.5)
    assert repr(history) == "History of no epochs"


def test_the_optimizer_in_force():
    def step(rule, given):
        line = Line(rule=rule)
        fit(line.objective, DATA, optimizer=given, batch_size=ROWS)
        return line.slope.value

    def expected(rate):
        return pytest.approx(by_hand(0.5, rate, [slice(None)])[0][-1], rel=1e-12)

    assert step(SGD(0.3), SGD(0.1)) == expected(0.3)
    assert step(None, SGD(0.1)) == expected(0.1)
    assert step(None, None) == expected(0.01)
    with optimizer(SGD(0.2)):
        assert step(None, None) == expected(0.2)
        assert step(None, SGD(0.1)) == expected(0.1)


def test_lists_integers_and_one_array_are_data_too():
    line = Line()
    fit(line.objective, ([1, 2], [3.0, 4.0]), optimizer=SGD(0.1), batch_size=2)
    assert line.slope.value == pytest.approx(0.5 - 0.1 * (2 * 1 * (0.5 - 3) + 2 * 2 * (1 - 4)) / 2)
    x = sy.placeholder(ArraySpec(("Batch", 2)))
    centre = sy.weight(np.zeros(2))
    fit(sy.mean((x - centre) ** 2), np.array([[1, 3], [3, 5]], np.uint8), optimizer=SGD(1.0), batch_size=8)
    assert centre.value.tolist() == [2.0, 4.0]


def test_an_objective_of_sum_and_count_has_the_mean_over_what_counts():
    x, y = sy.placeholder((ArraySpec(("Batch", 2)), ArraySpec("Batch", np.int64)))
    labels = np.array([0, 1, 9, 9, 9, 0, 1])
    rows = np.random.default_rng(0).normal(size=(7, 2))

    def trained_with(reduction):
        kernel = sy.weight(np.eye(2))
        loss = sy.cross_entropy(x @ kernel, y, ignore=9, reduction=reduction)
        return fit(loss, (rows, labels), optimizer=SGD(0.1), batch_size=4), kernel.value, loss

    (history, kernel, _), (_, by_mean, _) = trained_with("parts"), trained_with("mean")
    assert kernel.tolist() == by_mean.tolist() != np.eye(2).tolist()
    frozen = sy.cross_entropy(x @ sy.weight(np.eye(2), optimizer=SGD(0.0)), y, ignore=9, reduction="parts")
    total, count = frozen.predict((rows, labels))
    assert count == 4
    assert fit(frozen, (rows, labels), batch_size=3).losses == pytest.approx([total / 4])
    assert history.losses != pytest.approx([total / 4])


def test_only_the_objective_has_a_say_in_what_changes():
    line = Line()
    told, unheard = (sy.running_average(sy.mean(line.x), 0.0, momentum=0.5) for _ in range(2))
    fit(line.objective + 0.0 * told, DATA, batch_size=ROWS, metrics={"mean": unheard})
    assert told.layer.average.value == pytest.approx(0.5 * POINTS.mean())
    assert unheard.layer.average.value == 0.0
