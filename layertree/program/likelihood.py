"""Log-probabilities that labels pick: where nothing else is read of them, they are computed for the labels alone.

LogSoftmax gives z - log(s) of shifted logits z, where s = sum(exp(z)). Labels pick from z, and log(s) is subtracted
then. The probabilities that the gradient reads are exp(z) / s, of which exp(z) is there already. Its mask keeps
logits of -inf out; their probabilities are 0, so what is left to mask is what labels pick.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.spec import WEAK, ArraySpec
from layertree.layers.probability import LogSoftmax
from layertree.program._ops import Graph, Op, readers_of
from layertree.program.dead import without_dead

_MINUS_INFINITY = -float("inf")


def picked_first(graph: Graph) -> Graph:
    """The graph, in which operations that read log-probabilities do without. It has no dead code, before and after."""
    values = [op for op in graph.ops if _is_log_softmax(op)]
    if not values:
        return graph
    readers, results = readers_of(graph), set(graph.results())
    before: dict[Op, list[Op]] = {}
    for value in values:
        if value not in results:
            _Rewriting(value, readers, results, before).run()
    ops = [one for op in graph.ops for one in (*before.get(op, ()), op)]
    return without_dead(Graph(ops, graph.source, graph.outputs))


def _is_log_softmax(op: Op) -> bool:
    """Whether an operation is the last one of a LogSoftmax: z - log(maximum(s, 1))."""
    if op.name != "subtract" or type_of(op.layer) is not LogSoftmax:
        return False
    log = op.inputs[1]
    return log.name == "log" and log.layer is op.layer and log.inputs[0].name == "maximum"


class _Masked(NamedTuple):
    """What becomes of ``where(z - log(s) != -inf, unpick(shift, labels) - factor * exp(z - log(s)), 0)``."""

    where: Op
    shift: Op
    labels: Op
    factor: float


class _Rewriting:
    """What reads the value of one LogSoftmax."""

    def __init__(self, value: Op, readers: dict[Op, list[Op]], results: set[Op], before: dict[Op, list[Op]]) -> None:
        self.readers = readers
        self.results = results
        self.before = before
        """New operations, by the one that they stand in front of."""
        self.read_by = readers[value]
        self.shifted, self.log = value.inputs
        self.total = self.log.inputs[0]
        self.exps = [op for op in readers[self.shifted] if op.name == "exp"]
        self.picks = {op.inputs[1]: op for op in self.read_by if op.name == "pick" and op.is_array}
        self.probabilities = [op for op in self.read_by if op.name == "exp"]

    def run(self) -> None:
        """Change all of them, or none."""
        found = [self._masked(op) for op in self.read_by if op.name == "not_equal"]
        masked = [one for one in found if one is not None]
        if len(self.picks) + len(self.probabilities) + len(masked) < len(self.read_by) or not self.exps:
            return
        picked = {labels: self._pick(op) for labels, op in self.picks.items()}
        for op in self.probabilities:
            op.name, op.inputs = "divide", (self.exps[0], self.total)
        for one in masked:
            self._unmask(one, picked[one.labels])

    def _pick(self, op: Op) -> Op:
        """Pick first, then subtract the logarithm; where the negative is read, from it."""
        pick = Op("pick", (self.shifted, op.inputs[1]), {}, op.spec, op.layer)
        log = Op("reshape", (self.log,), {"shape": op.spec.shape}, op.spec, op.layer)
        self.before[op] = [pick, log]
        op.name, op.inputs = "subtract", (pick, log)
        for reader in self.readers[op]:
            if reader.name == "negative":
                reader.name, reader.inputs = "subtract", (log, pick)
        return pick

    def _masked(self, mask: Op) -> _Masked | None:
        where = self._reader(mask, "where")
        if where is None or where.inputs[0] is not mask or mask.inputs[1].number != _MINUS_INFINITY:
            return None
        _, difference, otherwise = where.inputs
        if otherwise.number != 0 or difference.name != "subtract" or self._reader(difference, "where") is not where:
            return None
        unpick, product = difference.inputs
        if unpick.name != "unpick" or product.name != "multiply" or unpick.inputs[1] not in self.picks:
            return None
        shift, factor = unpick.inputs[0].number, product.inputs[0].number
        if product.inputs[1] not in self.probabilities or shift is None or factor is None:
            return None
        is_alike = unpick.spec == product.spec == where.spec
        if not is_alike or not np.isfinite([shift, factor]).all():
            return None
        return _Masked(where, unpick.inputs[0], unpick.inputs[1], factor)

    def _reader(self, op: Op, name: str) -> Op | None:
        """What alone reads an operation, if it has a certain name."""
        readers = self.readers[op]
        is_own = len(readers) == 1 and op not in self.results
        return readers[0] if is_own and readers[0].name == name else None

    def _unmask(self, masked: _Masked, pick: Op) -> None:
        """exp(z) * (-factor / s) + unpick(shift * (pick != -inf), labels)."""
        where, shift, labels, factor = masked
        layer = where.layer
        infinity, negative = _constant(_MINUS_INFINITY), _constant(-factor)
        seen = Op("not_equal", (pick, infinity), {}, ArraySpec(pick.spec.shape, np.bool_), layer)
        kept = Op("multiply", (shift, seen), {}, shift.spec, layer)
        at = Op("unpick", (kept, labels), {"shape": where.spec.shape}, where.spec, layer)
        share = Op("divide", (negative, self.total), {}, self.total.spec, layer)
        product = Op("multiply", (self.exps[0], share), {}, where.spec, layer)
        self.before[where] = [infinity, negative, seen, kept, at, share, product]
        where.name, where.inputs = "add", (product, at)


def _constant(value: float) -> Op:
    return Op("constant", (), {"data": value}, WEAK[float])
