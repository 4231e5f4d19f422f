"""The model of a drawing: nodes and edges with their texts, groups of nodes, and the whole graph."""

from __future__ import annotations

import attrs


@attrs.frozen
class Chip:
    """A text of a node or an edge, or an array as a heat map.

    ``style`` is a class of the theme, ``hint`` appears on hover and in screen readers. ``image`` is the address of a
    PNG, its width and its height.
    """

    text: str
    style: str
    hint: str = ""
    image: tuple[str, int, int] | None = None
    is_blank: bool = False
    """Whether the text is hidden, and only its room is there."""


@attrs.frozen
class Node:
    """A box: its family, the title, and the texts below the title. ``is_active`` marks the node of one step."""

    family: str
    title: str
    chips: tuple[Chip, ...] = ()
    hint: str = ""
    is_dashed: bool = False
    is_active: bool = False


@attrs.frozen
class Edge:
    """A line from a user down to one of its operands, by their positions in the graph, with its texts."""

    user: int
    operand: int
    chips: tuple[Chip, ...] = ()


@attrs.frozen
class Group:
    """Nodes in one box with a name: a scope of weights, or a region of a layer. Groups nest."""

    name: str
    members: frozenset[int]
    groups: tuple[Group, ...] = ()
    kind: str = "scope"


@attrs.frozen
class Graph:
    """Nodes, edges in the order of the operands, groups, and what titles, screen readers and notes say."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    title: str
    description: str
    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = ()
