"""Names whose shapes are static once all sizes are known, in primitives: views, sums, and constants of one number.

``xp`` is the record namespace. A value that a rule takes only as a pattern is not read.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from layertree.core.nested import flat
from layertree.core.spec import WEAK, ArraySpec
from layertree.core.static_index import decode_index
from layertree.layers._convolution import pad2d
from layertree.namespaces import definitions
from layertree.namespaces.spec import SPEC
from layertree.program.index import are_apart
from layertree.program.reducing import argmax, axis_size, max, mean, min, sum, sum_to
from layertree.program.reshaping import (
    astype,
    broadcast_like,
    broadcast_to,
    cast,
    cast_like,
    concat,
    concat_part,
    expand_dims,
    getitem,
    matrix_transpose,
    merge_dims,
    permute_dims,
    reshape,
    reshape_like,
    split_dim,
)

__all__ = [
    "add",
    "alike",
    "argmax",
    "astype",
    "axis_size",
    "bernoulli",
    "broadcast_like",
    "broadcast_to",
    "cast_like",
    "concat",
    "concat_part",
    "expand_dims",
    "eye_like",
    "fold",
    "getitem",
    "hook",
    "matmul",
    "matrix_transpose",
    "max",
    "max_pool2d",
    "max_unpool2d",
    "mean",
    "merge_dims",
    "min",
    "multiply",
    "ones_like",
    "permute_dims",
    "pow",
    "put",
    "reshape",
    "reshape_like",
    "scatter_add",
    "split_dim",
    "sum",
    "sum_to",
    "unpick",
    "where",
    "zeros_like",
]

Value = Any


def zeros_like(xp: Any, like: Value) -> Value:
    """0 in the pattern's shape."""
    return xp.filled(0, xp.lift(like).spec)


def ones_like(xp: Any, like: Value) -> Value:
    """1 in the pattern's shape."""
    return xp.filled(1, xp.lift(like).spec)


def eye_like(xp: Any, like: Value) -> Value:
    """The identity of the pattern's space, a constant."""
    spec = xp.lift(like).spec
    return xp.identity(spec) if spec.shape else xp.filled(1, spec)


def alike(xp: Any, x: Value, like: Value, reason: str) -> Value:
    """The shapes are known to be the same, or this raises."""
    SPEC.alike(x.spec, xp.lift(like).spec, reason=reason)
    return x


def matmul(xp: Any, a: Value, b: Value) -> Value:
    """A matrix product; a stack of matrices times one matrix is one product."""
    spec = SPEC.matmul(a.spec, b.spec)
    first, second = a.spec.shape, b.spec.shape
    if len(first) > 2 and len(second) == 2:
        rows = reshape(xp, a, (math.prod(first[:-1]), first[-1]))
        return reshape(xp, matmul(xp, rows, b), spec.shape)
    return xp.record("matmul", (a, b), {}, spec)


def hook(xp: Any, x: Value, function: Any) -> Value:
    """The operand, at which the function has a look on the way."""
    xp.record("hook", tuple(flat(x)), {"function": function, "pattern": x}, WEAK[bool])
    return x


Pair = tuple[int, int]


def max_pool2d(xp: Any, x: Value, window: Pair, stride: Pair, padding: Pair) -> Value:
    """The largest element of each window, over a border of its own where one is asked for."""
    padded = pad2d(xp, x, padding, -float("inf"))
    spec = SPEC.max_pool2d(padded.spec, window=window, stride=stride, padding=(0, 0))
    return xp.record("max_pool2d", (padded,), {"window": window, "stride": stride}, spec)


def max_unpool2d(xp: Any, x: Value, output: Value, like: Value, window: Pair, stride: Pair, padding: Pair) -> Value:
    """A kernel of its own where windows lie side by side."""
    if stride != window or padding != (0, 0):
        return definitions.max_unpool2d(xp, x, output, like, window, stride, padding)
    spec = ArraySpec(like.spec.shape, x.spec.dtype)
    return xp.record("max_unpool2d", (x, output, like), {"window": window}, spec)


def multiply(xp: Any, x: Value, y: Value) -> Value:
    """A product; numbers come first, and two of them are one."""
    x, y = xp.lift(x), xp.lift(y)
    if x.number is None and y.number is not None:
        x, y = y, x
    spec = SPEC.multiply(x.spec, y.spec)
    are_factors = x.number is not None and y.name == "multiply" and y.inputs[0].number is not None
    if are_factors and _is_of(spec.dtype, x, y, y.inputs[0]):
        factor, rest = multiply(xp, x, y.inputs[0]), y.inputs[1]
        if SPEC.multiply(factor.spec, rest.spec) == spec and _is_normal(factor.number):
            x, y = factor, rest
    return xp.primitive("multiply", x, y)


def _is_of(dtype: Any, *values: Value) -> bool:
    """Whether all is computed in one dtype of floats: integers wrap around, each in its own."""
    return dtype.kind == "f" and all(value.spec.weak or value.spec.dtype == dtype for value in values)


def _is_normal(number: Any) -> bool:
    """Whether a number is neither 0 nor too large or too small: then no product with it is another one in between."""
    return bool(1e-30 < abs(float(number)) < 1e30)


def pow(xp: Any, x: Value, exponent: Value) -> Value:
    """A power; the first is the operand, the second a product."""
    x, exponent = xp.lift(x), xp.lift(exponent)
    spec = SPEC.pow(x.spec, exponent.spec)
    number = exponent.attributes["data"] if exponent.name == "constant" and not exponent.is_array else None
    if x.name != "constant" and x.spec == spec and number in (1, 2):
        return x if number == 1 else xp.multiply(x, x)
    return xp.primitive("pow", x, exponent)


def where(xp: Any, condition: Value, then: Value, otherwise: Value) -> Value:
    """A choice; what is chosen where the condition is known."""
    inputs: tuple[Any, ...] = tuple(map(xp.lift, (condition, then, otherwise)))
    spec = SPEC.where(*[op.spec for op in inputs])
    if inputs[0].number is not None:
        chosen = inputs[1 if inputs[0].number else 2]
        return cast(xp, broadcast_to(xp, chosen, spec.shape) if spec.shape else chosen, spec)
    if inputs[0].name == "constant":
        for x, other, mask in (
            (inputs[1], inputs[2], ~inputs[0].attributes["data"]),
            (*inputs[:0:-1], inputs[0].attributes["data"]),
        ):
            if other.number is not None and x.number is None and x.spec == spec and spec.shape:
                value = spec.dtype.type(other.number).item()
                return xp.record("masked", (x, xp.mask(mask)), {"value": value}, spec)
    return xp.primitive("where", *inputs)


def put(xp: Any, x: Value, like: Value, index: tuple[Any, ...]) -> Value:
    """Zeros with the operand at a static index."""
    x, like = xp.lift(x), xp.lift(like)
    spec = ArraySpec(like.spec.shape, x.spec.dtype)
    if not spec.shape:
        return cast(xp, reshape(xp, x, ()), like.spec)
    return xp.record("put", (x,), {"shape": spec.shape, "indices": (decode_index(index),)}, spec)


def add(xp: Any, x: Value, y: Value) -> Value:
    """A sum; of two arrays that are 0 but for parts that do not overlap it is one array with all these parts."""
    x, y = xp.lift(x), xp.lift(y)
    if x.name == y.name == "put" and x.spec == y.spec:
        first, second = x.attributes["indices"], y.attributes["indices"]
        if all(are_apart(one, other, x.spec.shape) for one in first for other in second):
            indices = (*first, *second)
            return xp.record("put", x.inputs + y.inputs, {"shape": x.spec.shape, "indices": indices}, x.spec)
    return xp.primitive("add", x, y)


def scatter_add(xp: Any, x: Value, indices: Value, like: Value, axis: int) -> Value:
    """Zeros with slices added at indices."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("scatter_add", (x, indices), {"shape": spec.shape, "axis": axis % len(spec.shape)}, spec)


def unpick(xp: Any, x: Value, labels: Value, like: Value) -> Value:
    """Zeros with the operand where labels point."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("unpick", (x, labels), {"shape": spec.shape}, spec)


def fold(xp: Any, x: Value, like: Value, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Value:
    """Windows added back where they were taken from."""
    spec = ArraySpec(xp.shape(like), x.spec.dtype)
    return xp.record("fold", (x,), {"shape": spec.shape, "stride": stride, "dilation": dilation}, spec)


def bernoulli(xp: Any, like: Value, counter: Value, probability: float, seed: int) -> Value:
    """Booleans drawn by a counter."""
    like = xp.lift(like)
    spec = WEAK[bool] if like.spec.weak else ArraySpec(like.spec.shape, np.dtype(bool))
    attributes = {"shape": spec.shape, "probability": probability, "seed": seed}
    return xp.record("bernoulli", (xp.lift(counter),), attributes, spec)
