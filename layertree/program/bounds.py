"""Between which numbers a value lies, as far as the operations that make it tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from layertree.namespaces import SCALAR
from layertree.program._ops import Op

Bounds = tuple[float, float]

ANY: Bounds = (-float("inf"), float("inf"))
DEPTH = 8
"""How many operations one behind the other are looked at."""

_FUNCTIONS: dict[str, Bounds] = {"tanh": (-1.0, 1.0), "sin": (-1.0, 1.0), "cos": (-1.0, 1.0)}


def bounds_of(op: Op, depth: int = DEPTH) -> Bounds:
    """The least and the greatest number that a value of floats can be, unless it is NaN.

    >>> from layertree import Identity, Tanh, Times, Tuple
    >>> from layertree.core.spec import spec_of
    >>> from layertree.program.lower import lower
    >>> graph = lower(Tuple((Times(0.5, Tanh(Identity())),)), spec_of(1.0))
    >>> bounds_of(graph.results()[0])
    (-0.5, 0.5)
    """
    if op.name in _FUNCTIONS:
        return _FUNCTIONS[op.name]
    if op.number is not None:
        return float(op.number), float(op.number)
    rule = _RULES.get(op.name)
    if rule is None or depth == 0:
        return ANY
    if op.name == "multiply" and op.inputs[0] is op.inputs[1]:
        return _square(*bounds_of(op.inputs[0], depth - 1))
    ends = rule(*[bounds_of(read, depth - 1) for read in op.inputs])
    return ANY if any(map(math.isnan, ends)) else (min(ends), max(ends))


def _square(low: float, high: float) -> Bounds:
    ends = low * low, high * high
    return 0.0 if low <= 0.0 <= high else min(ends), max(ends)


def _multiply(x: Bounds, y: Bounds) -> list[float]:
    return [one * other for one in x for other in y]


def _divide(x: Bounds, y: Bounds) -> Sequence[float]:
    return ANY if y[0] <= 0.0 <= y[1] else [SCALAR.divide(one, other) for one in x for other in y]


def _exp(x: Bounds) -> list[float]:
    return [SCALAR.exp(x[0]), SCALAR.exp(x[1])]


def _add(x: Bounds, y: Bounds) -> list[float]:
    return [x[0] + y[0], x[1] + y[1]]


def _subtract(x: Bounds, y: Bounds) -> list[float]:
    return [x[0] - y[1], x[1] - y[0]]


def _negative(x: Bounds) -> list[float]:
    return [-x[0], -x[1]]


_RULES: dict[str, Callable[..., Sequence[float]]] = {
    "multiply": _multiply,
    "divide": _divide,
    "exp": _exp,
    "add": _add,
    "subtract": _subtract,
    "negative": _negative,
}
