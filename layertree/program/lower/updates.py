"""Updates: the next values of cells and the next states of their rules, as formulas.

Weights whose rule works element by element are updated as one flat array: one call for all of them instead of one each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from layertree.core.cell import Cell, Content, UpdateRule
from layertree.core.data import read_only
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.free import Free
from layertree.core.nested import flat, mapped, nested
from layertree.core.provenance import mark
from layertree.core.spec import ArraySpec, spec_of, spec_text
from layertree.core.structure import post_order
from layertree.layers import layer_of
from layertree.layers.control import If
from layertree.namespaces import namespace_of
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.program.ir.nodes import Leaf
from layertree.program.ir.operations import AnyLayer, Array, Data, DType, Number, StateKey, ValueSpec
from layertree.program.ir.primitives import is_elementwise as is_elementwise_primitive
from layertree.tape.update import note_update, pair_of, require_next, rule_of

State: TypeAlias = Data
"""What an update rule keeps of a cell: numbers and arrays, maybe nested."""

Part: TypeAlias = "Number | Array"
"""One number or array: the value of a cell, or a part of a state."""

_BY_PATTERN = frozenset(("cast_like", "zeros_like", "ones_like", "broadcast_like"))
"""Names that depend on their pattern element by element."""


def state_of(rule: UpdateRule, content: Content) -> State:
    """The state that a rule has of a cell: from its last update, or its start."""
    value, kept = content
    if kept is not None and kept[0] is type(rule):
        return kept[1]
    return rule.start(namespace_of(value), value)


class Update:
    """The update of one cell, or of several cells as one flat array.

    ``formulas`` give the next value and the parts of the next state, which is nested like ``pattern``.
    """

    def __init__(self, leaves: Sequence[Leaf], rule: UpdateRule, formulas: Sequence[AnyLayer], pattern: State) -> None:
        self.cells: list[Cell] = [leaf.cell for leaf in leaves]
        self.rule = rule
        self.formulas: tuple[AnyLayer, ...] = tuple(formulas)
        self._pattern = pattern
        self._kind = type_of(rule)
        self.is_flat: bool = len(self.cells) > 1
        """Whether several cells are updated as one array."""
        self._shapes = [np.shape(cell.value) for cell in self.cells]
        self._ends = list(accumulate(math.prod(shape) for shape in self._shapes))
        # The contents of the last step, and the flat arrays they are views of: the next step needs no concatenation.
        self._latest: tuple[list[Content], Sequence[Part]] = ([], [])

    def parts(self, contents: list[Content]) -> Sequence[Part] | None:
        """The value and the parts of the state before a step, flat; None for cells whose states differ in a number."""
        if not self.is_flat:
            return [contents[0][0], *flat(state_of(self.rule, contents[0]))]
        latest, arrays = self._latest
        if latest and all(map(_is, latest, contents)):
            return arrays
        return _concatenated([[content[0], *flat(state_of(self.rule, content))] for content in contents])

    def contents(self, results: Sequence[Part]) -> list[Content]:
        """The contents of the cells after a step, from the results of its formulas."""
        if not self.is_flat:
            return [(results[0], self._state(results))]
        contents: list[Content] = []
        start = 0
        for shape, end in zip(self._shapes, self._ends, strict=True):
            parts = [one[start:end].reshape(shape) if isinstance(one, np.ndarray) else one for one in results]
            contents.append((parts[0], self._state(parts)))
            start = end
        self._latest = (contents, results)
        return contents

    def _state(self, parts: Sequence[Part]) -> tuple[type, State]:
        return self._kind, nested(self._pattern, parts[1:]) if self._pattern else ()


def _is(one: object, other: object) -> bool:
    return one is other


def _concatenated(rows: list[list[Part]]) -> list[Part] | None:
    """The parts of several cells as flat arrays, and the numbers that all cells share; None where a number differs."""
    found: list[Part] = []
    for column in zip(*rows, strict=True):
        arrays: list[Array] = [part for part in column if is_a(part, np.ndarray)]
        if arrays:
            found.append(read_only(np.concatenate([part.reshape(-1) for part in arrays])))
        elif any(part != column[0] for part in column):
            return None
        else:
            found.append(column[0])
    return found


def descent(leaf: Leaf, delta: AnyLayer, optimizer: UpdateRule | None) -> Update:
    """Gradient descent by a delta that is multiplied by the rate already: one subtraction."""
    rule = rule_of(leaf.cell, optimizer)
    formula: AnyLayer = layer_of("subtract")(leaf, delta)
    mark(formula, {"_origin": rule})
    return Update([leaf], rule, [formula], ())


class Delta(NamedTuple):
    """The delta of a leaf, and whether the delta arrives, as a formula of one boolean; None where it always arrives.

    A weight in a branch that is not taken gets no delta, and so makes no step, not even one by its momentum.
    """

    leaf: Leaf
    formula: AnyLayer
    arrival: AnyLayer | None = None


def grouped(
    deltas: list[Delta], optimizer: UpdateRule | None, states: dict[Free[Any], StateKey], *, flat: bool
) -> list[Update]:
    """The updates of weights by their deltas; with ``flat`` weights of equal rules and dtypes are updated together.

    ``states`` is extended by what the free variables in the updates stand for.
    """
    groups: list[tuple[tuple[object, ...], list[Delta]]] = []
    known_rules: dict[tuple[int, DType], bool] = {}
    for delta in deltas:
        leaf = delta.leaf
        alone = not flat or delta.arrival is not None
        key = None if alone else _group_key(leaf, rule_of(leaf.cell, optimizer), known_rules)
        group = None if key is None else next((members for known, members in groups if known == key), None)
        if group is None:
            groups.append(((None, id(leaf)) if key is None else key, [delta]))
        else:
            group.append(delta)
    updates: list[Update] = []
    for _, members in groups:
        leaves = [delta.leaf for delta in members]
        values = [TreeValue(delta.formula, spec_of(delta.leaf.value)) for delta in members]
        if len(leaves) > 1:
            values = [_joined(values, rule_of(leaves[0].cell, optimizer))]
        updates.append(update_of(leaves, values, optimizer, states, len(updates), members[0].arrival))
    return updates


def _group_key(leaf: Leaf, rule: UpdateRule, known_rules: dict[tuple[int, DType], bool]) -> tuple[object, ...] | None:
    """What weights of one group share (rule, dtype, numbers of the state); None for a weight in no group."""
    value = leaf.cell.value
    if type(value) is not np.ndarray:
        return None
    key = (id(rule), value.dtype)
    if key not in known_rules:
        known_rules[key] = is_elementwise(rule, value.dtype)
    if not known_rules[key]:
        return None
    numbers = [part for part in flat(state_of(rule, leaf.cell.content)) if type(part) is not np.ndarray]
    return type_of(rule), rule, value.dtype, numbers


def is_elementwise(rule: UpdateRule, dtype: DType) -> bool:
    """Whether an update rule works element by element, found by reading its formula for an array of three elements."""
    xp: Any = Derivation()
    spec: ValueSpec = ArraySpec((3,), dtype)
    value, delta = TreeValue(Free(spec), spec), TreeValue(Free(spec), spec)
    start = rule.start(namespace_of(np.zeros(3, dtype)), np.zeros(3, dtype))
    parts = [TreeValue(Free(spec_of(part)), spec_of(part)) for part in flat(start)]
    try:
        step: Any = rule.update(xp, value, delta, nested(start, parts))
    except Exception:
        return False  # the update by itself raises the error
    if not is_a(step, tuple) or len(step) != 2 or not is_a(step[0], TreeValue) or step[0].spec.shape != spec.shape:
        return False  # the update by itself raises an error
    formulas = [step[0].layer, *[xp.lift(part).layer for part in flat(step[1])]]
    return all(
        node.__control__ is not None
        or is_elementwise_primitive(node.__function__ or "")
        or node.__function__ in _BY_PATTERN
        for formula in formulas
        for node in post_order(formula)
    )


def _joined(deltas: list[TreeValue], rule: UpdateRule) -> TreeValue:
    """The deltas of several weights as one flat array."""
    sizes = [math.prod(delta.spec.shape) for delta in deltas]
    rows = [layer_of("reshape")(delta.layer, shape=(size,)) for delta, size in zip(deltas, sizes, strict=True)]
    layer: AnyLayer = layer_of("concat")(tuple(rows), axis=0)
    for formula in (layer, *rows):
        mark(formula, {"_origin": rule})
    return TreeValue(layer, ArraySpec((sum(sizes),), deltas[0].spec.dtype))


def update_of(
    leaves: list[Leaf],
    contributions: list[TreeValue],
    optimizer: UpdateRule | None,
    states: dict[Free[Any], StateKey],
    number: int,
    arrival: AnyLayer | None = None,
) -> Update:
    """The update of one cell, or of several as one array, by the rule in force, if the ``arrival`` is true.

    The parts of the state before the step become free variables: ``states`` maps each to the ``number`` of this update
    and the position of the part.
    """
    rule, content = rule_of(leaves[0].cell, optimizer), leaves[0].cell.content
    xp: Any = Derivation()
    xp.marks = {"_origin": rule}
    start = state_of(rule, content)
    values = _before(leaves, [spec_of(content[0]), *map(spec_of, flat(start))], states, number)
    contribution: TreeValue = contributions[0] if len(contributions) == 1 else rule.combine(xp, contributions)
    try:
        new, state = _next(xp, leaves[0].cell, rule, values, contribution, start)
    except Exception as error:
        note_update(error, leaves[0].cell, rule)
        if type(error) is TypeError:
            error.add_note(
                f"{type(rule).__name__}.update is read as a formula, too: it uses functions of xp alone, such as "
                "xp.multiply(a, b) for a * b, xp.sqrt(a) for np.sqrt(a), and xp.where(xp.greater(a, 0), ...) for an if"
            )
        raise
    formulas = [one.layer for one in (xp.cast_like(new, values[0]), *flat(state))]
    if arrival is not None:
        formulas = [If(arrival, one, old.layer) for one, old in zip(formulas, values, strict=True)]
    return Update(leaves, rule, formulas, state)


def _next(
    xp: Any, cell: Cell, rule: UpdateRule, before: list[TreeValue], contribution: TreeValue, start: State
) -> tuple[TreeValue, State]:
    """The formulas of the next value and state of a cell, whose value and state ``before`` are formulas, too.

    Raises what a tape raises for another value; ShapeError or DTypeError for a state that changes its kind from step to
    step, which runs, but does not compile.
    """
    value, state = pair_of(rule, rule.update(xp, before[0], contribution, nested(start, before[1:])))
    old = example(before[0].spec)
    if not is_a(value, (TreeValue, np.ndarray, np.generic, bool, int, float)):
        require_next(cell, rule, old, mapped(_shown, value))
    new: TreeValue = xp.lift(value)
    require_next(cell, rule, old, example(new.spec))
    state = mapped(xp.lift, state)
    if mapped(_is_any, state) != mapped(_is_any, start):
        raise ShapeError(f"the state of {rule!r} changes its structure from step to step: that does not compile")
    for was, part in zip(before[1:], flat(state), strict=True):
        is_array = bool(was.spec.shape or part.spec.shape)
        if was.spec.shape != part.spec.shape or (is_array and was.spec.dtype != part.spec.dtype):
            kind = ShapeError if was.spec.shape != part.spec.shape else DTypeError
            raise kind(
                f"the state of {rule!r} has {spec_text(part.spec)} after a step in the place of {spec_text(was.spec)}: "
                "that runs, but does not compile"
            )
    return new, state


def _is_any(part: object) -> bool:
    return True


def _shown(part: Data) -> Data:
    """A part of a rule's result as data."""
    return example(part.spec) if isinstance(part, TreeValue) else part


def example(spec: ValueSpec) -> Part:
    """Data of a spec, a number or an array, that takes no memory."""
    zero: Any = np.zeros((), spec.dtype)[()]
    shape: Any = spec.shape
    return zero.item() if spec.weak else np.broadcast_to(zero, shape) if shape else zero


def _before(
    leaves: list[Leaf], specs: list[ValueSpec], states: dict[Free[Any], StateKey], number: int
) -> list[TreeValue]:
    """The value and the parts of the state before a step: the leaf itself of a single cell, else free variables."""
    if len(leaves) > 1:
        size = sum(math.prod(np.shape(leaf.cell.value)) for leaf in leaves)
        specs = [ArraySpec((size,), spec.dtype) if spec.shape else spec for spec in specs]
    values: list[TreeValue] = []
    for position, spec in enumerate(specs):
        if position == 0 and len(leaves) == 1:
            values.append(TreeValue(leaves[0], spec))
            continue
        variable = Free[Any](spec)
        states[variable] = (number, position)
        values.append(TreeValue(variable, spec))
    return values
