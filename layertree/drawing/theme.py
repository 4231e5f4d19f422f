"""Colours by role, light and dark, and the style sheet that chooses between the two.

Hues are those of M. Okabe and K. Ito, Color universal design (2008), which colour-blind readers tell apart. Elements
have the light colours as attributes, and classes by which a style sheet changes them. The rules of the sheet hold where
``light-dark`` of CSS Color 5 is known: a program that knows less keeps the attributes, and so the light picture.
"""

from __future__ import annotations

import re
from typing import Any

from layertree.drawing.measure import SMALL
from layertree.drawing.svg import Markup

ROLES: dict[str, tuple[str, str]] = {
    "page": ("#ffffff", "#14181d"),
    "ink": ("#1b1f24", "#eceff3"),
    "faint": ("#57606a", "#a9b3be"),
    "line": ("#7b8590", "#7f8a96"),
    "box": ("#f5f7f9", "#1c2229"),
    "value": ("#005a8f", "#6fc3f5"),
    "delta": ("#9a4300", "#ffad66"),
    "update": ("#00664a", "#53d3ac"),
    "active": ("#b00020", "#ff8f8f"),
    "blue": ("#dcebf8", "#12324a"),
    "blue-line": ("#0072b2", "#56b4e9"),
    "sky": ("#e2f4fb", "#173a40"),
    "sky-line": ("#1f7fa6", "#62cbd8"),
    "green": ("#d9f2e8", "#11382c"),
    "green-line": ("#00795a", "#2fc79b"),
    "yellow": ("#f8f4cf", "#37330f"),
    "yellow-line": ("#7d7200", "#e5d94a"),
    "purple": ("#f6e2ee", "#3d2034"),
    "purple-line": ("#a3457d", "#de9cc4"),
    "orange": ("#ffeacc", "#46300d"),
    "orange-line": ("#a66300", "#f0ab3c"),
    "red": ("#fde2d4", "#4a2412"),
    "red-line": ("#c45100", "#ff9055"),
    "grey": ("#eceff2", "#2a3139"),
    "grey-line": ("#6a737d", "#98a3ae"),
}
"""The colour of each role on a light and on a dark page."""

_HUES = {
    "blue": ("arithmetic", "comparison", "rounding"),
    "sky": ("elementwise", "trigonometric", "gates"),
    "green": ("linear_algebra", "convolution"),
    "yellow": ("reduction", "cumulative", "probability"),
    "purple": ("shape", "indexing", "structure", "stacks"),
    "orange": ("control", "random"),
    "red": ("weight",),
    "grey": ("constant", "input", "more"),
}
_HUE_OF = {family: hue for hue, families in _HUES.items() for family in families}


def hue_of(family: str) -> str:
    """The hue of a family of layers; classes of users have that of control."""
    return _HUE_OF.get(family, "orange")


def fill(role: str) -> dict[str, str]:
    """The attributes of an element that is filled in the colour of a role."""
    return {"class_": f"lt-f-{role}", "fill": ROLES[role][0]}


def stroke(role: str) -> dict[str, str]:
    """The attributes of a line in the colour of a role."""
    return {"class_": f"lt-s-{role}", "stroke": ROLES[role][0]}


def both(inside: str, border: str) -> dict[str, str]:
    """The attributes of a shape with a filled inside and a border."""
    return {
        "class_": f"lt-f-{inside} lt-s-{border}",
        "fill": ROLES[inside][0],
        "stroke": ROLES[border][0],
    }


_DARK_PAGES = ('[data-jp-theme-light="false"]', ".vscode-dark", 'html[theme="dark"]')
_LIGHT_PAGES = ('[data-jp-theme-light="true"]', ".vscode-light", 'html[theme="light"]')
_CLASSES = re.compile(r' class="(lt-[^"]*)"')


def scheme_rules() -> str:
    """The rules that give elements of class ``lt`` the palette of their page, and those of class ``lt-fit`` its width.

    The theme of a notebook has precedence over that of the system; print is light.
    """
    dark, light = (",".join(f"{page} .lt" for page in pages) for pages in (_DARK_PAGES, _LIGHT_PAGES))
    return (
        ".lt{color-scheme:light}"
        f"@media screen{{.lt{{color-scheme:light dark}}{dark}{{color-scheme:dark}}{light}{{color-scheme:light}}}}"
        ".lt-fit{max-width:100%;height:auto}"
    )


IMAGE_RULES = "@media screen{.lt{color-scheme:light dark}}"
"""The rules of a picture in an ``img``, whose palette the page chooses."""


def if_known(rules: str) -> str:
    """Rules that hold where ``light-dark`` is known."""
    return f"@supports(color:light-dark(#000,#fff)){{{rules}}}"


def style_sheet(inside: str, scheme: str, extra: str = "") -> Markup:
    """The style element for some elements: rules for the colours that they use, those of ``scheme`` and ``extra``."""
    used = {one for found in set(_CLASSES.findall(inside)) for one in found.split()}
    rules = [
        f".lt-{letter}-{role}{{{name}:light-dark({light},{dark})}}"
        for letter, name in (("f", "fill"), ("s", "stroke"))
        for role, (light, dark) in ROLES.items()
        if f"lt-{letter}-{role}" in used
    ]
    return Markup(f"<style>{if_known(scheme + ''.join(rules))}{extra}</style>")


FONT: dict[str, Any] = {
    "font_family": "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    "font_size": SMALL,
    "text_anchor": "middle",
}
"""The font of all texts, of fixed width, so that the size of a text is known without the font; most texts are small."""
