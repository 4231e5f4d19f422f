"""The sentences of a run, step by step: what each node receives and sends."""

from __future__ import annotations

from typing import Any

from layertree.core.narrowing import is_cell, is_literal
from layertree.drawing.labels import short, title_of
from layertree.drawing.runs import Run
from layertree.tape.sources import cell_of, layer_of_tape
from layertree.tape.update import rule_of

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def forward_sentence(tape: Any) -> str:
    """What a tape computes: ``Times receives 4.0 and 2.0 and gives 8.0``."""
    layer = layer_of_tape(tape)
    if layer is None:
        return f"the input is {short(tape.value)}"
    if is_cell(layer):
        return f"{subject(tape)} has the value {short(tape.value)}"
    if is_literal(layer):
        return f"the constant is {short(tape.value)}"
    operands = _joined([short(one.value) for one in tape.upstream])
    if layer.__control__ == "cond":
        condition = short(tape.upstream[0].value)
        return f"If receives {condition} and gives {short(tape.value)}, the value of the branch that is taken"
    return f"{subject(tape)} receives {operands} and gives {short(tape.value)}"


def backward_sentence(run: Run, tape: Any) -> str:
    """Which deltas a tape sends: ``Times receives 1.0 and sends 2.0 to its first operand``."""
    count = run.counts[id(tape)]
    is_sum = count > 1 and run.sum_of(tape) is not None
    received = short(run.deltas[id(tape)]) + (f", the sum of {count} deltas," if is_sum else "")
    operand = "operand" if len(tape.upstream) == 1 else "{} operand"
    sent = [
        f"{short(run.sent[id(tape), position])} to its {operand.format(_ordinal(position))}"
        for position in range(len(tape.upstream))
        if (id(tape), position) in run.sent
    ]
    if not tape.upstream:
        return f"{subject(tape)} receives {received}".removesuffix(",")
    return f"{subject(tape)} receives {received} and sends {_joined(sent) if sent else 'nothing'}"


def update_sentence(run: Run, tape: Any) -> str:
    """How a commit changes a cell: ``the weight goes from 2.0 to 1.96 by SGD(...)``."""
    cell = cell_of(tape)
    old, new = run.updates[id(cell)]
    whole = run.sum_of(tape)
    rule = f"{rule_of(cell, None)!r}" + ("" if whole is None else f" with {short(whole)}, the sum of its deltas")
    if short(old) == short(new):
        return f"{subject(tape)}, {short(old)}, takes a step by {rule}"
    return f"{subject(tape)} goes from {short(old)} to {short(new)} by {rule}"


def subject(tape: Any) -> str:
    """The name of a node as the subject of a sentence: that of a picture, or what the node is."""
    layer = layer_of_tape(tape)
    if layer is None:
        return "the input"
    if is_cell(layer):
        kind = "weight" if layer.is_trainable else "state"
        return f"the {kind} {layer.path}" if layer.path else f"the {kind}"
    return title_of(layer)


def _ordinal(position: int) -> str:
    return _ORDINALS[position] if position < len(_ORDINALS) else f"{position + 1}th"


def _joined(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"
