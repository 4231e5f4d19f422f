"""Charts of reports: curves over epochs, and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, ulp
from sys import float_info

from layertree.drawing.framing import Picture
from layertree.drawing.labels import number_text
from layertree.drawing.measure import LINE, SMALL, text_width
from layertree.drawing.picture import caption
from layertree.drawing.svg import Markup, line, number, tag
from layertree.drawing.theme import fill, stroke

_WIDE, _HIGH, _LEFT, _TOP = 420.0, 150.0, 64.0, 16.0
_COLOURS = ("blue-line", "orange-line", "green-line", "purple-line", "red-line", "sky-line")
_DASHES = (None, "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
_MOST_BARS = 30
_LARGEST = float_info.max
_MOST_POINTS = 400


def curves(title: str, series: Mapping[str, Sequence[float]]) -> Picture:
    """Numbers over their positions from 1 on: a line for each name, told apart by colour and by dashes."""
    shown = {name: _thinned(values) for name, values in list(series.items())[: len(_COLOURS)]}
    finite = [value for points in shown.values() for _, value in points if isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if low == high:
        room = max(0.5, 4 * ulp(low))
        low, high = max(low - room, -_LARGEST), min(high + room, _LARGEST)
    last = max((points[-1][0] for points in shown.values() if points), default=1)
    parts = _axes(low, high, last)
    bottom = _TOP + _HIGH + 2 * LINE
    for i, (name, points) in enumerate(shown.items()):
        places = [
            (_across(position, last), _TOP + _part(value, low, high) * _HIGH)
            for position, value in points
            if isfinite(value)
        ]
        if len(places) > 1:
            parts.append(_line(i, places))
        elif places:
            parts.append(tag("circle", cx=places[0][0], cy=places[0][1], r=3.0, **fill(_COLOURS[i])))
        below = bottom + LINE * i
        parts.append(_line(i, [(_LEFT, below), (_LEFT + 26, below)]))
        parts.append(caption(f"{name}: {_ends(points)}", _LEFT + 32, below + 4, "ink", anchor="start"))
    words = "; ".join(f"{name}: {_ends(points)}" for name, points in shown.items())
    size = _LEFT + _WIDE + 16, bottom + LINE * len(shown)
    return Picture(title, words or "no values", *size, Markup("".join(parts)))


def _part(value: float, low: float, high: float) -> float:
    """How far a number is from the high limit, as part of the range, which may overflow."""
    unit = 1.0 if high - low <= _LARGEST else 0.25
    return (high * unit - value * unit) / (high * unit - low * unit)


def _line(i: int, places: Sequence[tuple[float, float]]) -> Markup:
    """The line of the i-th name through some places."""
    return line(places, fill="none", stroke_width=2.0, stroke_dasharray=_DASHES[i], **stroke(_COLOURS[i]))


def _ends(points: Sequence[tuple[int, float]]) -> str:
    return f"{number_text(points[0][1])} to {number_text(points[-1][1])}" if points else "no values"


def _thinned(values: Sequence[float]) -> list[tuple[int, float]]:
    step = -(-len(values) // _MOST_POINTS) or 1
    points = [(position + 1, float(value)) for position, value in enumerate(values)]
    return points[:-1:step] + points[-1:]


def _across(position: int, last: int) -> float:
    return _LEFT + (position - 1) / max(last - 1, 1) * _WIDE


def _axes(low: float, high: float, last: int) -> list[Markup]:
    bottom = _TOP + _HIGH
    frame = f"M{number(_LEFT)} {number(_TOP)}V{number(bottom)}H{number(_LEFT + _WIDE)}"
    return [
        tag("path", d=frame, fill="none", stroke_width=1.0, **stroke("line")),
        caption(number_text(high), _LEFT - 6, _TOP + 8, "faint", anchor="end"),
        caption(number_text(low), _LEFT - 6, bottom, "faint", anchor="end"),
        caption("1", _LEFT, bottom + 13, "faint"),
        caption(str(last), _LEFT + _WIDE, bottom + 13, "faint"),
    ]


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> Picture:
    """A bar for each row: its name, its length, and the text behind the bar; the longest ones of many rows."""
    shown = list(rows)
    if len(shown) > _MOST_BARS:
        kept = sorted(range(len(shown)), key=lambda i: -shown[i][1])[:_MOST_BARS]
        shown = [shown[i] for i in sorted(kept)]
    left = max((text_width(name, SMALL) for name, _, _ in shown), default=0.0) + 20
    right = max((text_width(behind, SMALL) for _, _, behind in shown), default=0.0) + 20
    longest = max((length for _, length, _ in shown if isfinite(length)), default=0.0) or 1.0
    parts: list[Markup] = []
    for i, (name, length, behind) in enumerate(shown):
        y = 12 + 20.0 * i
        wide = max(length / longest * 220, 1.0) if isfinite(length) else 1.0
        parts.append(caption(name, left - 6, y + 11, "ink", anchor="end"))
        parts.append(tag("rect", x=left, y=y, width=wide, height=14.0, rx=2.0, **fill("blue-line")))
        parts.append(caption(behind, left + wide + 6, y + 11, "faint", anchor="start"))
    height = 24 + 20.0 * len(shown)
    if len(rows) > len(shown):
        parts.append(caption(f"the {len(shown)} longest of {len(rows):,}", left, height, "faint", anchor="start"))
        height += LINE
    words = "; ".join(f"{name}: {behind}" for name, _, behind in shown)
    return Picture(title, words or "no rows", left + 220 + right, height, Markup("".join(parts)))
