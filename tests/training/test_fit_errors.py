"""What errors and interrupts leave behind, and what fit says of them."""

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
    IndexRangeError,
    ShapeError,
    Weight,
    commit,
    fit,
)
from layertree.tape import commit as commits
from layertree.typing import ArraySpec
from tests.training.line import DATA, POINTS, ROWS, TARGETS, Line, batches_of, by_hand


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
    sys.settrace(lambda frame, event, argument: count_lines if frame.f_code is commits.rebind.__code__ else None)
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
