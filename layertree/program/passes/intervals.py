"""Interval analysis: bounds of a value from the operations that compute it (Moore, Interval Analysis, 1966).

The rules are those of the table ``rewrite/bounds``, by the function that a primitive computes; beside them are rules
that depend on sizes or attributes, which only the compiler knows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from layertree.program.ir.operations import Op
from layertree.rewrite import bounds
from layertree.rewrite.bounds import Bounds, bounds_of_data, bounds_of_function

Interval: TypeAlias = tuple[float, float]

UNBOUNDED: Interval = bounds.UNBOUNDED[:2]
DEPTH = 8
"""How many operations in a row the analysis follows."""

_FUNCTIONS = {"max_of_last": "max", "pick_at": "pick", "transpose": "permute_dims"}
"""The functions that the compiler's own primitives compute, as the table names them."""


def interval_of(op: Op, depth: int = DEPTH) -> Interval:
    """The least and the greatest number that a float value can be, unless it is NaN.

    >>> from layertree import Identity, Tanh, Times, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower.lowering import lower
    >>> graph = lower(Tuple((Times(0.5, Tanh(Identity())),)), spec_of(1.0))
    >>> interval_of(graph.results()[0])
    (-0.5, 0.5)
    """
    return bounds_of(op, depth)[:2]


def bounds_of(op: Op, depth: int = DEPTH) -> Bounds:
    """The bounds of a value, where operands more than so many operations before it may be anything."""
    return _bounds(op, depth, {})


def _bounds(op: Op, depth: int, known: dict[tuple[Op, int], Bounds]) -> Bounds:
    if op.number is not None:
        return bounds_of_data(op.number)
    found = known.get((op, depth))
    if found is None:
        found = known[op, depth] = _computed(op, depth, known)
    return found


def _computed(op: Op, depth: int, known: dict[tuple[Op, int], Bounds]) -> Bounds:
    name = _FUNCTIONS.get(op.name, op.name)
    own = _RULES.get(name)
    if own is None and name not in bounds.RULES:
        return bounds_of_function(None, op.dtype.kind, ())
    operands = [_bounds(read, depth - 1, known) if depth else bounds.UNBOUNDED for read in op.inputs]
    if own is not None and op.dtype.kind == "f":
        return own(op, *operands)
    is_square = len(op.inputs) == 2 and op.inputs[0] is op.inputs[1]
    return bounds_of_function(name, op.dtype.kind, operands, is_square=is_square)


def _sum(op: Op, term: Bounds) -> Bounds:
    """Of so many terms: as many times the bounds of one."""
    return _of_terms(math.prod(op.inputs[0].shape) // max(math.prod(op.shape), 1), term)


def _matmul(op: Op, a: Bounds, b: Bounds) -> Bounds:
    return _of_terms(op.inputs[0].shape[-1], bounds_of_function("multiply", "f", (a, b)))


def _of_terms(count: int, term: Bounds) -> Bounds:
    if not count:
        return Bounds(0.0, 0.0, False)
    is_undefined = count > 1 and term.low == -math.inf and term.high == math.inf
    return Bounds(count * term.low, count * term.high, term.nan or is_undefined)


def _masked(op: Op, x: Bounds, mask: Bounds) -> Bounds:
    return bounds_of_function("where", "f", (mask, bounds_of_data(op.attributes["value"]), x))


_RULES: dict[str, Callable[..., Bounds]] = {
    "masked": _masked,
    "matmul": _matmul,
    "sum": _sum,
    "sum_of_last": _sum,
    "sum_of_rows": _sum,
}
"""The rules of primitives that depend on the operation itself, for floats."""
