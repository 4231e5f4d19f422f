"""The confusion matrix of a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.data import as_data, described
from layertree.core.errors import DTypeError, ShapeError
from layertree.plots._matplotlib import DENSITY, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion_matrix"]


def confusion_matrix(
    labels: object, predictions: object, ax: Axes | None = None, *, classes: Sequence[str] | None = None
) -> Axes:
    """How many rows of each class (down) were taken for which class (across).

    ``labels`` are integers from 0, of shape (rows,). ``predictions`` are the same, or scores of shape (rows, classes),
    of which the largest decides. ``classes`` are names for the axes.

    Returns the axes, new ones unless ``ax`` is given. Raises ShapeError where the shapes do not fit, DTypeError for
    labels that are no integers from 0, and ModuleNotFoundError without matplotlib.

    >>> from layertree.plots import confusion_matrix
    >>> ax = confusion_matrix([0, 1, 1], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]], classes=["cat", "dog"])
    >>> ax.get_images()[0].get_array().tolist()
    [[1, 0], [1, 1]]
    """
    truth, taken = _labels(labels, "labels"), _labels(_decided(predictions), "predictions")
    if truth.shape != taken.shape:
        raise ShapeError(f"confusion_matrix: {len(truth)} labels and {len(taken)} predictions: give one for each row")
    size = max(int(max(truth.max(initial=-1), taken.max(initial=-1))) + 1, len(classes or ()))
    if classes is not None and len(classes) != size:
        raise ShapeError(f"confusion_matrix: {len(classes)} names of classes, but the labels go to {size - 1}")
    counts = np.zeros((size, size), np.int64)
    np.add.at(counts, (truth, taken), 1)
    shown = axes_or_new(ax, "confusion_matrix")
    shown.imshow(counts, cmap=DENSITY)
    for (row, column), count in np.ndenumerate(counts):
        color = "black" if count > 0.6 * counts.max() else "white"
        shown.text(column, row, str(count), ha="center", va="center", color=color)
    names = classes if classes is not None else [str(i) for i in range(size)]
    shown.set_xticks(range(size), names)
    shown.set_yticks(range(size), names)
    shown.set_xlabel("predicted class")
    shown.set_ylabel("class")
    return shown  # type: ignore[no-any-return]  # Axes


def _decided(predictions: object) -> Any:
    """Classes by the largest of their scores; classes as they are."""
    given: Any = as_data(predictions)
    return np.argmax(given, axis=1) if np.ndim(given) == 2 else given


def _labels(given: object, name: str) -> Any:
    data: Any = as_data(given)
    if np.ndim(data) != 1:
        raise ShapeError(f"confusion_matrix: {name} are {described(data)}: one number a row is wanted")
    if data.dtype.kind not in "iub" or np.any(data < 0):
        raise DTypeError(f"confusion_matrix: {name} are {described(data)}: integers from 0 are wanted")
    return data.astype(np.intp)
