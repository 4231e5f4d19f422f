"""What rules of running products and recurrences share: reading along an axis backwards, and one step late."""

from __future__ import annotations

from layertree.core.namespace import Namespace
from layertree.core.value import Value

_ALL = (None, None, None)


def reverse(xp: Namespace, x: Value, axis: int) -> Value:
    """``x`` from its last element along an axis to the first."""
    return xp.getitem(x, index=("...", (None, None, -1), *[_ALL] * (-axis - 1)))


def late(xp: Namespace, x: Value, axis: int, start: float) -> Value:
    """``x`` one step later along an axis, behind ``start``; its last element is dropped."""
    after = -axis - 1
    padded = xp.pad(x, widths=((1, 0), *[(0, 0)] * after), value=start)
    return xp.reshape_like(xp.getitem(padded, index=("...", (None, -1, None), *[_ALL] * after)), x)


def others(xp: Namespace, x: Value, axis: int) -> Value:
    """For each element along an axis the product of all the others, without a division, so exact at zeros."""
    before = late(xp, xp.cumulative_prod(x, axis=axis), axis, 1.0)
    after = late(xp, xp.cumulative_prod(reverse(xp, x, axis), axis=axis), axis, 1.0)
    return xp.multiply(before, reverse(xp, after, axis))


def back_through(xp: Namespace, delta: Value, factors: Value, axis: int) -> Value:
    """The deltas of the steps of a recurrence with these factors: each gets its own, and the next one's share."""
    back = xp.linear_recurrence(late(xp, reverse(xp, factors, axis), axis, 0.0), reverse(xp, delta, axis), axis=axis)
    return reverse(xp, back, axis)
