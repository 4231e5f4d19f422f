"""Diagnostics: the layer, gradient or update, the user's line and the source line of an error in a program."""

from __future__ import annotations

from collections.abc import Mapping
from types import CodeType

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import MISFITS, written_at
from layertree.core.narrowing import is_layer
from layertree.core.provenance import origin_of
from layertree.program.ir.operations import AnyLayer, Data, Op


def origin_text(op: Op) -> str:
    """What an op was lowered from: a layer as its formula, a layer's gradient, or an update rule."""
    origin = origin_of(op.layer)
    if is_layer(origin):
        return f"the gradient of {layer_text(origin)}"
    if origin is not None:
        return f"the update by {origin!r}"
    return "the program" if op.layer is None else layer_text(op.layer)


def layer_text(layer: AnyLayer) -> str:
    """The class of a layer, its formula, and the user's line that wrote the layer where the line is known."""
    return f"{type(layer).__name__}, {brief_formula(layer)}{written_at(layer)}"


def note_origin(error: Exception, code: CodeType, text: str, lines: Mapping[int, Op]) -> None:
    """Add a note to an error that a generated function raised: the op of the line, and the line's text.

    ``lines`` gives the op of each line of the source ``text`` that was compiled to ``code``.
    """
    number = 0
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == code.co_filename:  # maybe of a function nested in it
            number = traceback.tb_lineno
        traceback = traceback.tb_next
    if number in lines:
        line = text.splitlines()[number - 1].partition("  # ")[0].strip()
        error.add_note(f"in {origin_text(lines[number])}\n  line {number} of the program: {line}")


def raise_as_interpreted(error: Exception, formula: AnyLayer, data: Data) -> None:
    """Raise the interpreter's error for data that do not fit a formula; return where the interpreter has none.

    NumPy raises OverflowError for a Python integer that the dtype of the other operand cannot hold.
    """
    if not isinstance(error, (*MISFITS, OverflowError)):
        return
    try:
        tape = formula.forward(data)
        if tape.is_trainable:
            tape.gradients()
    except MISFITS as known:
        raise known from error
