"""The regions that a classifier of two features assigns to each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.data import as_data, described
from layertree.core.errors import ShapeError
from layertree.core.layer import AnyLayer
from layertree.plots._arguments import required_formula
from layertree.plots._matplotlib import COLORS, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decision_border"]


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
    shape does not fit, and ModuleNotFoundError without matplotlib.
    """
    required_formula(formula, "decision_border")
    data: Any = as_data(points)
    classes: Any = as_data(labels)
    if np.ndim(data) != 2 or data.shape[1] != 2 or not len(data):
        raise ShapeError(f"decision_border: points are {described(data)}: an array of shape (rows, 2) is wanted")
    if np.shape(classes) != (len(data),):
        raise ShapeError(
            f"decision_border: labels are {described(classes)}: one for each of {len(data)} points is wanted"
        )
    grid, across, up = _grid(data, resolution)
    regions = _classes_of(formula.predict(grid), threshold).reshape(len(up), len(across))
    shown = axes_or_new(ax, "decision_border")
    count = int(max(regions.max(), classes.max())) + 1
    colors = [COLORS[i % len(COLORS)] for i in range(count)]
    shown.contourf(across, up, regions, levels=np.arange(count + 1) - 0.5, colors=colors, alpha=0.35)
    for one, color in enumerate(colors):
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
    margin = 0.1 * (high - low) if high > low else 1.0
    return np.linspace(low - margin, high + margin, resolution, dtype=np.result_type(coordinates.dtype, np.float32))


def _classes_of(scores: Any, threshold: float) -> Any:
    """The class of each row by the scores of the classes, or by one number a row."""
    if np.ndim(scores) == 2 and scores.shape[1] > 1:
        return np.argmax(scores, axis=1)
    if np.ndim(scores) not in (1, 2):
        raise ShapeError(f"decision_border: the formula gives {described(scores)}: scores of each row are wanted")
    return (np.reshape(scores, -1) > threshold).astype(np.intp)
