"""What a training run computes for each batch, the objective and the metrics, and the means over batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from layertree.core.data import described
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.layer import Layer
from layertree.core.objective import require_float, require_number
from layertree.core.spec import spec_of
from layertree.layers.structure import Tuple
from layertree.namespaces.spec import infer_spec


class Watched:
    """The objective and the metrics as one formula of a tuple: one run computes all, and what they share once."""

    def __init__(self, objective: Any, metrics: Mapping[str, Any]) -> None:
        if not is_a(metrics, Mapping):
            raise TypeError(f"fit: metrics is {described(metrics)}, but a dict from names to formulas is wanted")
        for name in metrics:
            if not is_a(name, str) or name == "loss":
                raise ValueError(f"fit: {name!r} is no name for a metric: give a string other than 'loss'")
        self.names = ("loss", *metrics)
        self._given = {"the objective": objective} | {f"the metric {name!r}": metrics[name] for name in metrics}
        for role, given in self._given.items():
            if not is_a(given, Layer):
                raise TypeError(f"fit: {role} is {described(given)}, but a formula is wanted")
        self._formulas: Any = Tuple(tuple(self._given.values()))

    def check(self, batch: Any, name: str) -> None:
        """Raise unless a batch of some data fits each formula, and each gives a number for it."""
        for role, given in self._given.items():
            try:
                given.check_input(batch)
            except (ShapeError, DTypeError) as error:
                raise type(error)(f"fit: {name} does not fit {role}: {error}") from None
        specs = infer_spec(self._formulas, spec_of(batch))
        for (role, given), spec in zip(self._given.items(), specs, strict=True):
            require_number(f"fit: {role}", given, spec, or_pair=True)
        require_float("fit: the objective", self._given["the objective"], specs[0])

    def step(self, batch: Any, optimizer: Any) -> Sequence[Any]:
        """One step of the weights on a batch; the values before it."""
        with self._formulas.forward(batch) as tape:
            values: Sequence[Any] = tape.value
            if not tape.upstream[0].is_trainable:
                raise ValueError("fit: no weight matters to the objective, so there is nothing to train")
            tape.upstream[0].backward(_delta(values[0]), optimizer=optimizer)
            return values

    def forward(self, batch: Any) -> None:
        """Run on a batch for the errors it may raise; nothing changes."""
        self._formulas.forward(batch).close()

    def predict(self, batch: Any) -> Sequence[Any]:
        """The values on a batch in inference mode."""
        values: Sequence[Any] = self._formulas.predict(batch)
        return values


class Means:
    """Means over batches: of numbers weighted by the length of the batch, of pairs (sum, count) by their counts."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._totals = [0.0] * len(names)
        self._counts = [0.0] * len(names)

    def add(self, values: Sequence[Any], batch: Any) -> None:
        """Take in what a batch gave."""
        length = len(batch[0]) if is_a(batch, tuple) else len(batch)
        for i, value in enumerate(values):
            total, count = value if is_a(value, tuple) else (float(value) * length, length)
            self._totals[i] += float(total)
            self._counts[i] += float(count)

    def by_name(self) -> dict[str, float]:
        """The means so far; 0 where nothing counted."""
        return {
            name: total / count if count else 0.0
            for name, total, count in zip(self._names, self._totals, self._counts, strict=True)
        }


def _delta(value: Any) -> Any:
    """The delta of the objective; of a pair that of its quotient, with the count as a constant."""
    return (1.0 / max(float(value[1]), 1.0), None) if is_a(value, tuple) else None
