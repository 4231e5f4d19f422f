"""Errors of a program in words: which layer, whose gradient, which update, on which line of the user's."""

from __future__ import annotations

from types import CodeType
from typing import Any

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import MISFITS, written_at
from layertree.core.layer import Layer
from layertree.core.provenance import origin_of
from layertree.program._ops import Op


def place_text(op: Op) -> str:
    """What an op belongs to: a layer by its formula, the gradient of one, or an update."""
    origin = origin_of(op.layer)
    if isinstance(origin, Layer):
        return f"the gradient of {layer_text(origin)}"
    if origin is not None:
        return f"the update by {origin!r}"
    return "the program" if op.layer is None else layer_text(op.layer)


def layer_text(layer: Any) -> str:
    """A layer: its class, its formula, and the line that wrote it where that is known."""
    return f"{type(layer).__name__}, {brief_formula(layer)}{written_at(layer)}"


def note_place(error: Exception, code: CodeType, text: str, lines: dict[int, Op]) -> None:
    """Tell an error that passes a program's function which line of it raised, and for which layer."""
    number = 0
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == code.co_filename:  # maybe in a function within it
            number = traceback.tb_lineno
        traceback = traceback.tb_next
    if number in lines:
        line = text.splitlines()[number - 1].partition("  # ")[0].strip()
        error.add_note(f"in {place_text(lines[number])}\n  line {number} of the program: {line}")


def raise_as_interpreted(error: Exception, formula: Any, data: Any) -> None:
    """For data that do not fit, raise what the interpreter says of them; nothing where it has nothing to say.

    NumPy raises OverflowError for a Python integer that the dtype beside it cannot hold.
    """
    if not isinstance(error, (*MISFITS, OverflowError)):
        return
    try:
        tape = formula.forward(data)
        if tape.is_trainable:
            tape.gradients()
    except MISFITS as known:
        raise known from error
