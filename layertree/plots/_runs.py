"""The values of the nodes of one run in inference mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.brief import name_of
from layertree.core.layer import AnyLayer
from layertree.rewrite.inference import inference
from layertree.tape.run import forward


def operations_of(formula: AnyLayer, input: object) -> list[Any]:
    """The tapes of the operations of one run in inference mode, in the order in which they ran."""
    found: dict[int, Any] = {}
    pending: list[Any] = [forward(inference(formula.__layer__()), input)]
    while pending:
        tape = pending.pop()
        if id(tape) not in found:
            found[id(tape)] = tape
            pending.extend(tape.upstream)
    return sorted([tape for tape in found.values() if tape.upstream], key=lambda tape: tape.serial)


def activations_of(formula: AnyLayer, input: object) -> dict[str, Any]:
    """The values of the operations that give floats, by the name of the function and its number among these."""
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for tape in operations_of(formula, input):
        if tape.layer is None or isinstance(tape.value, tuple) or np.asarray(tape.value).dtype.kind != "f":
            continue
        name = name_of(tape.layer)
        number = counts[name] = counts.get(name, 0) + 1
        found[f"{name} {number}"] = tape.value
    return found
