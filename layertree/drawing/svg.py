"""Elements of SVG and HTML as text. Text of users becomes markup only through ``text``, which escapes it."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from layertree.core.visible import visible


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def text(given: str) -> Markup:
    """A text of a user as markup that shows the text.

    >>> text("</svg><script>")
    '&lt;/svg&gt;&lt;script&gt;'
    """
    return Markup("".join(_ESCAPED.get(one, one) for one in visible(given)))


def number(value: float) -> str:
    """A length or a coordinate, with two digits at most behind the point.

    >>> number(1.0), number(2.346), number(-0.001)
    ('1', '2.35', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def tag(name: str, *children: Markup, **attributes: str | float | None) -> Markup:
    """An element: ``_`` at the end of an attribute's name is dropped, others become ``-``; None is left out.

    >>> tag("rect", class_="box", stroke_width=1.5)
    '<rect class="box" stroke-width="1.5"/>'
    """
    pairs = [
        f' {key.rstrip("_").replace("_", "-")}="{text(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    inside = "".join(children)
    end = f">{inside}</{name}>" if inside or name not in _EMPTY else "/>"
    return Markup(f"<{name}{''.join(pairs)}{end}")


_EMPTY = frozenset(("rect", "path", "circle", "image", "img", "br", "meta"))


def line(points: Sequence[tuple[float, float]], **attributes: str | float | None) -> Markup:
    """A path straight from each point to the next one.

    >>> line([(0.0, 1.0), (2.5, 3.0)], stroke="#000")
    '<path d="M0 1L2.5 3" stroke="#000"/>'
    """
    way = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return tag("path", d=f"M{way}", **attributes)


def columns(given: str) -> int:
    """How many columns a text takes in a font of fixed width.

    >>> columns("ab"), columns("\N{CJK UNIFIED IDEOGRAPH-4E2D}")
    (2, 2)
    """
    if given.isascii():
        return len(given)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in given)


def shortened(given: str, length: int) -> str:
    """A text without invisible characters and without its middle, in no more than ``length`` columns.

    >>> shortened("encoder/attention/kernel", 12)
    'encod\N{HORIZONTAL ELLIPSIS}kernel'
    """
    given = visible(given[: 4 * length] + given[-4 * length :] if len(given) > 8 * length else given)
    if columns(given) <= length:
        return given
    head, tail = (length - 1) // 2, length // 2
    while columns(given[:head]) + columns(given[-tail:]) + 1 > length:
        head, tail = max(head - 1, 1), max(tail - 1, 1)
    return f"{given[:head]}\N{HORIZONTAL ELLIPSIS}{given[-tail:]}"
