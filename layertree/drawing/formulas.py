"""The graph of a formula: layers, with the shapes of their results on the edges, and weights marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from layertree.core.brief import brief_formula
from layertree.core.cell import Cell
from layertree.core.diagnostics import MISFITS
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell
from layertree.core.spec import SpecTree, spec_text
from layertree.core.structure import post_order
from layertree.drawing.grouping import Members, groups_of
from layertree.drawing.labels import attributes_text, cell_chips, family_of, hint_of, title_of
from layertree.drawing.model import Chip, Edge, Graph, Node
from layertree.namespaces.spec import Inferring
from layertree.rewrite.summary import reached
from layertree.text.display import DisplayNode, inlined, inputs_of

MOST = 500
"""How many nodes the picture of a whole formula has; of a larger one those nearest to the output are shown."""

_NEAREST, _PARTS = 30, 8
"""How many nodes of a larger formula are shown, and how many of its parts can be unfolded."""

_REGIONS = ("condition", "then", "otherwise")


def formula_graphs(layer: AnyLayer, source: SpecTree | None = None) -> tuple[Graph, list[tuple[str, Graph]]]:
    """The graph of a formula, and by name those of the largest parts that do not fit into the picture.

    ``source`` is the spec of the input, if known.
    """
    root = inlined(layer)
    order = post_order(root, inputs_of)
    specs = _specs(order, source)
    trained = reached(root)
    text = brief_formula(layer, 200)
    if len(order) <= MOST:
        return _graph(root, order, text, _Building(specs, trained, {}, None)), []
    sizes = _sizes(order)
    building = _Building(specs, trained, sizes, nearest(root, _NEAREST))
    graph = _graph(root, order, text, building)
    cut = sorted(building.cut, key=lambda node: -sizes[id(node)])[:_PARTS]
    parts: list[tuple[str, Graph]] = []
    for node in cut:
        building = _Building(specs, trained, sizes, nearest(node, _NEAREST))
        below = _graph(node, post_order(node, inputs_of), f"below {_title(node)}", building)
        parts.append((f"{_title(node)}: {sizes[id(node)]:,} nodes", below))
    return graph, parts


def _title(node: DisplayNode) -> str:
    return "x" if node.layer is None else title_of(node.layer)


def _graph(root: DisplayNode, order: Sequence[DisplayNode], text: str, building: _Building) -> Graph:
    """The graph below one node of a formula, whose nodes are ``order``."""
    building.build(root)
    weights = {id(node.layer.cell) for node in order if is_cell(node.layer)}
    description = f"{len(order):,} nodes, {len(weights):,} weights and states; the output is above, operands are below."
    notes: tuple[str, ...] = ()
    if building.shown is not None:
        notes = (f"{len(building.shown):,} of {len(order):,} nodes: those nearest to the output",)
    groups = groups_of(_members(building))
    return Graph(tuple(building.nodes), tuple(building.edges), text, description, groups, notes)


def _members(building: _Building) -> Members:
    """What the groups of a formula are made of."""
    sources = building.sources
    kinds = [None if node is None else node.control for node in sources]
    scopes = [node.layer.cell.scope if node is not None and node.control == "cell" else None for node in sources]
    regions = [
        (building.place[id(node)], building.place[id(node.inputs[position])], _REGIONS[position])
        for node in sources
        if node is not None and node.control == "cond"
        for position in (1, 2)
        if id(node.inputs[position]) in building.place
    ]
    inputs = frozenset(i for i, kind in enumerate(kinds) if kind == "source")
    constants = frozenset(i for i, kind in enumerate(kinds) if kind in ("constant", "free"))
    return Members(building.edges, scopes, inputs, constants, regions)


def nearest(root: DisplayNode, most: int) -> set[int]:
    """The ids of the nodes nearest to the output, breadth first."""
    found = {id(root)}
    row = [root]
    while row:
        below: list[DisplayNode] = []
        for node in row:
            for child in node.inputs:
                if id(child) not in found and len(found) < most:
                    found.add(id(child))
                    below.append(child)
        row = below
    return found


@attrs.define
class _Building:
    """The nodes and edges under construction. ``shown`` are the ids of the visible nodes, None for all."""

    specs: Mapping[int, SpecTree]
    trained: set[Cell]
    sizes: Mapping[int, int]
    shown: set[int] | None
    nodes: list[Node] = attrs.field(factory=list[Node])
    edges: list[Edge] = attrs.field(factory=list[Edge])
    sources: list[DisplayNode | None] = attrs.field(factory=list[Any])
    place: dict[int, int] = attrs.field(factory=dict[int, int])
    cut: list[DisplayNode] = attrs.field(factory=list[DisplayNode])

    def build(self, root: DisplayNode) -> None:
        """Add all nodes, each before its operands."""
        self._add(root)
        stack = [root]
        done: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in done:
                continue
            done.add(id(node))
            user = self.place[id(node)]
            for position, operand in enumerate(node.inputs):
                number, is_shown = self._operand(operand)
                self.edges.append(Edge(user, number, tuple(self._edge_chips(node, position, operand))))
                if is_shown:
                    stack.append(operand)

    def _operand(self, operand: DisplayNode) -> tuple[int, bool]:
        """The position of an operand, which is added if necessary, and whether its own operands are shown, too."""
        if self.shown is not None and id(operand) not in self.shown:
            return self._add_cut(operand), False
        if id(operand) not in self.place or operand.control == "constant":
            self._add(operand)  # a constant is drawn once for each user
        return self.place[id(operand)], operand.control != "constant"

    def _add(self, node: DisplayNode) -> None:
        self.place[id(node)] = len(self.nodes)
        self.sources.append(node)
        self.nodes.append(self._node(node))

    def _add_cut(self, node: DisplayNode) -> int:
        known = self.place.get(id(node))
        if known is not None:
            return known
        count = self.sizes[id(node)]
        self.place[id(node)] = len(self.nodes)
        self.sources.append(None)
        self.cut.append(node)
        title = f"\N{HORIZONTAL ELLIPSIS} {count:,} more" if count > 1 else "\N{HORIZONTAL ELLIPSIS}"
        self.nodes.append(Node("more", title, hint=f"{count:,} nodes that this picture does not show", is_dashed=True))
        return self.place[id(node)]

    def _node(self, node: DisplayNode) -> Node:
        layer = node.layer
        if layer is None:
            spec = self.specs.get(id(node))
            chips = [] if spec is None else [Chip(spec_text(spec), "shape")]
            return Node("input", "x", tuple(chips), "the input")
        if is_cell(layer):
            trains = layer.cell in self.trained and layer.is_trainable
            return Node("weight", title_of(layer), tuple(cell_chips(layer, trains)), hint_of(layer), not trains)
        attributes = attributes_text(layer)
        chips = [Chip(attributes, "caption", attributes)] if attributes else []
        return Node(family_of(layer), title_of(layer), tuple(chips), hint_of(layer))

    def _edge_chips(self, node: DisplayNode, position: int, operand: DisplayNode) -> list[Chip]:
        chips = [Chip(_REGIONS[position], "role")] if node.control == "cond" else []
        spec = self.specs.get(id(operand))
        if spec is not None and operand.control is None:
            chips.append(Chip(spec_text(spec), "shape"))
        return chips


def _specs(order: list[DisplayNode], source: SpecTree | None) -> dict[int, SpecTree]:
    """The specs of the nodes by id, as far as they are known."""
    reading = _Specs(source)
    found: dict[int, SpecTree] = {}
    for node in order:
        inputs = [found.get(id(one)) for one in node.inputs]
        if any(one is None for one in inputs):
            continue
        try:
            spec = reading.of(node, inputs)
        except MISFITS:
            continue
        if spec is not None:
            found[id(node)] = spec
    return found


class _Specs(Inferring):
    """The spec of one display node from those of its inputs."""

    def __init__(self, source: SpecTree | None) -> None:
        self.source = source

    def of(self, node: DisplayNode, inputs: list[Any]) -> SpecTree | None:
        """The spec, or None for an input of unknown spec."""
        kind = node.control
        found: SpecTree | None = None
        if kind == "source":
            found = self.source
        elif kind == "constant":
            found = self.constant(node.layer, None)
        elif kind == "cell":
            found = self.cell(node.layer, None)
        elif kind == "free":
            found = self.free(node.layer, None)
        elif kind == "cond":
            found = self.choose(node.layer, *inputs)
        elif kind is None:
            found = self.apply(node.layer, inputs)
        return found


def _sizes(order: list[DisplayNode]) -> dict[int, int]:
    """How many nodes the tree below and including each node has."""
    found: dict[int, int] = {}
    for node in order:
        found[id(node)] = min(1 + sum(found[id(one)] for one in node.inputs), 10**12)
    return found
