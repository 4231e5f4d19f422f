"""Evaluation of objective and metrics on a batch, and the means of their values over batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from layertree.core.data import described
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.layer import AnyLayer, Layer
from layertree.core.objective import require_float, require_number
from layertree.core.spec import spec_of
from layertree.layers.structure import Tuple
from layertree.namespaces.spec import infer_spec
from layertree.training.batches import Batch
from layertree.updates.optimizers import Optimizer

Number: TypeAlias = float | np.generic
"""The value of an objective or a metric, if it is no pair."""

Pair: TypeAlias = tuple[Number, Number]
"""A sum and a count, whose quotient is the value."""

Values: TypeAlias = Sequence[Number | Pair]
"""The values of the objective and of each metric on one batch."""


class Evaluation:
    """The objective and the metrics as one formula of a tuple: common sub-formulas are evaluated once."""

    names: tuple[str, ...]

    def __init__(self, objective: AnyLayer, metrics: Mapping[str, AnyLayer]) -> None:
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
        self._formulas: AnyLayer = Tuple(tuple(self._given.values()))

    def check(self, batch: Batch, name: str) -> None:
        """Raise unless a batch fits the input of each formula, and the value of each formula is a number."""
        for role, given in self._given.items():
            try:
                given.check_input(batch)
            except (ShapeError, DTypeError) as error:
                raise type(error)(f"fit: {name} does not fit {role}: {error}") from None
        specs = infer_spec(self._formulas, spec_of(batch))
        for (role, given), spec in zip(self._given.items(), specs, strict=True):
            require_number(f"fit: {role}", given, spec, or_pair=True)
        require_float("fit: the objective", self._given["the objective"], specs[0])

    def step(self, batch: Batch, optimizer: Optimizer | None) -> Values:
        """One step of the weights on a batch; the values before the step."""
        with self._formulas.forward(batch) as tape:
            values: Values = tape.value
            if not tape.upstream[0].is_trainable:
                raise ValueError("fit: no weight matters to the objective, so there is nothing to train")
            tape.upstream[0].backward(_delta(values[0]), optimizer=optimizer)
            return values

    def forward(self, batch: Batch) -> None:
        """Run forward on a batch for its errors alone; nothing changes."""
        self._formulas.forward(batch).close()

    def predict(self, batch: Batch) -> Values:
        """The values on a batch in inference mode."""
        values: Values = self._formulas.predict(batch)
        return values


class Means:
    """Means over batches: of numbers, weighted by batch size; of pairs (sum, count), weighted by count."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._totals = [0.0] * len(names)
        self._counts = [0.0] * len(names)

    def add(self, values: Values, batch: Batch) -> None:
        """Add the values on one batch."""
        length = len(batch[0]) if isinstance(batch, tuple) else len(batch)
        for i, value in enumerate(values):
            total, count = value if isinstance(value, tuple) else (float(value) * length, length)
            self._totals[i] += float(total)
            self._counts[i] += float(count)

    def by_name(self) -> dict[str, float]:
        """The means of all batches so far; 0 where the counts are 0."""
        return {
            name: total / count if count else 0.0
            for name, total, count in zip(self._names, self._totals, self._counts, strict=True)
        }


def _delta(value: Number | Pair) -> tuple[float, None] | None:
    """The delta of the objective: 1 for a number, for a pair that of its quotient with the count as a constant."""
    return (1.0 / max(float(value[1]), 1.0), None) if isinstance(value, tuple) else None
