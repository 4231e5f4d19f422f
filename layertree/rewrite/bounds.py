"""The table of bounds: for each function by its name the bounds of its result, from the bounds of its operands.

Interval arithmetic (Moore, Interval Analysis, 1966) with a flag for NaN. Simplification reads the table for formulas
(``intervals``), the compiler for operations of a program (``program/passes/intervals``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from layertree.namespaces import SCALAR


class Bounds(NamedTuple):
    """An interval that has all elements of a value but NaN, and whether an element may be NaN."""

    low: float
    high: float
    nan: bool


UNBOUNDED = Bounds(-math.inf, math.inf, True)
POSITIVE = Bounds(0.0, math.inf, True)
BOOLEAN = Bounds(0.0, 1.0, False)

BoundsRule: TypeAlias = Callable[..., Bounds]
"""The bounds of a function's result: a function of the bounds of its operands."""


def bounds_of_function(name: str | None, kind: str, operands: Sequence[Bounds], *, is_square: bool = False) -> Bounds:
    """The bounds of the result of a function, by its name, in a dtype of a kind; of an unknown function none.

    ``is_square`` says that both operands of a product are the same value.

    >>> bounds_of_function("add", "f", [Bounds(0.0, 1.0, False), Bounds(2.0, 3.0, False)])
    Bounds(low=2.0, high=4.0, nan=False)
    >>> bounds_of_function("multiply", "f", [Bounds(-1.0, 2.0, False)] * 2, is_square=True)
    Bounds(low=0.0, high=4.0, nan=False)
    """
    if kind == "b":
        return BOOLEAN
    if is_square and name == "multiply":
        name, operands = "square", operands[:1]
    rule = RULES.get(name)
    found = UNBOUNDED if rule is None else rule(*operands)
    return _wrapped(kind) if kind in "iu" and (name not in MOVES or found.nan) else found


def _wrapped(kind: str) -> Bounds:
    """The bounds of computed integers, which may wrap around but are finite."""
    return Bounds(0.0 if kind == "u" else -math.inf, math.inf, False)


def bounds_of_data(data: Any) -> Bounds:
    """The bounds of a constant: a number or an array.

    >>> bounds_of_data(np.array([1.0, -2.0, np.nan]))
    Bounds(low=-2.0, high=1.0, nan=True)
    """
    array = np.asarray(data)
    if not array.size:
        return Bounds(0.0, 0.0, False)
    with np.errstate(all="ignore"):
        low, high = float(np.fmin.reduce(array, axis=None)), float(np.fmax.reduce(array, axis=None))
    if math.isnan(low):
        return UNBOUNDED
    return Bounds(low, high, bool(np.isnan(array).any()))


def _monotone(function: Callable[[float], float]) -> BoundsRule:
    """The rule of a nondecreasing function that is NaN at NaN alone."""

    def rule(a: Bounds) -> Bounds:
        return Bounds(function(a.low), function(a.high), a.nan)

    return rule


def _within(low: float, high: float) -> BoundsRule:
    """The rule of a function with a bounded range that is NaN at NaN alone."""

    def rule(a: Bounds) -> Bounds:
        return Bounds(low, high, a.nan)

    return rule


def _wave(a: Bounds) -> Bounds:
    """The rule of sine and cosine, which are NaN at infinity."""
    return Bounds(-1.0, 1.0, a.nan or math.isinf(a.low) or math.isinf(a.high))


def _sqrt(a: Bounds) -> Bounds:
    return Bounds(math.sqrt(max(a.low, 0.0)), math.sqrt(max(a.high, 0.0)), a.nan or a.low < 0)


def _abs(a: Bounds) -> Bounds:
    low = 0.0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Bounds(low, max(abs(a.low), abs(a.high)), a.nan)


def _negative(a: Bounds) -> Bounds:
    return Bounds(-a.high, -a.low, a.nan)


def _add(a: Bounds, b: Bounds) -> Bounds:
    opposite = (a.high == math.inf and b.low == -math.inf) or (a.low == -math.inf and b.high == math.inf)
    low = -math.inf if -math.inf in (a.low, b.low) else a.low + b.low
    high = math.inf if math.inf in (a.high, b.high) else a.high + b.high
    return Bounds(low, high, a.nan or b.nan or opposite)


def _subtract(a: Bounds, b: Bounds) -> Bounds:
    return _add(a, _negative(b))


def _times(x: float, y: float) -> float:
    """The product of two bounds, where zero times infinity counts as zero."""
    return 0.0 if x == 0 or y == 0 else x * y


def _square(a: Bounds) -> Bounds:
    root = _abs(a)
    return Bounds(_times(root.low, root.low), _times(root.high, root.high), a.nan)


def _multiply(a: Bounds, b: Bounds) -> Bounds:
    found = [_times(x, y) for x in a[:2] for y in b[:2]]
    is_undefined = (has_zero(a) and _has_infinity(b)) or (has_zero(b) and _has_infinity(a))
    return Bounds(min(found), max(found), a.nan or b.nan or is_undefined)


def has_zero(a: Bounds) -> bool:
    """Whether 0 is in an interval."""
    return a.low <= 0 <= a.high


def _has_infinity(a: Bounds) -> bool:
    return math.isinf(a.low) or math.isinf(a.high)


def _divide(a: Bounds, b: Bounds) -> Bounds:
    if has_zero(b):
        return POSITIVE if a.low >= 0 and b.low >= 0 else UNBOUNDED
    found = [_quotient(x, y) for x in a[:2] for y in b[:2]]
    return Bounds(min(found), max(found), a.nan or b.nan or (_has_infinity(a) and _has_infinity(b)))


def _quotient(x: float, y: float) -> float:
    """The quotient of two bounds, where a quotient by infinity counts as zero."""
    return 0.0 if math.isinf(y) else x / y


def _power(a: Bounds, b: Bounds) -> Bounds:
    is_even = b.low == b.high and not b.nan and b.low % 2 == 0
    return POSITIVE if is_even or a.low >= 0 else UNBOUNDED


def _maximum(a: Bounds, b: Bounds) -> Bounds:
    return Bounds(max(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _minimum(a: Bounds, b: Bounds) -> Bounds:
    return Bounds(min(a.low, b.low), min(a.high, b.high), a.nan or b.nan)


def _where(condition: Bounds, a: Bounds, b: Bounds) -> Bounds:
    """The rule of a choice: the hull of both intervals."""
    return Bounds(min(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _moved(a: Bounds, *patterns: Bounds) -> Bounds:
    """The rule of an operation whose result has elements of its first operand alone."""
    return a


def _summed(a: Bounds, *patterns: Bounds) -> Bounds:
    """The rule of sums and means, whose number of elements is unknown: the sign is kept; an empty mean is NaN."""
    return Bounds(0.0 if a.low >= 0 else -math.inf, 0.0 if a.high <= 0 else math.inf, True)


def _constant(number: float) -> BoundsRule:
    def rule(*patterns: Bounds) -> Bounds:
        return Bounds(number, number, False)

    return rule


def _at_least(low: float) -> BoundsRule:
    def rule(*operands: Bounds) -> Bounds:
        return Bounds(low, math.inf, True)

    return rule


MOVES = (
    "alike",
    "broadcast_like",
    "broadcast_to",
    "concat_part",
    "expand_dims",
    "getitem",
    "matrix_transpose",
    "max",
    "merge_dims",
    "min",
    "permute_dims",
    "pick",
    "reshape",
    "reshape_like",
    "split_dim",
    "stop_gradient",
    "take",
    "windows",
)
"""The functions whose result has elements of the first operand alone, by name."""

RULES: dict[str | None, BoundsRule] = {
    **dict.fromkeys(MOVES, _moved),
    "abs": _abs,
    "add": _add,
    "astype": _moved,
    "cast_like": _moved,
    "cos": _wave,
    "cosh": _at_least(1.0),
    "divide": _divide,
    "exp": _monotone(SCALAR.exp),
    "gelu_tanh_gate": _within(0.0, 1.0),
    "hypot": _at_least(0.0),
    "maximum": _maximum,
    "mean": _summed,
    "minimum": _minimum,
    "multiply": _multiply,
    "negative": _negative,
    "ones_like": _constant(1.0),
    "pow": _power,
    "relu": _monotone(lambda x: max(x, 0.0)),
    "sigmoid": _within(0.0, 1.0),
    "sign": _within(-1.0, 1.0),
    "sin": _wave,
    "softmax": _at_least(0.0),
    "softplus": _at_least(0.0),
    "sqrt": _sqrt,
    "square": _square,
    "subtract": _subtract,
    "sum": _summed,
    "sum_to": _summed,
    "tanh": _within(-1.0, 1.0),
    "vector_norm": _at_least(0.0),
    "where": _where,
    "zeros_like": _constant(0.0),
}
"""The rules by the name of the function that a layer computes; the result of any other function is unbounded."""
