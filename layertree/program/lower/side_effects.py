"""Side effects of a formula on cells: contributions of layers to counters and averages, as formulas of the input.

Side effects are found while the formula is simplified, before simplification drops a value that nobody reads: the
contribution of the layer that made the value stays, as on a tape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from layertree.core.cell import Cell
from layertree.core.errors import DTypeError
from layertree.core.narrowing import is_cell
from layertree.core.structure import operands_of
from layertree.layers import layer_of
from layertree.namespaces.hash_consing import Scalar, source_of
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.program.ir.nodes import Leaf
from layertree.program.ir.operations import AnyLayer, SpecTree
from layertree.program.lower.simplification import pooled_first, simplified
from layertree.rewrite.simplify import Simplification, Simplifying
from layertree.sweep.plan import nodes_of
from layertree.sweep.reading import Demands, Reading, Request
from layertree.sweep.sweep import sweep
from layertree.tape.update import rule_of


class Effect(NamedTuple):
    """What layers contribute to one cell, and whether they do, as a formula of one boolean; None where they always do.

    A layer in a branch of an If contributes only when the branch is taken.
    """

    contributions: list[TreeValue]
    arrival: AnyLayer | None = None


Effects: TypeAlias = dict[Leaf, Effect]
"""The effects of a formula, by the leaf that reads the cell."""


def combined(cell: Cell, contributions: list[TreeValue]) -> TreeValue:
    """The contributions of several layers to one cell as one, by the cell's rule."""
    if len(contributions) == 1:
        return contributions[0]
    return rule_of(cell, None).combine(Derivation(), contributions)  # type: ignore[no-any-return]  # a rule over trees


def simplified_with_effects(
    root: AnyLayer, spec: SpecTree, others: Sequence[AnyLayer] = ()
) -> tuple[list[AnyLayer], Effects]:
    """A formula and others of one input in their simplest form, and the effects of the first one's layers.

    Equal nodes of the formulas and of the contributions are one node. Raises DTypeError where several layers
    contribute to one cell and one of them stands in a branch, TypeError for a contribution to a weight.
    """
    if not any(node.__has_effect__ for node in nodes_of(root)):
        return _simplified([root, *others], spec), {}
    xp = Simplification()
    reading = _SimplifyingEffects(xp)
    source = source_of(xp, root, spec)
    layers: list[AnyLayer] = [sweep(root, source, reading).layer, *[xp.read(other, source).layer for other in others]]
    found = _of_reached(root, reading)
    layers.extend(one.layer for effect in found for one in effect.formulas)
    layers = _operands(pooled_first(layer_of("tuple")(tuple(layers))))
    start = len(layers) - sum(len(effect.formulas) for effect in found)
    return layers[:start], _by_cell(found, layers[start:])


def _by_cell(found: list[_Contribution], layers: list[AnyLayer]) -> Effects:
    """The contributions of each cell, with their formulas in the simplest form."""
    effects: Effects = {}
    simplest = iter(layers)
    for one in found:
        contribution = TreeValue(next(simplest), one.value.spec)
        arrival = None if one.arrival is None else next(simplest)
        known = effects.setdefault(one.leaf, Effect([], arrival))
        if known.contributions and (arrival is not None or known.arrival is not None):
            raise DTypeError(
                f"{type(one.node).__name__} contributes to {one.leaf!r} with another layer, and one of them stands in "
                "a branch of an If: that runs, but does not compile as a training step; give each a cell of its own"
            )
        known.contributions.append(contribution)
    return effects


def side_effects_of(root: AnyLayer, spec: SpecTree) -> Effects:
    """The effects of a formula's layers by the leaf of the cell that they go to.

    Raises what ``simplified_with_effects`` raises.
    """
    return simplified_with_effects(root, spec)[1]


def _simplified(layers: list[AnyLayer], spec: SpecTree) -> list[AnyLayer]:
    if len(layers) == 1:
        return [simplified(layers[0], spec)]
    return _operands(simplified(layer_of("tuple")(tuple(layers)), spec))


def _operands(root: AnyLayer) -> list[AnyLayer]:
    return list(operands_of(root))


class _Contribution(NamedTuple):
    """What one layer contributes to the cell of a leaf, and whether a branch with the layer is taken."""

    node: AnyLayer
    leaf: Leaf
    value: TreeValue
    arrival: TreeValue | None

    @property
    def formulas(self) -> list[TreeValue]:
        """The contribution, then the arrival if there is one."""
        return [self.value] if self.arrival is None else [self.value, self.arrival]


class _SimplifyingEffects(Simplifying):
    """Simplification that keeps the contributions of layers, and the branches of Ifs whose condition is a constant.

    ``_arrivals`` say of each open branch whether it and those around it are taken.
    """

    def __init__(self, xp: Simplification) -> None:
        super().__init__(xp)
        self.effects: list[_Contribution] = []
        self.taken: dict[int, AnyLayer] = {}
        self._arrivals: list[TreeValue] = []

    def apply(self, node: Any, inputs: list[TreeValue]) -> TreeValue:
        value = super().apply(node, inputs)
        if node.__has_effect__:
            arrival = self._arrivals[-1] if self._arrivals else None
            for operand, contribution in zip(inputs, node.contribute(self.xp, value, *inputs), strict=True):
                if contribution is not None and is_cell(operand.layer):
                    _require_state(node, operand.layer)
                    self.effects.append(_Contribution(node, operand.layer, self.xp.lift(contribution), arrival))
        return value

    def cond(self, node: Any, inputs: list[TreeValue], source: TreeValue, context: object) -> Demands[TreeValue]:
        if inputs[0].kind is Scalar:
            self.taken[id(node)] = node.then if inputs[0].layer.data else node.otherwise
            return (yield from super().cond(node, inputs, source, context))
        return (yield from self._in_branches(super().cond(node, inputs, source, context), inputs[0]))

    def _in_branches(self, demands: Demands[TreeValue], condition: TreeValue) -> Demands[TreeValue]:
        """The demands of an If, with the arrival of each branch while the branch is read: first that of ``then``."""
        xp: Any = self.xp
        arrivals = [condition, xp.bitwise_invert(condition)]
        reply: Any = None
        while True:
            try:
                demand = demands.send(reply)
            except StopIteration as stop:
                result: TreeValue = stop.value
                return result
            if type(demand) is not Request:
                reply = yield demand
                continue
            own = arrivals.pop(0)
            self._arrivals.append(xp.bitwise_and(self._arrivals[-1], own) if self._arrivals else own)
            reply = yield demand
            self._arrivals.pop()


def _of_reached(root: AnyLayer, reading: _SimplifyingEffects) -> list[_Contribution]:
    """The contributions of the layers that a backward pass would reach, also in branches."""
    reached = sweep(root, _Reached(None, ()), _Reaching(reading.taken))
    outside = _nodes(reached, branches=False)
    inside = _nodes(reached, branches=True)
    found: list[_Contribution] = []
    for one in reading.effects:
        if id(one.node) in outside:
            found.append(one._replace(arrival=None))
        elif id(one.node) in inside:
            found.append(one)
    return found


class _Reached(NamedTuple):
    """A node with what its value is computed from: always, and in the branches of an If."""

    node: AnyLayer | None
    inputs: tuple[_Reached, ...]
    branches: tuple[_Reached, ...] = ()


def _nodes(root: _Reached, branches: bool) -> set[int]:
    """The ids of the nodes that a value is computed from, with or without those in branches."""
    seen: dict[int, _Reached] = {}
    pending = [root]
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            pending.extend(one.inputs + one.branches if branches else one.inputs)
    return {id(one.node) for one in seen.values()}


class _Reaching(Reading[_Reached]):
    """The reading whose results refer to those of operands, with compositions put in place.

    ``taken`` are the branches of Ifs whose condition is a constant.
    """

    def __init__(self, taken: dict[int, AnyLayer]) -> None:
        self._taken = taken

    def apply(self, node: AnyLayer, inputs: list[_Reached]) -> _Reached:
        return _Reached(node, tuple(inputs))

    def constant(self, node: AnyLayer, context: object) -> _Reached:
        return _Reached(node, ())

    def cell(self, node: AnyLayer, context: object) -> _Reached:
        return _Reached(node, ())

    def free(self, node: AnyLayer, context: object) -> _Reached:
        return _Reached(node, ())

    def cond(self, node: Any, inputs: list[_Reached], source: _Reached, context: object) -> Demands[_Reached]:
        taken = self._taken.get(id(node))
        if taken is not None:
            reached: _Reached = yield Request(taken, source, context)
            return reached
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        return _Reached(node, tuple(inputs), (then, otherwise))


def _require_state(node: AnyLayer, leaf: Leaf) -> None:
    """Raise TypeError for a contribution to a weight, as a tape does."""
    if leaf.is_trainable:
        raise TypeError(
            f"{type(node).__name__} contributes to {leaf!r}, but a weight takes deltas alone: give a State, such as "
            "State(0.0, Average())"
        )
