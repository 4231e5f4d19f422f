"""HTML around pictures: a heading, the picture, folded pictures below; and a whole page."""

from __future__ import annotations

from collections.abc import Sequence

from layertree.drawing.svg import Markup, tag, text
from layertree.drawing.theme import if_known, scheme_rules

_FONT = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:13px"
_LONGEST = 2_000
_PAGE = (
    "body{margin:16px;background:#fff;color:#1b1f24;font-family:system-ui,sans-serif}"
    "@media screen and (prefers-color-scheme:dark){body{background:#14181d;color:#eceff3}}"
)


def heading(given: str) -> Markup:
    """A line of mathematics above a picture."""
    if not given:
        return Markup("")
    lines = [
        line if len(line) <= _LONGEST else line[:_LONGEST] + "\N{HORIZONTAL ELLIPSIS}" for line in given.splitlines()
    ]
    return tag(
        "div",
        *[tag("div", text(line)) for line in lines],
        style="font-family:'STIX Two Math','Cambria Math',Cambria,Georgia,serif;font-size:1.15em;white-space:pre-wrap;"
        "margin:4px 0 8px",
    )


def figure(head: str, picture: Markup, folds: Sequence[tuple[str, Markup]] = ()) -> Markup:
    """A picture below a heading, with folded pictures below."""
    folded = [
        tag(
            "details",
            tag("summary", text(name), style=_FONT + ";cursor:pointer"),
            tag("div", one, style="overflow-x:auto;margin:4px 0 8px 16px"),
        )
        for name, one in folds
    ]
    return tag("div", heading(head), tag("div", picture, style="overflow-x:auto"), *folded)


def strip(title: str, frames: Sequence[tuple[str, str, Markup]], note: str) -> Markup:
    """Pictures beside each other, as many as fit, each with its head and its sentence."""
    shown = [
        tag(
            "figure",
            tag("figcaption", tag("b", text(head)), tag("br"), text(sentence), style="min-height:4.2em"),
            picture,
            style="margin:0;width:250px;break-inside:avoid",
        )
        for head, sentence, picture in frames
    ]
    rest = [tag("p", text(note))] if note else []
    style = _FONT + ";display:flex;flex-wrap:wrap;gap:16px"
    return tag("div", heading(title), tag("div", *shown, style=style), *rest)


def preformatted(given: str) -> Markup:
    """A text in a font of fixed width, line by line."""
    lines = Markup("\n".join(text(line) for line in given.splitlines()))
    return tag("pre", lines, style=_FONT + ";line-height:1.35;overflow-x:auto;margin:4px 0")


def display(*parts: Markup) -> Markup:
    """What a notebook shows, with the rules by which images follow the theme of the notebook."""
    return tag("div", tag("style", Markup(if_known(scheme_rules()))), *parts)


def whole(title: str, inside: Markup) -> str:
    """A page of its own."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name_="viewport", content="width=device-width,initial-scale=1"),
        tag("title", text(title)),
        tag("style", Markup(_PAGE)),
    )
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", inside), lang="en") + "\n"
