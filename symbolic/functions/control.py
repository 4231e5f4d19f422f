"""Functions that leave the value unchanged: they stop deltas, or call a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from layertree import Layer, Tape
from symbolic.building.operations import apply
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from symbolic.signatures.arrays import D, In

__all__ = ["hook", "stop_gradient"]


def stop_gradient(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The operand as a constant of differentiation: it gets no delta."""
    return apply("stop_gradient", x)


def hook(x: Layer[In, Tape[D, D]], function: Callable[[D], object], /) -> Symbolic[In, Tape[D, D]]:
    """The operand; each run calls ``function(value)``.

    >>> from symbolic import placeholder
    >>> hook(placeholder(float), print).predict(3.0)
    3.0
    3.0
    """
    return apply("hook", x, function=function)
