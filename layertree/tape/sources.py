"""The layer and the cell that a tape is a run of."""

from __future__ import annotations

from typing import Any

from layertree.core.narrowing import is_layer

__all__ = ["cell_of", "layer_of_tape"]


def cell_of(tape: Any) -> Any:
    """The cell of a leaf tape; None for others."""
    return getattr(tape, "cell", None)


def layer_of_tape(tape: Any) -> Any:
    """The layer that a tape is a run of; None for an input."""
    if is_layer(tape):
        return tape
    found: Any = getattr(tape, "layer", None)
    return found if found is not None or cell_of(tape) is None else tape.key
