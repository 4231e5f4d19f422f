"""The values of weights, and of the nodes of one run in inference mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.brief import name_of
from layertree.core.layer import AnyLayer
from layertree.core.structure import post_order
from layertree.core.weight import Weight
from layertree.rewrite.inference import inference
from layertree.rewrite.traversal import named_cells
from layertree.tape.run import forward


def operations_of(formula: AnyLayer, input: object) -> list[Any]:
    """The tapes of the operations of one run in inference mode, each after its operands."""
    tapes: list[Any] = post_order(forward(inference(formula.__layer__()), input), lambda one: one.upstream)
    return [tape for tape in tapes if tape.upstream]


def weights_of(formula: AnyLayer) -> dict[str, Any]:
    """The values of all weights by name."""
    cells = named_cells(formula.__layer__())
    return {name: cell.value for name, cell in cells.items() if isinstance(cell, Weight)}


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
