"""Errors say where in the formula: which operation, on what operands, written in which line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from layertree.core.brief import brief_formula, name_of
from layertree.core.errors import DTypeError, IndexRangeError, ShapeError
from layertree.core.paths import paths_of
from layertree.core.source_location import Place
from layertree.core.structure import children_of

MISFITS = (ShapeError, DTypeError, IndexRangeError)
"""The errors of operands that do not fit their operation."""


def misfit(error: Exception, node: Any, operands: Sequence[str]) -> Exception:
    """The error of an operation whose operands do not fit, of the same type, with the operation in its message."""
    return met_at(node, type(error)(f"{operation_text(node, operands)}: {error}{written_at(node)}"))


E = TypeVar("E", bound=Exception)


def met_at(node: Any, error: E) -> E:
    """The error, which keeps the node that it came from until ``name_path`` has the formula around it."""
    error.__dict__.setdefault("_node", node)
    return error


def name_path(error: Exception, root: Any) -> None:
    """Note the path of the node that an error came from, in the formula that was read."""
    node = error.__dict__.pop("_node", None)
    if node is None or node is root:
        return
    path = paths_of(root).get(id(node))
    if path is not None:
        error.add_note(f"  at {path.brief()}")


def operation_text(node: Any, operands: Sequence[str]) -> str:
    """An operation in words: its name, and each operand as text with its shape."""
    shown = [f"{brief_formula(child)}: {kind}" for child, kind in zip(children_of(node), operands, strict=False)]
    return f"{name_of(node)}({', '.join(shown)})"


def written_at(node: Any) -> str:
    """The line that wrote an operation, as the end of a message; empty where it is not known."""
    spot = node.__dict__.get("_place")
    return "" if spot is None else f"\n  written at {Place(*spot)}"
