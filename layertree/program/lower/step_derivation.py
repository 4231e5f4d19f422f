"""Derivation of a training step: formulas of the objective's value, and of the next values and states of all cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from layertree.core.cell import UpdateRule
from layertree.core.data import is_empty_batch
from layertree.core.deltas import seed
from layertree.core.dynamic import type_of
from layertree.core.literal import Literal
from layertree.core.narrowing import is_cell, is_tuple
from layertree.core.nested import mapped
from layertree.layers import layer_of
from layertree.namespaces.spec import infer_spec
from layertree.program.ir.nodes import Leaf
from layertree.program.ir.operations import AnyLayer, SpecTree, StateKey
from layertree.program.lower.side_effects import simplified_with_effects
from layertree.program.lower.simplification import simplified
from layertree.program.lower.updates import Delta, Update, descent, example, grouped, update_of
from layertree.rewrite.arrival import arrivals
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
    """The step of an objective for an input of a spec, each cell by its rule; without examples no cell changes.

    With ``flat`` weights of equal rules and dtypes are updated as one array. Raises ShapeError or DTypeError for an
    objective that is not one float.
    """
    layer = layer.__layer__()
    if is_empty_batch(spec):
        return _without_updates(layer, spec)
    rate = _common_rate(layer, optimizer)
    step = None if rate is None else _step(layer, spec, optimizer, rate, flat)
    return step or cast("StepFormulas", _step(layer, spec, optimizer, None, flat))


def _step(
    layer: AnyLayer, spec: SpecTree, optimizer: UpdateRule | None, rate: float | None, flat: bool
) -> StepFormulas | None:
    """The step with a rate as the seed of the backward pass; None where the dtype of the objective cannot hold it."""
    known = (
        _arrivals(layer, spec) if rate is None and any(node.__control__ == "cond" for node in nodes_of(layer)) else {}
    )
    (root, *conditions), effects = simplified_with_effects(layer, spec, list(known.values()))
    forward = Forward(root, spec)
    _require_number(forward.spec)
    if rate is not None and not _holds_rate(forward.spec, layer):
        return None
    found = {leaf: delta for leaf, delta in forward.derivatives(rate).items() if is_cell(leaf)}
    states: dict[Free[Any], StateKey] = {}
    if rate is not None:
        updates = [descent(leaf, delta, optimizer) for leaf, delta in found.items()]
    else:
        if not known and any(leaf not in found for leaf in _weights(layer)):
            known = _arrivals(layer, spec)
            conditions = list(known.values())
        updates = grouped(_deltas(found, dict(zip(known, conditions, strict=True))), optimizer, states, flat=flat)
    for leaf, (contributions, arrival) in effects.items():
        updates.append(update_of([leaf], contributions, optimizer, states, len(updates), arrival))
    return StepFormulas(root, tuple(updates), states)


def _without_updates(layer: AnyLayer, spec: SpecTree) -> StepFormulas:
    """The step on a batch without examples: the value alone."""
    root = simplified(layer, spec)
    _require_number(infer_spec(root, spec))
    return StepFormulas(root, (), {})


def _arrivals(root: AnyLayer, spec: SpecTree) -> dict[Leaf, AnyLayer]:
    """For each weight that deltas may reach whether any does, as a formula."""
    return {leaf: arrival for leaf, arrival in arrivals(root, spec).items() if is_cell(leaf)}


def _deltas(found: dict[Leaf, AnyLayer], known: dict[Leaf, AnyLayer]) -> list[Delta]:
    """The deltas of all weights that a delta reaches: also of those whose delta simplification has found to be zero.

    ``found`` are derivatives of the simplified formula, ``known`` the arrivals for the formula as it was written.
    """
    deltas: list[Delta] = []
    for leaf in dict.fromkeys([*found, *known]):
        arrival = known.get(leaf)
        if type_of(arrival) is Literal:
            if not cast("Literal[Any]", arrival).data:
                continue
            arrival = None
        delta = found.get(leaf)
        deltas.append(Delta(leaf, layer_of("zeros_like")(leaf) if delta is None else delta, arrival))
    return deltas


def _require_number(spec: SpecTree) -> None:
    """Raise what a backward pass without a delta raises: ShapeError for several numbers, DTypeError for no float."""
    seed(mapped(example, spec), None)


def _common_rate(root: AnyLayer, optimizer: UpdateRule | None) -> float | None:
    """The rate of gradient descent that all weights share; None where rules differ or any is not plain SGD.

    Deltas are linear in the seed of the backward pass: with the rate as the seed, each update is one subtraction.
    """
    rules = [rule_of(leaf.cell, optimizer) for leaf in _weights(root)]
    if rules and all(type(rule) is SGD and rule == rules[0] for rule in rules):
        return float(rules[0].rate)  # type: ignore[attr-defined]  # each rule is SGD
    return None


def _holds_rate(objective: SpecTree, root: AnyLayer) -> bool:
    """Whether the rate may be the seed of the backward pass, which has the dtype of the objective.

    The dtype must not round the rate more than the dtypes of the weights do; in float16 small deltas vanish.
    """
    largest = max(np.asarray(leaf.value).dtype.itemsize for leaf in _weights(root))
    return not is_tuple(objective) and objective.dtype.itemsize >= max(largest, 4)


def _weights(root: AnyLayer) -> list[Leaf]:
    return [node for node in nodes_of(root) if is_cell(node) and node.is_trainable]
