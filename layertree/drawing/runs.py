"""The graph of a run: tapes with values above and deltas below on each edge, and weights with their next values."""

from __future__ import annotations

import operator
from collections import Counter
from functools import cached_property
from typing import Any

import attrs
import numpy as np

from layertree.core import deltas
from layertree.core.data import is_differentiable
from layertree.core.narrowing import is_cell, is_tuple
from layertree.core.structure import post_order
from layertree.core.tape import AnyTape
from layertree.drawing.extracts import MOST_CROSSED, OPERANDS
from layertree.drawing.grouping import Members, groups_of
from layertree.drawing.labels import attributes_text, family_of, hint_of, title_of, value_chip
from layertree.drawing.model import Chip, Edge, Graph, Node
from layertree.drawing.ranks import crossed
from layertree.tape.backward import pull_back
from layertree.tape.commit import next_contents
from layertree.tape.external import kept
from layertree.tape.sources import cell_of, layer_of_tape

UP, DOWN, TO = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
SUM = "\N{N-ARY SUMMATION}"
MOST = 200
"""How many tapes a picture shows; of a larger run those nearest to the output."""

_NEAREST, _MOST_EDGES = 30, 400
"""How many tapes a picture shows of a run with many or long edges, and how many edges without a limit for a tape."""

_LARGEST = 10_000
"""How many tapes of a run have their deltas computed where a picture shows the nearest ones alone."""


@attrs.define
class Run:
    """A run: its tapes from the operands up, deltas by tape and by edge, and next values by the id of a cell.

    The backward pass notes the deltas in the run, its observer.

    An edge is the id of the user's tape and the position of the operand. ``counts`` has the number of deltas that
    were sent to a tape or a cell, by its id, and ``totals`` the whole delta of a cell.
    """

    root: AnyTape
    tapes: list[Any]
    deltas: dict[int, Any] = attrs.field(factory=dict[int, Any])
    sent: dict[tuple[int, int], Any] = attrs.field(factory=dict[tuple[int, int], Any])
    visited: list[Any] = attrs.field(factory=list[Any])
    updates: dict[int, tuple[Any, Any]] = attrs.field(factory=dict[int, tuple[Any, Any]])
    totals: dict[int, Any] = attrs.field(factory=dict[int, Any])
    counts: Counter[int] = attrs.field(factory=Counter[int])
    first: int | None = None
    """How many tapes a picture shows from the operands up; None for those nearest to the output."""

    def visit(self, tape: Any, delta: Any) -> None:
        """Note the whole delta of a tape."""
        self.visited.append(tape)
        self.deltas[id(tape)] = delta

    def send(self, tape: Any, position: int, delta: Any) -> None:
        """Note the delta of an edge."""
        self.sent[id(tape), position] = delta
        operand = tape.upstream[position]
        self.counts[id(operand)] += 1
        if cell_of(operand) is not None:
            self.counts[id(cell_of(operand))] += 1

    @cached_property
    def shown(self) -> list[Any]:
        """The tapes of a picture by node, from the output on: fewer of a run whose edges are many or long."""
        found = self.tapes[: -MOST - 1 : -1] if self.first is None else self.tapes[: self.first][::-1]
        place = {id(tape): number for number, tape in enumerate(found)}
        ends = [(place[id(tape)], place[id(operand)]) for tape, _, operand in _lines(found)]
        if crossed(len(found), ends) <= MOST_CROSSED:
            return found
        return found[:_NEAREST] if self.first is None else found[-_NEAREST:]

    @cached_property
    def lines(self) -> list[tuple[Any, int, Any]]:
        """The edges of a picture: the user, the position of the operand, and the operand."""
        found = _lines(self.shown)
        return found if len(found) <= _MOST_EDGES else [line for line in found if line[1] < OPERANDS]

    @property
    def leaves(self) -> list[Any]:
        """A tape of each cell that a commit changes: the first one."""
        found: dict[int, Any] = {}
        for tape in self.tapes:
            if owner(tape) in self.updates:
                found.setdefault(owner(tape), tape)
        return list(found.values())

    def sum_of(self, tape: Any) -> Any:
        """The sum of the deltas of a tape, or of the cell of a leaf, if several were sent there; else None.

        Deltas of the parts of a tuple are no sum.
        """
        if self.counts[owner(tape)] < 2:
            return None
        found = self.deltas[id(tape)] if cell_of(tape) is None else self.totals[owner(tape)]
        return None if isinstance(found, deltas.Parts) else found


def owner(tape: Any) -> int:
    """The id of what a delta is for: of the cell of a leaf, which several tapes may share, or of the tape itself."""
    cell = cell_of(tape)
    return id(tape) if cell is None else id(cell)


def run_of(tape: AnyTape, delta: Any = None, *, is_whole: bool = True) -> Run:
    """A run with its deltas from ``delta`` on, for None from 1 where the output is one number. Nothing changes.

    Unless ``is_whole`` a large run has the deltas of the tapes that a picture shows alone, and the next values of cells
    that no other tape uses.

    Raises ClosedTapeError for a tape that is used up or closed, ShapeError for a delta of another shape.
    """
    root: Any = kept(tape)
    run = Run(root, post_order(root, lambda one: one.upstream))
    value = root.value
    if delta is None and (is_tuple(value) or np.ndim(value) or not is_differentiable(value)):
        return run
    if root.is_trainable:
        is_cut = not is_whole and len(run.tapes) > _LARGEST
        least = min([one.serial for one in run.shown if one.upstream]) if is_cut else 0
        with np.errstate(all="ignore"):
            found = pull_back([(root, deltas.seed(value, delta))], operator.add, deltas.conform, run, least)
        known = {id(cell) for one in run.tapes if (cell := cell_of(one)) is not None and one.serial >= least}
        for cell, old, new in zip(*next_contents(found, None), strict=True):
            if id(cell) in known:  # all of whose users are visited
                run.updates[id(cell)] = old[0], new[0]
        run.totals.update({id(leaf): whole for leaf, whole in found.deltas.items()})
    return run


@attrs.frozen
class Stage:
    """What a picture of a run shows at one step: values of some tapes, deltas of some edges, and updates of some cells.

    ``received`` are the tapes and cells whose whole delta is shown, ``active`` are those of the step.
    """

    values: frozenset[int]
    sent: frozenset[tuple[int, int]]
    updates: frozenset[int]
    received: frozenset[int]
    active: frozenset[int]


_BACK = "; deltas flow down, and weights are shown with their next values."


def run_graph(run: Run) -> Graph:
    """The graph of a run: values above and deltas below on each edge."""
    tapes = run.shown
    place = {id(tape): number for number, tape in enumerate(tapes)}
    nodes = [_node(run, tape) for tape in tapes]
    edges = [
        Edge(place[id(tape)], place[id(operand)], tuple(_chips(run, tape, position, operand)))
        for tape, position, operand in run.lines
    ]
    cut = len(run.tapes) - len(tapes)
    which = "last" if run.first is None else "first"
    notes = (f"{len(tapes):,} of {len(run.tapes):,} tapes are shown: the {which} ones",) if cut else ()
    if len(run.lines) < len(_lines(tapes)):
        notes = (*notes, f"no more than {OPERANDS} operands of a tape are shown")
    description = "Values flow up" + (_BACK if run.deltas else ".")
    layer = layer_of_tape(run.root)
    name = f"a run of {type(run.root if layer is None else layer).__name__}"
    groups = groups_of(_members(tapes, edges, place))
    return Graph(tuple(nodes), tuple(edges), name, description, groups, notes)


def at_stage(run: Run, graph: Graph, stage: Stage, title: str) -> Graph:
    """The graph of a run, from ``run_graph``, at one stage: what the stage hides keeps its room."""
    tapes = run.shown
    nodes: list[Node] = []
    for node, tape in zip(graph.nodes, tapes, strict=True):
        is_updated = id(cell_of(tape)) in stage.updates
        is_known = owner(tape) in stage.received
        chips = _visible(node.chips, {"value": id(tape) in stage.values, "delta": is_known, "update": is_updated})
        nodes.append(attrs.evolve(node, chips=chips, is_active=not stage.active.isdisjoint((id(tape), owner(tape)))))
    edges: list[Edge] = []
    for edge, (tape, position, operand) in zip(graph.edges, run.lines, strict=True):
        is_sent = (id(tape), position) in stage.sent
        chips = _visible(edge.chips, {"value": id(operand) in stage.values, "delta": is_sent})
        edges.append(attrs.evolve(edge, chips=chips))
    return attrs.evolve(graph, nodes=tuple(nodes), edges=tuple(edges), title=title)


def _visible(chips: tuple[Chip, ...], styles: dict[str, bool]) -> tuple[Chip, ...]:
    """Chips, of which those of some styles are blank: the same size, and nothing shown."""
    return tuple([chip if styles.get(chip.style, True) else attrs.evolve(chip, is_blank=True) for chip in chips])


def _lines(tapes: list[Any]) -> list[tuple[Any, int, Any]]:
    """The edges among some tapes: the user, the position of the operand, and the operand."""
    known = set(map(id, tapes))
    return [
        (tape, position, operand)
        for tape in tapes
        for position, operand in enumerate(tape.upstream)
        if id(operand) in known
    ]


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


def _node(run: Run, tape: Any) -> Node:
    layer = layer_of_tape(tape)
    chips = _root_chips(run) if tape is run.root else []
    if layer is None:
        kind = type(tape).__name__
        chips.append(value_chip(tape.value, "value"))
        chips += _sum_chips(run, tape)
        hint = kind if run.deltas.get(id(tape)) is None else f"{kind}, with a delta"
        return Node("input", "x" if kind == "Constant" else kind, tuple(chips), hint)
    if is_cell(layer):
        chips += _cell_chips(run, tape)
        trains = layer.is_trainable and tape.is_trainable
        return Node("weight", title_of(layer), tuple(chips), hint_of(layer), not trains)
    attributes = attributes_text(layer)
    if attributes:
        chips.append(Chip(attributes, "caption", attributes))
    chips += _sum_chips(run, tape)
    return Node(family_of(layer), title_of(layer), tuple(chips), hint_of(layer))


def _root_chips(run: Run) -> list[Chip]:
    """Value and delta of the output, which no edge has."""
    if cell_of(run.root) is not None or layer_of_tape(run.root) is None:
        return []
    chips = [value_chip(run.root.value, "value", UP)]
    if id(run.root) in run.deltas:
        chips.append(value_chip(run.deltas[id(run.root)], "delta", DOWN))
    return chips


def _cell_chips(run: Run, tape: Any) -> list[Chip]:
    """The value of a cell, and the sum of its deltas and the next value where the run has deltas."""
    chips = [value_chip(tape.value, "value"), *_sum_chips(run, tape)]
    update = run.updates.get(id(cell_of(tape)))
    if update is not None:
        chips.append(value_chip(update[1], "update", TO))
    return chips


def _sum_chips(run: Run, tape: Any) -> list[Chip]:
    """The sum of the deltas that several users send; the delta of one user is at its edge."""
    whole = run.sum_of(tape)
    return [] if whole is None else [value_chip(whole, "delta", SUM)]


def _chips(run: Run, tape: Any, position: int, operand: Any) -> list[Chip]:
    chips = [value_chip(operand.value, "value", UP)]
    edge = id(tape), position
    if edge in run.sent:
        chips.append(value_chip(run.sent[edge], "delta", DOWN))
    return chips
