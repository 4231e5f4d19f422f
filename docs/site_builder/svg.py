"""A small plotting routine: curves over an interval as static SVG, coloured by the style sheet of the site."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

__all__ = ["Curve", "plot"]

WIDTH, HEIGHT = 420, 240
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 14, 40

Point: TypeAlias = tuple[float, float]
"""Two coordinates."""


class Curve(NamedTuple):
    """A function by its points; ``kind`` is the class of the style sheet, ``value`` or ``derivative``."""

    label: str
    kind: str
    points: Sequence[Point]


def plot(title: str, curves: Sequence[Curve], limits: tuple[float, float], x_label: str = "x") -> str:
    """A figure of curves, with their names below; ``limits`` are those of the vertical axis.

    Curves are cut at the limits and interrupted where a value is not finite. The text has no empty line, so Markdown
    leaves it as it is.
    """
    xs = [x for curve in curves for x, _ in curve.points]
    frame = _Frame(min(xs), max(xs), *limits)
    lines = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(_description(curves))}</desc>",
        *_grid(frame),
        f'<text class="label" x="{WIDTH - RIGHT}" y="{HEIGHT - 5}" text-anchor="end">{escape(x_label)}</text>',
        *[f'<path class="{curve.kind}" d="{" ".join(_path(curve, frame))}"/>' for curve in curves],
        "</svg>",
    ]
    names = " ".join(f'<span class="{curve.kind}">{escape(curve.label)}</span>' for curve in curves)
    return f'<figure class="plot" data-search-exclude>\n{"".join(lines)}\n<figcaption>{names}</figcaption>\n</figure>\n'


class _Frame(NamedTuple):
    """The part of the plane that a figure shows."""

    left: float
    right: float
    low: float
    high: float

    def x(self, x: float) -> float:
        return LEFT + (x - self.left) / (self.right - self.left) * (WIDTH - LEFT - RIGHT)

    def y(self, y: float) -> float:
        return HEIGHT - BOTTOM - (y - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


def _grid(frame: _Frame) -> Iterator[str]:
    """Lines and numbers at round positions."""
    top, bottom = frame.y(frame.high), frame.y(frame.low)
    for x in _ticks(frame.left, frame.right):
        kind = "axis" if x == 0 else "grid"
        yield f'<path class="{kind}" d="M{frame.x(x):.1f} {top:.1f}V{bottom:.1f}"/>'
        yield f'<text x="{frame.x(x):.1f}" y="{bottom + 17:.1f}" text-anchor="middle">{x:g}</text>'
    for y in _ticks(frame.low, frame.high):
        kind = "axis" if y == 0 else "grid"
        yield f'<path class="{kind}" d="M{frame.x(frame.left):.1f} {frame.y(y):.1f}H{frame.x(frame.right):.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{frame.y(y) + 4:.1f}" text-anchor="end">{y:g}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """At most seven round numbers within two bounds.

    >>> _ticks(-4.0, 4.0), _ticks(0.0, 1.0)
    ([-4.0, -2.0, 0.0, 2.0, 4.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    power = 10.0 ** math.floor(math.log10((high - low) / 6))
    step = next(power * digit for digit in (1, 2, 5, 10) if (high - low) / (power * digit) <= 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) + 0.0 for i in range(first, last + 1)]


def _path(curve: Curve, frame: _Frame) -> Iterator[str]:
    """The commands of a path: a polyline for each run of points within the frame."""
    for run in _runs(curve.points, frame):
        for i, (x, y) in enumerate(_simplified([(frame.x(x), frame.y(y)) for x, y in run])):
            yield f"{'L' if i else 'M'}{x:.1f} {y:.1f}"


def _runs(points: Sequence[Point], frame: _Frame) -> Iterator[list[Point]]:
    """The parts of a polyline within the frame; a part ends where the line crosses a limit or is not finite."""
    run: list[Point] = []
    previous: Point | None = None
    for x, y in points:
        point = (x, y) if math.isfinite(y) else None
        inside = point is not None and frame.low <= y <= frame.high
        if inside and not run and previous is not None:
            run.append(_edge(previous, (x, y), frame))
        if inside:
            run.append((x, y))
        elif run:
            if point is not None and previous is not None:
                run.append(_edge(point, previous, frame))
            yield run
            run = []
        previous = point
    if run:
        yield run


def _simplified(points: Sequence[Point], tolerance: float = 0.05) -> list[Point]:
    """A polyline with fewer points, all others within a distance of it (Ramer, 1972; Douglas and Peucker, 1973).

    >>> _simplified([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 0.0)])
    [(0.0, 0.0), (2.0, 2.0), (3.0, 0.0)]
    """
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        far, distance = first, tolerance
        for i in range(first + 1, last):
            found = _distance(points[i], points[first], points[last])
            far, distance = (i, found) if found > distance else (far, distance)
        if far != first:
            kept.add(far)
            spans += [(first, far), (far, last)]
    return [points[i] for i in sorted(kept)]


def _distance(point: Point, first: Point, last: Point) -> float:
    """The distance of a point from the line through two others."""
    dx, dy = last[0] - first[0], last[1] - first[1]
    return abs(dx * (point[1] - first[1]) - dy * (point[0] - first[0])) / math.hypot(dx, dy)


def _edge(outside: Point, inside: Point, frame: _Frame) -> Point:
    """Where the line between two points, of which one is outside, crosses the upper or the lower limit."""
    (x0, y0), (x1, y1) = outside, inside
    limit = frame.high if y0 > frame.high else frame.low
    return x0 + (limit - y0) / (y1 - y0) * (x1 - x0), limit


def _description(curves: Iterable[Curve]) -> str:
    """Some values in words, for who does not see the figure."""
    return ". ".join(f"{curve.label}: {', '.join(_samples(curve.points))}" for curve in curves)


def _samples(points: Sequence[Point]) -> Iterator[str]:
    """Five values or fewer, as words."""
    for x, y in points[:: max(len(points) // 4, 1)]:
        if math.isfinite(y):
            yield f"{y:.3g} at {x:.3g}"
