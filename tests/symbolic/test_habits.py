"""What users of other libraries write by habit gets an error that names the way out, or simply works."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

VECTOR = ArraySpec((None,), np.float64)


def test_attributes_and_functions_of_arrays() -> None:
    x: Any = placeholder(ArraySpec((2, 3, 4)))
    with pytest.raises(ValueError, match=r"3 axes.*use \.mT or permute_dims\(x, \(2, 1, 0\)\)"):
        _ = x.T
    with pytest.raises(TypeError, match=r"symbolic.sum, max and min reduce arrays"):
        sum(x)


def test_plots_and_functions_of_numbers() -> None:
    x: Any = placeholder(float)
    for build in (np.asarray, np.atleast_1d):
        with pytest.raises(TypeError, match=r"formula.predict\(data\) gives one, also to plot"):
            build(x)  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"those of symbolic formulas, such as symbolic.exp"):
        math.exp(x)
    with pytest.raises(TypeError, match=r"such as symbolic.exp"):
        sy.curve_fit(lambda t, k: math.exp(k) * t, np.ones(3), np.ones(3), 1.0)


def test_masked_and_object_data() -> None:
    x = placeholder(VECTOR)
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    for data in (masked, [masked, masked]):
        with pytest.raises(DTypeError, match="drops"):
            (x * 2.0).predict(data)  # type: ignore[arg-type]
        with pytest.raises(DTypeError, match=r"drops .*mask"):
            x * data  # type: ignore[operator]
    with pytest.raises(DTypeError, match=r"array\.astype\(float\), and drop or fill what is missing"):
        (x * 2.0).predict(np.array([1.0, None], object))


class Frame:
    """A container of data that gives an array, as series and frames of pandas and Polars do."""

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self.data = data

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.asarray(self.data, dtype)


def test_frames_are_taken_through_their_array() -> None:
    x: Any = placeholder(VECTOR)
    frame: Any = Frame(np.arange(3.0))
    np.testing.assert_array_equal((x * 2.0).predict(frame), 2.0 * np.arange(3.0))
    np.testing.assert_array_equal((x * frame).predict(np.ones(3)), np.arange(3.0))
    np.testing.assert_array_equal((weight(frame) * x).predict(np.ones(3)), np.arange(3.0))
    assert sy.curve_fit(lambda t, a: a * t, frame, Frame(2.0 * np.arange(3.0)), 1.0).parameters[0] == pytest.approx(2.0)
    with pytest.raises(DTypeError, match="dtype object"):
        (x * 2.0).predict(Frame(np.array([None, 1.0])))  # type: ignore[arg-type]
    with pytest.raises(DTypeError):
        (x * 2.0).predict(placeholder(float))


def test_a_model_of_a_part_of_the_input_used_alone() -> None:
    images, _ = placeholder((ArraySpec(("B", 4)), ArraySpec(("B",), np.int64)))
    model: Any = images @ weight(np.ones((4, 3)))
    advice = r"fits a part of it: a model that is to be used alone is built on a placeholder of its own"
    with pytest.raises(DTypeError, match=advice):
        model(images)
    with pytest.raises(DTypeError, match=advice):
        model.predict(np.ones((2, 4)))
    with pytest.raises(DTypeError) as caught:
        model.predict(np.ones((2, 4, 3)))
    assert "placeholder of its own" not in str(caught.value)


def test_losses_of_known_shapes_print_without_checks() -> None:
    scores, target = placeholder((ArraySpec(("B", 3)), ArraySpec(("B", 3))))
    for loss in (sy.mean_squared_error(scores, target), sy.hinge(scores, target), sy.cross_entropy(scores, target)):
        assert "alike" not in str(loss)
    assert "alike" not in str(sy.mean_absolute_error(placeholder(float), 1.0))
    labels = placeholder((ArraySpec(("B", 3)), ArraySpec(("B",), np.int64)))
    assert "alike" not in str(sy.accuracy(*labels))
    loose = placeholder((ArraySpec((None, 3)), ArraySpec((None, 3))))
    assert "alike" in str(sy.mean_squared_error(*loose))  # a check that the run makes
