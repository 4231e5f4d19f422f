"""fit: the loop that takes a formula over its data, batch by batch."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from layertree.core.attribute import Rule
from layertree.core.dynamic import is_a
from layertree.core.errors import IndexRangeError
from layertree.core.layer import Layer
from layertree.core.tape import Tape
from layertree.training.history import Epoch, History
from layertree.training.progress import Progress
from layertree.training.rows import Rows
from layertree.training.watched import Means, Watched
from layertree.updates.optimizers import Optimizer

__all__ = ["Epoch", "History", "fit"]

X = TypeVar("X")


def fit(
    objective: Layer[Tape[X, Any], Tape[Any, Any]],
    data: X,
    *,
    optimizer: Optimizer | None = None,
    epochs: int = 1,
    batch_size: int = 32,
    seed: int = 0,
    validation: X | None = None,
    metrics: Mapping[str, Layer[Tape[X, Any], Tape[Any, Any]]] | None = None,
    progress: bool = False,
) -> History:
    """Train the weights of an objective on data, and report each epoch.

    ``objective`` is one formula over a batch whose value is one number, ``cross_entropy(model(images), labels)``, or
    the pair (sum, count), whose quotient is then the loss. ``data`` is what it takes, with all rows along the first
    axis: an array, or a tuple of arrays. A batch is one forward run of objective and metrics together, which share
    what they have in common, and one step by the objective's deltas; the last batch of an epoch may be short.

    ``optimizer`` serves the weights that have none of their own. Epoch ``n``, counted from 1, takes the rows in the
    order ``np.random.default_rng([seed, n]).permutation(rows)``, so that one seed gives the same bits. After each
    epoch objective and ``metrics`` run on ``validation``, in inference mode. All means are weighted by batch size.
    ``progress`` shows a line on the standard error.

    Bad input is an error (TypeError or ValueError) before anything runs. If a step raises, or is interrupted, the
    weights are those after the last whole step. A label or an index out of range is an IndexRangeError that names the
    row of the data. The first epoch whose mean loss is not finite is a RuntimeWarning, and training goes on.

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
    rows, held = Rows(data, "data"), None if validation is None else Rows(validation, "validation")
    watched = Watched(objective, {} if metrics is None else metrics)
    for given in (rows, held) if held is not None else (rows,):
        for sample in given.samples(batch_size):
            watched.check(sample, given.name)

    done: list[Epoch] = []
    with Progress(sys.stderr if progress else None, epochs, -(-len(rows) // batch_size)) as shown:
        for number in range(1, epochs + 1):
            started = perf_counter()
            order = np.random.default_rng([seed, number]).permutation(len(rows))
            trained = _trained(watched, rows, rows.orders(batch_size, order), optimizer, shown)
            validated = _validated(watched, held, held.orders(batch_size)) if held is not None else {}
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


def _trained(watched: Watched, rows: Rows, orders: Iterable[Any], optimizer: Any, shown: Progress) -> dict[str, float]:
    """One step for each batch; the means."""
    means = Means(watched.names)
    for chosen in orders:
        batch = rows.take(chosen)
        try:
            values = watched.step(batch, optimizer)
        except IndexRangeError as error:
            raise rows.named(error, chosen, watched.forward) from error
        means.add(values, batch)
        shown.batch(means.by_name())
    return means.by_name()


def _validated(watched: Watched, rows: Rows, orders: Iterable[Any]) -> dict[str, float]:
    """The means in inference mode."""
    means = Means(watched.names)
    for chosen in orders:
        batch = rows.take(chosen)
        try:
            values = watched.predict(batch)
        except IndexRangeError as error:
            raise rows.named(error, chosen, watched.predict) from error
        means.add(values, batch)
    return means.by_name()


def _not_finite(epoch: Epoch) -> str:
    return (
        f"fit: the mean loss of epoch {epoch.number} is {epoch.loss}: try a smaller rate; a step of "
        "compile(objective, train=True, check_finite=True) names the first layer that makes a NaN or an infinity"
    )
