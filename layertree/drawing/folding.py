"""Folded groups: a graph with a group as one node, and the picture of the group alone."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from layertree.core.brief import counted
from layertree.drawing.model import Chip, Edge, Graph, Group, Node

UNFOLDED = 60
"""Up to how many nodes a graph is shown with its groups unfolded."""


def folded(graph: Graph, groups: Sequence[Group]) -> Graph:
    """The graph with each of some groups, which are the outermost ones, as one node."""
    group_of = {member: number for number, group in enumerate(groups) for member in group.members}
    place: dict[int, int] = {}
    nodes: list[Node] = []
    made: dict[int, int] = {}
    for number, node in enumerate(graph.nodes):
        group = group_of.get(number)
        if group is None:
            place[number] = len(nodes)
            nodes.append(node)
            continue
        if group not in made:
            made[group] = len(nodes)
            nodes.append(_node_of(groups[group]))
        place[number] = made[group]
    edges = [
        Edge(place[edge.user], place[edge.operand], edge.chips)
        for edge in graph.edges
        if place[edge.user] != place[edge.operand]
    ]
    kept = tuple([_renumbered(group, place) for group in graph.groups if group not in groups])
    note = "scopes are folded: one box each"
    return Graph(tuple(nodes), tuple(edges), graph.title, graph.description, kept, (*graph.notes, note))


def part(graph: Graph, group: Group) -> Graph:
    """The nodes of a group, and a node for each operand and user outside of the group."""
    place: dict[int, int] = {}
    nodes: list[Node] = []
    for number in sorted(group.members):
        place[number] = len(nodes)
        nodes.append(graph.nodes[number])
    edges: list[Edge] = []
    for edge in graph.edges:
        if edge.user in group.members or edge.operand in group.members:
            for number in (edge.user, edge.operand):
                if number not in place:
                    place[number] = len(nodes)
                    nodes.append(Node("more", graph.nodes[number].title, hint="outside of the scope", is_dashed=True))
            edges.append(Edge(place[edge.user], place[edge.operand], edge.chips))
    inner = tuple([_renumbered(one, place) for one in group.groups])
    title = f"{group.kind} {group.name}"
    return Graph(tuple(nodes), tuple(edges), title, f"{counted(len(group.members), 'node')} of {title}", inner)


def _node_of(group: Group) -> Node:
    count = len(group.members)
    return Node("more", group.name, (Chip(counted(count, "node"), "caption"),), f"{group.kind} {group.name}, folded")


def _renumbered(group: Group, place: dict[int, int]) -> Group:
    members = frozenset([place[member] for member in group.members])
    return attrs.evolve(group, members=members, groups=tuple([_renumbered(one, place) for one in group.groups]))
