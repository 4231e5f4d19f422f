"""The location of an error in a formula: the operation, its operands with shapes, the line of code, the path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from layertree.core.brief import brief_formula, name_of
from layertree.core.errors import DTypeError, IndexRangeError, ShapeError
from layertree.core.paths import paths_of
from layertree.core.source_location import SourceLocation
from layertree.core.structure import children_of

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


MISFITS = (ShapeError, DTypeError, IndexRangeError)
"""The errors for operands that do not fit their operation."""


def misfit(error: Exception, node: AnyLayer, operands: Sequence[str]) -> Exception:
    """An error of the same type whose message has the operation, its operands, and the line that wrote it."""
    return attach_node(node, type(error)(f"{operation_text(node, operands)}: {error}{written_at(node)}"))


E = TypeVar("E", bound=Exception)


def attach_node(node: AnyLayer, error: E) -> E:
    """The error, with the node that raised it attached; ``name_path`` turns the node into a path later."""
    error.__dict__.setdefault("_node", node)
    return error


def name_path(error: Exception, root: AnyLayer) -> None:
    """Add a note with the path, in the formula ``root``, of the node that raised the error."""
    node = error.__dict__.pop("_node", None)
    if node is None or node is root:
        return
    path = paths_of(root).get(id(node))
    if path is not None:
        error.add_note(f"  at {path.brief()}")


def operation_text(node: AnyLayer, operands: Sequence[str]) -> str:
    """An operation as text: its name, and each operand as a short formula with its shape."""
    shown = [f"{brief_formula(child)}: {kind}" for child, kind in zip(children_of(node), operands, strict=False)]
    return f"{name_of(node)}({', '.join(shown)})"


def written_at(node: AnyLayer) -> str:
    """The line that wrote an operation, as the last line of a message; empty if unknown."""
    spot = node.__dict__.get("_place")
    return "" if spot is None else f"\n  written at {SourceLocation(*spot)}"
