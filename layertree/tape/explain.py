"""Errors of a run: which operation raised, on which operands, in which line of the user's code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from layertree.core.data import describe
from layertree.core.diagnostics import MISFITS, attach_node, misfit, operation_text, written_at
from layertree.core.errors import DTypeError, GradientError
from layertree.core.spec import spec_of, spec_text
from layertree.namespaces.spec import check_operation

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


def better_error(error: Exception, node: AnyLayer, values: Sequence[Any]) -> Exception | None:
    """The error to raise instead of the error of a node's ``compute``; None to raise the original, with a note added.

    The operation is read once more in the spec namespace, whose errors name the shapes that would fit.
    """
    try:
        check_operation(node, values)
    except MISFITS as better:
        return attach_node(node, better.with_traceback(None))
    except Exception:
        pass  # the spec namespace cannot read every rule
    kinds = list(map(_kind, values))
    if isinstance(error, OverflowError):
        error = DTypeError(str(error))  # a Python integer that the dtype beside it cannot hold
    if isinstance(error, MISFITS):
        return misfit(error, node, kinds)
    error.add_note(f"in {operation_text(node, kinds)}{written_at(node)}")
    attach_node(node, error)
    return None


def backward_error(error: Exception, tape: Any, delta: Any) -> Exception:
    """The error to raise for the error of an operation's gradient: with the operation in its message, or in a note."""
    node = getattr(tape, "layer", None)
    if node is None:
        return error
    operation = operation_text(node, [_kind(upstream.value) for upstream in tape.upstream])
    if isinstance(error, GradientError):
        return GradientError(f"the gradient of {operation}: {error}{written_at(node)}")
    error.add_note(f"in the gradient of {operation} for a delta of {_kind(delta)}{written_at(node)}")
    return error


def _kind(value: Any) -> str:
    spec = getattr(value, "spec", None)  # of a value of the tree namespace
    try:
        return spec_text(spec_of(value) if spec is None else spec)
    except DTypeError:
        return describe(value)
