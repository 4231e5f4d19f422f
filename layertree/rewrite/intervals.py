"""Interval arithmetic over a formula: bounds of each value for every input, and whether NaN is possible.

An abstract interpretation (Cousot, Cousot 1977) in the interval domain, extended by a flag for NaN. Simplification
asks for the properties of a value only when a matching pattern requires them; the bounds are kept in the TreeValue.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from layertree.core.narrowing import is_literal
from layertree.core.spec import SpecTree
from layertree.namespaces.hash_consing import Scalar, TreeValue
from layertree.rewrite.folding import ROOM

PROPERTIES = ("constant", "finite", "moderate", "nonnegative", "nonzero", "scalar", "signless", "unsigned")
"""The names of the properties that a wildcard may require."""


class Bounds(NamedTuple):
    """An interval that has all elements of a value but NaN, and whether an element may be NaN."""

    low: float
    high: float
    nan: bool


UNBOUNDED = Bounds(-math.inf, math.inf, True)
POSITIVE = Bounds(0.0, math.inf, True)

BoundsRule: TypeAlias = Callable[..., Bounds]
"""The bounds of an operation: a function of its TreeValue and of the bounds of its operands."""


def has_property(value: TreeValue, name: str) -> bool:
    """Whether one of ``PROPERTIES`` is proven for a value. NaN counts as nonnegative and nonzero, not as finite.

    An ``unsigned`` value has no element -0.0; a ``signless`` one is of integers, or also nonnegative.
    """
    spec: SpecTree = value.spec
    if isinstance(spec, tuple):
        return False
    if name == "constant":
        return value.kind is Scalar
    if name == "scalar":
        return spec.shape == ()
    if name == "signless":
        is_whole = spec.dtype.kind != "f"
        return is_whole or (has_property(value, "unsigned") and has_property(value, "nonnegative"))
    if name == "unsigned" and (spec.dtype.kind != "f" or _has_no_negative_zero(value)):
        return True
    bounds = bounds_of(value)
    if name == "unsigned":
        return not _has_zero(bounds)
    if name == "nonnegative":
        return bounds.low >= 0
    if name == "moderate":
        low, high = sorted((abs(bounds.low), abs(bounds.high)))
        return not bounds.nan and not _has_zero(bounds) and low >= 1 / ROOM and high <= ROOM
    is_float = spec.dtype.kind == "f"
    if name == "nonzero":
        # A smaller constant may be 0 in the dtype of the result.
        least = float(np.finfo(spec.dtype).tiny) if is_float else 1.0
        return bounds.low >= least or bounds.high <= -least
    # A margin, since bounds and values are rounded; and the sum of two moderate multiples must be finite too.
    limit = float(np.finfo(spec.dtype).max) / (4 * ROOM) if is_float else math.inf
    return not bounds.nan and -limit <= bounds.low and bounds.high <= limit


def _has_no_negative_zero(value: TreeValue) -> bool:
    """Whether an operation gives no -0.0 for any operands. A sum is -0.0 only if both operands are, a root of -0.0."""
    while value.layer.__function__ == "sqrt":
        value = value.children[0]
    layer = value.layer
    if is_literal(layer):
        data = np.asarray(layer.data)
        return not bool((np.signbit(data) & (data == 0)).any())
    function = layer.__function__
    if function == "add":
        return any(is_literal(child.layer) and _has_no_negative_zero(child) for child in value.children)
    is_square = function == "multiply" and value.children[0] is value.children[1]
    return is_square or function in _UNSIGNED


_UNSIGNED = (
    "abs",
    "cosh",
    "exp",
    "hypot",
    "ones_like",
    "sigmoid",
    "softmax",
    "sum",
    "vector_norm",
    "zeros_like",
)
"""The functions that give no -0.0, by name: a sum starts from 0.0."""


def bounds_of(value: TreeValue) -> Bounds:
    """The bounds of a value, from those of its operands; each value is visited once, without recursion."""
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
    spec: SpecTree = value.spec
    if isinstance(spec, tuple):
        return UNBOUNDED
    if spec.dtype.kind == "b":
        return Bounds(0.0, 1.0, False)
    if is_literal(value.layer):
        return _of_data(value.layer.data)
    rule = _RULES.get(value.layer.__function__)
    found = UNBOUNDED if rule is None else rule(value, *[child.bounds for child in value.children])
    if spec.dtype.kind in "iu":
        return found if value.layer.__function__ in _MOVES and not found.nan else _wrapped(spec.dtype.kind)
    return found


def _wrapped(kind: str) -> Bounds:
    """The bounds of computed integers, which may wrap around but are finite."""
    return Bounds(0.0 if kind == "u" else -math.inf, math.inf, False)


def _of_data(data: Any) -> Bounds:
    """The bounds of a constant: a number or an array."""
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

    def rule(value: TreeValue, a: Bounds) -> Bounds:
        return Bounds(function(a.low), function(a.high), a.nan)

    return rule


def _within(low: float, high: float) -> BoundsRule:
    """The rule of a function with a bounded range that is NaN at NaN alone."""

    def rule(value: TreeValue, a: Bounds) -> Bounds:
        return Bounds(low, high, a.nan)

    return rule


def _wave(value: TreeValue, a: Bounds) -> Bounds:
    """The rule of sine and cosine, which are NaN at infinity."""
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
    """The product of two bounds, where zero times infinity counts as zero."""
    return 0.0 if x == 0 or y == 0 else x * y


def _multiply(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    if value.children[0] is value.children[1]:  # a square
        root = _abs(value, a)
        return Bounds(_times(root.low, root.low), _times(root.high, root.high), a.nan)
    low, high = _products(a, b)
    return Bounds(
        low, high, a.nan or b.nan or (_has_zero(a) and _has_infinity(b)) or (_has_zero(b) and _has_infinity(a))
    )


def _products(a: Bounds, b: Bounds) -> tuple[float, float]:
    """The least and the largest product, both products of end points."""
    found = [_times(x, y) for x in a[:2] for y in b[:2]]
    return min(found), max(found)


def _has_zero(a: Bounds) -> bool:
    return a.low <= 0 <= a.high


def _has_infinity(a: Bounds) -> bool:
    return math.isinf(a.low) or math.isinf(a.high)


def _divide(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    if _has_zero(b):
        return POSITIVE if a.low >= 0 and b.low >= 0 else UNBOUNDED
    low, high = _products(a, Bounds(1 / b.high, 1 / b.low, b.nan))
    return Bounds(low, high, a.nan or b.nan or (_has_infinity(a) and _has_infinity(b)))


def _power(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    is_even = b.low == b.high and not b.nan and b.low % 2 == 0
    return POSITIVE if is_even or a.low >= 0 else UNBOUNDED


def _maximum(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    return Bounds(max(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _minimum(value: TreeValue, a: Bounds, b: Bounds) -> Bounds:
    return Bounds(min(a.low, b.low), min(a.high, b.high), a.nan or b.nan)


def _where(value: TreeValue, condition: Bounds, a: Bounds, b: Bounds) -> Bounds:
    """The rule of a choice: the hull of both intervals."""
    return Bounds(min(a.low, b.low), max(a.high, b.high), a.nan or b.nan)


def _moved(value: TreeValue, a: Bounds, *patterns: Bounds) -> Bounds:
    """The rule of an operation whose result has elements of its first operand alone."""
    return a


def _summed(value: TreeValue, a: Bounds, *patterns: Bounds) -> Bounds:
    """The rule of sums and means, whose number of elements is unknown: the sign is kept; an empty mean is NaN."""
    return Bounds(0.0 if a.low >= 0 else -math.inf, 0.0 if a.high <= 0 else math.inf, True)


def _constant(number: float) -> BoundsRule:
    def rule(value: TreeValue, *patterns: Bounds) -> Bounds:
        return Bounds(number, number, False)

    return rule


def _at_least(low: float) -> BoundsRule:
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
"""The functions whose result has elements of the first operand alone, by name."""

_RULES: dict[str | None, BoundsRule] = {
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
    "subtract": _subtract,
    "sum": _summed,
    "sum_to": _summed,
    "tanh": _within(-1.0, 1.0),
    "vector_norm": _at_least(0.0),
    "where": _where,
    "zeros_like": _constant(0.0),
}
"""The rules by the name of the function that a layer computes; the result of any other function is unbounded."""
