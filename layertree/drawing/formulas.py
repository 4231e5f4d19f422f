"""The graph of a formula: layers, with the shapes of their results on the edges, and weights marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from layertree.core.brief import counted
from layertree.core.cell import Cell
from layertree.core.diagnostics import MISFITS
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell
from layertree.core.spec import SpecTree, spec_text
from layertree.core.structure import post_order
from layertree.drawing.extracts import MOST_CROSSED, OPERANDS, Extract, nearest, sizes_of
from layertree.drawing.grouping import Members, groups_of
from layertree.drawing.labels import attributes_text, cell_chips, family_of, hint_of, title_of
from layertree.drawing.model import Chip, Edge, Graph, Node
from layertree.drawing.ranks import crossed
from layertree.namespaces.spec import Inferring
from layertree.rewrite.summary import reached
from layertree.text.display import DisplayNode, inlined, inputs_of
from layertree.text.formula import brief_display

MOST = 500
"""How many nodes the picture of a whole formula has; of a larger one those nearest to the output are shown."""

_LARGEST = 10_000
"""How many nodes of a formula are read for their shapes and with compositions inlined."""

_NEAREST, _PARTS = 30, 8
"""How many nodes of a larger formula are shown, and how many of its parts can be unfolded."""

_REGIONS = ("condition", "then", "otherwise")


def formula_graphs(layer: AnyLayer, source: SpecTree | None = None) -> tuple[Graph, list[tuple[str, Graph]]]:
    """The graph of a formula, and by name those of the largest parts that do not fit into the picture.

    ``source`` is the spec of the input, if known. A picture of a whole formula has no notes.
    """
    layers = post_order(layer.__layer__())
    if len(layers) > _LARGEST:
        return _extracted(Extract(layers), layers[-1])
    root = inlined(layer)
    order = post_order(root, inputs_of)
    specs = _specs(order, source)
    trained = reached(root)
    text = brief_display(root, 200)
    if len(order) <= MOST and _crossed(order) <= MOST_CROSSED:
        return _graph(root, _Count.of(order), text, _Building(specs, trained, {}, None)), []
    sizes = sizes_of(order, list(map(inputs_of, order)))

    def part(node: DisplayNode, nodes: Sequence[DisplayNode], title: str) -> tuple[Graph, list[DisplayNode]]:
        building = _Building(specs, trained, sizes, nearest(node, inputs_of, _NEAREST))
        return _graph(node, _Count.of(nodes), title, building), building.cut

    graph, cut = part(root, order, text)
    return graph, [
        (
            f"{_title(node)}: {counted(sizes[id(node)], 'node')}",
            part(node, post_order(node, inputs_of), _below(node))[0],
        )
        for node in _largest(cut, sizes)
    ]


def _crossed(order: Sequence[DisplayNode]) -> int:
    """How many ranks all edges cross together, where each node comes after its inputs."""
    place = {id(node): number for number, node in enumerate(order)}
    return crossed(len(order), [(place[id(node)], place[id(one)]) for node in order for one in node.inputs])


def _extracted(formula: Extract, layer: AnyLayer) -> tuple[Graph, list[tuple[str, Graph]]]:
    """The graphs of a formula that is too large to be inlined, whose last layer is given: without shapes."""

    def part(top: AnyLayer, count: _Count, title: str | None) -> tuple[Graph, list[DisplayNode]]:
        nodes = formula.near(top, _NEAREST)
        sizes = {id(node): 1 if node.layer is None else formula.sizes[id(node.layer)] for node in nodes}
        shown = nearest(nodes[-1], inputs_of, _NEAREST)
        building = _Building({}, formula.trained, sizes, shown)
        left_out = {id(node) for node in nodes if id(node) not in shown and sizes[id(node)] > 1}
        text = brief_display(nodes[-1], 200, left_out) if title is None else title
        graph = _graph(nodes[-1], count, text, building)
        return graph, _largest(building.cut, sizes)

    graph, cut = part(layer, _Count(formula.nodes, formula.cells), None)
    sizes = [formula.sizes[id(node.layer)] for node in cut]
    return graph, [
        (f"{_title(node)}: {counted(size, 'node')}", part(node.layer, _Count(size), _below(node))[0])
        for node, size in zip(cut, sizes, strict=True)
    ]


def _largest(nodes: Sequence[DisplayNode], sizes: Mapping[int, int]) -> list[DisplayNode]:
    """The roots of the parts to unfold."""
    found = [node for node in nodes if sizes[id(node)] > 1]
    return sorted(found, key=lambda node: -sizes[id(node)])[:_PARTS]


def _title(node: DisplayNode) -> str:
    return "x" if node.layer is None else title_of(node.layer)


def _below(node: DisplayNode) -> str:
    return f"below {_title(node)}"


@attrs.frozen
class _Count:
    """The number of nodes, and of weights and states if that is known."""

    nodes: int
    cells: int | None = None

    @classmethod
    def of(cls, order: Sequence[DisplayNode]) -> _Count:
        """The counts of the nodes of a display tree."""
        return cls(len(order), len({id(node.layer.cell) for node in order if is_cell(node.layer)}))


def _graph(root: DisplayNode, count: _Count, text: str, building: _Building) -> Graph:
    """The graph below one node of a formula, with the counts of all nodes there."""
    building.build(root)
    cells = "" if count.cells is None else f", {count.cells:,} weights and states"
    description = f"{counted(count.nodes, 'node')}{cells}; the output is above, operands are below."
    groups = groups_of(_members(building))
    return Graph(tuple(building.nodes), tuple(building.edges), text, description, groups, building.notes(count.nodes))


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
            operands = node.inputs if self.shown is None else node.inputs[:OPERANDS]
            for position, operand in enumerate(operands):
                number, is_shown = self._operand(operand)
                self.edges.append(Edge(user, number, tuple(self._edge_chips(node, position, operand))))
                if is_shown:
                    stack.append(operand)
            if len(operands) < len(node.inputs):
                self._add_rest(user, len(node.inputs) - len(operands))

    def notes(self, count: int) -> tuple[str, ...]:
        """What the picture leaves out of some nodes."""
        if self.shown is not None and len(self.shown) < count:
            return (f"{len(self.shown):,} of {count:,} nodes: those nearest to the output",)
        return (f"no more than {OPERANDS} operands of a node are shown",) if self.shown is not None else ()

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
        self.nodes.append(
            Node("more", title, hint=f"{counted(count, 'node')} that this picture does not show", is_dashed=True)
        )
        return self.place[id(node)]

    def _add_rest(self, user: int, count: int) -> None:
        """One node for the operands of a user that the picture does not show."""
        self.edges.append(Edge(user, len(self.nodes)))
        self.sources.append(None)
        title = f"\N{HORIZONTAL ELLIPSIS} {counted(count, 'operand')}"
        self.nodes.append(
            Node("more", title, hint=f"{counted(count, 'operand')} that this picture does not show", is_dashed=True)
        )

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
