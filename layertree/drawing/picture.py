"""A placed graph as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from layertree.drawing.framing import LONGEST_HINT, Hint, Picture
from layertree.drawing.layout import Placed, Point, Scene, placed
from layertree.drawing.measure import ADVANCE, LINE, LONGEST, SMALL, TITLE, chip_size, text_width
from layertree.drawing.model import Chip, Graph, Group, Node
from layertree.drawing.svg import Markup, line, number, shortened, tag, text
from layertree.drawing.theme import both, fill, hue_of, stroke

_MARGIN = 12.0
_STYLES = {"role": "faint", "shape": "faint", "caption": "faint", "plain": "ink"}
_BOLD = ("value", "delta", "update")


def pictured(graph: Graph, scene: Scene | None = None) -> Picture:
    """The picture of a graph; ``scene`` is its layout, if known."""
    scene = placed(graph) if scene is None else scene
    size = size_of(graph, scene)
    return Picture(graph.title, graph.description, *size, drawn(graph, scene), hints_of(graph, scene))


def size_of(graph: Graph, scene: Scene) -> tuple[float, float]:
    """The width and the height of the picture of a graph with its layout."""
    width = max([scene.width, *[len(note) * SMALL * ADVANCE for note in graph.notes]])
    return width + 2 * _MARGIN, scene.height + 2 * _MARGIN + LINE * len(graph.notes)


def drawn(graph: Graph, scene: Scene) -> Markup:
    """The groups, edges, nodes and texts of a graph, and its notes below."""
    left = _left(graph, scene)
    parts = [_group(*one) for one in scene.groups]
    lines = [_edge(path) for _, path in sorted(scene.paths.items())]
    if lines:
        parts.append(tag("g", *lines, fill="none", stroke_width=1.3, stroke_linejoin="round", **stroke("line")))
    boxes = [box for _, box in scene.groups]
    for i, place in sorted(scene.texts.items()):
        behind = "box" if any(_is_inside(place, box) for box in boxes) else "page"
        parts.append(_chips(graph.edges[i].chips, place, behind))
    parts += [_node(graph.nodes[i], place) for i, place in sorted(scene.nodes.items())]
    whole = tag("g", *parts, transform=f"translate({number(left)} {number(_MARGIN)})")
    bottom = scene.height + _MARGIN
    notes = [
        _text(note, left + scene.width / 2, bottom + LINE * (i + 1) - 2, SMALL, "faint", longest=10**6)
        for i, note in enumerate(graph.notes)
    ]
    return Markup(whole + "".join(notes))


def _left(graph: Graph, scene: Scene) -> float:
    """Where the layout begins in the picture."""
    return (size_of(graph, scene)[0] - scene.width) / 2


def hints_of(graph: Graph, scene: Scene) -> tuple[Hint, ...]:
    """The hints of the groups, then of the nodes, then of the texts and heat maps."""
    places = [(_group_hint(group), box) for group, box in scene.groups]
    places += [(_node_hint(graph.nodes[i]), place) for i, place in sorted(scene.nodes.items())]
    chips = [(graph.edges[i].chips, place) for i, place in sorted(scene.texts.items())]
    chips += [(graph.nodes[i].chips, _below_title(place)) for i, place in sorted(scene.nodes.items())]
    for one, place in chips:
        places += [(shortened(chip.hint, LONGEST_HINT), at) for chip, at in _chip_places(one, place) if chip.hint]
    left = _left(graph, scene)
    return tuple([Hint(at.x + left, at.y + _MARGIN, at.width, at.height, hint) for hint, at in places])


def _group_hint(group: Group) -> str:
    return shortened(f"{group.kind} {group.name}", LONGEST_HINT)


def _node_hint(node: Node) -> str:
    return shortened(node.hint or node.title, LONGEST_HINT)


def _below_title(place: Placed) -> Placed:
    """The place of the texts of a node."""
    return Placed(place.x, place.y + 26, place.width, place.height - 28)


def _chip_places(chips: Sequence[Chip], place: Placed) -> Iterator[tuple[Chip, Placed]]:
    """The visible ones of some texts and heat maps below each other, with their places."""
    y = place.y
    for chip in chips:
        width, height = chip_size(chip)
        if not chip.is_blank:
            yield chip, Placed(place.x + (place.width - width) / 2, y, width, height)
        y += height


def _is_inside(place: Placed, box: Placed) -> bool:
    """Whether the left upper corner of a place is inside of a box."""
    return box.x <= place.x <= box.x + box.width and box.y <= place.y <= box.y + box.height


def _group(group: Group, place: Placed) -> Markup:
    border = both("box", "line")
    frame = tag(
        "rect", x=place.x, y=place.y, width=place.width, height=place.height, rx=8.0,
        stroke_dasharray="4 3" if group.kind == "region" else None, **border,
    )  # fmt: skip
    name = _text(group.name, place.x + 9, place.y + 14, SMALL, "faint", anchor="start")
    return tag("g", tag("title", text(_group_hint(group))), frame, name)


def _edge(points: Sequence[Point]) -> Markup:
    """A line through points, without those on the way straight down."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and abs(kept[-2][0] - point[0]) < 0.5 and abs(kept[-1][0] - point[0]) < 0.5:
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return line(kept)


def _node(node: Node, place: Placed) -> Markup:
    hue = hue_of(node.family)
    border = "active" if node.is_active else f"{hue}-line"
    frame = tag(
        "rect", x=place.x, y=place.y, width=place.width, height=place.height, rx=7.0,
        stroke_width=3.0 if node.is_active else 1.5,
        stroke_dasharray="5 3" if node.is_dashed else None, **both(hue, border),
    )  # fmt: skip
    title = _text(node.title, place.x + place.width / 2, place.y + 18.5, TITLE, "ink", weight="600")
    hint = tag("title", text(_node_hint(node)))
    return tag("g", hint, frame, title, _chips(node.chips, _below_title(place), None))


def _chips(chips: Sequence[Chip], place: Placed, behind: str | None) -> Markup:
    """Texts and heat maps below each other; on a line each has a colour behind it."""
    parts = [_chip(chip, at, behind) for chip, at in _chip_places(chips, place)]
    return Markup("".join(parts))


def _chip(chip: Chip, at: Placed, behind: str | None) -> Markup:
    left, y, width, height = at.x, at.y, at.width, at.height
    parts: list[Markup] = []
    if chip.hint:
        parts.append(tag("title", text(shortened(chip.hint, LONGEST_HINT))))
    if behind is not None:
        parts.append(tag("rect", x=left - 2, y=y, width=width + 4, height=height, rx=3.0, **fill(behind)))
    role, weight = _STYLES.get(chip.style, chip.style), "700" if chip.style in _BOLD else None
    text_middle = left + text_width(chip.text, SMALL) / 2
    parts.append(_text(chip.text, text_middle, y + height / 2 + 4, SMALL, role, weight=weight))
    if chip.image is not None:
        address, across, down = chip.image
        place = {"x": left + width - across, "y": y + (height - down) / 2, "width": across, "height": down}
        parts.append(tag("image", **place, href=address))
        parts.append(tag("rect", **place, fill="none", stroke_width=0.8, **stroke("line")))
    return tag("g", *parts) if chip.hint else Markup("".join(parts))


def caption(given: str, x: float, y: float, role: str, *, anchor: str = "middle", longest: int = LONGEST) -> Markup:
    """A small text of a role's colour at a place."""
    return _text(given, x, y, SMALL, role, anchor=anchor, longest=longest)


def _text(
    given: str,
    x: float,
    y: float,
    size: float,
    role: str,
    *,
    anchor: str = "middle",
    weight: str | None = None,
    longest: int = LONGEST,
) -> Markup:
    return tag(
        "text", text(shortened(given, longest)), x=x, y=y, font_size=None if size == SMALL else size,
        text_anchor=None if anchor == "middle" else anchor, font_weight=weight, **fill(role),
    )  # fmt: skip
