"""A picture with its texts for screen readers and its hints, as an element of SVG and as an image of HTML.

Notebooks get the image: viewers that clean HTML remove elements of SVG, and leave their texts as a run of words, while
an ``img`` stays. Within an image nothing reacts to the mouse, so that the hints are empty elements above the image.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from typing import TypeAlias

import attrs

from layertree.drawing.svg import Markup, number, shortened, tag, text
from layertree.drawing.theme import FONT, IMAGE_RULES, fill, scheme_rules, style_sheet

LONGEST_HINT = 300
"""How many columns a hint has."""
_WIDEST = 1000
"""The width from which a picture keeps its size, and is moved in a narrow page."""


@attrs.frozen
class Hint:
    """What a place of a picture shows when the mouse is over the place."""

    x: float
    y: float
    width: float
    height: float
    text: str


@attrs.frozen
class Picture:
    """The elements of a picture, with a title and a description for screen readers.

    ``hints`` are what the titles in ``content`` say, outer places first. ``rules`` are further ones of the style sheet.
    """

    title: str
    description: str
    width: float
    height: float
    content: Markup
    hints: tuple[Hint, ...] = ()
    rules: str = ""


_TITLE = re.compile("<title>[^<]*</title>")

Show: TypeAlias = Callable[[Picture], Markup]
"""How a page shows a picture: ``as_svg`` or ``as_image``."""


def as_svg(picture: Picture) -> Markup:
    """The picture as an element of SVG, for a file or a page that keeps such elements."""
    fit = " lt-fit" if picture.width < _WIDEST else ""
    return _element(picture, picture.content, f"lt{fit}", scheme_rules())


def as_image(picture: Picture) -> Markup:
    """The picture as an ``img`` of HTML, whose address is its data, with the hints above.

    ``page.display`` has the rules by which the image follows the theme of a notebook.
    """
    data = _element(picture, Markup(_TITLE.sub("", picture.content)), "lt", IMAGE_RULES)
    image = tag(
        "img",
        src=f"data:image/svg+xml;base64,{b64encode(data.encode()).decode()}",
        alt=shortened(f"{picture.title}. {picture.description}", 4 * LONGEST_HINT),
        width=picture.width,
        height=picture.height,
        class_="lt",
        style="max-width:100%;height:auto" if picture.width < _WIDEST else "max-width:none",
    )
    hints = [tag("span", title=hint.text, style=f"position:absolute;{_place(hint, picture)}") for hint in picture.hints]
    return tag("div", image, *hints, style="position:relative;display:inline-block;line-height:0")


def _element(picture: Picture, inside: Markup, class_: str, scheme: str) -> Markup:
    content = tag("rect", width=picture.width, height=picture.height, rx=6.0, **fill("page")) + inside
    return tag(
        "svg",
        tag("title", text(shortened(picture.title, LONGEST_HINT))),
        tag("desc", text(shortened(picture.description, 4 * LONGEST_HINT))),
        style_sheet(content, scheme, picture.rules),
        Markup(content),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(picture.width)} {number(picture.height)}",
        width=picture.width,
        height=picture.height,
        role="img",
        class_=class_,
        aria_label=shortened(picture.title, LONGEST_HINT),
        **FONT,
    )


def _place(hint: Hint, picture: Picture) -> str:
    """The place of a hint as parts of the picture, which a narrow page makes smaller."""
    parts = {
        "left": hint.x / picture.width,
        "top": hint.y / picture.height,
        "width": hint.width / picture.width,
        "height": hint.height / picture.height,
    }
    return ";".join(f"{name}:{number(100 * part)}%" for name, part in parts.items())
