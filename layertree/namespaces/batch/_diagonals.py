"""Stacks of directions: what a derivative starts from is 0 but for one element of each, and often stays so.

While it does, the stack is known by its diagonal, an array of one direction's size, and products with it are products
of what the elements are. So no identity is multiplied with, and no 0 meets an infinity.
"""

from __future__ import annotations

from typing import Any

from layertree.layers.shape import ZerosLike
from layertree.namespaces.batch._values import Diagonal, is_batched
from layertree.namespaces.spec import SPEC

Value = Any


def negative(xp: Any, x: Value) -> Value:
    """Element by element."""
    return Diagonal(xp.xp, xp.xp.negative(x.elements))


def add(xp: Any, a: Value, b: Value) -> Value:
    """Of two diagonals one."""
    return Diagonal(xp.xp, xp.xp.add(a.elements, b.elements)) if _are_both(a, b) else None


def subtract(xp: Any, a: Value, b: Value) -> Value:
    """Of two diagonals one."""
    return Diagonal(xp.xp, xp.xp.subtract(a.elements, b.elements)) if _are_both(a, b) else None


def multiply(xp: Any, a: Value, b: Value) -> Value:
    """With what is the same for each direction, element by element."""
    diagonal, other = (a, b) if isinstance(a, Diagonal) else (b, a)
    return _scaled(xp, diagonal, other) if _keeps_shape(diagonal, other) else None


def divide(xp: Any, a: Value, b: Value) -> Value:
    """By what is the same for each direction."""
    return Diagonal(xp.xp, xp.xp.divide(a.elements, b)) if _keeps_shape(a, b) else None


def where(xp: Any, condition: Value, then: Value, otherwise: Value) -> Value:
    """With 0 on the other side."""
    sides = [side.elements if isinstance(side, Diagonal) else side for side in (then, otherwise)]
    is_one_zero = all(isinstance(side, Diagonal) or _is_zero(side) for side in (then, otherwise))
    first = then if isinstance(then, Diagonal) else otherwise
    if not is_one_zero or not isinstance(first, Diagonal) or not _keeps_shape(first, condition):
        return None
    made = xp.xp.where(condition, *sides)
    return Diagonal(xp.xp, made) if made.spec.shape == first.spec.shape else None


def cast_like(xp: Any, x: Value, like: Value) -> Value:
    """In another dtype."""
    return (
        Diagonal(xp.xp, xp.xp.cast_like(x.elements, like)) if isinstance(x, Diagonal) and not is_batched(like) else None
    )


def sum(xp: Any, x: Value, axis: Any, keepdims: bool) -> Value:
    """Over all axes there is one element for each direction."""
    ndim = x.spec.ndim
    if keepdims or sorted(axis) != list(range(-ndim, 0)):
        return None
    return xp.result("sum", x.elements, SPEC.sum(x.spec, axis, keepdims))


def matmul(xp: Any, a: Value, b: Value) -> Value:
    """A vector of each direction with a matrix or vector: the rows or columns of that."""
    diagonal, other = (a, b) if isinstance(a, Diagonal) else (b, a)
    if is_batched(other) or diagonal.spec.ndim != 1 or other.spec.ndim > 2:
        return None
    spec = SPEC.matmul(a.spec, b.spec)
    rows = xp.xp.matrix_transpose(other) if other.spec.ndim == 2 and diagonal is b else other
    if not diagonal.is_one:
        elements = diagonal.elements
        rows = xp.xp.multiply(elements if other.spec.ndim == 1 else xp.xp.expand_dims(elements, axis=-1), rows)
    return xp.result("matmul", rows, spec)


def _are_both(a: Value, b: Value) -> bool:
    return isinstance(a, Diagonal) and isinstance(b, Diagonal) and a.spec.shape == b.spec.shape


def _keeps_shape(diagonal: Value, other: Value) -> bool:
    """Whether something is one of all directions, and broadcasts to a direction's shape without making it larger."""
    if not isinstance(diagonal, Diagonal) or is_batched(other):
        return False
    mine, theirs = diagonal.spec.shape, other.spec.shape
    pairs = zip(reversed(mine), reversed(theirs), strict=False)
    return len(theirs) <= len(mine) and all(size == 1 or (size is not None and size == own) for own, size in pairs)


def _scaled(xp: Any, diagonal: Diagonal, other: Value) -> Diagonal:
    same = diagonal.is_one and other.spec == diagonal.spec
    return Diagonal(xp.xp, other if same else xp.xp.multiply(diagonal.elements, other))


def _is_zero(value: Value) -> bool:
    if is_batched(value):
        return False
    layer = value.layer
    if layer.__control__ == "constant":
        return bool(value.spec.ndim == 0 and layer.data == 0)
    return isinstance(layer, ZerosLike)
