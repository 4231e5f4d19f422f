"""Formulas that the rules of cumulative functions share: reversal and shift along an axis, and adjoint recurrences."""

from __future__ import annotations

from layertree.core.namespace import Namespace
from layertree.core.static_index import WHOLE
from layertree.core.value import Value


def reversed_along(xp: Namespace, x: Value, axis: int) -> Value:
    """``x`` reversed along an axis."""
    return xp.getitem(x, index=("...", (None, None, -1), *[WHOLE] * (-axis - 1)))


def shifted(xp: Namespace, x: Value, axis: int, start: float) -> Value:
    """``x`` shifted by one element along an axis: ``start`` comes first, the last element is dropped."""
    after = -axis - 1
    padded = xp.pad(x, widths=((1, 0), *[(0, 0)] * after), value=start)
    return xp.reshape_like(xp.getitem(padded, index=("...", (None, -1, None), *[WHOLE] * after)), x)


def products_of_others(xp: Namespace, x: Value, axis: int) -> Value:
    """For each element along an axis the product of all others, as prefix times suffix product: exact at zeros."""
    before = shifted(xp, xp.cumulative_prod(x, axis=axis), axis, 1.0)
    after = shifted(xp, xp.cumulative_prod(reversed_along(xp, x, axis), axis=axis), axis, 1.0)
    return xp.multiply(before, reversed_along(xp, after, axis))


def adjoint_recurrence(xp: Namespace, delta: Value, factors: Value, axis: int) -> Value:
    """The adjoint of a linear recurrence for its terms: the reversed recurrence of the deltas, with shifted factors."""
    gains = shifted(xp, reversed_along(xp, factors, axis), axis, 0.0)
    steps = xp.linear_recurrence(gains, reversed_along(xp, delta, axis), axis=axis)
    return reversed_along(xp, steps, axis)
