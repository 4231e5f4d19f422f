"""The places of nodes, edges and groups: a layered layout of each group, placed as one box in the layout around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import attrs

from layertree.drawing.crossings import ordered
from layertree.drawing.grouping import beside
from layertree.drawing.measure import SMALL, chips_size, node_size, text_width
from layertree.drawing.model import Graph, Group
from layertree.drawing.positions import across
from layertree.drawing.ranks import Ranked, ranked

GAP_ACROSS, GAP_DOWN = 16.0, 15.0
_INSIDE, _HEAD = 10.0, 20.0
"""The space inside of the border of a group, and that for its name."""

Point = tuple[float, float]


@attrs.frozen
class Placed:
    """A node, a group or the texts of an edge: the left upper corner and the size."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, x: float, y: float) -> Placed:
        """The same further to the right and down."""
        return Placed(self.x + x, self.y + y, self.width, self.height)


@attrs.frozen
class Scene:
    """What is placed: nodes and edges by position in the graph, texts by edge, groups from the outside in."""

    width: float = 0.0
    height: float = 0.0
    nodes: dict[int, Placed] = attrs.field(factory=dict[int, Placed])
    paths: dict[int, list[Point]] = attrs.field(factory=dict[int, list[Point]])
    texts: dict[int, Placed] = attrs.field(factory=dict[int, Placed])
    groups: list[tuple[Group, Placed]] = attrs.field(factory=list[tuple[Group, Placed]])


def placed(graph: Graph) -> Scene:
    """The layout of a graph."""
    return _scene(graph, frozenset(range(len(graph.nodes))), graph.groups, range(len(graph.edges)))


@attrs.define
class _Level:
    """The items of one level, nodes and groups, with the edges between the items.

    An edge from outside to a member, or from a member to the outside, has a port: an item without a size, in the first
    or the last rank. ``lines`` counts the edges between two items.
    """

    graph: Graph
    sizes: list[tuple[float, float]] = attrs.field(factory=list[tuple[float, float]])
    item_of: dict[int, int] = attrs.field(factory=dict[int, int])
    scenes: dict[int, tuple[Group, Scene]] = attrs.field(factory=dict[int, tuple[Group, Scene]])
    ends: list[tuple[int, int]] = attrs.field(factory=list[tuple[int, int]])
    numbers: list[int] = attrs.field(factory=list[int])
    lines: Counter[tuple[int, int]] = attrs.field(factory=Counter[tuple[int, int]])
    bottom: set[int] = attrs.field(factory=set[int])


def _scene(graph: Graph, members: frozenset[int], groups: Sequence[Group], numbers: Sequence[int]) -> Scene:
    """The scene of some members; ``numbers`` are the edges with an end among the members, in order."""
    ends = {number: (graph.edges[number].user, graph.edges[number].operand) for number in numbers}
    inside = {number for number, pair in ends.items() if members.issuperset(pair)}
    kept = beside(len(graph.nodes), [ends[number] for number in numbers if number in inside], groups)
    level = _level(graph, members, kept, numbers)
    return _assembled(level, ranked(len(level.sizes), level.ends, level.bottom), inside)


def _level(graph: Graph, members: frozenset[int], groups: Sequence[Group], numbers: Sequence[int]) -> _Level:
    level = _Level(graph)
    group_of = {member: group for group in groups for member in group.members}
    items: dict[int, int] = {}
    for member in sorted(members):
        group = group_of.get(member)
        key = -1 - member if group is None else id(group)
        if key not in items:
            items[key] = len(level.sizes)
            level.sizes.append(node_size(graph.nodes[member]))
        level.item_of[member] = items[key]
    for group in groups:
        _nest(level, items[id(group)], group, numbers)
    for number in numbers:  # the order of the operands
        edge = graph.edges[number]
        first, second = level.item_of.get(edge.user, -1), level.item_of.get(edge.operand, -1)
        if first == second:
            continue
        if first < 0 or second < 0:
            port = len(level.sizes)
            level.sizes.append((0.0, 0.0))
            if second < 0:
                level.bottom.add(port)
            first, second = (port, second) if first < 0 else (first, port)
        level.ends.append((first, second))
        level.lines[first, second] += 1
        level.numbers.append(number)
    return level


def _nest(level: _Level, item: int, group: Group, numbers: Sequence[int]) -> None:
    """Lay out a group, and give its item the size."""
    edges = level.graph.edges
    inner = [n for n in numbers if edges[n].user in group.members or edges[n].operand in group.members]
    scene = _scene(level.graph, group.members, group.groups, inner)
    width = max(scene.width, text_width(group.name, SMALL)) + 2 * _INSIDE
    level.scenes[item] = group, scene
    level.sizes[item] = width, scene.height + _HEAD + _INSIDE


def _assembled(level: _Level, layers: Ranked, inside: set[int]) -> Scene:
    """The scene of a level whose items are ranked."""
    sizes = level.sizes + [(0.0, 0.0)] * (len(layers.rank) - len(level.sizes))
    for number, chain in zip(level.numbers, layers.chains, strict=True):
        if number in inside:
            sizes[chain[0]] = chips_size(level.graph.edges[number].chips)
    rows = ordered(layers)
    shifts = _port_shifts(level, layers)
    middles = across(layers, rows, [width for width, _ in sizes], GAP_ACROSS, len(level.sizes), shifts)
    tops = [0.0]
    for row in rows:
        tops.append(tops[-1] + max((sizes[vertex][1] for vertex in row), default=0.0) + GAP_DOWN)
    width = max((middle + sizes[vertex][0] / 2 for vertex, middle in enumerate(middles)), default=0.0)
    scene = Scene(width, max(tops[-1] - GAP_DOWN, 0.0))
    boxes = [
        Placed(middles[vertex] - sizes[vertex][0] / 2, tops[layers.rank[vertex]], *sizes[vertex])
        for vertex in range(len(sizes))
    ]
    _add_items(level, scene, boxes)
    for position, number in enumerate(level.numbers):
        chain = layers.chains[position]
        _add_edge(level, scene, boxes, layers, tops, shifts, position)
        if number in inside and level.graph.edges[number].chips:
            scene.texts[number] = boxes[chain[0]]
    return scene


def _add_items(level: _Level, scene: Scene, boxes: Sequence[Placed]) -> None:
    for member, item in level.item_of.items():
        if item not in level.scenes:
            scene.nodes[member] = boxes[item]
    for item, (group, inner) in level.scenes.items():
        box = boxes[item]
        x, y = _origin(box, inner)
        scene.groups.append((group, box))
        scene.groups.extend((one, place.moved(x, y)) for one, place in inner.groups)
        scene.nodes.update({member: place.moved(x, y) for member, place in inner.nodes.items()})
        scene.texts.update({number: place.moved(x, y) for number, place in inner.texts.items()})
        for number, path in inner.paths.items():
            scene.paths[number] = [(px + x, py + y) for px, py in path]


def _add_edge(
    level: _Level,
    scene: Scene,
    boxes: Sequence[Placed],
    layers: Ranked,
    tops: Sequence[float],
    shifts: dict[tuple[int, int], float],
    position: int,
) -> None:
    """The line of an edge at this level, joined to its parts inside of the groups where the edge starts and ends."""
    (first, second), number = level.ends[position], level.numbers[position]
    chain = layers.chains[position]
    box, last = boxes[first], boxes[second]
    x = box.x + box.width / 2 + shifts.get((first, chain[0]), 0.0)
    points = [(x, box.y + box.height), (x, tops[layers.rank[first] + 1] - GAP_DOWN)]
    # Without texts a line goes straight to the operand, unless another one goes there, too.
    is_direct = len(chain) == 1 and not boxes[chain[0]].height and level.lines[first, second] == 1
    for vertex in [] if is_direct else chain:
        place = boxes[vertex]
        middle = place.x + place.width / 2
        if place.height:  # the line goes through the middle of its texts
            points.append((middle, place.y + place.height / 2))
        else:
            points += [(middle, place.y), (middle, tops[layers.rank[vertex] + 1] - GAP_DOWN)]
    points.append((last.x + last.width / 2 + shifts.get((second, chain[-1]), 0.0), last.y))
    scene.paths[number] = [
        *_inner_path(level, boxes, first, number),
        *points,
        *_inner_path(level, boxes, second, number),
    ]


def _inner_path(level: _Level, boxes: Sequence[Placed], item: int, number: int) -> list[Point]:
    """The part of an edge inside of a group."""
    if item not in level.scenes:
        return []
    x, y = _origin(boxes[item], level.scenes[item][1])
    return [(px + x, py + y) for px, py in level.scenes[item][1].paths[number]]


def _origin(box: Placed, inner: Scene) -> Point:
    """Where the scene inside of a group's box begins."""
    return box.x + (box.width - inner.width) / 2, box.y + _HEAD


def _port_shifts(level: _Level, layers: Ranked) -> dict[tuple[int, int], float]:
    """How far from the middle of a group's box each edge leaves or enters, by item and next point of the edge."""
    found: dict[tuple[int, int], float] = {}
    for (first, second), number, chain in zip(level.ends, level.numbers, layers.chains, strict=True):
        for item, point, end in ((first, chain[0], -1), (second, chain[-1], 0)):
            if item in level.scenes:
                inner = level.scenes[item][1]
                found[item, point] = inner.paths[number][end][0] - inner.width / 2
    return found
