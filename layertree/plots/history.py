"""The losses and metrics of a training run, epoch by epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree.plots._arguments import required_history
from layertree.plots._matplotlib import COLORS, add_legend, axes_or_new, drawable
from layertree.training.history import History

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["history"]


def history(record: History, ax: Axes | None = None) -> Axes:
    """The losses and metrics of a run by epoch, those of the validation data as dashed lines in the same colour.

    Returns the axes, new ones unless ``ax`` is given. Raises TypeError for anything but a History,
    ValueError for a record of no epochs, and ModuleNotFoundError without matplotlib.

    >>> from layertree.plots import history
    >>> from layertree.training.history import Epoch, History
    >>> ax = history(History((Epoch(1, 0.5), Epoch(2, 0.25))))
    >>> ax.get_lines()[0].get_ydata().tolist()
    [0.5, 0.25]
    """
    record = required_history(record, "history")
    if not record.epochs:
        raise ValueError("history: the record has no epochs: fit(...) gives one of one epoch or more")
    shown = axes_or_new(ax, "history")
    numbers = [epoch.number for epoch in record.epochs]
    trained = {"loss": record.losses, **record.metrics}
    validated = {"loss": record.validation_losses, **record.validation_metrics}
    lines: list[tuple[str, Any]] = []
    for place, (name, values) in enumerate(trained.items()):
        style: dict[str, Any] = {"color": COLORS[place % len(COLORS)], "marker": "."}
        lines.append((name, shown.plot(numbers, drawable(values), **style)[0]))
        held_out = validated.get(name)
        if held_out:
            line = shown.plot(numbers, drawable(held_out), linestyle="--", **style)[0]
            lines.append((f"validation {name}", line))
    shown.set_xlabel("epoch")
    shown.set_ylabel("mean over the rows")
    shown.locator_params(axis="x", integer=True)
    add_legend(shown, [line for _, line in lines], [name for name, _ in lines])
    return shown  # type: ignore[no-any-return]  # Axes
