"""The confusion matrix of a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.data import described
from layertree.core.errors import DTypeError, ShapeError
from layertree.plots._matplotlib import DENSITY, LITERAL, axes_or_new, rows_of, shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion_matrix"]

_MOST = 1000
"""How many classes a picture has."""

_MOST_NUMBERS = 20
"""How many classes have a name at the axes, and up to how many of them cells have their numbers."""


def confusion_matrix(
    labels: object, predictions: object, ax: Axes | None = None, *, classes: Sequence[str] | None = None
) -> Axes:
    """How many rows of each class (down) were taken for which class (across).

    ``labels`` are integers from 0, of shape (rows,). ``predictions`` are the same, or scores of shape (rows, classes),
    of which the largest decides. ``classes`` are names for the axes, of class 0, 1 and so on; without names the axes
    have the classes that occur. Cells have their numbers for 20 classes at most.

    Returns the axes, new ones unless ``ax`` is given. Raises ShapeError where the shapes do not fit, or for more than
    1000 classes, DTypeError for labels that are no integers from 0, and ModuleNotFoundError without matplotlib.

    >>> from layertree.plots import confusion_matrix
    >>> ax = confusion_matrix([0, 1, 1], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]], classes=["cat", "dog"])
    >>> ax.get_images()[0].get_array().tolist()
    [[1, 0], [1, 1]]
    """
    truth, taken = _labels(labels, "labels"), _labels(_decided(predictions), "predictions")
    if truth.shape != taken.shape:
        raise ShapeError(f"confusion_matrix: {len(truth)} labels and {len(taken)} predictions: give one for each row")
    occurring: Any = np.unique(np.concatenate([truth, taken]))
    if classes is not None and occurring.size and int(occurring[-1]) >= len(classes):
        raise ShapeError(f"confusion_matrix: {len(classes)} names of classes, but the labels go to {occurring[-1]}")
    if classes is not None:
        occurring = np.arange(len(classes))
    size = len(occurring)
    if not 0 < size <= _MOST:
        raise ShapeError(f"confusion_matrix: there are {size:,} classes: a picture has 1 to {_MOST:,}")
    counts = np.zeros((size, size), np.int64)
    add: Any = np.add
    add.at(counts, (np.searchsorted(occurring, truth), np.searchsorted(occurring, taken)), 1)
    shown = axes_or_new(ax, "confusion_matrix")
    shown.imshow(counts, cmap=DENSITY)
    for (row, column), count in np.ndenumerate(counts) if size <= _MOST_NUMBERS else ():
        color = "black" if count > 0.6 * counts.max() else "white"
        shown.text(column, row, str(count), ha="center", va="center", color=color)
    places = range(0, size, -(-size // _MOST_NUMBERS))
    names = [str(occurring[i]) if classes is None else shown_name(str(classes[i])) for i in places]
    shown.set_xticks(places, names, **LITERAL)
    shown.set_yticks(places, names, **LITERAL)
    shown.set_xlabel("predicted class")
    shown.set_ylabel("class")
    return shown  # type: ignore[no-any-return]  # Axes


def _decided(predictions: object) -> Any:
    """Classes by the largest of their scores; classes as they are."""
    given: Any = rows_of(predictions)
    if np.ndim(given) != 2:
        return given
    if not given.shape[1]:
        raise ShapeError(f"confusion_matrix: predictions are {described(given)}: scores of classes are wanted")
    return np.argmax(given, axis=1)


def _labels(given: object, name: str) -> Any:
    data: Any = rows_of(given)
    if np.ndim(data) != 1:
        raise ShapeError(f"confusion_matrix: {name} are {described(data)}: one number a row is wanted")
    if data.dtype.kind not in "iub" or np.any(data < 0):
        raise DTypeError(f"confusion_matrix: {name} are {described(data)}: integers from 0 are wanted")
    if data.size and int(data.max()) > np.iinfo(np.intp).max:
        raise DTypeError(
            f"confusion_matrix: {name} go to {data.max()}: integers up to {np.iinfo(np.intp).max} are wanted"
        )
    return data.astype(np.intp)
