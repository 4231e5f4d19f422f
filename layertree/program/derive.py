"""The formulas of a training step: the value, and for the cells it changes their next values and rule states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree._deltas import seed
from layertree._errors import DTypeError
from layertree._nested import mapped
from layertree._record import record
from layertree._structure import children_of, operands_of, post_order
from layertree._sweep import nodes_of, sweep
from layertree.layers import layer_of
from layertree.namespaces.spec import Inferring
from layertree.namespaces.tree import Derivation, Forward, TreeValue
from layertree.program.rules import simplified
from layertree.program.updates import Update, descent, grouped, rule_of, update_of
from layertree.training.optimizers import SGD


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
    found = [(leaf, delta) for leaf, delta in forward.derivatives(rate).items() if leaf._control == "cell"]
    states: dict[Any, Any] = {}
    if rate is not None:
        updates = [descent(leaf, delta, optimizer) for leaf, delta in found]
    else:
        updates = grouped(found, optimizer, states, flat=flat)
    for leaf, contributions in _told(root, spec).items():
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
    cells = [node.cell for node in nodes_of(root) if node._control == "cell" and node._is_trainable]
    rules = [rule_of(cell, optimizer) for cell in cells]
    if rules and all(type(rule) is SGD and rule == rules[0] for rule in rules):
        return float(rules[0].rate)
    return None


def _told(root: Any, spec: Any) -> dict[Any, list[TreeValue]]:
    """What the formula has to say to counters and averages, by their leaf."""
    told: dict[Any, list[TreeValue]] = {}
    if not any(node._has_effect for node in nodes_of(root)):
        return told
    outside = post_order(root, operands_of)
    known = _Specs()
    sweep(root, spec, known)
    for node in outside:
        if node._has_effect:
            for leaf, contribution in _contributions(node, known.found):
                told.setdefault(leaf, []).append(contribution)
    _require_no_other_effects(root, outside)
    return told


class _Specs(Inferring):
    """The specs of all operations and leaves, kept by node."""

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        made = self.found[id(node)] = super().apply(node, inputs)
        self.found.update(zip(map(id, operands_of(node)), inputs, strict=True))
        return made


def _contributions(node: Any, specs: dict[int, Any]) -> Iterator[tuple[Any, TreeValue]]:
    xp: Any = Derivation()
    operands = operands_of(node)
    values = [TreeValue(operand, specs[id(operand)]) for operand in operands]
    output = TreeValue(node, specs[id(node)])
    for operand, contribution in zip(operands, node.contribute(xp, output, *values), strict=True):
        if contribution is not None and operand._control == "cell":
            yield operand, xp.lift(contribution)


def _require_no_other_effects(root: Any, outside: list[Any]) -> None:
    seen = set(map(id, outside))
    for node in post_order(root, children_of):
        if node._has_effect and id(node) not in seen:
            raise DTypeError(
                f"{type(node).__name__} stands in a branch of an If, where it tells a cell something only when the "
                "branch is taken: that runs, but does not compile as a training step; put it outside of the branch"
            )
