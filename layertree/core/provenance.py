"""Provenance of nodes: the line that wrote a node and, for a node of a derivative, the layer whose gradient made it.

Provenance is stored in the instance dict, outside of equality, hash and files; errors and profiles show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


Marks = dict[str, Any]

_NAMES = ("_origin", "_place")


def marks_of(node: AnyLayer) -> Marks:
    """The provenance of a node, for the nodes that replace it."""
    fields = node.__dict__
    return {name: fields[name] for name in _NAMES if name in fields}


def gradient_marks(node: AnyLayer) -> Marks:
    """The provenance of the nodes that the gradient of ``node`` makes, at any order of differentiation."""
    return {"_origin": node, **marks_of(node)}


def mark(node: AnyLayer, marks: Marks) -> None:
    """Set the provenance of a node, except for entries that the node has already."""
    fields = node.__dict__
    for name, value in marks.items():
        fields.setdefault(name, value)


def carry(fields: Marks, others: Marks) -> None:
    """Copy the provenance from the instance dict of one node to that of a node made from it."""
    if "_place" in fields:
        others["_place"] = fields["_place"]
    if "_origin" in fields:
        others["_origin"] = fields["_origin"]


def origin_of(node: AnyLayer | None) -> Any:
    """The layer whose gradient, or the cell whose update, made a node; None for a node that a user wrote."""
    return None if node is None else node.__dict__.get("_origin")
