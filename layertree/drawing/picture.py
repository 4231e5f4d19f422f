"""A placed graph as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from layertree.drawing.layout import Placed, Point, Scene, placed
from layertree.drawing.measure import ADVANCE, LINE, LONGEST, SMALL, TITLE, chip_size, text_width
from layertree.drawing.model import Chip, Graph, Group, Node
from layertree.drawing.svg import Markup, line, number, shortened, tag, text
from layertree.drawing.theme import FONT, both, fill, hue_of, stroke, style_sheet

_MARGIN = 12.0
_LONGEST_HINT = 300
_WIDEST = 1000
"""The width from which a picture keeps its size, and is moved in a narrow page."""
_STYLES = {"role": "faint", "shape": "faint", "caption": "faint", "plain": "ink"}
_BOLD = ("value", "delta", "update")


def svg(graph: Graph, scene: Scene | None = None) -> Markup:
    """A graph as an SVG element, with a style sheet for dark pages; ``scene`` is its layout, if known."""
    scene = placed(graph) if scene is None else scene
    return framed(graph.title, graph.description, *size_of(graph, scene), drawn(graph, scene))


def framed(title: str, description: str, width: float, height: float, *inside: Markup, rules: str = "") -> Markup:
    """An SVG element of a size around some markup, with a style sheet for its colours and ``rules``."""
    content = tag("rect", width=width, height=height, rx=6.0, **fill("page")) + "".join(inside)
    return tag(
        "svg",
        tag("title", text(shortened(title, _LONGEST_HINT))),
        tag("desc", text(shortened(description, 4 * _LONGEST_HINT))),
        style_sheet(content, rules),
        Markup(content),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        class_="lt lt-fit" if width < _WIDEST else "lt",
        aria_label=shortened(title, _LONGEST_HINT),
        **FONT,
    )


def size_of(graph: Graph, scene: Scene) -> tuple[float, float]:
    """The width and the height of the picture of a graph with its layout."""
    width = max([scene.width, *[len(note) * SMALL * ADVANCE for note in graph.notes]])
    return width + 2 * _MARGIN, scene.height + 2 * _MARGIN + LINE * len(graph.notes)


def drawn(graph: Graph, scene: Scene) -> Markup:
    """The groups, edges, nodes and texts of a graph, and its notes below."""
    width, _ = size_of(graph, scene)
    left = (width - scene.width) / 2
    parts = [_group(*one) for one in scene.groups]
    parts += [_edge(path) for _, path in sorted(scene.paths.items())]
    boxes = [box for _, box in scene.groups]
    for i, place in sorted(scene.texts.items()):
        behind = "box" if any(_is_inside(place, box) for box in boxes) else "page"
        parts.append(_chips(graph.edges[i].chips, place, behind))
    parts += [_node(graph.nodes[i], place) for i, place in sorted(scene.nodes.items())]
    whole = tag("g", *parts, transform=f"translate({number(left)} {number(_MARGIN)})")
    bottom = scene.height + _MARGIN
    notes = [
        _text(note, width / 2, bottom + LINE * (i + 1) - 2, SMALL, "faint", longest=10**6)
        for i, note in enumerate(graph.notes)
    ]
    return Markup(whole + "".join(notes))


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
    return tag("g", tag("title", text(shortened(f"{group.kind} {group.name}", _LONGEST_HINT))), frame, name)


def _edge(points: Sequence[Point]) -> Markup:
    """A line through points, without those on the way straight down."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and abs(kept[-2][0] - point[0]) < 0.5 and abs(kept[-1][0] - point[0]) < 0.5:
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return line(kept, stroke_width=1.3, stroke_linejoin="round", **stroke("line"))


def _node(node: Node, place: Placed) -> Markup:
    hue = hue_of(node.family)
    border = "active" if node.is_active else f"{hue}-line"
    frame = tag(
        "rect", x=place.x, y=place.y, width=place.width, height=place.height, rx=7.0,
        stroke_width=3.0 if node.is_active else 1.5,
        stroke_dasharray="5 3" if node.is_dashed else None, **both(hue, border),
    )  # fmt: skip
    title = _text(node.title, place.x + place.width / 2, place.y + 18.5, TITLE, "ink", weight="600")
    below = Placed(place.x, place.y + 26, place.width, place.height - 28)
    hint = tag("title", text(shortened(node.hint or node.title, _LONGEST_HINT)))
    return tag("g", hint, frame, title, _chips(node.chips, below, None))


def _chips(chips: Sequence[Chip], place: Placed, behind: str | None) -> Markup:
    """Texts and heat maps below each other; on a line each has a colour behind it."""
    parts: list[Markup] = []
    y = place.y
    for chip in chips:
        if not chip.is_blank:
            parts.append(_chip(chip, place.x + place.width / 2, y, behind))
        y += chip_size(chip)[1]
    return tag("g", *parts) if parts else Markup("")


def _chip(chip: Chip, middle: float, y: float, behind: str | None) -> Markup:
    width, height = chip_size(chip)
    left = middle - width / 2
    parts: list[Markup] = []
    if chip.hint:
        parts.append(tag("title", text(shortened(chip.hint, _LONGEST_HINT))))
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
    return tag("g", *parts)


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
        "text", text(shortened(given, longest)), x=x, y=y, font_size=size, text_anchor=anchor, font_weight=weight,
        **fill(role),
    )  # fmt: skip
