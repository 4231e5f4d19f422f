"""Ranks: each node below all of its users (longest path), and a point of each edge in every rank that it crosses.

K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding of hierarchical system structures (1981).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

import attrs


@attrs.frozen
class Ranked:
    """A layered graph: the nodes come first, then the points of edges.

    ``rank`` is by vertex; nodes have even ranks. ``below`` are the vertices one rank further down, in the order of the
    operands. ``chains`` are the points of each edge from the user to the operand, without both.
    """

    rank: list[int]
    below: list[list[int]]
    chains: list[list[int]]

    @property
    def above(self) -> list[list[int]]:
        """The vertices one rank further up, by vertex."""
        found: list[list[int]] = [[] for _ in self.rank]
        for vertex, lower in enumerate(self.below):
            for one in lower:
                found[one].append(vertex)
        return found


def longest_paths(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The rank of each node: the length of the longest path from a node without users.

    >>> longest_paths(3, [(0, 1), (0, 2), (1, 2)])
    [0, 1, 2]

    Raises ValueError for a circle.
    """
    operands: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for user, operand in edges:
        operands[user].append(operand)
        missing[operand] += 1
    rank = [0] * count
    ready = deque([node for node in range(count) if not missing[node]])
    done = 0
    while ready:
        node = ready.popleft()
        done += 1
        for operand in operands[node]:
            rank[operand] = max(rank[operand], rank[node] + 1)
            missing[operand] -= 1
            if not missing[operand]:
                ready.append(operand)
    if done < count:
        raise ValueError("the edges of a drawing form a circle")
    return rank


def crossed(count: int, edges: Sequence[tuple[int, int]]) -> int:
    """How many ranks all edges of a graph cross together, on which the time of a layout depends.

    >>> crossed(3, [(0, 1), (0, 2), (1, 2)])
    4

    Raises ValueError for a circle.
    """
    rank = longest_paths(count, edges)
    return sum(rank[operand] - rank[user] for user, operand in edges)


def ranked(count: int, edges: Sequence[tuple[int, int]], bottom: Collection[int] = ()) -> Ranked:
    """The layered graph of nodes and edges (user, operand); the first point of each edge has room for its texts.

    The nodes of ``bottom``, which have no operands, are in the last rank. Raises ValueError for a circle.
    """
    rank = [2 * one for one in longest_paths(count, edges)]
    lowest = max(rank, default=0)
    if any(rank[node] == lowest for node in range(count) if node not in bottom) and bottom:
        lowest += 2
    for node in bottom:
        rank[node] = lowest
    below: list[list[int]] = [[] for _ in range(count)]
    chains: list[list[int]] = []
    for user, operand in edges:
        chain: list[int] = []
        last = user
        for level in range(rank[user] + 1, rank[operand]):
            chain.append(len(rank))
            below[last].append(len(rank))
            last = len(rank)
            rank.append(level)
            below.append([])
        below[last].append(operand)
        chains.append(chain)
    return Ranked(rank, below, chains)
