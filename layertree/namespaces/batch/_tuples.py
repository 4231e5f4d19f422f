"""Tuples of which some parts are stacks, and what passes them on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.core.nested import apart, folded
from layertree.namespaces.batch._values import Batched, Several, parts_of_several, several

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
    return folded(x, _stack, lambda _, stacks: xp.xp.tuple((*stacks,)), parts_of_several)


def _stack(x: Value) -> Value:
    return x.stack if isinstance(x, Batched) else x


def _as_before(xp: Any, x: Value, whole: Value) -> Value:
    """A value of the namespace below as one that is batched where ``x`` is."""
    stacks = apart(whole, x, lambda one, i: xp.xp.item(one, position=i), parts_of_several)
    return folded(x, lambda part: _like(part, next(stacks)), several, parts_of_several)


def _like(x: Value, stack: Value) -> Value:
    return Batched(stack, x.spec) if isinstance(x, Batched) else stack
