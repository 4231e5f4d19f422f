"""Updates: what a step makes of cells, by formulas. Weights whose rule works element by element are one flat array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from layertree.core.cell import Content
from layertree.core.data import read_only
from layertree.core.dynamic import type_of
from layertree.core.free import Free
from layertree.core.literal import Literal
from layertree.core.nested import flat, nested
from layertree.core.provenance import mark
from layertree.core.spec import ArraySpec, spec_of
from layertree.core.structure import post_order
from layertree.layers import layer_of
from layertree.layers.arithmetic import Plus
from layertree.layers.control import If
from layertree.namespaces import namespace_of
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.program import phrases
from layertree.tape.update import rule_of as rule_of

_BY_PATTERN = frozenset(("cast_like", "zeros_like", "ones_like", "broadcast_like"))


def state_of(rule: Any, content: Content) -> Any:
    """What a rule keeps of a cell, from before or as it starts."""
    value, kept = content
    if kept is not None and kept[0] is type(rule):
        return kept[1]
    return rule.start(namespace_of(value), value)


class Update:
    """What a step makes of one cell, or of several as one flat array.

    ``made`` are the formulas of the next value and of the parts of the next state, which is nested like ``pattern``.
    """

    def __init__(self, leaves: Sequence[Any], rule: Any, made: Sequence[Any], pattern: Any) -> None:
        self.cells: list[Any] = [leaf.cell for leaf in leaves]
        self.rule = rule
        self.made: tuple[Any, ...] = tuple(made)
        self._pattern = pattern
        self._kind = type_of(rule)
        self.is_flat: bool = len(self.cells) > 1
        """Whether several cells are updated as one array."""
        self._shapes = [np.shape(cell.value) for cell in self.cells]
        sizes = [math.prod(shape) for shape in self._shapes]
        self._ends = list(accumulate(sizes))
        # What the last step committed, and the flat arrays it is in: they need not be put together again.
        self._latest: tuple[list[Content], list[Any]] = ([], [])

    def parts(self, given: list[Content]) -> list[Any] | None:
        """The value and the parts of the state before a step; None for cells whose states cannot be put together."""
        if not self.is_flat:
            return [given[0][0], *flat(state_of(self.rule, given[0]))]
        latest, arrays = self._latest
        if latest and all(map(_is, latest, given)):
            return arrays
        rows = [[content[0], *flat(state_of(self.rule, content))] for content in given]
        return _put_together(rows)

    def contents(self, made: list[Any]) -> list[Content]:
        """The contents after a step, from what its formulas gave."""
        if not self.is_flat:
            return [(made[0], self._state(made))]
        contents: list[Content] = []
        start = 0
        for shape, end in zip(self._shapes, self._ends, strict=True):
            parts = [one[start:end].reshape(shape) if _is_array(one) else one for one in made]
            contents.append((parts[0], self._state(parts)))
            start = end
        self._latest = (contents, made)
        return contents

    def _state(self, parts: list[Any]) -> tuple[Any, Any]:
        return self._kind, nested(self._pattern, parts[1:]) if self._pattern else ()


def _is(one: Any, other: Any) -> bool:
    return one is other


def _is_array(value: Any) -> bool:
    return type(value) is np.ndarray


def _put_together(rows: list[list[Any]]) -> list[Any] | None:
    """The parts of several cells as flat arrays, and the numbers that they have in common."""
    columns = list(zip(*rows, strict=True))
    for column in columns:
        if not _is_array(column[0]) and any(part != column[0] for part in column):
            return None
    return [
        read_only(np.concatenate([part.reshape(-1) for part in column])) if _is_array(column[0]) else column[0]
        for column in columns
    ]


def descent(leaf: Any, delta: Any, optimizer: Any) -> Update:
    """The update by a delta that is scaled by the rate already."""
    rule = rule_of(leaf.cell, optimizer)
    made: Any = layer_of("subtract")(leaf, delta)
    mark(made, {"_origin": rule})
    return Update([leaf], rule, [made], ())


def grouped(found: list[tuple[Any, Any]], optimizer: Any, states: dict[Any, Any], *, flat: bool) -> list[Update]:
    """The updates of some weights by their deltas; with ``flat`` those that are alike together."""
    groups: list[tuple[tuple[Any, ...], list[tuple[Any, Any]]]] = []
    known_rules: dict[tuple[int, Any], bool] = {}
    for leaf, delta in found:
        alone = not flat or arrival(delta) is not None
        kind = None if alone else _kind(leaf, rule_of(leaf.cell, optimizer), known_rules)
        group = None if kind is None else next((members for known, members in groups if known == kind), None)
        if group is None:
            groups.append(((None, id(leaf)) if kind is None else kind, [(leaf, delta)]))
        else:
            group.append((leaf, delta))
    updates: list[Update] = []
    for _, members in groups:
        leaves = [leaf for leaf, _ in members]
        deltas = [TreeValue(delta, spec_of(leaf.value)) for leaf, delta in members]
        if len(leaves) > 1:
            deltas = [_joined(deltas, rule_of(leaves[0].cell, optimizer))]
        updates.append(update_of(leaves, deltas, optimizer, states, len(updates)))
    return updates


def _kind(leaf: Any, rule: Any, known_rules: dict[tuple[int, Any], bool]) -> tuple[Any, ...] | None:
    """What weights that go together have in common; None for one that stays by itself."""
    value = leaf.cell.value
    if not _is_array(value):
        return None
    key = (id(rule), value.dtype)
    if key not in known_rules:
        known_rules[key] = is_elementwise(rule, value.dtype)
    if not known_rules[key]:
        return None
    numbers = [part for part in flat(state_of(rule, leaf.cell.content)) if not _is_array(part)]
    return type_of(rule), rule, value.dtype, numbers


def is_elementwise(rule: Any, dtype: Any) -> bool:
    """Whether a rule works element by element, found out from its formula."""
    xp: Any = Derivation()
    spec = ArraySpec((3,), dtype)
    value, delta = TreeValue(Free(spec), spec), TreeValue(Free(spec), spec)
    start = rule.start(namespace_of(np.zeros(3, dtype)), np.zeros(3, dtype))
    parts = [TreeValue(Free(spec_of(part)), spec_of(part)) for part in flat(start)]
    new, state = rule.update(xp, value, delta, nested(start, parts))
    made = [new.layer, *[xp.lift(part).layer for part in flat(state)]]
    return all(
        node.__control__ is not None
        or phrases.is_elementwise(node.__function__ or "")
        or node.__function__ in _BY_PATTERN
        for one in made
        for node in post_order(one)
    )


def _joined(deltas: list[TreeValue], rule: Any) -> TreeValue:
    """Deltas of several weights as one flat array."""
    sizes = [math.prod(delta.spec.shape) for delta in deltas]
    rows = [layer_of("reshape")(delta.layer, shape=(size,)) for delta, size in zip(deltas, sizes, strict=True)]
    layer: Any = layer_of("concat")(tuple(rows), axis=0)
    for made in (layer, *rows):
        mark(made, {"_origin": rule})
    return TreeValue(layer, ArraySpec((sum(sizes),), deltas[0].spec.dtype))


def update_of(
    leaves: list[Any], contributions: list[TreeValue], optimizer: Any, states: dict[Any, Any], number: int
) -> Update:
    """The update of one cell, or of several as one array, whose parts are the variables that ``states`` tells of."""
    rule, content = rule_of(leaves[0].cell, optimizer), leaves[0].cell.content
    xp: Any = Derivation()
    xp.marks = {"_origin": rule}
    start = state_of(rule, content)
    specs = [spec_of(content[0]), *map(spec_of, flat(start))]
    if len(leaves) > 1:
        size = sum(math.prod(np.shape(leaf.cell.value)) for leaf in leaves)
        specs = [ArraySpec((size,), spec.dtype) if spec.shape else spec for spec in specs]
    values: list[TreeValue] = []
    for position, spec in enumerate(specs):
        variable: Any = leaves[0] if position == 0 and len(leaves) == 1 else Free[Any](spec)
        if variable is not leaves[0]:
            states[variable] = (number, position)
        values.append(TreeValue(variable, spec))
    contribution = contributions[0] if len(contributions) == 1 else rule.combine(xp, contributions)
    new, state = rule.update(xp, values[0], contribution, nested(start, values[1:]))
    made = [one.layer for one in (xp.cast_like(new, values[0]), *map(xp.lift, flat(state)))]
    arrived = arrival(contribution.layer)
    if arrived is not None:
        made = [If(arrived, one, old.layer) for one, old in zip(made, values, strict=True)]
    return Update(leaves, rule, made, state)


def arrival(delta: Any) -> Any:
    """Whether a delta arrives at all, as a formula; None for one that always does.

    A weight in a branch that is not taken gets no delta, and so takes no step: not even one by its momentum.
    """
    found: dict[int, Any] = {}
    for node in post_order(delta, _summands):
        found[id(node)] = _arrives(node, [found[id(one)] for one in _summands(node)])
    return found[id(delta)]


def _summands(node: Any) -> tuple[Any, ...]:
    """What a delta is put together of: the sides of a branch, and the terms of a sum."""
    if type_of(node) is If:
        return node.then, node.otherwise
    return (node.operand1, node.operand2) if type_of(node) is Plus else ()


def _arrives(node: Any, parts: list[Any]) -> Any:
    if _is_zero(node):
        return Literal(False)
    if not parts or all(part is None for part in parts):
        return None
    if type_of(node) is If:
        return _BRANCH(node.condition, *[Literal(True) if part is None else part for part in parts])
    return None if None in parts else layer_of("bitwise_or")(*parts)


_BRANCH: Any = If


def _is_zero(layer: Any) -> bool:
    if layer.__function__ == "zeros_like":
        return True
    return bool(layer.__control__ == "constant" and not isinstance(layer.data, tuple) and not np.any(layer.data))
