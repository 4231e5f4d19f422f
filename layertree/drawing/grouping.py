"""Groups of nodes: the scopes that cells were made in, and the regions of layers, such as the branches of an If."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import attrs

from layertree.drawing.model import Edge, Group
from layertree.drawing.ranks import longest_paths

Path = tuple["Step", ...]

_DEEPEST = 8
"""How many groups are nested in each other: the layout lays out one inside of the other."""
T = TypeVar("T")


class Step(NamedTuple):
    """One step of the path from the outermost group to a node; ``owner`` tells apart regions of one name."""

    kind: str
    name: str
    owner: int = -1


@attrs.define
class Members:
    """What groups are made of: the edges, the scope of each cell, what no group contains, and the regions.

    ``scopes`` are by node, None for operations and the empty text for cells outside of all scopes. A region is the
    node of its layer, the node of its output and its name.
    """

    edges: Sequence[Edge]
    scopes: Sequence[str | None]
    inputs: frozenset[int]
    constants: frozenset[int]
    regions: Sequence[tuple[int, int, str]] = ()


def groups_of(members: Members) -> tuple[Group, ...]:
    """The groups of a graph, nested: regions with the scopes inside of them, and scopes. A leaf alone has no box."""
    count = len(members.scopes)
    users: list[list[int]] = [[] for _ in range(count)]
    operands: list[list[int]] = [[] for _ in range(count)]
    for edge in members.edges:
        users[edge.operand].append(edge.user)
        operands[edge.user].append(edge.operand)
    rank = longest_paths(count, [(edge.user, edge.operand) for edge in members.edges])
    downward = sorted(range(count), key=rank.__getitem__)
    scopes = _scopes(members, users, operands, downward)
    regions = _regions(members, users, downward)
    paths = [
        () if node in members.inputs else (*regions[node], *[Step("scope", name) for name in scopes[node]])[:_DEEPEST]
        for node in range(count)
    ]
    return _nested(list(range(count)), paths, 0, operands)


def _nested(
    nodes: Sequence[int], paths: Sequence[Path], depth: int, operands: Sequence[Sequence[int]]
) -> tuple[Group, ...]:
    """The groups of some nodes whose paths agree up to a depth, which is that of the scopes of a formula."""
    inside: dict[Step, list[int]] = {}
    for node in nodes:
        if len(paths[node]) > depth:
            inside.setdefault(paths[node][depth], []).append(node)
    return tuple(
        [
            Group(step.name, frozenset(found), _nested(found, paths, depth + 1, operands), step.kind)
            for step, found in inside.items()
            if any(operands[node] for node in found)
        ]
    )


def _scopes(
    members: Members, users: Sequence[Sequence[int]], operands: Sequence[Sequence[int]], downward: Sequence[int]
) -> list[tuple[str, ...]]:
    """The scope of each node: of an operation the common one of its cells, else that of the operations around."""
    leaves = members.inputs | members.constants
    found: list[tuple[str, ...] | None] = [_parts(scope) for scope in members.scopes]
    for node in downward:
        cells = [scope for one in operands[node] if (scope := _parts(members.scopes[one])) is not None]
        if cells:
            found[node] = _common(cells)
    for order in (downward, downward[::-1]):
        for node in order:
            if found[node] is None and node not in leaves:
                near = [found[one] for one in (*users[node], *operands[node]) if one not in leaves]
                known = [one for one in near if one is not None]
                if len(known) == len(near) and known and users[node]:
                    found[node] = _common(known)
    _fill(found, members, users, operands, downward)
    for node in members.constants:
        found[node] = found[users[node][0]] if users[node] else None
    return [one or () for one in found]


def _fill(
    found: list[tuple[str, ...] | None],
    members: Members,
    users: Sequence[Sequence[int]],
    operands: Sequence[Sequence[int]],
    downward: Sequence[int],
) -> None:
    """Add to each scope the operations on the way from one of its nodes to another, such as those of a skip."""
    scopes = {scope[:length] for scope in found if scope for length in range(1, len(scope) + 1)}
    for scope in sorted(scopes, key=len):
        inside = {node for node, one in enumerate(found) if one is not None and one[: len(scope)] == scope}
        between = _reached(inside, users, downward) & _reached(inside, operands, downward[::-1]) - inside
        if all((found[node] or ()) == scope[:-1] for node in between):
            for node in between - members.inputs - members.constants:
                found[node] = scope


def _reached(inside: set[int], before: Sequence[Sequence[int]], order: Sequence[int]) -> set[int]:
    """The nodes with one of a set before them, in an order in which each node comes after those before."""
    reached: set[int] = set()
    for node in order:
        if any(one in inside or one in reached for one in before[node]):
            reached.add(node)
    return reached


def beside(count: int, edges: Sequence[tuple[int, int]], groups: Sequence[Group]) -> list[Group]:
    """The groups that have boxes beside each other; of one that others depend on in a circle, the groups inside."""
    kept: list[Group] = []
    pending = list(reversed(groups))
    while pending:
        group = pending.pop()
        item = list(range(count))
        for number, one in enumerate([*kept, group]):
            for member in one.members:
                item[member] = count + number
        ends = [(item[user], item[operand]) for user, operand in edges if item[user] != item[operand]]
        try:
            longest_paths(count + len(kept) + 1, ends)
        except ValueError:
            pending.extend(reversed(group.groups))
        else:
            kept.append(group)
    return kept


def _parts(scope: str | None) -> tuple[str, ...] | None:
    return None if scope is None else tuple(scope.split("/", _DEEPEST)[:_DEEPEST]) if scope else ()


def _regions(members: Members, users: Sequence[Sequence[int]], downward: Sequence[int]) -> list[Path]:
    """The regions around each node: those whose layer alone uses the node, directly or not."""
    path: list[Path] = [()] * len(users)
    starts = {root: (owner, name) for owner, root, name in members.regions if users[root] == [owner]}
    for node in downward:
        if not users[node] or node in members.inputs:
            continue
        if node in starts:
            owner, name = starts[node]
            path[node] = (*path[owner], Step("region", name, owner))
        else:
            path[node] = _common([path[user] for user in users[node]])
    return path


def _common(paths: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    """The steps that all paths begin with."""
    first = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(first), len(path)) and first[length] == path[length]:
            length += 1
        first = first[:length]
    return first
