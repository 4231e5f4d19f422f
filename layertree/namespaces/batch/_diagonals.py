"""Rules for diagonal stacks: each returns None where its result is not diagonal, and the dense rule applies.

The directions of a Jacobian form an identity, and many functions keep a stack diagonal. A diagonal stack is represented
by its elements, so no product with an identity is computed, and no 0 * inf gives NaN.
"""

from __future__ import annotations

from typing import TypeAlias

from layertree.core.value import Axes
from layertree.layers.shape import ZerosLike
from layertree.namespaces.batch._stacks import Stacks
from layertree.namespaces.batch._values import ArrayValue, Batched, Diagonal, is_batched
from layertree.namespaces.hash_consing import TreeValue
from layertree.namespaces.spec import SPEC

Result: TypeAlias = Batched | None


def negative(xp: Stacks, x: Diagonal) -> Result:
    """The negative diagonal."""
    return Diagonal(xp.xp, xp.xp.negative(x.elements))


def add(xp: Stacks, a: ArrayValue, b: ArrayValue) -> Result:
    """The sum of two diagonals."""
    pair = _both(a, b)
    return pair and Diagonal(xp.xp, xp.xp.add(*pair))


def subtract(xp: Stacks, a: ArrayValue, b: ArrayValue) -> Result:
    """The difference of two diagonals."""
    pair = _both(a, b)
    return pair and Diagonal(xp.xp, xp.xp.subtract(*pair))


def multiply(xp: Stacks, a: ArrayValue, b: ArrayValue) -> Result:
    """The product of a diagonal and a shared value."""
    diagonal, other = (a, b) if isinstance(a, Diagonal) else (b, a)
    if not isinstance(diagonal, Diagonal) or is_batched(other) or not _keeps_shape(diagonal, other):
        return None
    same = diagonal.is_one and other.spec == diagonal.spec
    return Diagonal(xp.xp, other if same else xp.xp.multiply(diagonal.elements, other))


def divide(xp: Stacks, a: ArrayValue, b: ArrayValue) -> Result:
    """The quotient of a diagonal by a shared value."""
    if not isinstance(a, Diagonal) or not _keeps_shape(a, b):
        return None
    return Diagonal(xp.xp, xp.xp.divide(a.elements, b))


def where(xp: Stacks, condition: ArrayValue, then: ArrayValue, otherwise: ArrayValue) -> Result:
    """The selection of two diagonals, or of a diagonal and 0, by a shared condition."""
    first = then if isinstance(then, Diagonal) else otherwise
    sides = [_elements_or_zero(side) for side in (then, otherwise)]
    if None in sides or not isinstance(first, Diagonal) or not _keeps_shape(first, condition):
        return None
    made = xp.xp.where(condition, *sides)
    return Diagonal(xp.xp, made) if made.spec.shape == first.spec.shape else None


def cast_like(xp: Stacks, x: ArrayValue, like: ArrayValue) -> Result:
    """The diagonal in the dtype of a shared pattern."""
    if not isinstance(x, Diagonal) or is_batched(like):
        return None
    return Diagonal(xp.xp, xp.xp.cast_like(x.elements, like))


def sum(xp: Stacks, x: Diagonal, axis: Axes, keepdims: bool) -> Result:
    """The sum over all axes of a direction: the elements, one for each direction."""
    ndim = x.spec.ndim
    if keepdims or isinstance(axis, int) or sorted(axis) != list(range(-ndim, 0)):
        return None
    return xp.result("sum", x.elements, SPEC.sum(x.spec, axis=axis, keepdims=keepdims))


def matmul(xp: Stacks, a: ArrayValue, b: ArrayValue) -> Result:
    """The product of diagonal vectors and a shared matrix or vector: the scaled rows or columns of the latter."""
    diagonal, other = (a, b) if isinstance(a, Diagonal) else (b, a)
    if not isinstance(diagonal, Diagonal) or is_batched(other) or diagonal.spec.ndim != 1 or other.spec.ndim > 2:
        return None
    spec = SPEC.matmul(a.spec, b.spec)
    rows = xp.xp.matrix_transpose(other) if other.spec.ndim == 2 and diagonal is b else other
    if not diagonal.is_one:
        elements = diagonal.elements
        rows = xp.xp.multiply(elements if other.spec.ndim == 1 else xp.xp.expand_dims(elements, axis=-1), rows)
    return xp.result("matmul", rows, spec)


def _both(a: ArrayValue, b: ArrayValue) -> tuple[TreeValue, TreeValue] | None:
    """The elements of two diagonals of one shape; None for other operands."""
    if isinstance(a, Diagonal) and isinstance(b, Diagonal) and a.spec.shape == b.spec.shape:
        return a.elements, b.elements
    return None


def _keeps_shape(diagonal: Diagonal, other: ArrayValue) -> bool:
    """Whether a value is shared and broadcasts to the shape of one direction."""
    if is_batched(other):
        return False
    mine, theirs = diagonal.spec.shape, other.spec.shape
    pairs = zip(reversed(mine), reversed(theirs), strict=False)
    return len(theirs) <= len(mine) and all(size == 1 or (size is not None and size == own) for own, size in pairs)


def _elements_or_zero(value: ArrayValue) -> TreeValue | None:
    """The elements of a diagonal, a shared 0 as it is; None for other values."""
    if isinstance(value, Diagonal):
        return value.elements
    if is_batched(value):
        return None
    layer = value.layer
    is_zero = layer.__control__ == "constant" and value.spec.ndim == 0 and bool(layer.data == 0)
    return value if is_zero or isinstance(layer, ZerosLike) else None
