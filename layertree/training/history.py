"""The result of fit: a record for each epoch, and the sequence of all records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from layertree.text.rows import Rows
from layertree.text.table import elided, fitted

_LONGEST = 20
"""How many epochs a table shows; a longer one shows the first and the last of them."""
_NARROWEST = 10
"""The width of the widest number; no name is shortened below this width."""


@attrs.frozen
class Epoch:
    """One pass over the data. The means are over all rows; the comparison of two epochs ignores their duration.

    ``loss`` and ``metrics`` are means over batches, each evaluated before the step on the batch; ``validation_loss``
    and ``validation_metrics`` are evaluated at the end of the epoch, in inference mode.
    """

    number: int
    loss: float
    metrics: Mapping[str, float] = attrs.field(factory=dict[str, float])
    validation_loss: float | None = None
    validation_metrics: Mapping[str, float] = attrs.field(factory=dict[str, float])
    seconds: float = attrs.field(default=0.0, eq=False)

    def numbers(self) -> dict[str, float]:
        """All means by the name that tables and progress lines give them."""
        found = {"loss": self.loss, **self.metrics}
        if self.validation_loss is not None:
            found["validation loss"] = self.validation_loss
        return found | {f"validation {name}": value for name, value in self.validation_metrics.items()}


@attrs.frozen(repr=False)
class History(Rows[Epoch]):
    """The epochs of a training run, in order; also by column. Its ``repr`` is a table no wider than the terminal.

    >>> history = History((Epoch(1, 0.5, {"accuracy": 0.75}), Epoch(2, 0.25, {"accuracy": 1.0})))
    >>> history.losses, history.metrics["accuracy"], history[-1].number
    ([0.5, 0.25], [0.75, 1.0], 2)
    >>> history
    epoch    loss  accuracy  seconds
        1  0.5000    0.7500      0.0
        2  0.2500    1.0000      0.0
    """

    @property
    def epochs(self) -> tuple[Epoch, ...]:
        """The records, one an epoch."""
        return self.rows

    @property
    def losses(self) -> list[float]:
        """The loss of each epoch."""
        return [epoch.loss for epoch in self.epochs]

    @property
    def metrics(self) -> dict[str, list[float]]:
        """Each metric by name, epoch by epoch."""
        return _columns([epoch.metrics for epoch in self.epochs])

    @property
    def validation_losses(self) -> list[float]:
        """The loss on the validation data after each epoch; empty without such data."""
        return [epoch.validation_loss for epoch in self.epochs if epoch.validation_loss is not None]

    @property
    def validation_metrics(self) -> dict[str, list[float]]:
        """Each metric on the validation data by name, epoch by epoch; empty without such data."""
        return _columns([epoch.validation_metrics for epoch in self.epochs])

    def curves(self) -> dict[str, list[float]]:
        """All means by name, epoch by epoch."""
        return _columns([epoch.numbers() for epoch in self.epochs])

    def table(self, width: int) -> str:
        """The table for a terminal of some columns.

        A narrow table has names in several lines, and leaves out the seconds first, then metrics of the training data.
        """
        if not self.epochs:
            return "History of no epochs"
        names = ["epoch", *self.epochs[0].numbers(), "seconds"]
        rows = elided(self.epochs, _LONGEST, _cells, ["..."] * len(names))
        sides = "r" * len(names)
        whole = fitted([names, *rows], sides, width, {})
        if max(map(len, whole.splitlines())) <= width:
            return whole
        metrics = range(2, 2 + len(self.epochs[0].metrics))
        least = dict.fromkeys(range(1, len(names) - 1), _NARROWEST)
        table = fitted([*_stacked(names), *rows], sides, width, least, [len(names) - 1, *reversed(metrics)])
        return table.lstrip("\n")  # a head line may have names of omitted columns alone


def _cells(epoch: Epoch) -> list[str]:
    return [str(epoch.number), *map(number_text, epoch.numbers().values()), f"{epoch.seconds:.1f}"]


def _stacked(names: Sequence[str]) -> list[list[str]]:
    """Names in several lines, one word in each, aligned at the bottom."""
    words = [name.split() or [""] for name in names]
    height = max(map(len, words))
    filled = [[""] * (height - len(one)) + one for one in words]
    return [list(line) for line in zip(*filled, strict=True)]


def _columns(records: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    names = records[0] if records else ()
    return {name: [record[name] for record in records] for name in names}


def number_text(value: float) -> str:
    """A number with about six characters.

    >>> number_text(0.12345), number_text(0.0), number_text(123456.7), number_text(1e-7)
    ('0.1235', '0.0000', '1.235e+05', '1.000e-07')
    """
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e4 else f"{value:.3e}"
