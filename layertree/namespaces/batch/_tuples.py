"""Rules for tuples of which some parts are stacks, and for functions whose result is their operand."""

from __future__ import annotations

from collections.abc import Callable

from layertree.core.data import Data
from layertree.core.nested import apart, folded
from layertree.namespaces.batch._stacks import Stacks
from layertree.namespaces.batch._values import (
    ArrayValue,
    Batched,
    BatchValue,
    BatchValues,
    Several,
    parts_of_several,
    several,
)
from layertree.namespaces.hash_consing import TreeValue


def tuple(xp: Stacks, operands: BatchValues) -> Several:
    """The parts as a ``Several``."""
    return Several(operands)


def item(xp: Stacks, x: Several, position: int) -> BatchValue:
    """One part of a ``Several``."""
    return x.parts[position]


def hook(xp: Stacks, x: BatchValue, function: Callable[[Data], object]) -> BatchValue:
    """The operand; the function is called with the whole stack."""
    return _as_before(xp, x, xp.xp.hook(_whole(xp, x), function=function))


def stop_gradient(xp: Stacks, x: BatchValue) -> BatchValue:
    """The operand, which may be a tuple, without a derivative."""
    return _as_before(xp, x, xp.xp.stop_gradient(_whole(xp, x)))


def _whole(xp: Stacks, x: BatchValue) -> TreeValue:
    """The operand as one value of the tree namespace, which has stacks where the operand has them."""
    whole: TreeValue = folded(x, _stack, lambda _, stacks: xp.xp.tuple((*stacks,)), parts_of_several)
    return whole


def _stack(x: ArrayValue) -> TreeValue:
    return x.stack if isinstance(x, Batched) else x


def _as_before(xp: Stacks, x: BatchValue, whole: TreeValue) -> BatchValue:
    """A value of the tree namespace with the nesting and the stacks of the operand: the inverse of ``_whole``."""
    stacks = apart(whole, x, lambda one, i: xp.xp.item(one, position=i), parts_of_several)
    result: BatchValue = folded(x, lambda part: _like(part, next(stacks)), several, parts_of_several)
    return result


def _like(x: ArrayValue, stack: TreeValue) -> ArrayValue:
    return Batched(stack, x.spec) if isinstance(x, Batched) else stack
