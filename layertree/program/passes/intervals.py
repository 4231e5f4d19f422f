"""Interval analysis: bounds of a value from the operations that compute it (Moore, Interval Analysis, 1966)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from layertree.namespaces import SCALAR
from layertree.program.ir.operations import Op

Interval: TypeAlias = tuple[float, float]

UNBOUNDED: Interval = (-float("inf"), float("inf"))
DEPTH = 8
"""How many operations in a row the analysis follows."""

_FUNCTIONS: dict[str, Interval] = {"tanh": (-1.0, 1.0), "sin": (-1.0, 1.0), "cos": (-1.0, 1.0)}


def interval_of(op: Op, depth: int = DEPTH) -> Interval:
    """The least and the greatest number that a float value can be, unless it is NaN.

    >>> from layertree import Identity, Tanh, Times, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower.lowering import lower
    >>> graph = lower(Tuple((Times(0.5, Tanh(Identity())),)), spec_of(1.0))
    >>> interval_of(graph.results()[0])
    (-0.5, 0.5)
    """
    if op.name in _FUNCTIONS:
        return _FUNCTIONS[op.name]
    number = op.number
    if number is not None:
        return float(number), float(number)
    rule = _RULES.get(op.name)
    if rule is None or depth == 0:
        return UNBOUNDED
    if op.name == "multiply" and op.inputs[0] is op.inputs[1]:
        return _square(*interval_of(op.inputs[0], depth - 1))
    ends = rule(*[interval_of(read, depth - 1) for read in op.inputs])
    return UNBOUNDED if any(map(math.isnan, ends)) else (min(ends), max(ends))


def _square(low: float, high: float) -> Interval:
    ends = low * low, high * high
    return 0.0 if low <= 0.0 <= high else min(ends), max(ends)


def _multiply(x: Interval, y: Interval) -> list[float]:
    return [one * other for one in x for other in y]


def _divide(x: Interval, y: Interval) -> Sequence[float]:
    return UNBOUNDED if y[0] <= 0.0 <= y[1] else [SCALAR.divide(one, other) for one in x for other in y]


def _exp(x: Interval) -> list[float]:
    return [SCALAR.exp(x[0]), SCALAR.exp(x[1])]


def _add(x: Interval, y: Interval) -> list[float]:
    return [x[0] + y[0], x[1] + y[1]]


def _subtract(x: Interval, y: Interval) -> list[float]:
    return [x[0] - y[1], x[1] - y[0]]


def _negative(x: Interval) -> list[float]:
    return [-x[0], -x[1]]


_RULES: dict[str, Callable[..., Sequence[float]]] = {
    "multiply": _multiply,
    "divide": _divide,
    "exp": _exp,
    "add": _add,
    "subtract": _subtract,
    "negative": _negative,
}
