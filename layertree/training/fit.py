"""fit: minibatch training of the weights of an objective."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

import numpy as np

from layertree.core.attribute import Rule
from layertree.core.dynamic import is_a
from layertree.core.errors import IndexRangeError
from layertree.core.layer import Layer
from layertree.core.tape import Tape
from layertree.training.batches import BatchSource, RowNumbers
from layertree.training.evaluation import Evaluation, Means
from layertree.training.history import Epoch, History
from layertree.training.progress import Progress
from layertree.updates.optimizers import Optimizer

__all__ = ["Epoch", "History", "fit"]

X = TypeVar("X")

Objective: TypeAlias = Layer[Tape[X, Any], Tape[Any, Any]]
"""A formula over a batch whose value is one number, or a pair (sum, count)."""


def fit(
    objective: Objective[X],
    data: X,
    *,
    optimizer: Optimizer | None = None,
    epochs: int = 1,
    batch_size: int = 32,
    seed: int = 0,
    validation: X | None = None,
    metrics: Mapping[str, Objective[X]] | None = None,
    progress: bool = False,
) -> History:
    """Train the weights of an objective on data by minibatches, and record each epoch.

    ``objective`` is one formula over a batch whose value is one number, ``cross_entropy(model(images), labels)``, or
    the pair (sum, count), whose quotient is then the loss. ``data`` is the input of the objective with all rows along
    the first axis: an array, or a tuple of arrays. For each batch objective and metrics run forward together, with
    common sub-formulas evaluated once, and the weights take one step by the gradient of the objective; the last batch
    of an epoch may be short.

    ``optimizer`` is that of the weights without an optimizer of their own. Epoch ``n``, counted from 1, visits the rows
    in the order ``np.random.default_rng([seed, n]).permutation(rows)``, so one seed gives the same bits. After each
    epoch objective and ``metrics`` run on ``validation``, in inference mode. All means are weighted by batch size.
    ``progress`` shows a progress line on the standard error.

    Invalid input is an error (TypeError or ValueError) before the first step. If a step raises, or is interrupted, the
    weights are those after the last complete step. A label or an index out of range is an IndexRangeError with the
    number of the row. The first epoch whose mean loss is not finite is a RuntimeWarning, and training continues.

    >>> import numpy as np
    >>> from layertree import SGD
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import mean_squared_error, placeholder, weight
    >>> x, y = placeholder((ArraySpec("Batch"), ArraySpec("Batch")))
    >>> slope = weight(0.0)
    >>> points = np.linspace(0.0, 1.0, 50)
    >>> history = fit(mean_squared_error(x * slope, y), (points, 3.0 * points), optimizer=SGD(0.5), epochs=20)
    >>> round(slope.value, 3), len(history)
    (3.0, 20)
    """
    epochs = Rule(0, None, None).conform(epochs, int, "fit: epochs")
    batch_size = Rule(1, None, None).conform(batch_size, int, "fit: batch_size")
    seed = Rule(0, None, None).conform(seed, int, "fit: seed")
    if optimizer is not None and not is_a(optimizer, Optimizer):
        raise TypeError(f"fit: optimizer = {optimizer!r} is not allowed: give an Optimizer such as Adam(0.001)")
    rows = BatchSource(data, "data")
    held = None if validation is None else BatchSource(validation, "validation")
    evaluation = Evaluation(objective, {} if metrics is None else metrics)
    for given in (rows, held) if held is not None else (rows,):
        for sample in given.samples(batch_size):
            evaluation.check(sample, given.name)

    done: list[Epoch] = []
    with Progress(sys.stderr if progress else None, epochs, -(-len(rows) // batch_size)) as shown:
        for number in range(1, epochs + 1):
            started = perf_counter()
            order = np.random.default_rng([seed, number]).permutation(len(rows))
            trained = _trained(evaluation, rows, rows.batches(batch_size, order), optimizer, shown)
            validated = _validated(evaluation, held, held.batches(batch_size)) if held is not None else {}
            record = Epoch(
                number,
                trained.pop("loss"),
                trained,
                validated.pop("loss", None),
                validated,
                perf_counter() - started,
            )
            done.append(record)
            shown.epoch(record)
            if not math.isfinite(record.loss) and all(math.isfinite(one.loss) for one in done[:-1]):
                shown.end_line()
                warnings.warn(_not_finite(record), RuntimeWarning, stacklevel=2)
    return History(tuple(done))


def _trained(
    evaluation: Evaluation,
    rows: BatchSource,
    batches: Iterable[RowNumbers],
    optimizer: Optimizer | None,
    shown: Progress,
) -> dict[str, float]:
    """One step for each batch; the means over the epoch."""
    means = Means(evaluation.names)
    for chosen in batches:
        batch = rows.take(chosen)
        try:
            values = evaluation.step(batch, optimizer)
        except IndexRangeError as error:
            raise rows.named(error, chosen, evaluation.forward) from error
        means.add(values, batch)
        shown.batch(means.by_name())
    return means.by_name()


def _validated(evaluation: Evaluation, rows: BatchSource, batches: Iterable[RowNumbers]) -> dict[str, float]:
    """The means over some data in inference mode."""
    means = Means(evaluation.names)
    for chosen in batches:
        batch = rows.take(chosen)
        try:
            values = evaluation.predict(batch)
        except IndexRangeError as error:
            raise rows.named(error, chosen, evaluation.predict) from error
        means.add(values, batch)
    return means.by_name()


def _not_finite(epoch: Epoch) -> str:
    return (
        f"fit: the mean loss of epoch {epoch.number} is {epoch.loss}: try a smaller rate; a step of "
        "compile(objective, train=True, check_finite=True) names the first layer that makes a NaN or an infinity"
    )
