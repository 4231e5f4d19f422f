"""What viewers of notebooks make of HTML: they remove elements and attributes, and some keep the texts inside."""

from __future__ import annotations

import base64
from html.parser import HTMLParser
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
START = "data:image/svg+xml;base64,"
KEPT = frozenset(("div", "details", "summary", "figure", "figcaption", "p", "b", "br", "pre", "span", "img"))
"""The elements of our HTML that JupyterLab keeps in a notebook that is not trusted."""
VOID = frozenset(("img", "br", "meta"))


class Viewer(HTMLParser):
    """The elements, attributes, visible text and images that a viewer shows.

    ``kept`` are the elements that the viewer keeps, None for all; the texts inside of other ones stay, but those of a
    style sheet. ``without`` are attributes that the viewer removes.
    """

    def __init__(self, kept: frozenset[str] | None = None, without: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.kept, self.without = kept, without
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.images: list[dict[str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if self.kept is not None and tag not in self.kept:
            return
        shown = {key: value or "" for key, value in attrs if key not in self.without}
        self.tags.append(tag)
        self.attributes += shown.items()
        if tag == "img":
            self.images.append(shown)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert not self.open or tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "script" not in self.open:
            self.text += data

    @property
    def pictures(self) -> list[str]:
        """The SVG of each image."""
        return [base64.b64decode(one["src"].removeprefix(START), validate=True).decode() for one in self.images]


def seen(html: str, kept: frozenset[str] | None = None, without: frozenset[str] = frozenset()) -> Viewer:
    """What a viewer shows of HTML."""
    viewer = Viewer(kept, without)
    viewer.feed(html)
    viewer.close()
    assert not viewer.open
    return viewer


def texts_of(svg: str) -> list[str]:
    """The texts in a picture."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]
