"""The graph of a run: tapes with values above and deltas below on each edge, and weights with their next values."""

from __future__ import annotations

import operator
from typing import Any

import attrs
import numpy as np

from layertree.core import deltas
from layertree.core.data import is_differentiable
from layertree.core.narrowing import is_cell, is_layer, is_tuple
from layertree.core.structure import post_order
from layertree.core.tape import AnyTape
from layertree.drawing.grouping import Members, groups_of
from layertree.drawing.labels import attributes_text, family_of, hint_of, title_of, value_chip
from layertree.drawing.model import Chip, Edge, Graph, Node
from layertree.tape.backward import pull_back
from layertree.tape.external import kept
from layertree.tape.update import all_updated

UP, DOWN, TO = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
MOST = 200
"""How many tapes a picture shows; of a larger run those nearest to the output."""


@attrs.define
class Run:
    """A run: its tapes from the operands up, deltas by tape and by edge, and next values by the id of a cell.

    The backward pass notes the deltas in the run, its observer.

    An edge is the id of the user's tape and the position of the operand.
    """

    root: AnyTape
    tapes: list[Any]
    deltas: dict[int, Any] = attrs.field(factory=dict[int, Any])
    sent: dict[tuple[int, int], Any] = attrs.field(factory=dict[tuple[int, int], Any])
    visited: list[Any] = attrs.field(factory=list[Any])
    updates: dict[int, tuple[Any, Any]] = attrs.field(factory=dict[int, tuple[Any, Any]])

    def visit(self, tape: Any, delta: Any) -> None:
        """Note the whole delta of a tape."""
        self.visited.append(tape)
        self.deltas[id(tape)] = delta

    def send(self, tape: Any, position: int, delta: Any) -> None:
        """Note the delta of an edge."""
        self.sent[id(tape), position] = delta

    @property
    def leaves(self) -> list[Any]:
        """The tapes of the cells that a commit changes."""
        return [tape for tape in self.tapes if cell_of(tape) is not None and id(cell_of(tape)) in self.updates]


def cell_of(tape: Any) -> Any:
    """The cell of a leaf tape; None for others."""
    return getattr(tape, "cell", None)


def layer_of_tape(tape: Any) -> Any:
    """The layer that a tape is a run of; None for an input."""
    if is_layer(tape):
        return tape
    found: Any = getattr(tape, "layer", None)
    return found if found is not None or cell_of(tape) is None else tape.key


def run_of(tape: AnyTape, delta: Any = None) -> Run:
    """A run with its deltas from ``delta`` on, for None from 1 where the output is one number. Nothing changes.

    Raises ClosedTapeError for a tape that is used up or closed, ShapeError for a delta of another shape.
    """
    root: Any = kept(tape)
    run = Run(root, post_order(root, lambda one: one.upstream))
    value = root.value
    if delta is None and (is_tuple(value) or np.ndim(value) or not is_differentiable(value)):
        return run
    if root.is_trainable:
        with np.errstate(all="ignore"):
            found = pull_back([(root, deltas.seed(value, delta))], operator.add, deltas.conform, run)
        given = {cell: [one] for cell, one in found.deltas.items() if hasattr(cell, "content")}
        given |= found.contributions
        cells = list(given)
        contents = [cell.content for cell in cells]
        for cell, old, new in zip(cells, contents, all_updated(cells, contents, given, None), strict=True):
            run.updates[id(cell)] = old[0], new[0]
    return run


@attrs.frozen
class Stage:
    """What a picture of a run shows: values of some tapes, deltas of some edges, updates, and one active tape.

    None shows all.
    """

    values: frozenset[int] | None = None
    sent: frozenset[tuple[int, int]] | None = None
    updates: frozenset[int] | None = None
    active: int | None = None
    seeded: bool = True


ALL = Stage()

_BACK = "; deltas flow down, and weights are shown with their next values."


def run_graph(run: Run, stage: Stage = ALL, title: str = "") -> Graph:
    """The graph of a run: values above and deltas below on each edge. What a stage hides keeps its room."""
    shown = run.tapes[-MOST:]
    place: dict[int, int] = {}
    nodes: list[Node] = []
    for tape in reversed(shown):
        place[id(tape)] = len(nodes)
        nodes.append(_node(run, tape, stage))
    edges = [
        Edge(place[id(tape)], place[id(operand)], tuple(_chips(run, tape, position, operand, stage)))
        for tape in reversed(shown)
        for position, operand in enumerate(tape.upstream)
        if id(operand) in place
    ]
    cut = len(run.tapes) - len(shown)
    notes = (f"{len(shown):,} of {len(run.tapes):,} tapes are shown: the last ones",) if cut else ()
    description = "Values flow up" + (_BACK if run.deltas else ".")
    root = layer_of_tape(run.root)
    name = title or f"a run of {type(root).__name__}"
    groups = groups_of(_members(list(reversed(shown)), edges, place))
    return Graph(tuple(nodes), tuple(edges), name, description, groups, notes)


def _members(tapes: list[Any], edges: list[Edge], place: dict[int, int]) -> Members:
    """What the groups of a run are made of."""
    layers = [layer_of_tape(tape) for tape in tapes]
    scopes = [cell.scope if (cell := cell_of(tape)) is not None else None for tape in tapes]
    leaves = [None if layer is None else layer.__control__ for layer in layers]
    regions = [
        (place[id(tape)], place[id(tape.upstream[1])], "branch")
        for tape, kind in zip(tapes, leaves, strict=True)
        if kind == "cond" and id(tape.upstream[1]) in place
    ]
    inputs = frozenset(i for i, layer in enumerate(layers) if layer is None)
    constants = frozenset(i for i, kind in enumerate(leaves) if kind == "constant")
    return Members(edges, scopes, inputs, constants, regions)


def _node(run: Run, tape: Any, stage: Stage) -> Node:
    layer = layer_of_tape(tape)
    is_active = stage.active == id(tape)
    is_shown = stage.values is None or id(tape) in stage.values
    chips: list[Chip] = []
    if tape is run.root:
        chips += _root_chips(run, stage, is_shown)
    if layer is None:
        kind = type(tape).__name__
        total = run.deltas.get(id(tape))
        chips.append(_or_blank(value_chip(tape.value, "value"), is_shown))
        hint = f"{kind}" + ("" if total is None else ", with a delta")
        return Node("input", "x" if kind == "Constant" else kind, tuple(chips), hint, is_active=is_active)
    if is_cell(layer):
        chips.extend(_cell_chips(run, tape, stage, is_shown))
        trains = layer.is_trainable and tape.is_trainable
        return Node("weight", title_of(layer), tuple(chips), hint_of(layer), not trains, is_active)
    attributes = attributes_text(layer)
    if attributes:
        chips.append(Chip(attributes, "caption", attributes))
    return Node(family_of(layer), title_of(layer), tuple(chips), hint_of(layer), is_active=is_active)


def _root_chips(run: Run, stage: Stage, is_shown: bool) -> list[Chip]:
    """Value and delta of the output, which no edge has."""
    if cell_of(run.root) is not None or layer_of_tape(run.root) is None:
        return []
    chips = [_or_blank(value_chip(run.root.value, "value", UP), is_shown)]
    if id(run.root) in run.deltas:
        chips.append(_or_blank(value_chip(run.deltas[id(run.root)], "delta", DOWN), stage.seeded))
    return chips


def _cell_chips(run: Run, tape: Any, stage: Stage, is_shown: bool) -> list[Chip]:
    """The value of a cell, and the next one where the run has deltas."""
    cell = cell_of(tape)
    chips = [_or_blank(value_chip(tape.value, "value"), is_shown)]
    if id(cell) in run.updates:
        _, new = run.updates[id(cell)]
        is_updated = stage.updates is None or id(cell) in stage.updates
        chips.append(_or_blank(value_chip(new, "update", TO), is_updated))
    return chips


def _chips(run: Run, tape: Any, position: int, operand: Any, stage: Stage) -> list[Chip]:
    is_shown = stage.values is None or id(operand) in stage.values
    chips = [_or_blank(value_chip(operand.value, "value", UP), is_shown)]
    edge = id(tape), position
    if edge in run.sent:
        is_sent = stage.sent is None or edge in stage.sent
        chips.append(_or_blank(value_chip(run.sent[edge], "delta", DOWN), is_sent))
    return chips


def _or_blank(chip: Chip, is_shown: bool) -> Chip:
    """A chip, or one of the same size that shows nothing."""
    return chip if is_shown else attrs.evolve(chip, is_blank=True)
