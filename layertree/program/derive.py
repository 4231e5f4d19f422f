"""The formulas of a training step: the value, and for each cell it changes the next value and rule state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from layertree._cell import default_rule, first_given
from layertree._errors import DTypeError
from layertree._free import Free
from layertree._spec import spec_of
from layertree._structure import children_of, operands_of, post_order
from layertree.layers import layer_of
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import Derivation, TreeValue, derivatives
from layertree.program._ops import flat, nested
from layertree.program.rules import simplified
from layertree.training.optimizers import SGD


@attrs.frozen(eq=False)
class Update:
    """What a step makes of a cell: formulas of its next value and state, which is a tuple of them, maybe nested."""

    cell: Any
    rule: Any
    value: Any
    state: Any


@attrs.frozen(eq=False)
class Step:
    """A training step as formulas of one input. ``states`` tells the variables that stand for parts of rule states."""

    value: Any
    updates: tuple[Update, ...]
    states: dict[Any, tuple[Any, int]]

    def root(self) -> Any:
        """All of it as one tuple formula."""
        parts = [self.value]
        for update in self.updates:
            parts.extend([update.value, *flat(update.state)])
        return layer_of("tuple")(tuple(parts))


def training_step(layer: Any, spec: Any, delta: Any = None, optimizer: Any = None) -> Step:
    """The step of a formula: backward from ``delta``, and each cell's rule.

    Raises DTypeError for a formula that has no weight, and for a counter or an average inside of a branch.
    """
    root = simplified(layer, spec)
    rate = _common_rate(root, optimizer) if delta is None else None
    deltas = derivatives(root, spec, delta if rate is None else rate)
    found = {leaf: [(value, None)] for leaf, value in deltas.items() if leaf._control == "cell"}
    states: dict[Any, tuple[Any, int]] = {}
    if rate is None:
        updates = [_update(leaf, given, optimizer, states) for leaf, given in found.items()]
    else:
        updates = [_descent(leaf, given[0][0], optimizer) for leaf, given in found.items()]
    updates.extend(_update(leaf, given, optimizer, states) for leaf, given in _told(root, spec).items())
    return Step(root, tuple(updates), states)


def rule_of(cell: Any, optimizer: Any) -> Any:
    """The rule by which a cell is updated."""
    return first_given(cell.rule, optimizer, cell.scoped_rule) or default_rule()


def _common_rate(root: Any, optimizer: Any) -> float | None:
    """The rate by which all weights descend, where all do and by the same: then deltas start scaled by it.

    Deltas are linear in the one they start from, so each update is one subtraction.
    """
    cells = [node.cell for node in post_order(root) if node._control == "cell" and node._is_trainable]
    rules = [rule_of(cell, optimizer) for cell in cells]
    if rules and all(type(rule) is SGD and rule == rules[0] for rule in rules):
        return float(rules[0].rate)
    return None


def _descent(leaf: Any, delta: Any, optimizer: Any) -> Update:
    """The update by a delta that is scaled already."""
    rule = rule_of(leaf.cell, optimizer)
    return Update(leaf.cell, rule, layer_of("subtract")(leaf, delta), ())


def _update(leaf: Any, contributions: list[tuple[Any, Any]], optimizer: Any, states: Any) -> Update:
    """The formulas of a cell's next value and state."""
    cell = leaf.cell
    rule, content = rule_of(cell, optimizer), cell.content
    xp: Any = Derivation()
    spec = spec_of(content.value)
    value = TreeValue(leaf, spec)
    given = [TreeValue(layer, known or spec) for layer, known in contributions]
    contribution = given[0] if len(given) == 1 else rule.combine(xp, given)
    kept = content.state
    start = (
        kept[1] if kept is not None and kept[0] is type(rule) else rule.start(_namespace(content.value), content.value)
    )
    variables = []
    for position, part in enumerate(flat(start)):
        variable: Any = Free(spec_of(part))
        states[variable] = (cell, position)
        variables.append(TreeValue(variable, variable.spec))
    new, state = rule.update(xp, value, contribution, nested(start, variables))
    new = xp.cast_like(new, value)
    return Update(cell, rule, new.layer, nested(state, [xp.lift(part).layer for part in flat(state)]))


def _namespace(value: Any) -> Any:
    from layertree.namespaces import namespace_of

    return namespace_of(value)


def _told(root: Any, spec: Any) -> dict[Any, list[tuple[Any, Any]]]:
    """What the formula has to say to counters and averages, as formulas with their specs, by their leaf."""
    told: dict[Any, list[tuple[Any, Any]]] = {}
    outside = post_order(root, operands_of)
    for node in outside:
        if node._has_effect:
            for leaf, layer, part in _contributions(node, spec):
                told.setdefault(leaf, []).append((layer, part))
    _require_no_other_effects(root, outside)
    return told


def _contributions(node: Any, spec: Any) -> Iterator[tuple[Any, Any, Any]]:
    xp: Any = Derivation()
    operands = operands_of(node)
    values = [TreeValue(operand, infer_spec(operand, spec)) for operand in operands]
    output = TreeValue(node, infer_spec(node, spec))
    for operand, contribution in zip(operands, node.contribute(xp, output, *values), strict=True):
        if contribution is not None and operand._control == "cell":
            lifted = xp.lift(contribution)
            yield operand, lifted.layer, lifted.spec


def _require_no_other_effects(root: Any, outside: list[Any]) -> None:
    seen = set(map(id, outside))
    for node in post_order(root, children_of):
        if node._has_effect and id(node) not in seen:
            raise DTypeError(
                f"{type(node).__name__} stands in a branch of an If, where it tells a cell something only when the "
                "branch is taken: that runs, but does not compile as a training step; put it outside of the branch"
            )
