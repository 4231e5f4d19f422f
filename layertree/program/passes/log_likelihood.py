"""Log-likelihoods of labels: where only labels pick from log-probabilities, these are computed for the labels alone.

LogSoftmax gives z - log(s) for shifted logits z, where s = sum(exp(z)). The labels pick from z instead, and log(s) is
subtracted from what they pick. The probabilities in the gradient are exp(z) / s, and exp(z) exists already. The mask of
the gradient excludes rows without a possible class, whose sum of probabilities is 0. Their exp(z) are 0 anyway, so only
the elements at the labels need a mask, and the sum of exp(z) tells these rows, too.

The rules, for p = z - log(s), where z has a user exp(z), and p has no users but those on the left sides:

    pick(p, labels)                                    ->  pick(z, labels) - log(s)
    -pick(p, labels)                                   ->  log(s) - pick(z, labels)
    exp(p)                                             ->  exp(z) / s
    where(sum(exp(p)) != 0, unpick(a, labels) - c * exp(p), 0)
                                                       ->  exp(z) * (-c / s) + unpick(a * (s != 0), labels)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.spec import WEAK, ArraySpec
from layertree.layers.probability import LogSoftmax
from layertree.program.ir.operations import Graph, Op, remapped, rewritten, users_of
from layertree.program.passes.dead_code import without_dead_code


def with_labels_picked_first(graph: Graph) -> Graph:
    """The graph without log-probabilities where labels alone pick from them. Input and result have no dead code."""
    values = [op for op in graph.ops if _is_log_softmax(op)]
    if not values:
        return graph
    users, results = users_of(graph), set(graph.results())
    replaced: dict[Op, list[Op]] = {}
    for value in values:
        if value not in results:
            _Rewriting(value, users, results, replaced).run()
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for op in graph.ops:
        written = [remapped(one, made) for one in replaced.get(op, [op])]
        if op in replaced:
            made[op] = written[-1]
        ops.extend(written)
    return without_dead_code(rewritten(graph, ops, made, ())[0])


def _is_log_softmax(op: Op) -> bool:
    """Whether an operation is the last one of a LogSoftmax: z - log(maximum(s, 1))."""
    if op.name != "subtract" or type_of(op.layer) is not LogSoftmax:
        return False
    log = op.inputs[1]
    return log.name == "log" and log.layer is op.layer and log.inputs[0].name == "maximum"


class _MaskedGradient(NamedTuple):
    """The operands of ``where(sum(p) != 0, unpick(shift, labels) - factor * p, 0)``, where p = exp(z - log(s))."""

    where: Op
    shift: Op
    labels: Op
    factor: float


class _Rewriting:
    """The rewriting of all users of one LogSoftmax.

    ``replaced`` maps an op to the ops in its place, over operands of the old graph; the last one gives its value.
    """

    def __init__(self, value: Op, users: dict[Op, list[Op]], results: set[Op], replaced: dict[Op, list[Op]]) -> None:
        self.users = users
        self.results = results
        self.replaced = replaced
        self.users_of_value = users[value]
        self.shifted, self.log = value.inputs
        self.total = self.log.inputs[0]
        self.exps = [op for op in users[self.shifted] if op.name == "exp"]
        self.picks = {op.inputs[1]: op for op in self.users_of_value if op.name == "pick" and op.is_array}
        self.probabilities = [op for op in self.users_of_value if op.name == "exp"]

    def run(self) -> None:
        """Rewrite all users, or none of them."""
        if len(self.picks) + len(self.probabilities) < len(self.users_of_value) or not self.exps:
            return
        sums = [op for one in self.probabilities for op in self.users[one] if op.name in ("sum", "sum_of_last")]
        masked = [one for one in map(self._masked_gradient, sums) if one is not None]
        picked = {labels: self._pick(op) for labels, op in self.picks.items()}
        for op in self.probabilities:
            self.replaced[op] = [Op("divide", (self.exps[0], self.total), {}, op.spec, op.layer)]
        for one in masked:
            self._without_mask(one, picked[one.labels])

    def _pick(self, op: Op) -> Op:
        """Pick, then subtract the logarithm; a negative of the result becomes the reverse difference."""
        pick = Op("pick", (self.shifted, op.inputs[1]), {}, op.spec, op.layer)
        log = Op("reshape", (self.log,), {"shape": op.shape}, op.spec, op.layer)
        self.replaced[op] = [pick, log, Op("subtract", (pick, log), {}, op.spec, op.layer)]
        for user in self.users[op]:
            if user.name == "negative":
                self.replaced[user] = [Op("subtract", (log, pick), {}, user.spec, user.layer)]
        return pick

    def _masked_gradient(self, sum: Op) -> _MaskedGradient | None:
        """The gradient that a mask by a sum of probabilities belongs to; None where its operations have another form.

        The sum is masked by the sum of exp(z), which is 0 for the same rows, if both are over the same axis.
        """
        kept = self._only_user(sum, "reshape") or sum
        mask = self._only_user(kept, "not_equal")
        where = None if mask is None else self._only_user(mask, "where")
        if mask is None or where is None or where.inputs[0] is not mask or mask.inputs[1].number != 0:
            return None
        if mask.shape != self.total.shape:
            return None
        _, difference, otherwise = where.inputs
        if otherwise.number != 0 or difference.name != "subtract" or self._only_user(difference, "where") is not where:
            return None
        unpick, product = difference.inputs
        if unpick.name != "unpick" or product.name != "multiply" or unpick.inputs[1] not in self.picks:
            return None
        shift, factor = unpick.inputs[0].number, product.inputs[0].number
        if product.inputs[1] not in self.probabilities or shift is None or factor is None:
            return None
        is_alike = unpick.spec == product.spec == where.spec
        if not is_alike or not np.isfinite([float(shift), float(factor)]).all():
            return None
        return _MaskedGradient(where, unpick.inputs[0], unpick.inputs[1], float(factor))

    def _only_user(self, op: Op, name: str) -> Op | None:
        """The only user of an operation, if it has that name; None for several users, or an output of the graph."""
        users = self.users[op]
        is_own = len(users) == 1 and op not in self.results
        return users[0] if is_own and users[0].name == name else None

    def _without_mask(self, masked: _MaskedGradient, pick: Op) -> None:
        """Rewrite to exp(z) * (-factor / s) + unpick(shift * (sum(exp(z)) != 0), labels)."""
        where, shift, labels, factor = masked
        layer = where.layer
        zero, negative = _constant(0.0), _constant(-factor)
        sums = self.total.inputs[0]  # s without the maximum with 1
        if sums.name == "reshape" and sums.inputs[0].shape == pick.shape:
            sums = sums.inputs[0]
        rows = Op("reshape", (sums,), {"shape": pick.shape}, pick.spec, layer)
        seen = Op("not_equal", (rows, zero), {}, ArraySpec(pick.shape, np.bool_), layer)
        kept = Op("multiply", (shift, seen), {}, shift.spec, layer)
        at = Op("unpick", (kept, labels), {"shape": where.shape}, where.spec, layer)
        share = Op("divide", (negative, self.total), {}, self.total.spec, layer)
        product = Op("multiply", (self.exps[0], share), {}, where.spec, layer)
        total = Op("add", (product, at), {}, where.spec, layer)
        self.replaced[where] = [zero, negative, rows, seen, kept, at, share, product, total]


def _constant(value: float) -> Op:
    return Op("constant", (), {"data": value}, WEAK[float])
