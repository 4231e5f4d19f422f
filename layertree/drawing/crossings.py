"""The order of vertices in each rank: depth first, then by barycenters as long as edges cross less.

The order depth first has no crossings for a tree, and keeps operands in their order.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise

from layertree.drawing.ranks import Ranked

_SWEEPS = 8


def ordered(graph: Ranked) -> list[list[int]]:
    """The vertices of each rank from left to right."""
    above = graph.above
    rows = _depth_first(graph, above)
    best, fewest = rows, crossings(rows, graph.below)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        rows = _swept(rows, above, 1) if sweep % 2 == 0 else _swept(rows, graph.below, -1)
        found = crossings(rows, graph.below)
        if found < fewest:
            best, fewest = rows, found
    return best


def crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """How many pairs of edges cross.

    >>> crossings([[0, 1], [2, 3]], [[3], [2], [], []])
    1
    """
    total = 0
    for upper, lower in pairwise(rows):
        place = {vertex: position for position, vertex in enumerate(lower)}
        seen: list[int] = []
        for vertex in upper:
            ends = sorted(place[one] for one in below[vertex])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _depth_first(graph: Ranked, above: Sequence[Sequence[int]]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(graph.rank, default=-1) + 1)]
    seen: set[int] = set()
    stack = [vertex for vertex in reversed(range(len(graph.rank))) if not above[vertex]]
    while stack:
        vertex = stack.pop()
        if vertex in seen:
            continue
        seen.add(vertex)
        rows[graph.rank[vertex]].append(vertex)
        stack.extend(reversed(graph.below[vertex]))
    return rows


def _swept(rows: Sequence[Sequence[int]], neighbours: Sequence[Sequence[int]], step: int) -> list[list[int]]:
    """One sweep through the ranks: each rank sorted by the mean position of its neighbours in the rank before."""
    found = [list(row) for row in rows]
    numbers = range(1, len(rows)) if step == 1 else range(len(rows) - 2, -1, -1)
    for number in numbers:
        place = {vertex: position for position, vertex in enumerate(found[number - step])}
        keys: dict[int, float] = {}
        for position, vertex in enumerate(found[number]):
            beside = [place[one] for one in neighbours[vertex]]
            keys[vertex] = sum(beside) / len(beside) if beside else float(position)
        found[number].sort(key=keys.__getitem__)
    return found
