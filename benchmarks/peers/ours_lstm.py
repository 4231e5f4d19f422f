"""The LSTM, its steps unrolled, as a formula of ``symbolic``."""

from __future__ import annotations

from typing import Any

import layertree
import symbolic as sy
from benchmarks.peers import Case, loss
from benchmarks.problems import ADAM_BETAS, ADAM_EPSILON, ADAM_RATE, Recurrent
from layertree import Adam
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

__all__ = ["lstm"]


def lstm(problem: Recurrent) -> Case:
    """The workload."""
    spec = ArraySpec(problem.tokens.shape, problem.tokens.dtype)
    tokens, targets = placeholder((spec, spec))
    hidden = _hidden(tokens, problem)
    logits = sy.dense(hidden, problem.head.shape[1], kernel=lambda *shape, dtype: problem.head)
    optimizer = Adam(rate=ADAM_RATE, beta1=ADAM_BETAS[0], beta2=ADAM_BETAS[1], epsilon=ADAM_EPSILON)
    step = layertree.compile(sy.cross_entropy(logits, sy.matrix_transpose(targets)), train=True, optimizer=optimizer)
    batch = problem.tokens, problem.targets
    return Case(lambda: step(batch), loss)


def _hidden(tokens: Any, problem: Recurrent) -> Any:
    """The hidden values of all steps, (steps, batch, units); both states start at 0."""
    steps = problem.tokens.shape[1]
    given = sy.take(weight(problem.inputs), sy.matrix_transpose(tokens)) + weight(problem.bias)
    recurrent = weight(problem.recurrent)
    units = problem.recurrent.shape[0]
    hidden: Any = None
    cell: Any = None
    found = []
    for step in range(steps):
        gates = given[step] if hidden is None else given[step] + hidden @ recurrent
        into, keep, candidate, out = [gates[:, i * units : (i + 1) * units] for i in range(4)]
        fresh = sy.sigmoid(into) * sy.tanh(candidate)
        cell = fresh if cell is None else sy.sigmoid(keep) * cell + fresh
        hidden = sy.sigmoid(out) * sy.tanh(cell)
        found.append(hidden)
    return sy.stack(found)
