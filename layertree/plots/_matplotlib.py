"""Matplotlib, which is an optional extra and loads with the first plot; the colours of all plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree.core.optional import optional_module
from layertree.plots._arguments import required

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442")
"""The colours of series and classes: a palette that colour-blind readers can tell apart (Okabe and Ito, 2008)."""

DENSITY = "viridis"
"""The colour map of counts and weights: its lightness grows evenly, so it reads in grey, too."""


def pyplot() -> Any:
    """The module ``matplotlib.pyplot``; ModuleNotFoundError, which names the extra, where matplotlib is missing."""
    return optional_module("matplotlib.pyplot", "plots", "plots are matplotlib's")


def _axes(ax: object, name: str) -> Any:
    kind: type[Any] = pyplot().Axes
    return required(ax, kind, f"{name}: ax", "Axes are wanted, such as pyplot.subplots()[1]")


def axes_or_new(ax: Axes | None, name: str) -> Any:
    """The given axes, or those of a new figure. Raises TypeError, which names the function, for anything else."""
    if ax is not None:
        return _axes(ax, name)
    return pyplot().subplots(layout="constrained")[1]


def panels(count: int, ax: Axes | None, name: str) -> list[Any]:
    """Axes for some panels in a row: the given ones for one panel, else those of a new figure.

    Raises ValueError, which names the function, for one pair of axes and several panels, TypeError for no axes.
    """
    if ax is not None:
        _axes(ax, name)
        if count != 1:
            raise ValueError(f"{name}: ax is one pair of axes, but there are {count} panels: leave ax out")
        return [ax]
    columns = min(count, 4)
    rows = -(-count // columns)
    made = pyplot().subplots(rows, columns, squeeze=False, layout="constrained", figsize=(3.2 * columns, 2.8 * rows))[1]
    found: list[Any] = list(made.flat)
    for unused in found[count:]:
        unused.set_axis_off()
    return found[:count]
