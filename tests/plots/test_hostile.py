"""Plots of extreme values, of names with signs of mathematics, of many classes, and of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, Identity, ShapeError, Times, Tuple, Weight, plots
from layertree.training.history import Epoch, History
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

matplotlib.use("Agg")

NAMES = {
    "mathematics": "$x_1^2$",
    "half": "cost in $",
    "tex": r"\frac{a}{b}$\nosuch{$ _^%&#~",
    "underscore": "_hidden",
    "control": "a\n\t\x00b",
    "surrogate": "\ud800",
    "long": "n" * 10_000,
}
SHOWN = {"control": r"a\n\t\x00b", "surrogate": r"\ud800"}


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def draw(panel: Any) -> None:
    """Draw the figure of a panel: texts are laid out and ticks placed then, and warnings are errors."""
    panel.figure.canvas.draw()


@pytest.mark.parametrize("name", NAMES)
def test_names_are_shown_literally(name: str) -> None:
    given = NAMES[name]
    record = History((Epoch(1, 0.5, {given: 1.0}, 0.5, {given: 2.0}), Epoch(2, 0.25, {given: 1.0}, 0.5, {given: 2.0})))
    history = plots.history(record)
    matrix = plots.confusion_matrix([0, 1], [1, 1], classes=["cat", given])
    (weights,) = plots.weight_histograms(Times(Identity(), Weight(2.0, name=given)))
    recorder = plots.Recorder(Weight(2.0, name=given))
    recorder.record()
    (over,) = plots.weights_over_training(recorder)
    texts = [history.get_legend().get_texts()[2], matrix.get_xticklabels()[1], matrix.get_yticklabels()[1]]
    for text in (*texts, weights.title, over.title):
        assert text.get_text() == SHOWN.get(name, given) or (len(text.get_text()) == 40 and name == "long")
        assert not text.get_parse_math()
        assert not text.get_usetex()
    assert len(history.get_legend().get_texts()) == 4
    for panel in (history, matrix, weights, over):
        draw(panel)


VALUES: dict[str, Any] = {
    "large and equal": np.full(5, 1e17),
    "large and near": 1e17 + 16.0 * np.arange(5),
    "larger and equal": np.full(5, -1e300),
    "tiny": np.array([5e-324, -5e-324]),
    "near": np.nextafter(1.0, [0.0, 1.0, 2.0]),
    "zeros": np.zeros(3),
    "single": np.float32([1.0]),
    "half": np.float16([65504.0, -65504.0]),
    "number": 3.0,
    "long double": np.longdouble([1.0, 2.0]),
}
NOTHING: dict[str, Any] = {
    "not finite": np.array([np.nan, np.inf, -np.inf]),
    "empty": np.zeros((0, 3)),
    "beyond": np.array([1e308, -1e308]),
}


@pytest.mark.parametrize("name", [*VALUES, *NOTHING])
def test_histograms_of_any_values_are_drawn(name: str) -> None:
    value = {**VALUES, **NOTHING}[name]
    formula = Times(Identity(), Weight(value, name="w"))
    recorder = plots.Recorder(formula, 1.0)
    for _ in range(2):
        recorder.record()
    found = [*plots.weight_histograms(formula), *plots.activation_histograms(formula, 1.0)]
    for panel in found:
        assert sum(bar.get_height() for bar in panel.patches) == (np.size(value) if name in VALUES else 0)
        assert [text.get_text() for text in panel.texts] == ([] if name in VALUES else ["no finite number"])
        draw(panel)
    for panel in (*plots.weights_over_training(recorder), *plots.activations_over_training(recorder)):
        shares = np.asarray(panel.collections[0].get_array())
        assert shares.sum() == pytest.approx(2.0 if name in VALUES else 0.0)
        draw(panel)


def test_losses_that_overflow_leave_gaps() -> None:
    losses = [float("nan"), 1e308, float("inf"), -1e308, 0.5]
    ax = plots.history(History(tuple([Epoch(i, loss) for i, loss in enumerate(losses, 1)])))
    assert np.isnan(ax.get_lines()[0].get_ydata()).tolist() == [True, True, True, True, False]
    draw(ax)
    draw(plots.history(History((Epoch(1, float("nan")),))))


def test_a_confusion_matrix_has_the_classes_that_occur() -> None:
    ax = plots.confusion_matrix(np.array([10**9, 3, 3]), np.array([3, 3, 10**9]))
    assert ax.get_images()[0].get_array().tolist() == [[1, 1], [1, 0]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3", "1000000000"]
    draw(ax)


def test_a_confusion_matrix_of_many_classes_has_no_numbers_and_fewer_names() -> None:
    labels = np.arange(300)
    ax = plots.confusion_matrix(labels, labels)
    assert ax.get_images()[0].get_array().shape == (300, 300)
    assert not ax.texts
    assert [label.get_text() for label in ax.get_yticklabels()] == [str(i) for i in range(0, 300, 15)]
    draw(ax)
    with pytest.raises(ShapeError, match="there are 1,001 classes: a picture has 1 to 1,000"):
        plots.confusion_matrix(np.arange(1001), np.arange(1001))
    named = plots.confusion_matrix([0], [0], classes=[f"class {i}" for i in range(100)])
    assert [label.get_text() for label in named.get_xticklabels()][:2] == ["class 0", "class 5"]


def test_a_confusion_matrix_of_nothing_says_so() -> None:
    none = np.zeros(0, np.int64)
    with pytest.raises(ShapeError, match="there are 0 classes"):
        plots.confusion_matrix(none, none)
    with pytest.raises(ShapeError, match="scores of classes are wanted"):
        plots.confusion_matrix([0], np.zeros((1, 0)))
    with pytest.raises(DTypeError, match="labels go to 18446744073709551615"):
        plots.confusion_matrix(np.uint64([2**64 - 1]), [0])


def border(points: Any, labels: Any, **options: Any) -> Any:
    x = placeholder(ArraySpec(("Batch", 2), np.asarray(points).dtype))
    return plots.decision_border(x[:, 0].layer, points, labels, resolution=11, **options)


@pytest.mark.parametrize("value", [0.0, 1.0, 1e17, -1e17, 1e300, 5e-324, np.float32(1e9), np.float32(3e38)])
def test_the_decision_border_of_constant_points(value: Any) -> None:
    ax = border(np.full((3, 2), value), [0, 1, 1])
    assert ax.get_xlim()[0] < ax.get_xlim()[1]
    draw(ax)


def test_the_classes_of_a_decision_border_are_those_that_occur() -> None:
    ax = border(np.array([[-1.0, 0.0], [1.0, 2.0]]), np.array([-1, 10**9]))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "class -1",
        "class 0",
        "class 1",
        "class 1000000000",
    ]
    draw(ax)
    assert border(np.zeros((2, 2)), np.array([True, False])).get_legend() is not None
    assert border(np.zeros((2, 2)), np.array([1.0, 0.0])).get_legend() is not None


def test_points_and_labels_that_cannot_be_drawn_are_errors() -> None:
    with pytest.raises(ValueError, match="a point is not finite"):
        border(np.full((1, 2), np.nan), [0])
    for label in (0.5, np.nan, np.inf, 1e300, np.uint64(2**64 - 1)):
        with pytest.raises(DTypeError, match="integers are wanted"):
            border(np.zeros((1, 2)), np.array([label]))
    with pytest.raises(ShapeError, match="there are 62 classes: a picture has 50 at most"):
        border(np.zeros((60, 2)), np.arange(60) + 2)
    with pytest.raises(ValueError, match="resolution = 1"):
        plots.decision_border(placeholder(ArraySpec(("Batch", 2))).layer, np.zeros((1, 2)), [0], resolution=1)


def test_attention_without_elements_says_so() -> None:
    query = placeholder(ArraySpec((0, 3, 4), np.float64))
    formula = sy.scaled_dot_product_attention(query, query, query)
    with pytest.raises(ValueError, match="attention weights have no element"):
        plots.attention_maps(formula.layer, np.zeros((0, 3, 4)))
    for shape in ((0, 3), (3, 0)):
        with pytest.raises(ValueError, match="have no element"):
            plots.attention_maps(
                (sy.softmax(placeholder(ArraySpec(shape))) @ weight(np.zeros(shape[::-1]))).layer, np.zeros(shape)
            )


def test_attention_with_nan_is_drawn() -> None:
    query = placeholder(ArraySpec((3, 4), np.float64))
    formula = sy.scaled_dot_product_attention(query, query, query)
    with np.errstate(all="ignore"):
        (panel,) = plots.attention_maps(formula.layer, np.full((3, 4), np.nan))
    draw(panel)


def test_activations_of_tuples_are_left_out() -> None:
    formula = Tuple((Times(Identity(), 2.0), Identity()))
    assert [panel.get_title() for panel in plots.activation_histograms(formula, 1.0)] == ["multiply 1"]


def test_tuples_are_rows() -> None:
    assert plots.confusion_matrix((0, 1), (1, 1)).get_images()[0].get_array().tolist() == [[0, 1], [0, 1]]
    assert border(((0.0, 1.0), (1.0, 2.0)), (0, 1)).get_legend() is not None


def test_a_legend_of_many_names_has_20_lines() -> None:
    ax = plots.history(History((Epoch(1, 0.5, {f"metric {i}": 1.0 for i in range(300)}),)))
    assert [text.get_text() for text in ax.get_legend().get_texts()][-2:] == [
        "metric 17",
        "\N{HORIZONTAL ELLIPSIS} 282 more",
    ]
    draw(ax)
