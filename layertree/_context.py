"""Errors of a run say where in the formula: which operation, on what operands, written in which line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layertree._data import describe
from layertree._structure import operands_of

_SHORT = 60


def forward_error(error: Exception, node: Any, values: Sequence[Any]) -> Exception:
    """The error to raise for one that a node's ``compute`` raised on some values.

    Shapes and dtypes are tried once more in the spec namespace, whose errors say what would fit.
    """
    from layertree.namespaces.spec import check_operation

    try:
        check_operation(node, values)
    except (TypeError, ValueError) as better:
        return better
    error.add_note(f"in {operation_text(node, [describe(value) for value in values])}")
    return error


def in_backward(error: Exception, tape: Any, delta: Any) -> None:
    """Note on an error which operation's gradient raised it."""
    node = getattr(tape, "layer", None)
    if node is not None:
        inputs = [describe(upstream.value) for upstream in tape.upstream]
        error.add_note(f"in the gradient of {operation_text(node, inputs)} for a delta of {describe(delta)}")


def operation_text(node: Any, operands: Sequence[str]) -> str:
    """An operation in words: name, each operand as text with its shape, and the line that wrote it."""
    from layertree._formula_text import formula

    name = node._function or type(node).__name__
    shown = [
        f"{shorten(formula(child))}: {kind}" for child, kind in zip(operands_of(node), operands, strict=False)
    ] or list(operands)
    text = f"{name}({', '.join(shown)})"
    place = node.__dict__.get("_place")
    return f"{text}, written at {place}" if place is not None else text


def shorten(text: str) -> str:
    """A formula's text in one short line."""
    line = text.splitlines()[-1] if text else text
    return line if len(line) <= _SHORT else line[: _SHORT - 3] + "..."
