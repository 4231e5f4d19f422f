"""Matplotlib, which is an optional extra and loads with the first plot; the colours and the texts of all plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from layertree.core.data import as_data
from layertree.core.optional import optional_module
from layertree.drawing.svg import shortened
from layertree.plots._arguments import required

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442")
"""The colours of series and classes: a palette that colour-blind readers can tell apart (Okabe and Ito, 2008)."""

DENSITY = "viridis"
"""The colour map of counts and weights: its lightness grows evenly, so it reads in grey, too."""

LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}
"""The properties of a text that shows each of its characters: ``$`` begins no mathematics."""

LARGEST = 1e300
"""The largest number that is drawn: matplotlib doubles numbers, and their products overflow."""

_LONGEST = 40
_MOST_NAMES = 20


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


def shown_name(name: str) -> str:
    r"""A name of a user as a text of a plot: its invisible characters as escapes, a long one without its middle.

    >>> print(shown_name("a\nb"))
    a\nb
    """
    return shortened(name, _LONGEST)


def entitle(panel: Any, name: str) -> None:
    """Set the title of a panel to a name of a user."""
    panel.set_title(shown_name(name), fontsize="medium", **LITERAL)


def add_legend(panel: Any, handles: Sequence[Any], names: Sequence[str]) -> None:
    """Add a legend of 20 names of users at most, with each character, also those that begin with an underscore."""
    shown = [shown_name(name) for name in names[:_MOST_NAMES]]
    if len(names) > len(shown):
        shown[-1] = f"\N{HORIZONTAL ELLIPSIS} {len(names) - len(shown) + 1} more"
    # Matplotlib leaves out labels that begin with an underscore, so they get their texts later.
    legend = panel.legend(handles[: len(shown)], ["name"] * len(shown))
    for text, name in zip(legend.get_texts(), shown, strict=True):
        text.set(text=name, **LITERAL)


def rows_of(given: object) -> Any:
    """Data with a first axis as an array, also of a tuple. Raises DTypeError for what is no data."""
    return as_data(list(cast("tuple[object, ...]", given)) if isinstance(given, tuple) else given)


def drawable(values: Any) -> Any:
    """Numbers as float64, with NaN, which is not drawn, for those that are not finite or beyond 1e300."""
    with np.errstate(all="ignore"):  # long doubles overflow
        numbers = np.asarray(values, np.float64)
        return np.where(np.abs(numbers) <= LARGEST, numbers, np.nan)
