"""Where a node comes from: the line that wrote it and, of a node of a derivative, the layer whose gradient it is.

Kept beside a node's fields, outside of equality, hash and files, for errors and profiles to tell.
"""

from __future__ import annotations

from typing import Any

Marks = dict[str, Any]

_NAMES = ("_origin", "_place")


def marks_of(node: Any) -> Marks:
    """What is known of a node, for those that take its place."""
    fields = node.__dict__
    return {name: fields[name] for name in _NAMES if name in fields}


def gradient_marks(node: Any) -> Marks:
    """What is known of the nodes of a layer's gradient; those of a gradient's gradient belong to the layer, too."""
    return {"_origin": node, **marks_of(node)}


def mark(node: Any, marks: Marks) -> None:
    """Note where a node comes from; what is known of it already stays."""
    fields = node.__dict__
    for name, value in marks.items():
        fields.setdefault(name, value)


def carry(fields: Marks, others: Marks) -> None:
    """Hand on what is known of one node's fields to those of another that is made after it."""
    if "_place" in fields:
        others["_place"] = fields["_place"]
    if "_origin" in fields:
        others["_origin"] = fields["_origin"]


def origin_of(node: Any) -> Any:
    """The layer whose gradient a node belongs to, or the cell whose update; None for a node that was written."""
    return None if node is None else node.__dict__.get("_origin")
