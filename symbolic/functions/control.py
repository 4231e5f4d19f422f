"""Where deltas end, and a look at the values that pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from layertree import Layer, Tape
from symbolic.building.operations import apply
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from symbolic.signatures.arrays import D, In

__all__ = ["hook", "stop_gradient"]


def stop_gradient(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The operand, with no way back: what is behind it gets no delta from here."""
    return apply("stop_gradient", x)


def hook(x: Layer[In, Tape[D, D]], function: Callable[[D], Any], /) -> Symbolic[In, Tape[D, D]]:
    """The operand, after ``function(value)``, on each run.

    >>> from symbolic import placeholder
    >>> hook(placeholder(float), print).predict(3.0)
    3.0
    3.0
    """
    return apply("hook", x, function=function)
