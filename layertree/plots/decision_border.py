"""The regions that a classifier of two features assigns to each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.data import described
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.layer import AnyLayer
from layertree.plots._arguments import required_formula
from layertree.plots._matplotlib import COLORS, axes_or_new, drawable, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decision_border"]

_MOST = 50
"""How many classes a picture has."""


def decision_border(
    formula: AnyLayer,
    points: object,
    labels: object,
    ax: Axes | None = None,
    *,
    threshold: float = 0.0,
    resolution: int = 200,
) -> Axes:
    """The class that a formula assigns to each point of the plane, and the points with the colours of their labels.

    ``formula`` takes an array of shape (rows, 2), and gives scores of shape (rows, classes), of which the largest
    decides, or one number a row, of shape (rows,) or (rows, 1), which is class 1 above ``threshold``: 0 for logits,
    0.5 for probabilities. ``points`` have shape (rows, 2), ``labels`` are integers of shape (rows,). ``resolution`` is
    how many points of the grid an axis has.

    Returns the axes, new ones unless ``ax`` is given. Raises TypeError for anything but a formula, ShapeError where a
    shape does not fit or for more than 50 classes, DTypeError for labels that are no integers, ValueError for points
    that are not finite, and ModuleNotFoundError without matplotlib.
    """
    required_formula(formula, "decision_border")
    data: Any = rows_of(points)
    classes: Any = rows_of(labels)
    if resolution < 2:
        raise ValueError(f"decision_border: resolution = {resolution}: 2 points of an axis or more are wanted")
    if np.ndim(data) != 2 or data.shape[1] != 2 or not len(data):
        raise ShapeError(f"decision_border: points are {described(data)}: an array of shape (rows, 2) is wanted")
    if np.shape(classes) != (len(data),):
        raise ShapeError(
            f"decision_border: labels are {described(classes)}: one for each of {len(data)} points is wanted"
        )
    if not np.array_equal(classes, np.rint(classes)) or np.abs(classes.astype(np.float64)).max() >= 2.0**63:
        raise DTypeError(f"decision_border: labels are {described(classes)}: integers are wanted")
    if np.isnan(drawable(data)).any():
        raise ValueError("decision_border: a point is not finite, or beyond 1e300")
    grid, across, up = _grid(data, resolution)
    regions = _classes_of(formula.predict(grid), threshold).reshape(len(up), len(across))
    found: Any = np.unique(np.concatenate([regions.ravel(), classes.astype(regions.dtype)]))  # the classes that occur
    if len(found) > _MOST:
        raise ShapeError(f"decision_border: there are {len(found):,} classes: a picture has {_MOST} at most")
    numbers: list[int] = found.tolist()
    colors = [COLORS[one % len(COLORS)] for one in numbers]
    shown = axes_or_new(ax, "decision_border")
    levels = np.arange(len(found) + 1) - 0.5
    shown.contourf(across, up, np.searchsorted(found, regions), levels=levels, colors=colors, alpha=0.35)
    for one, color in zip(numbers, colors, strict=True):
        chosen = data[classes == one]
        shown.scatter(chosen[:, 0], chosen[:, 1], color=color, edgecolors="black", linewidths=0.5, label=f"class {one}")
    shown.set_xlabel("feature 0")
    shown.set_ylabel("feature 1")
    shown.legend()
    return shown  # type: ignore[no-any-return]  # Axes


def _grid(data: Any, resolution: int) -> tuple[Any, Any, Any]:
    """The points of a grid around some points as rows, and the coordinates along both axes."""
    across, up = _span(data[:, 0], resolution), _span(data[:, 1], resolution)
    return np.stack([np.tile(across, resolution), np.repeat(up, resolution)], axis=1), across, up


def _span(coordinates: Any, resolution: int) -> Any:
    """Coordinates from below the smallest to above the largest of some, a tenth of their range further out."""
    low, high = float(coordinates.min()), float(coordinates.max())
    kind = np.result_type(coordinates.dtype, np.float32)
    margin = 0.1 * (high - low) if high > low else 1.0
    # The coordinates of the grid differ, also where the points are large and near to each other.
    margin = max(margin, float(resolution * np.spacing(kind.type(max(abs(low), abs(high))))))
    limit = float(np.finfo(kind).max)
    return np.linspace(max(low - margin, -limit), min(high + margin, limit), resolution, dtype=kind)


def _classes_of(scores: Any, threshold: float) -> Any:
    """The class of each row by the scores of the classes, or by one number a row."""
    if np.ndim(scores) == 2 and scores.shape[1] > 1:
        return np.argmax(scores, axis=1)
    if np.ndim(scores) not in (1, 2):
        raise ShapeError(f"decision_border: the formula gives {described(scores)}: scores of each row are wanted")
    return (np.reshape(scores, -1) > threshold).astype(np.intp)
