"""Derivation of a training step: formulas of the objective's value, and of the next values and states of all cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from layertree.core.cell import UpdateRule
from layertree.core.deltas import seed
from layertree.core.nested import mapped
from layertree.layers import layer_of
from layertree.program.ir.nodes import is_leaf
from layertree.program.ir.operations import AnyLayer, Array, Number, SpecTree, StateKey, ValueSpec
from layertree.program.lower.side_effects import side_effects_of
from layertree.program.lower.simplification import simplified
from layertree.program.lower.updates import Update, descent, grouped, update_of
from layertree.rewrite.reverse_mode import Forward
from layertree.sweep.plan import nodes_of
from layertree.tape.update import rule_of
from layertree.updates.optimizers import SGD

if TYPE_CHECKING:
    from layertree.core.free import Free


class StepFormulas(NamedTuple):
    """A training step as formulas of one input. ``states`` says what each free variable in the formulas stands for."""

    value: AnyLayer
    updates: tuple[Update, ...]
    states: dict[Free[Any], StateKey]

    def root(self) -> AnyLayer:
        """The whole step as one tuple formula: the value, then the formulas of each update."""
        parts = [self.value]
        for update in self.updates:
            parts.extend(update.formulas)
        root: AnyLayer = layer_of("tuple")(tuple(parts))
        return root


def training_step(
    layer: AnyLayer, spec: SpecTree, optimizer: UpdateRule | None = None, *, flat: bool = True
) -> StepFormulas:
    """The step of an objective for an input of a spec, each cell by its rule.

    With ``flat`` weights of equal rules and dtypes are updated as one array. Raises ShapeError or DTypeError for an
    objective that is not one float, DTypeError for a counter or an average inside of a branch.
    """
    root = simplified(layer, spec)
    forward = Forward(root, spec)
    _require_number(forward.spec)
    rate = _common_rate(root, optimizer)
    found = [(leaf, delta) for leaf, delta in forward.derivatives(rate).items() if is_leaf(leaf)]
    states: dict[Free[Any], StateKey] = {}
    if rate is not None:
        updates = [descent(leaf, delta, optimizer) for leaf, delta in found]
    else:
        updates = grouped(found, optimizer, states, flat=flat)
    for leaf, contributions in side_effects_of(root, spec).items():
        updates.append(update_of([leaf], contributions, optimizer, states, len(updates)))
    return StepFormulas(root, tuple(updates), states)


def _require_number(spec: SpecTree) -> None:
    """Raise what a backward pass without a delta raises: ShapeError for several numbers, DTypeError for no float."""
    seed(mapped(_example, spec), None)


def _example(spec: ValueSpec) -> Number | Array:
    """Data of a spec, a number or an array, that takes no memory."""
    zero: Any = np.zeros((), spec.dtype)[()]
    shape: Any = spec.shape
    return zero.item() if spec.weak else np.broadcast_to(zero, shape) if shape else zero


def _common_rate(root: AnyLayer, optimizer: UpdateRule | None) -> float | None:
    """The rate of gradient descent that all weights share; None where rules differ or any is not plain SGD.

    Deltas are linear in the seed of the backward pass: with the rate as the seed, each update is one subtraction.
    """
    cells = [node.cell for node in nodes_of(root) if node.__control__ == "cell" and node.is_trainable]
    rules = [rule_of(cell, optimizer) for cell in cells]
    if rules and all(type(rule) is SGD and rule == rules[0] for rule in rules):
        return float(rules[0].rate)  # type: ignore[attr-defined]  # each rule is SGD
    return None
