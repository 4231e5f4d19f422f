"""Axes counted from the end, so that rules hold for values with more leading axes; and the adjoints of reductions."""

from __future__ import annotations

from typing import TypeAlias

from layertree.core.namespace import Namespace
from layertree.core.value import Value
from layertree.layers._precision import narrowed, widened

Axis: TypeAlias = int | tuple[int, ...] | None
"""One axis, several, or None for all, as users count them."""


def from_end(axis: int, ndim: int) -> int:
    """An axis as a negative number; an axis out of range unchanged, which the spec namespace refuses.

    >>> from_end(0, 3), from_end(-1, 3), from_end(3, 3)
    (-3, -1, 3)
    """
    return axis - ndim if 0 <= axis < ndim else axis


def all_from_end(axis: Axis, ndim: int) -> tuple[int, ...]:
    """One axis, several or all (None) as negative numbers."""
    if axis is None:
        return tuple(range(-ndim, 0))
    if isinstance(axis, int):
        return (from_end(axis, ndim),)
    return tuple([from_end(one, ndim) for one in axis])


def spread(xp: Namespace, x: Value, like: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """The adjoint of a sum: the result of a reduction of ``like`` over ``axes``, broadcast to the shape of ``like``."""
    if not keepdims and xp.ndim(x):  # rank 0 broadcasts without new axes
        for axis in sorted(axes, reverse=True):
            x = xp.expand_dims(x, axis=axis)
    return xp.broadcast_like(x, like)


def share_ties(xp: Namespace, delta: Value, output: Value, a: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """The delta of the operand of an extremum, in equal shares for all elements that attain the extremum."""
    attains = xp.equal(a, spread(xp, output, a, axes, keepdims))
    share = xp.where(attains, xp.ones_like(widened(xp, a)), 0)
    total = xp.sum(share, axis=axes, keepdims=True)
    return narrowed(xp, xp.divide(xp.multiply(share, spread(xp, delta, a, axes, keepdims)), total), a)
