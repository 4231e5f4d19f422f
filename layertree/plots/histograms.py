"""Histograms of weights and activations, at one time and over a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.plots._arguments import required, required_formula
from layertree.plots._matplotlib import COLORS, DENSITY, drawable, entitle, panels
from layertree.plots._runs import activations_of, weights_of
from layertree.plots.recorder import Recorder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["activation_histograms", "activations_over_training", "weight_histograms", "weights_over_training"]

_BINS = 40
_RECORDER = "a Recorder is wanted: Recorder(formula), and its record() at each time"


def weight_histograms(formula: AnyLayer, ax: Axes | None = None) -> list[Axes]:
    """One histogram of the numbers of each weight of a formula.

    Returns the axes of the panels, of a new figure unless the one weight is drawn into ``ax``. Raises TypeError for
    anything but a formula, ValueError for one without weights, and ModuleNotFoundError without matplotlib.
    """
    required_formula(formula, "weight_histograms")
    return _histograms(weights_of(formula), ax, "weight_histograms", "weight")


def activation_histograms(formula: AnyLayer, input: object, ax: Axes | None = None) -> list[Axes]:
    """One histogram of the values of each operation of a formula, for one input, in inference mode.

    Returns the axes of the panels. Raises TypeError for anything but a formula, ValueError for one without operations
    on floats, and ModuleNotFoundError without matplotlib.
    """
    required_formula(formula, "activation_histograms")
    return _histograms(activations_of(formula, input), ax, "activation_histograms", "activation")


def weights_over_training(recorder: Recorder, ax: Axes | None = None) -> list[Axes]:
    """The distribution of each weight, record by record: a column of colours is one histogram.

    Returns the axes of the panels. Raises TypeError for anything but a Recorder, ValueError for one without records,
    and ModuleNotFoundError without matplotlib.
    """
    records = required(recorder, Recorder, "weights_over_training: the recorder", _RECORDER)
    return _over_training(records.weights, ax, "weights_over_training", "weight")


def activations_over_training(recorder: Recorder, ax: Axes | None = None) -> list[Axes]:
    """The distribution of the values of each operation, record by record: a column of colours is one histogram.

    Returns the axes of the panels. Raises TypeError for anything but a Recorder, ValueError for one without records or
    without an input, and ModuleNotFoundError without matplotlib.
    """
    records = required(recorder, Recorder, "activations_over_training: the recorder", _RECORDER)
    return _over_training(records.activations, ax, "activations_over_training", "activation")


def _histograms(values: Mapping[str, Any], ax: Axes | None, function: str, label: str) -> list[Axes]:
    _require_some(values, function, label)
    shown = panels(len(values), ax, function)
    for place, (panel, (name, value)) in enumerate(zip(shown, values.items(), strict=True)):
        numbers = _drawn(value)
        panel.hist(numbers, bins=_edges(numbers), color=COLORS[place % len(COLORS)])
        if not numbers.size:
            panel.text(0.5, 0.5, "no finite number", transform=panel.transAxes, ha="center", va="center")
        entitle(panel, name)
        panel.set_xlabel(label)
        panel.set_ylabel("numbers")
    return shown


def _over_training(records: Mapping[str, Sequence[Any]], ax: Axes | None, function: str, label: str) -> list[Axes]:
    _require_some(records, function, label)
    shown = panels(len(records), ax, function)
    for panel, (name, values) in zip(shown, records.items(), strict=True):
        numbers = [_drawn(value) for value in values]
        edges = _edges(np.concatenate(numbers))
        shares = np.stack(
            [np.histogram(one, edges)[0] / max(np.size(value), 1) for one, value in zip(numbers, values, strict=True)],
            axis=1,
        )
        panel.pcolormesh(np.arange(len(values) + 1) + 0.5, edges, shares, cmap=DENSITY, rasterized=True)
        entitle(panel, name)
        panel.set_xlabel("record")
        panel.set_ylabel(label)
    return shown


def _drawn(value: Any) -> Any:
    """The numbers of a value that have a bin, flat: all but infinite ones, NaN, and those beyond 1e300."""
    numbers = np.ravel(drawable(value))
    return numbers[~np.isnan(numbers)]


def _edges(numbers: Any) -> Any:
    """The edges of bins from the least to the greatest of some numbers, which may be equal, or none."""
    low, high = (numbers.min(), numbers.max()) if numbers.size else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    # So far apart that each bin has a width in floats of this size.
    room = 2 * _BINS * np.spacing(max(abs(low), abs(high)))
    if high - low < room:
        low, high = low - room, high + room
    return np.linspace(low, high, _BINS + 1)


def _require_some(values: Mapping[str, Any], function: str, label: str) -> None:
    if not values:
        raise ValueError(f"{function}: there is no {label} to show")
