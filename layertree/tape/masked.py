"""Masked deltas: the delta of a side that ``where`` selects from, before the elements of the other side are set to 0.

The rule of ``where`` multiplies a delta by a mask. Where a slope further upstream is infinite or NaN at an element that
was not selected, the product with that 0 is NaN. Elementwise layers commute with the mask, so a backward pass carries
the mask with the delta through them and applies it once, after the last of them: at a leaf, before the rule of another
layer, before a sum over elements of a broadcast operand, and where deltas with different masks are added.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from layertree.core.deltas import Add, Conform, Delta
from layertree.core.dynamic import is_a, type_of
from layertree.core.pullbacks import SelectedPullbacks
from layertree.core.spec import spec_of
from layertree.core.value import Pullbacks, Value
from layertree.namespaces.spec._dims import broadcast_dim

__all__ = ["Mask", "MaskedDelta", "MaskedSums", "masked_pullbacks", "sum_of", "with_selection"]


class Mask:
    """The elements that a ``where`` selected among those of an enclosing mask: a node in a tree of conditions.

    ``xp`` is the namespace of ``condition``; elements count where the condition is ``holds``. ``shape`` is that of the
    conditions up to the outermost, broadcast.
    """

    __slots__ = ("_selected", "condition", "depth", "holds", "outer", "shape", "xp")

    xp: Any
    condition: Value
    holds: bool
    outer: Mask | None

    def __init__(self, xp: Any, condition: Value, holds: bool, outer: Mask | None) -> None:
        self.xp = xp
        self.condition = condition
        self.holds = holds
        self.outer = outer
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.shape: _Shape = _shape(condition) if outer is None else _broadcast(outer.shape, _shape(condition))
        self._selected: Any = None

    def apply(self, delta: Delta) -> Delta:
        """The delta, 0 outside of the mask."""
        if self.outer is None:
            sides = (delta, 0) if self.holds else (0, delta)
            return self.xp.where(self.condition, *sides)
        return self.xp.where(self.selected, delta, 0)

    @property
    def selected(self) -> Any:
        """The conjunction of the conditions up to the outermost; masks with a common outer mask share its part."""
        chain: list[Mask] = []
        mask: Mask | None = self
        while mask is not None and mask._selected is None:
            chain.append(mask)
            mask = mask.outer
        for one in reversed(chain):
            own = one.condition if one.holds else one.xp.bitwise_invert(one.condition)
            one._selected = own if one.outer is None else one.xp.bitwise_and(one.outer._selected, own)
        return self._selected

    def fitting(self, value: Value) -> Mask | None:
        """The innermost mask from here outward that broadcasts to the shape of a value; None where none is known to."""
        shape = _shape(value)
        mask: Mask | None = self
        while mask is not None and not _fits(mask.shape, shape):
            mask = mask.outer
        return mask


class MaskedDelta:
    """A delta with a mask that is still to be applied: elements outside of the mask count as 0, whatever they are."""

    __slots__ = ("delta", "mask")

    delta: Delta
    mask: Mask

    def __init__(self, delta: Delta, mask: Mask) -> None:
        self.delta = delta
        self.mask = mask

    def apply(self, value: Value) -> Delta:
        """The delta of a value in its kind, with the mask applied."""
        return self.mask.xp.sum_to(self.mask.apply(self.delta), value)

    def conform(self, conform: Conform, value: Any) -> MaskedDelta:
        """The delta as ``conform`` gives it for a value."""
        return MaskedDelta(conform(self.delta, value), self.mask)


class MaskedSums:
    """A namespace for the rule of an elementwise layer: a delta is masked before ``sum_to`` adds elements of it."""

    def __init__(self, xp: Any, mask: Mask) -> None:
        self._xp = xp
        self._mask = mask

    def __getattr__(self, name: str) -> Any:
        return getattr(self._xp, name)

    def sum_to(self, delta: Delta, like: Value) -> Delta:
        """``sum_to`` of the namespace; the part of the mask that the sum keeps apart is applied later."""
        if not _same_shape(_shape(delta), _shape(like)) and self._mask.fitting(like) is not self._mask:
            delta = self._mask.apply(delta)
        return self._xp.sum_to(delta, like)


def applied(delta: Delta, value: Value) -> Delta:
    """A delta of a value, with its mask applied if it has one."""
    return delta.apply(value) if type(delta) is MaskedDelta else delta


def masked_pullbacks(tape: Any, masked: MaskedDelta) -> tuple[Delta, Pullbacks]:
    """The delta of a tape, and pullbacks of masked deltas; where the tape is of another layer, the mask is applied."""
    if not _is_elementwise(tape):
        delta = masked.apply(tape.value)
        return delta, with_selection(tape.pullbacks(delta), tape, delta)
    found = tape.pullbacks(masked.delta, masked.mask)
    return masked.delta, _with_masks(found, tape, masked.delta, masked.mask)


def with_selection(pullbacks: Pullbacks, tape: Any, delta: Delta) -> Pullbacks:
    """Pullbacks of a rule; those of a layer that selects elements give masked deltas."""
    return _with_masks(pullbacks, tape, delta, None) if type(pullbacks) is SelectedPullbacks else pullbacks


def _with_masks(pullbacks: Pullbacks, tape: Any, delta: Delta, mask: Mask | None) -> Pullbacks:
    if not is_a(pullbacks, tuple) or len(pullbacks) != len(tape.upstream):
        return pullbacks  # the backward pass reports this mistake of a rule
    given: list[Callable[[], Value] | None] = list(pullbacks)
    for position, pullback in enumerate(given):
        if callable(pullback):
            selected = _selection(pullbacks, tape, position, mask)
            if selected is not None:
                given[position] = partial(_uncut, tape, position, delta, selected)
            elif mask is not None:
                given[position] = partial(_masked, pullback, mask, tape.upstream[position].value)
    return tuple(given)


def _selection(pullbacks: Pullbacks, tape: Any, position: int, outer: Mask | None) -> Mask | None:
    """The mask of the elements that were selected from an operand; None where the operand was broadcast."""
    if type(pullbacks) is not SelectedPullbacks:
        return None
    side, value = pullbacks.sides[position], tape.upstream[position].value
    if side is None or not _same_shape(_shape(tape.value), _shape(value)):
        return None
    mask = Mask(tape.xp, pullbacks.condition, side, outer)
    return mask if mask.fitting(value) is mask else None


def _uncut(tape: Any, position: int, delta: Delta, mask: Mask) -> MaskedDelta:
    """The delta of an operand whose elements were selected: that of the output, in the kind of the operand."""
    return MaskedDelta(tape.xp.sum_to(delta, tape.upstream[position].value), mask)


def _masked(pullback: Callable[[], Delta], mask: Mask, value: Value) -> Delta | MaskedDelta:
    """The delta of an operand of an elementwise layer, with the part of the mask that an operand's elements share."""
    given, kept = pullback(), mask.fitting(value)
    return given if given is None or kept is None else MaskedDelta(given, kept)


def sum_of(first: Delta, second: Delta, value: Value, add: Add) -> Delta:
    """The sum of two deltas of one value; what the masks of both have in common remains to be applied."""
    if type(first) is not MaskedDelta and type(second) is not MaskedDelta:
        return add(first, second)
    common = None
    if type(first) is MaskedDelta and type(second) is MaskedDelta:
        common = _common(first.mask, second.mask)
    if common is None:
        return add(applied(first, value), applied(second, value))
    total = add(*[one.delta if one.mask.depth == common.depth else one.apply(value) for one in (first, second)])
    return MaskedDelta(total, common)


def _common(first: Mask, second: Mask) -> Mask | None:
    """The innermost mask that encloses both, by the identities of masks and then by their conditions."""
    one: Mask | None = first
    other: Mask | None = second
    below: list[tuple[Mask, Mask]] = []
    while one is not None and other is not None and one is not other:
        if one.depth == other.depth:
            below.append((one, other))
        depth = max(one.depth, other.depth)
        one, other = _outward(one, depth), _outward(other, depth)
    common = one if one is other else None
    for inner, another in reversed(below):
        if not _select_the_same(inner, another):
            break
        common = inner
    return common


def _outward(mask: Mask, depth: int) -> Mask | None:
    """The enclosing mask of a mask of some depth; a less deep mask itself."""
    return mask.outer if mask.depth == depth else mask


def _select_the_same(one: Mask, other: Mask) -> bool:
    """Whether two masks within equal ones are equal; on tapes the elements of both conditions are compared."""
    if one.holds is not other.holds:
        return False
    if one.condition is other.condition:
        return True
    return not hasattr(one.condition, "spec") and _are_equal(one.condition, other.condition)


def _are_equal(one: Any, other: Any) -> bool:
    return np.shape(one) == np.shape(other) and bool(np.all(np.equal(one, other)))


_Shape: TypeAlias = tuple[Any, ...]


def _shape(value: Any) -> _Shape:
    spec = getattr(value, "spec", None)  # of a value of the tree namespace
    shape: _Shape = getattr(value, "shape", ()) if spec is None else spec.shape
    return shape


def _same_shape(first: _Shape, second: _Shape) -> bool:
    """Whether two shapes are known to be equal."""
    return first == second and None not in first


def _fits(shape: _Shape, wanted: _Shape) -> bool:
    """Whether a shape is known to broadcast to another one."""
    pairs = zip(reversed(shape), reversed(wanted), strict=False)
    return len(shape) <= len(wanted) and all(one == 1 or (one is not None and one == other) for one, other in pairs)


def _broadcast(first: _Shape, second: _Shape) -> _Shape:
    """The shape that two shapes broadcast to; a size that is not known fits nothing."""
    short, long = sorted((first, second), key=len)
    ahead = len(long) - len(short)
    return (*long[:ahead], *map(broadcast_dim, short, long[ahead:]))


_known: dict[type, bool] = {}
"""For each class of layers without attributes, whether its rules are elementwise."""


def _is_elementwise(tape: Any) -> bool:
    layer: Any = tape.layer
    if layer is None:
        return False
    known = _known.get(type_of(layer))
    if known is None:
        from layertree.namespaces.classification import has_elementwise_rules  # for loading time

        specs = [getattr(one.value, "spec", None) or spec_of(one.value) for one in tape.upstream]
        known = has_elementwise_rules(layer, specs)
        if not layer.__layout__.attributes:
            _known[type_of(layer)] = known
    return known
