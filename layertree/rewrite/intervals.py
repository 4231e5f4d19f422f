"""Intervals over a formula: bounds of each value for every input, and the properties that follow from them.

An abstract interpretation (Cousot, Cousot 1977) in the domain of the table ``bounds``. Simplification asks for the
properties of a value only when a matching pattern requires them; the bounds are kept in the TreeValue.
"""

from __future__ import annotations

import math

import numpy as np

from layertree.core.narrowing import is_literal
from layertree.core.spec import SpecTree
from layertree.namespaces.hash_consing import Scalar, TreeValue
from layertree.rewrite.bounds import UNBOUNDED, Bounds, bounds_of_data, bounds_of_function, has_zero
from layertree.rewrite.folding import ROOM

PROPERTIES = ("constant", "finite", "moderate", "nonnegative", "nonzero", "scalar", "signless", "unsigned")
"""The names of the properties that a wildcard may require."""


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
        return not has_zero(bounds)
    if name == "nonnegative":
        return bounds.low >= 0
    if name == "moderate":
        low, high = sorted((abs(bounds.low), abs(bounds.high)))
        return not bounds.nan and not has_zero(bounds) and low >= 1 / ROOM and high <= ROOM
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
    layer, children = value.layer, value.children
    if is_literal(layer) and spec.dtype.kind != "b":
        return bounds_of_data(layer.data)
    is_square = len(children) == 2 and children[0] is children[1]
    operands = [child.bounds for child in children]
    return bounds_of_function(layer.__function__, spec.dtype.kind, operands, is_square=is_square)
