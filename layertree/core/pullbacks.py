"""Pullbacks of a selection: the result of the ``gradient`` of a layer that selects elements of its operands."""

from __future__ import annotations

from collections.abc import Callable

from layertree.core.value import Value

__all__ = ["SelectedPullbacks"]


class SelectedPullbacks(tuple[Callable[[], Value] | None, ...]):
    """Pullbacks, with the condition by which elements of the output were selected from the operands.

    ``sides`` says for each operand where its elements are in the output: where the condition is true, where the
    condition is false, or None for an operand that no element comes from. Each pullback gives a delta that is 0
    elsewhere. A backward pass that keeps the condition applies it later, where infinite slopes cannot make NaN of it.
    """

    condition: Value
    sides: tuple[bool | None, ...]

    @classmethod
    def of(
        cls, condition: Value, sides: tuple[bool | None, ...], pullbacks: tuple[Callable[[], Value] | None, ...]
    ) -> SelectedPullbacks:
        """Pullbacks with their condition."""
        made = cls(pullbacks)
        made.condition = condition
        made.sides = sides
        return made
