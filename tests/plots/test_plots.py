"""What plots show: the data of their artists, their labels, and the errors for what they cannot show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, DTypeError, ShapeError, fit, plots
from layertree.training.history import Epoch, History
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_the_history_of_a_run() -> None:
    x = placeholder(ArraySpec(("Batch", 1), np.float64))
    record = fit(
        sy.mean((x * weight(0.0) - 1.0) ** 2), np.ones((8, 1)), epochs=3, optimizer=SGD(0.1), validation=np.ones((2, 1))
    )
    ax = plots.history(record)
    loss, validation = ax.get_lines()
    assert list(loss.get_xdata()) == [1, 2, 3]
    assert list(loss.get_ydata()) == record.losses
    assert list(validation.get_ydata()) == record.validation_losses
    assert (loss.get_linestyle(), validation.get_linestyle()) == ("-", "--")
    assert loss.get_color() == validation.get_color()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["loss", "validation loss"]
    with pytest.raises(ValueError, match="no epochs"):
        plots.history(History(()))


def test_the_axes_that_are_given_are_drawn_into() -> None:
    from matplotlib import pyplot

    ax = pyplot.subplots()[1]
    assert plots.history(History((Epoch(1, 0.5),)), ax) is ax
    assert plots.weight_histograms((placeholder(float) * weight(1.0)).layer, ax) == [ax]
    two = placeholder(float) * weight(1.0) + weight(2.0)
    with pytest.raises(ValueError, match="weight_histograms: ax is one pair of axes, but there are 2 panels"):
        plots.weight_histograms(two.layer, ax)


def test_a_confusion_matrix_counts() -> None:
    ax = plots.confusion_matrix(np.array([0, 1, 2, 2]), np.eye(3)[[0, 2, 2, 1]], classes=["a", "b", "c"])
    assert ax.get_images()[0].get_array().tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
    assert [text.get_text() for text in ax.texts] == ["1", "0", "0", "0", "0", "1", "0", "1", "1"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    with pytest.raises(ShapeError, match="2 labels and 3 predictions"):
        plots.confusion_matrix([0, 1], [0, 1, 1])
    with pytest.raises(DTypeError, match="integers from 0"):
        plots.confusion_matrix([0.5], [0])
    with pytest.raises(DTypeError, match="integers from 0"):
        plots.confusion_matrix([-1], [0])
    with pytest.raises(ShapeError, match="2 names of classes, but the labels go to 2"):
        plots.confusion_matrix([0, 2], [0, 1], classes=["a", "b"])


@pytest.mark.parametrize("columns", [None, 1, 2])
def test_a_decision_border_is_where_the_class_changes(columns: int | None) -> None:
    """Class 1 is where the first feature is positive, by one logit a row or by two scores."""
    x = placeholder(ArraySpec(("Batch", 2), np.float64))
    logit = x[:, 0]
    formula = logit if columns is None else sy.reshape(logit, (-1, 1))
    if columns == 2:
        formula = sy.concat([-formula, formula], axis=1)
    points, labels = np.array([[-1.0, 0.0], [1.0, 2.0], [0.5, 1.0]]), np.array([0, 1, 1])
    ax = plots.decision_border(formula.layer, points, labels, resolution=41)
    first, second = ax.collections[-2:]
    assert first.get_offsets().tolist() == [[-1.0, 0.0]]
    assert second.get_offsets().tolist() == [[1.0, 2.0], [0.5, 1.0]]
    low, high = [path.get_extents() for path in ax.collections[0].get_paths()]
    assert low.x0 == pytest.approx(-1.2)
    assert low.x1 == pytest.approx(0.0, abs=0.06) == high.x0 or abs(low.x1 - high.x0) < 1e-9
    assert high.x1 == pytest.approx(1.2)


def test_points_and_labels_of_a_decision_border_fit() -> None:
    layer = placeholder(ArraySpec(("Batch", 2), np.float64))[:, 0].layer
    with pytest.raises(ShapeError, match=r"an array of shape \(rows, 2\)"):
        plots.decision_border(layer, np.ones((3, 3)), [0, 1, 1])
    with pytest.raises(ShapeError, match="one for each of 3 points"):
        plots.decision_border(layer, np.ones((3, 2)), [0, 1])


def test_histograms_count_every_finite_number() -> None:
    x = placeholder(ArraySpec((3,), np.float64))
    formula = sy.exp(x * weight(np.array([1.0, 2.0, np.inf]), name="w"))
    (weights,) = plots.weight_histograms(formula.layer)
    assert weights.get_title() == "w"
    assert sum(bar.get_height() for bar in weights.patches) == 2
    product, exponential = plots.activation_histograms(formula.layer, np.ones(3))
    assert (product.get_title(), exponential.get_title()) == ("multiply 1", "exp 1")
    assert sum(bar.get_height() for bar in product.patches) == 2
    with pytest.raises(ValueError, match="weight_histograms: there is no weight"):
        plots.weight_histograms(sy.exp(x).layer)


def test_distributions_over_a_training() -> None:
    w = weight(np.array([1.0, 1.0, 3.0]), name="w", optimizer=SGD(1.0))
    formula = placeholder(float) * w
    recorder = plots.Recorder(formula.layer, 2.0)
    recorder.record()
    formula.train(1.0, np.ones(3))
    recorder.record()
    assert [value.tolist() for value in recorder.weights["w"]] == [[1.0, 1.0, 3.0], [0.0, 0.0, 2.0]]
    assert [value.tolist() for value in recorder.activations["multiply 1"]] == [[2.0, 2.0, 6.0], [0.0, 0.0, 4.0]]
    (panel,) = plots.weights_over_training(recorder)
    shares = np.asarray(panel.collections[0].get_array()).reshape(40, 2)
    assert shares.sum(axis=0).tolist() == pytest.approx([1.0, 1.0])
    assert shares[0].tolist() == pytest.approx([0.0, 2 / 3])  # the bin of 0
    assert len(plots.activations_over_training(recorder)) == 1
    with pytest.raises(ValueError, match="no activation"):
        plots.activations_over_training(plots.Recorder(formula.layer))


def test_attention_maps_are_the_values_of_the_softmax() -> None:
    query = placeholder(ArraySpec((3, 4), np.float64))
    formula = sy.scaled_dot_product_attention(query, query, query, causal=True)
    data = np.random.default_rng(0).normal(size=(3, 4))
    (panel,) = plots.attention_maps(formula.layer, data)
    shown: Any = np.asarray(panel.get_images()[0].get_array())
    assert shown.shape == (3, 3)
    assert shown[0].tolist() == [1.0, 0.0, 0.0]
    np.testing.assert_allclose(shown @ data, formula.predict(data))
    with pytest.raises(ValueError, match="no softmax is the first operand"):
        plots.attention_maps(sy.exp(query).layer, data)


FORMULA = "a formula or a layer is wanted, such as the model that was trained"
RECORDER = "a Recorder is wanted: Recorder(formula), and its record() at each time"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (plots.history, "history: the record is a list, but a History is wanted, which fit(...) returns"),
        (plots.weight_histograms, f"weight_histograms: the formula is a list, but {FORMULA}"),
        (
            lambda given: plots.activation_histograms(given, 1.0),
            f"activation_histograms: the formula is a list, but {FORMULA}",
        ),
        (
            lambda given: plots.attention_maps(given, 1.0),
            f"attention_maps: the formula is a list, but {FORMULA}",
        ),
        (
            lambda given: plots.decision_border(given, np.ones((2, 2)), np.array([0, 1])),
            f"decision_border: the formula is a list, but {FORMULA}",
        ),
        (plots.Recorder, f"Recorder: the formula is a list, but {FORMULA}"),
        (
            plots.weights_over_training,
            f"weights_over_training: the recorder is a list, but {RECORDER}",
        ),
        (
            plots.activations_over_training,
            f"activations_over_training: the recorder is a list, but {RECORDER}",
        ),
    ],
)
def test_an_argument_of_another_class_is_an_error(draw: Callable[[Any], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        draw([1.0, 0.5])
    assert str(caught.value) == message
    with pytest.raises(TypeError, match=r"is the class History, but a (History|formula or a layer|Recorder) is wanted"):
        draw(History)


def test_axes_of_another_class_are_an_error_that_says_where_axes_come_from() -> None:
    from matplotlib import pyplot

    figure: Any = pyplot.figure()
    model, recorder = placeholder(float) * weight(1.0), plots.Recorder(placeholder(float) * weight(1.0), 1.0)
    recorder.record()
    points, labels = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1])
    plane = sy.sum(placeholder(ArraySpec(("Batch", 2), np.float64)), axis=1)
    calls: dict[str, Callable[[], object]] = {
        "history": lambda: plots.history(History((Epoch(1, 0.5),)), figure),
        "confusion_matrix": lambda: plots.confusion_matrix([0], [0], figure),
        "decision_border": lambda: plots.decision_border(plane, points, labels, figure),
        "weight_histograms": lambda: plots.weight_histograms(model, figure),
        "activation_histograms": lambda: plots.activation_histograms(model, 1.0, figure),
        "weights_over_training": lambda: plots.weights_over_training(recorder, figure),
        "activations_over_training": lambda: plots.activations_over_training(recorder, figure),
    }
    assert {*calls, "attention_maps"} == {name for name in plots.__all__ if name != "Recorder"}
    for name, call in calls.items():
        with pytest.raises(TypeError, match=rf"^{name}: ax is a Figure, but Axes are wanted, such as pyplot\.subplots"):
            call()


def test_missing_matplotlib_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'layertree\[plots\]'"):
        plots.history(History((Epoch(1, 0.5),)))
