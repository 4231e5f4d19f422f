"""The formulas of a training step: the value, and for the cells it changes their next values and rule states."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree._record import record
from layertree.core.deltas import seed
from layertree.core.nested import mapped
from layertree.layers import layer_of
from layertree.program.rules import simplified
from layertree.program.told import told
from layertree.program.updates import Update, descent, grouped, rule_of, update_of
from layertree.rewrite.reverse_mode import Forward
from layertree.sweep.plan import nodes_of
from layertree.updates.optimizers import SGD


@record(eq=False)
class Step:
    """A training step as formulas of one input. ``states`` says what each variable in them stands for."""

    value: Any
    updates: tuple[Update, ...]
    states: dict[Any, Any]

    def root(self) -> Any:
        """All of it as one tuple formula: the value, then what each update makes."""
        parts = [self.value]
        for update in self.updates:
            parts.extend(update.made)
        return layer_of("tuple")(tuple(parts))


def training_step(layer: Any, spec: Any, optimizer: Any = None, *, flat: bool = True) -> Step:
    """The step of an objective, each cell by its rule; with ``flat`` alike weights are updated as one array.

    Raises DTypeError for a counter or an average inside of a branch.
    """
    root = simplified(layer, spec)
    forward = Forward(root, spec)
    _require_number(forward.spec)
    rate = _common_rate(root, optimizer)
    found = [(leaf, delta) for leaf, delta in forward.derivatives(rate).items() if leaf.__control__ == "cell"]
    states: dict[Any, Any] = {}
    if rate is not None:
        updates = [descent(leaf, delta, optimizer) for leaf, delta in found]
    else:
        updates = grouped(found, optimizer, states, flat=flat)
    for leaf, contributions in told(root, spec).items():
        updates.append(update_of([leaf], contributions, optimizer, states, len(updates)))
    return Step(root, tuple(updates), states)


def _require_number(spec: Any) -> None:
    """Raise what a backward pass without a delta raises: ShapeError for several numbers, DTypeError for no float."""
    seed(mapped(_like, spec), None)


def _like(spec: Any) -> Any:
    """Data of a spec, of one number or array, that takes no memory."""
    zero = np.zeros((), spec.dtype)[()]
    return zero.item() if spec.weak else np.broadcast_to(zero, spec.shape) if spec.shape else zero


def _common_rate(root: Any, optimizer: Any) -> float | None:
    """The rate by which all weights descend, where all do and by the same: then deltas start scaled by it.

    Deltas are linear in the one they start from, so each update is one subtraction.
    """
    cells = [node.cell for node in nodes_of(root) if node.__control__ == "cell" and node.is_trainable]
    rules: list[Any] = [rule_of(cell, optimizer) for cell in cells]
    if rules and all(type(rule) is SGD and rule == rules[0] for rule in rules):
        return float(rules[0].rate)
    return None
