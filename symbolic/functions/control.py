"""Where deltas end, and a look at the values that pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from layertree import Tape
from symbolic._build import apply
from symbolic._symbolic import Symbolic

__all__ = ["hook", "stop_gradient"]

In = TypeVar("In")
D = TypeVar("D")


def stop_gradient(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """The operand, with no way back: what is behind it gets no delta from here."""
    return apply("stop_gradient", x)  # type: ignore[no-any-return]  # apply builds any formula


def hook(x: Symbolic[In, Tape[D, D]], function: Callable[[D], Any], /) -> Symbolic[In, Tape[D, D]]:
    """The operand, after ``function(value)``, on each run.

    >>> from symbolic import placeholder
    >>> hook(placeholder(float), print).predict(3.0)
    3.0
    3.0
    """
    return apply("hook", x, function=function)  # type: ignore[no-any-return]  # apply builds any formula
