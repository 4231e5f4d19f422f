"""What is known of the values of a formula, whatever its input is: bounds, and whether there can be a NaN.

A small reading of its own, by the rules of interval arithmetic. It is asked only where a rule of simplification needs
it, and what it finds is kept in the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from layertree.core.dynamic import is_a
from layertree.namespaces.hash_consing import Scalar, TreeValue
from layertree.rewrite._numbers import ROOM

FACTS = ("constant", "finite", "moderate", "nonnegative", "nonzero", "scalar")


class Bounds(NamedTuple):
    """The least and the largest value there can be, and whether there can be a NaN."""

    low: float
    high: float
    nan: bool


ANY = Bounds(-math.inf, math.inf, True)
POSITIVE = Bounds(0.0, math.inf, True)


def holds(value: TreeValue, fact: str) -> bool:
    """Whether one of ``FACTS`` is known of a value. NaN counts as nonnegative and nonzero, but not as finite."""
    spec = value.spec
    if is_a(spec, tuple):
        return False
    if fact == "constant":
        return value.kind is Scalar
    if fact == "scalar":
        return bool(spec.shape == ())
    bounds = bounds_of(value)
    if fact == "nonnegative":
        return bounds.low >= 0
    is_float = spec.dtype.kind == "f"
    if fact == "moderate":
        low, high = sorted((abs(bounds.low), abs(bounds.high)))
        return not bounds.nan and not _has_zero(bounds) and low >= 1 / ROOM and high <= ROOM
    if fact == "nonzero":
        # Below this a constant may have become 0 in the dtype of the result.
        least = float(np.finfo(spec.dtype).tiny) if is_float else 1.0
        return bounds.low >= least or bounds.high <= -least
    # Bounds are rounded, and so are the values; and a sum of two moderate multiples is finite too.
    limit = float(np.finfo(spec.dtype).max) / (4 * ROOM) if is_float else math.inf
    return not bounds.nan and -limit <= bounds.low and bounds.high <= limit


def bounds_of(value: TreeValue) -> Bounds:
    """The bounds of a value; those below it are found first, each once."""
    stack = [value]
    while stack:
        top = stack[-1]
        pending = [child for child in top.children if child.bounds is None]
        if pending and top.bounds is None:
            stack.extend(pending)
            continue
        stack.pop()
        if top.bounds is None:
            top.bounds = _bounds(top)
    found: Bounds = value.bounds
    return found


def _bounds(value: TreeValue) -> Bounds:
    spec = value.spec
    if is_a(spec, tuple):
        return ANY
    if spec.dtype.kind == "b":
        return Bounds(0.0, 1.0, False)
    if value.layer.__control__ == "constant":
        return _of_data(value.layer.data)
    rule = _RULES.get(value.layer.__function__)
    found = ANY if rule is None else rule(value, *[child.bounds for child in value.children])
    if spec.dtype.kind in "iu":
        return found if value.layer.__function__ in _MOVES and not found.nan else _wrapped(spec.dtype.kind)
    return found


def _wrapped(kind: str) -> Bounds:
    """Integers that are computed may wrap around, but they are finite."""
    return Bounds(0.0 if kind == "u" else -math.inf, math.inf, False)


def _of_data(data: Any) -> Bounds:
    array = np.asarray(data)
    if not array.size:
        return Bounds(0.0, 0.0, False)
    with np.errstate(all="ignore"):
        low, high = float(np.fmin.reduce(array, axis=None)), float(np.fmax.reduce(array, axis=None))
    if math.isnan(low):
        return ANY
    return Bounds(low, high, bool(np.isnan(array).any()))


def _monotone(function: Callable[[float], float]) -> Any:
    """The rule of a function that does not fall, and is NaN at NaN alone."""

    def rule(value: TreeValue, a: Bounds) -> Bounds:
        return Bounds(function(a.low), function(a.high), a.nan)

    return rule


def _within(low: float, high: float) -> Any:
    """The rule of a function with known bounds, NaN at NaN, and at infinity, if at all, a bound."""

    def rule(value: TreeValue, a: Bounds) -> Bounds:
        return Bounds(low, high, a.nan)

    return rule


def _wave(value: TreeValue, a: Bounds) -> Bounds:
    return Bounds(-1.0, 1.0, a.nan or math.isinf(a.low) or math.isinf(a.high))


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf


def _sqrt(value: TreeValue, a: Bounds) -> Bounds:
    return Bounds(math.sqrt(max(a.low, 0.0)), math.sqrt(max(a.high, 0.0)), a.nan or a.low < 0)


def _abs(value: TreeValue, a: Bounds) -> Bounds:
    low = 0.0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Bounds(low, max(abs(a.low), abs(a.high)), a.nan)


def _negative(value: TreeValue, a: Bounds) -> Bounds:
    return Bounds(-a.high, -a.low, a.nan)


def _add(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    opposite = (a.high == math.inf and b.low == -math.inf) or (a.low == -math.inf and b.high == math.inf)
    low = -math.inf if -math.inf in (a.low, b.low) else a.low + b.low
    high = math.inf if math.inf in (a.high, b.high) else a.high + b.high
    return Bounds(low, high, a.nan or b.nan or opposite)


def _subtract(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    return _add(value, a, _negative(value, b))


def _times(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def _multiply(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    if value.children[0] is value.children[1]:
        root = _abs(value, a)
        return Bounds(_times(root.low, root.low), _times(root.high, root.high), a.nan)
    low, high = _corners(a, b)
    return Bounds(
        low, high, a.nan or b.nan or (_has_zero(a) and _has_infinity(b)) or (_has_zero(b) and _has_infinity(a))
    )


def _corners(a: Bounds, b: Bounds) -> tuple[float, float]:
    """The least and the largest product."""
    found = [_times(x, y) for x in a[:2] for y in b[:2]]
    return min(found), max(found)


def _has_zero(a: Bounds) -> bool:
    return a.low <= 0 <= a.high


def _has_infinity(a: Bounds) -> bool:
    return math.isinf(a.low) or math.isinf(a.high)


def _divide(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    if _has_zero(b):
        return POSITIVE if a.low >= 0 and b.low >= 0 else ANY
    low, high = _corners(a, Bounds(1 / b.high, 1 / b.low, b.nan))
    return Bounds(low, high, a.nan or b.nan or (_has_infinity(a) and _has_infinity(b)))


def _power(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    is_even = b.low == b.high and not b.nan and b.low % 2 == 0
    return POSITIVE if is_even or a.low >= 0 else ANY


def _larger(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    return Bounds(max(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _smaller(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    return Bounds(min(a.low, b.low), min(a.high, b.high), a.nan or b.nan)


def _either(value: TreeValue, condition: Bounds, a: Bounds, b: Bounds) -> Bounds:
    return Bounds(min(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _moved(value: TreeValue, a: Bounds, *patterns: Bounds) -> Bounds:
    """What moves elements has the bounds of its operand."""
    return a


def _summed(value: TreeValue, a: Bounds, *patterns: Bounds) -> Bounds:
    """A sum of any number of elements keeps a sign. Infinities of one sign give no NaN, but nothing has no mean."""
    return Bounds(0.0 if a.low >= 0 else -math.inf, 0.0 if a.high <= 0 else math.inf, True)


def _constant(number: float) -> Any:
    def rule(value: TreeValue, *patterns: Bounds) -> Bounds:
        return Bounds(number, number, False)

    return rule


def _at_least(low: float) -> Any:
    def rule(value: TreeValue, *operands: Bounds) -> Bounds:
        return Bounds(low, math.inf, True)

    return rule


_MOVES = (
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
)

_RULES: dict[str | None, Callable[..., Bounds]] = {
    **dict.fromkeys(_MOVES, _moved),
    "abs": _abs,
    "add": _add,
    "astype": _moved,
    "cast_like": _moved,
    "cos": _wave,
    "cosh": _at_least(1.0),
    "divide": _divide,
    "exp": _monotone(_exp),
    "gelu_tanh_gate": _within(0.0, 1.0),
    "hypot": _at_least(0.0),
    "maximum": _larger,
    "mean": _summed,
    "minimum": _smaller,
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
    "subtract": _subtract,
    "sum": _summed,
    "sum_to": _summed,
    "tanh": _within(-1.0, 1.0),
    "vector_norm": _at_least(0.0),
    "where": _either,
    "zeros_like": _constant(0.0),
}
"""By the name of the function that a layer computes. Of what is not here nothing is known."""
