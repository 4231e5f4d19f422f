"""fit: what a step is, what the means are means of, what errors and interrupts leave behind."""

import io
import pickle
import re
import sys

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Adam,
    Count,
    DTypeError,
    History,
    Hook,
    Identity,
    IndexRangeError,
    ShapeError,
    Weight,
    _gradients,
    commit,
    fit,
    optimizer,
)
from layertree.training.fit import Epoch
from layertree.typing import ArraySpec

ROWS = 11
POINTS = np.random.default_rng(7).normal(size=ROWS)
TARGETS = 3.0 * POINTS - np.random.default_rng(8).normal(size=ROWS)
DATA = (POINTS, TARGETS)


class Line:
    """A slope fitted by the mean squared error, with a hook on the residual, which objective and metrics share."""

    def __init__(self, start=0.5, rule=None, hook=lambda value: None):
        self.x, self.y = sy.placeholder((ArraySpec("Batch"), ArraySpec("Batch")))
        self.slope = sy.weight(start, optimizer=rule)
        hooked = sy.wrap(Hook(Identity(), hook), ArraySpec("Batch"))
        self.residual = hooked(self.x * self.slope - self.y)
        self.objective = sy.mean(self.residual * self.residual)
        self.metrics = {"bias": sy.mean(self.residual), "largest": sy.max(sy.abs(self.residual))}


def by_hand(start, rate, batches):
    """The slopes and losses of steepest descent, from the formula of the derivative."""
    slope, slopes, losses = start, [], []
    for chosen in batches:
        x, y = POINTS[chosen], TARGETS[chosen]
        losses.append(np.mean((x * slope - y) ** 2))
        slope -= rate * np.mean(2 * x * (x * slope - y))
        slopes.append(slope)
    return slopes, losses


def batches_of(seed, epoch, size):
    order = np.random.default_rng([seed, epoch]).permutation(ROWS)
    return [order[start : start + size] for start in range(0, ROWS, size)]


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


def wrong_calls(hook):
    line = Line(hook=hook)
    scores = line.residual
    x = sy.placeholder(ArraySpec(("Batch", 2)))
    good, data = line.objective, DATA
    return {
        "no rows": (ShapeError, "data is empty", (good, (POINTS[:0], TARGETS[:0]))),
        "no parts": (ShapeError, "data is empty", (good, ())),
        "lengths": (ShapeError, "part 0 has 11 rows, part 1 has 4", (good, (POINTS, TARGETS[:4]))),
        "one array": (DTypeError, r"a tuple of 2 is wanted", (good, POINTS)),
        "a part missing": (ShapeError, "1 missing", (good, (POINTS,))),
        "a shape": (ShapeError, r"part 1 of the input is .*\(11, 1\)", (good, (POINTS, TARGETS[:, None]))),
        "a dtype": (DTypeError, "complex", (good, (POINTS, TARGETS + 1j))),
        "text": (DTypeError, "array of numbers", (good, (POINTS, ["a"] * ROWS))),
        "nothing": (DTypeError, "data is a NoneType", (good, None)),
        "a number": (ShapeError, "part 1 of data is a float", (good, (POINTS, 1.0))),
        "ragged": (ShapeError, "part 0 of data is no array", (good, ([[1.0], [2.0, 3.0]], TARGETS))),
        "not one number": (ShapeError, r"objective .*mean\(\.\.\.\) or sum\(\.\.\.\)", (scores, data)),
        "no float": (DTypeError, "no gradient", (sy.argmax(scores), data)),
        "no formula": (TypeError, "the objective is a float", (1.0, data)),
        "wrong layers": (ShapeError, "matmul", (sy.sum(x @ np.ones((2, 3))).layer, np.ones((4, 5)))),
        "batch_size": (ValueError, "batch_size = 0 .* at least 1", (good, data, {"batch_size": 0})),
        "batch_size of a kind": (TypeError, "batch_size = 2.5", (good, data, {"batch_size": 2.5})),
        "epochs": (ValueError, "epochs = -1 .* at least 0", (good, data, {"epochs": -1})),
        "epochs of a kind": (TypeError, "epochs = True", (good, data, {"epochs": True})),
        "seed": (ValueError, "seed = -1", (good, data, {"seed": -1})),
        "optimizer": (TypeError, r"'adam' .* Adam\(0.001\)", (good, data, {"optimizer": "adam"})),
        "optimizer class": (TypeError, "optimizer", (good, data, {"optimizer": Adam})),
        "no optimizer": (TypeError, "optimizer", (good, data, {"optimizer": Count()})),
        "metrics": (TypeError, "a dict", (good, data, {"metrics": [good]})),
        "metric": (TypeError, "the metric 'a' is a float", (good, data, {"metrics": {"a": 1.0}})),
        "metric array": (ShapeError, "the metric 'a' .*one number", (good, data, {"metrics": {"a": scores}})),
        "metric name": (ValueError, "'loss' is no name", (good, data, {"metrics": {"loss": good}})),
        "metric of other data": (
            DTypeError,
            "does not fit the metric 'a'",
            (good, data, {"metrics": {"a": sy.sum(x)}}),
        ),
        "validation": (ShapeError, "validation does not fit", (good, data, {"validation": (POINTS,)})),
        "validation length": (ShapeError, "validation differ", (good, data, {"validation": (POINTS, TARGETS[1:])})),
    }


@pytest.mark.parametrize("name", wrong_calls(print))
def test_a_wrong_call_is_one_error_before_anything_runs(name):
    ran = []
    kind, message, (objective, data, *options) = wrong_calls(ran.append)[name]
    with pytest.raises(kind, match=message):
        fit(objective, data, **dict(*options))
    assert not ran


def test_a_last_batch_that_does_not_fit_is_an_error_before_the_first_step():
    x = sy.placeholder(ArraySpec((4, 2)))
    centre = sy.weight(np.zeros(2))
    objective = sy.mean((x - centre) ** 2)
    with pytest.raises(ShapeError, match=r"\(2, 2\).*\(4, 2\)"):
        fit(objective, np.ones((10, 2)), batch_size=4)
    assert centre.value.tolist() == [0.0, 0.0]
    assert len(fit(objective, np.ones((8, 2)), batch_size=4)) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupt_leaves_the_weights_after_the_last_whole_step(error):
    calls = []

    def hook(value):
        calls.append(value)
        if len(calls) == 5:
            raise error("stop")

    line = Line(hook=hook)
    with pytest.raises(error):
        fit(line.objective, DATA, optimizer=SGD(0.1), epochs=9, batch_size=4, seed=5)
    slopes, _ = by_hand(0.5, 0.1, batches_of(5, 1, 4) + batches_of(5, 2, 4))
    assert line.slope.value == pytest.approx(slopes[3], rel=1e-12)


@pytest.mark.parametrize("place", range(1, 8))
def test_an_interrupt_within_a_commit_does_not_leave_half_a_step(place):
    """Ctrl-C may come between any two lines of the library; here before the one that a trace function counts to."""
    weights = [Weight(1.0) for _ in range(3)]
    passed = []

    def count_lines(frame, event, argument):
        if event == "line":
            passed.append(frame.f_lineno)
            if len(passed) == place:
                raise KeyboardInterrupt
        return count_lines

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: count_lines if frame.f_code is _gradients.rebind.__code__ else None)
    try:
        with pytest.raises(KeyboardInterrupt):
            commit(dict.fromkeys(weights, 1.0), SGD(0.5))
    finally:
        sys.settrace(before)
    assert [w.value for w in weights] in (3 * [1.0], 3 * [0.5])


def test_labels_out_of_range_change_nothing_more():
    x, y = sy.placeholder((ArraySpec(("Batch", 2)), ArraySpec("Batch", np.int64)))
    kernel = sy.weight(np.eye(2))
    with pytest.raises(ValueError, match="label 2 "):
        fit(sy.cross_entropy(x @ kernel, y), (np.ones((3, 2)), np.array([0, 1, 2])), batch_size=3)
    assert kernel.value.tolist() == np.eye(2).tolist()


def labelled(labels, rows=40):
    """An objective over rows with labels of 3 classes, and its data."""
    x, y = sy.placeholder((ArraySpec(("Batch", 2)), ArraySpec(("Batch", *labels.shape[1:]), np.int64)))
    scores = x @ sy.weight(np.ones((2, 3)))
    if labels.ndim > 1:
        scores = scores[:, None, :] + np.zeros((labels.shape[1], 1))
        return sy.cross_entropy(sy.reshape(scores, (-1, 3)), sy.reshape(y, (-1,))), (np.ones((rows, 2)), labels)
    return sy.cross_entropy(scores, y), (np.ones((rows, 2)), labels)


@pytest.mark.parametrize("shape", [(), (5,)])
@pytest.mark.parametrize("row", [0, 17, 39])
def test_a_label_out_of_range_is_reported_by_its_row(shape, row):
    labels = np.zeros((40, *shape), np.int64)
    labels[row, ...] = np.where(np.arange(labels[row].size) < labels[row].size - 1, 0, 9).reshape(shape)
    objective, data = labelled(labels)
    place = labels[row].size - 1
    message = f"fit: row {row} of data, in a batch by itself: (?s:.*)label 9 at position {place} is out of range"
    with pytest.raises(IndexRangeError, match=message) as caught:
        fit(objective, data, batch_size=8)
    assert isinstance(caught.value.__cause__, IndexRangeError)
    good = (data[0], np.zeros_like(labels))
    with pytest.raises(IndexRangeError, match=message.replace("data", "validation")):
        fit(objective, good, batch_size=8, validation=data)


def test_an_index_out_of_range_is_reported_by_its_row():
    x = sy.placeholder(ArraySpec(("Batch", 2), np.int64))
    objective = sy.mean(sy.take(sy.weight(np.ones(4)), x))
    tokens = np.zeros((20, 2), np.int64)
    tokens[13, 1] = 4
    with pytest.raises(IndexRangeError, match=r"row 13 of data, in a batch by itself: (?s:.*)index 4 is out of bounds"):
        fit(objective, tokens, batch_size=6)


def test_a_batch_of_one_length_is_named_by_its_rows():
    x = sy.placeholder(ArraySpec((2,), np.int64))
    tokens = np.array([0, 9, 0, 0])
    order = np.random.default_rng([0, 1]).permutation(4).tolist()
    rows = next(two for two in (order[:2], order[2:]) if 1 in two)
    with pytest.raises(IndexRangeError, match=re.escape(f"fit: a batch of rows {rows} of data: ")):
        fit(sy.mean(sy.reshape(sy.take(sy.weight(np.ones(4)), x), (2,))), tokens, batch_size=2)


def test_a_loss_that_is_not_finite_is_told_once_and_training_goes_on():
    line = Line()
    with pytest.warns(RuntimeWarning) as caught, np.errstate(all="ignore"):
        history = fit(line.objective, DATA, optimizer=SGD(1e80), epochs=6, batch_size=ROWS)
    assert len(history) == 6
    first = next(epoch for epoch in history if not np.isfinite(epoch.loss))
    assert 1 < first.number < 6
    messages = [str(one.message) for one in caught]
    assert messages == [
        f"fit: the mean loss of epoch {first.number} is {first.loss}: try a smaller rate; a step of compile(objective, "
        "train=True, check_finite=True) names the first layer that makes a NaN or an infinity"
    ]
    assert caught[0].filename == __file__


def test_an_objective_that_no_weight_matters_to_is_refused() -> None:
    x = sy.placeholder(ArraySpec(("Batch",), np.float64))
    with pytest.raises(ValueError, match="nothing to train"):
        fit(sy.mean(x), np.ones(4))
