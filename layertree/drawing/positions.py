"""Positions across: each vertex as near to the middle of its neighbours as the order and the gaps in its rank allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from layertree.drawing.ranks import Ranked

_SWEEPS = 12

Shifts: TypeAlias = Mapping[tuple[int, int], float]
_NONE: Shifts = MappingProxyType({})


def across(
    graph: Ranked,
    rows: Sequence[Sequence[int]],
    widths: Sequence[float],
    gap: float,
    nodes: int,
    shifts: Shifts = _NONE,
) -> list[float]:
    """The middle of each vertex across; the leftmost border is 0. The first ``nodes`` vertices are no points of edges.

    ``shifts`` has, by a vertex and its neighbour, how far from the middle of the vertex the edge between both ends.
    """
    above = graph.above
    placing = _Placing(list(widths), gap, nodes, shifts)
    for row in rows:
        placing.pack(row)
    both = [up + down for up, down in zip(above, graph.below, strict=True)]
    for sweep in range(_SWEEPS):
        is_last = sweep >= _SWEEPS - 3
        for row in rows:
            placing.place(row, both if is_last else above)
        for row in reversed(rows):
            placing.place(row, both if is_last else graph.below)
    left = min((placing.middle[vertex] - width / 2 for vertex, width in enumerate(widths)), default=0.0)
    return [one - left for one in placing.middle]


class _Placing:
    """The middles of all vertices while they are placed rank by rank."""

    def __init__(self, widths: list[float], gap: float, nodes: int, shifts: Shifts) -> None:
        self.middle = [0.0] * len(widths)
        self._widths = widths
        self._gap = gap
        self._nodes = nodes
        self._shifts = shifts

    def pack(self, row: Sequence[int]) -> None:
        """Place the vertices of one rank beside each other."""
        at = 0.0
        for vertex in row:
            self.middle[vertex] = at + self._widths[vertex] / 2
            at += self._widths[vertex] + self._gap

    def place(self, row: Sequence[int], neighbours: Sequence[Sequence[int]]) -> None:
        """Place the vertices of one rank: least squares from the wanted places under least distances."""
        offsets: list[float] = []
        wanted: list[float] = []
        weights: list[float] = []
        at = 0.0
        for position, vertex in enumerate(row):
            if position:
                at += (self._widths[row[position - 1]] + self._widths[vertex]) / 2 + self._gap
            target, weight = self._target(vertex, neighbours[vertex])
            offsets.append(at)
            wanted.append(target - at)
            weights.append(weight)
        for vertex, place, offset in zip(row, isotonic(wanted, weights), offsets, strict=True):
            self.middle[vertex] = place + offset

    def _target(self, vertex: int, neighbours: Sequence[int]) -> tuple[float, float]:
        """Where a vertex would be best, and with which weight; long edges are kept straight by a large one."""
        total = weight = 0.0
        for one in neighbours:
            pull = _PULL[(vertex >= self._nodes) + (one >= self._nodes)]
            shift = self._shifts.get((one, vertex), 0.0) - self._shifts.get((vertex, one), 0.0)
            total += pull * (self.middle[one] + shift)
            weight += pull
        return (total / weight, weight) if weight else (self.middle[vertex], 0.1)


_PULL = (1.0, 1.0, 8.0)
"""The weight of an edge by how many of its ends are points of edges (after E. Gansner et al., 1993)."""


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The nondecreasing sequence nearest to some values in weighted least squares, by pooling adjacent violators.

    M. Ayer et al.: An empirical distribution function for sampling with incomplete information (1955).

    >>> isotonic([1.0, 3.0, 2.0, 4.0], [1.0, 1.0, 1.0, 1.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    means: list[float] = []
    heavy: list[float] = []
    counts: list[int] = []
    for value, given in zip(values, weights, strict=True):
        mean, weight, count = value, given, 1
        while means and means[-1] > mean:
            other = heavy.pop()
            mean = (means.pop() * other + mean * weight) / (other + weight)
            weight += other
            count += counts.pop()
        means.append(mean)
        heavy.append(weight)
        counts.append(count)
    return [mean for mean, count in zip(means, counts, strict=True) for _ in range(count)]
