"""Axes are counted from the end inside of rules, so that a leading axis passes through."""

from __future__ import annotations

from layertree.core.namespace import Namespace
from layertree.core.value import Value

Axis = int | tuple[int, ...] | None


def from_end(axis: int, ndim: int) -> int:
    """An axis as a negative number; one that is out of range stays as it is, for the namespace to refuse.

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
    """The result of a reduction of ``like`` over ``axes``, broadcast back to its shape."""
    if not keepdims and xp.ndim(x):  # a single number broadcasts as it is
        for axis in sorted(axes, reverse=True):
            x = xp.expand_dims(x, axis=axis)
    return xp.broadcast_like(x, like)


def share_ties(xp: Namespace, delta: Value, output: Value, a: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """The delta of an extremum, split evenly among those that attain it."""
    attains = xp.equal(a, spread(xp, output, a, axes, keepdims))
    share = xp.where(attains, xp.ones_like(a), 0)
    total = xp.sum(share, axis=axes, keepdims=True)
    return xp.divide(xp.multiply(share, spread(xp, delta, a, axes, keepdims)), total)
