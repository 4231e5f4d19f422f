"""Tuples of which some parts are stacks, and what passes them on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.namespaces.batch._values import Batched, Several

Value = Any


def tuple(xp: Any, operands: Any) -> Value:
    """The parts stay apart."""
    return Several(operands)


def item(xp: Any, x: Several, position: int) -> Value:
    """A part."""
    return x.parts[position]


def hook(xp: Any, x: Value, function: Callable[[Any], Any]) -> Value:
    """The function sees the stack."""
    return _as_before(xp, x, xp.xp.hook(_whole(xp, x), function=function))


def stop_gradient(xp: Any, x: Value) -> Value:
    """Also of a tuple."""
    return _as_before(xp, x, xp.xp.stop_gradient(_whole(xp, x)))


def _whole(xp: Any, x: Value) -> Value:
    """A value of the namespace below with stacks where ``x`` has them."""
    if isinstance(x, Several):
        return xp.xp.tuple((*[_whole(xp, part) for part in x.parts],))
    return x.stack if isinstance(x, Batched) else x


def _as_before(xp: Any, x: Value, whole: Value) -> Value:
    """A value of the namespace below as one that is batched where ``x`` is."""
    if isinstance(x, Several):
        return Several((*[_as_before(xp, part, xp.xp.item(whole, position=i)) for i, part in enumerate(x.parts)],))
    return Batched(whole, x.spec) if isinstance(x, Batched) else whole
