"""Errors say where in the formula: which operation, on what operands, written in which line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from layertree._brief import brief_formula, name_of
from layertree._data import describe
from layertree._errors import DTypeError, GradientError, IndexRangeError, ShapeError
from layertree._place import Place
from layertree._spec import spec_of, spec_text
from layertree._structure import children_of

MISFITS = (ShapeError, DTypeError, IndexRangeError)
"""The errors of operands that do not fit their operation."""


def better_error(error: Exception, node: Any, values: Sequence[Any]) -> Exception | None:
    """The error to raise instead of one that a node's ``compute`` raised; None where that one stands, with a note.

    Shapes and dtypes are tried once more in the spec namespace, whose errors say what would fit.
    """
    from layertree.namespaces.spec import check_operation

    try:
        check_operation(node, values)
    except MISFITS as better:
        return met_at(node, better.with_traceback(None))
    except Exception:
        pass  # a rule that the spec namespace cannot read has nothing to add
    kinds = list(map(_kind, values))
    if isinstance(error, OverflowError):
        error = DTypeError(str(error))  # a Python integer that the dtype beside it cannot hold
    if isinstance(error, MISFITS):
        return misfit(error, node, kinds)
    error.add_note(f"in {operation_text(node, kinds)}{written_at(node)}")
    met_at(node, error)
    return None


def backward_error(error: Exception, tape: Any, delta: Any) -> Exception:
    """The error to raise for one that an operation's gradient raised, with the operation in its message or a note."""
    node = getattr(tape, "layer", None)
    if node is None:
        return error
    operation = operation_text(node, [_kind(upstream.value) for upstream in tape.upstream])
    if isinstance(error, GradientError):
        return GradientError(f"the gradient of {operation}: {error}{written_at(node)}")
    error.add_note(f"in the gradient of {operation} for a delta of {_kind(delta)}{written_at(node)}")
    return error


def _kind(value: Any) -> str:
    try:
        return spec_text(spec_of(value))
    except DTypeError:
        return describe(value)


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
    from layertree.rewrite.selection import ways_of

    path = ways_of(root).get(id(node))
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
