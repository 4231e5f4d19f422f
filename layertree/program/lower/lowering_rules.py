"""Lowering rules: names that become other primitives once all sizes are known, or that have a quicker primitive.

``xp`` is the graph builder. A pattern, ``like``, gives its shape or dtype alone, so the graph does not read its value
and the program does not keep it.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from layertree.core.namespace import Namespace
from layertree.core.nested import flat
from layertree.core.spec import WEAK, ArraySpec
from layertree.core.static_index import EncodedIndex, decode_index
from layertree.layers._convolution import pad2d
from layertree.namespaces import definitions
from layertree.namespaces.spec import SPEC
from layertree.program.ir.operations import Array, DType, Number, Op, OpTree, sizes_of
from layertree.program.ir.static_index import are_disjoint
from layertree.program.lower.graph_builder import GraphBuilder, Operand
from layertree.program.lower.reductions import argmax, axis_size, max, mean, min, sum, sum_to
from layertree.program.lower.reshapes import (
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


def zeros_like(xp: GraphBuilder, like: Operand) -> Op:
    """0 everywhere, in the shape and dtype of the pattern."""
    return xp.filled(0, xp.lift(like).spec)


def ones_like(xp: GraphBuilder, like: Operand) -> Op:
    """1 everywhere, in the shape and dtype of the pattern."""
    return xp.filled(1, xp.lift(like).spec)


def eye_like(xp: GraphBuilder, like: Operand) -> Op:
    """The identity of the pattern's space, a constant; of a number 1."""
    spec = xp.lift(like).spec
    return xp.identity(spec) if spec.shape else xp.filled(1, spec)


def alike(xp: GraphBuilder, x: Op, like: Operand, reason: str) -> Op:
    """The operand, whose shape has to be the pattern's. Raises ShapeError with the reason where it is not."""
    SPEC.alike(x.spec, xp.lift(like).spec, reason=reason)
    return x


def matmul(xp: GraphBuilder, a: Op, b: Op) -> Op:
    """A matrix product. A stack of matrices times one matrix is one product of two matrices."""
    spec = SPEC.matmul(a.spec, b.spec)
    first, second = a.shape, b.shape
    if len(first) > 2 and len(second) == 2:
        rows = reshape(xp, a, (math.prod(first[:-1]), first[-1]))
        return reshape(xp, matmul(xp, rows, b), sizes_of(spec))
    return xp.append("matmul", (a, b), {}, spec)


def hook(xp: GraphBuilder, x: OpTree, function: Callable[..., object]) -> OpTree:
    """The operand; the function is called with its value at each run."""
    xp.append("hook", tuple(flat(x)), {"function": function, "pattern": x}, WEAK[bool])
    return x


def _namespace(xp: GraphBuilder) -> Namespace[Op]:
    """The graph builder as the namespace that it is: the subclass LoweringNamespace finds the functions by name."""
    return typing.cast("Namespace[Op]", xp)


Pair: TypeAlias = tuple[int, int]


def max_pool2d(xp: GraphBuilder, x: Op, window: Pair, stride: Pair, padding: Pair) -> Op:
    """The largest element of each window. Padding becomes an operation of its own that adds a border of -inf."""
    padded = pad2d(_namespace(xp), x, padding, -float("inf"))
    spec = SPEC.max_pool2d(padded.spec, window=window, stride=stride, padding=(0, 0))
    return xp.append("max_pool2d", (padded,), {"window": window, "stride": stride}, spec)


def max_unpool2d(xp: GraphBuilder, x: Op, output: Op, like: Op, window: Pair, stride: Pair, padding: Pair) -> Op:
    """The adjoint of max pooling: a kernel where windows tile the image, else the definition in other names."""
    if stride != window or padding != (0, 0):
        return definitions.max_unpool2d(_namespace(xp), x, output, like, window, stride, padding)
    spec = ArraySpec(like.shape, x.dtype)
    return xp.append("max_unpool2d", (x, output, like), {"window": window}, spec)


def multiply(xp: GraphBuilder, x: Operand, y: Operand) -> Op:
    """A product in canonical order: a constant number comes first, and two constant factors are folded into one."""
    x, y = xp.lift(x), xp.lift(y)
    if x.number is None and y.number is not None:
        x, y = y, x
    spec = SPEC.multiply(x.spec, y.spec)
    are_factors = x.number is not None and y.name == "multiply" and y.inputs[0].number is not None
    if are_factors and _is_of(spec.dtype, x, y, y.inputs[0]):
        factor, rest = multiply(xp, x, y.inputs[0]), y.inputs[1]
        number = factor.number
        if number is not None and SPEC.multiply(factor.spec, rest.spec) == spec and _is_moderate(number):
            x, y = factor, rest
    return xp.primitive("multiply", x, y)


def _is_of(dtype: DType, *values: Op) -> bool:
    """Whether all values are computed in one dtype of floats. Integers of several dtypes wrap around differently."""
    return dtype.kind == "f" and all(value.is_weak or value.dtype == dtype for value in values)


def _is_moderate(number: Number) -> bool:
    """Whether a factor is so far from 0 and from infinity that the other order of products does not overflow first."""
    return 1e-30 < abs(float(number)) < 1e30


def pow(xp: GraphBuilder, x: Operand, exponent: Operand) -> Op:
    """A power; the first power is the operand, the second a product."""
    x, exponent = xp.lift(x), xp.lift(exponent)
    spec = SPEC.pow(x.spec, exponent.spec)
    number = exponent.attributes["data"] if exponent.name == "constant" and not exponent.is_array else None
    if x.name != "constant" and x.spec == spec and number in (1, 2):
        return x if number == 1 else multiply(xp, x, x)
    return xp.primitive("pow", x, exponent)


def where(xp: GraphBuilder, condition: Operand, then: Operand, otherwise: Operand) -> Op:
    """A choice element by element; of a constant condition the chosen operand, or a ``masked`` operation."""
    mask, first, second = xp.lift(condition), xp.lift(then), xp.lift(otherwise)
    spec = SPEC.where(mask.spec, first.spec, second.spec)
    if mask.number is not None:
        chosen = first if mask.number else second
        return cast(xp, broadcast_to(xp, chosen, sizes_of(spec)) if spec.shape else chosen, spec)
    if mask.name == "constant":
        data: Array = mask.attributes["data"]
        for x, other, is_other in ((first, second, ~data), (second, first, data)):
            if other.number is not None and x.number is None and x.spec == spec and spec.shape:
                value = spec.dtype.type(other.number).item()
                return xp.append("masked", (x, xp.mask(is_other)), {"value": value}, spec)
    return xp.primitive("where", mask, first, second)


def put(xp: GraphBuilder, x: Operand, like: Operand, index: EncodedIndex) -> Op:
    """Zeros in the shape of the pattern with the operand at a static index: the adjoint of ``getitem``."""
    x, like = xp.lift(x), xp.lift(like)
    spec = ArraySpec(like.shape, x.dtype)
    if not spec.shape:
        return cast(xp, reshape(xp, x, ()), like.spec)
    return xp.append("put", (x,), {"shape": spec.shape, "indices": (decode_index(index),)}, spec)


def add(xp: GraphBuilder, x: Operand, y: Operand) -> Op:
    """A sum; two ``put`` operations at disjoint indices become one with all their operands."""
    x, y = xp.lift(x), xp.lift(y)
    if x.name == y.name == "put" and x.spec == y.spec:
        first, second = x.attributes["indices"], y.attributes["indices"]
        if all(are_disjoint(one, other, x.shape) for one in first for other in second):
            indices = (*first, *second)
            return xp.append("put", x.inputs + y.inputs, {"shape": x.shape, "indices": indices}, x.spec)
    return xp.primitive("add", x, y)


def scatter_add(xp: GraphBuilder, x: Op, indices: Op, like: Operand, axis: int) -> Op:
    """Zeros in the shape of the pattern with slices added at indices along an axis: the adjoint of ``take``."""
    spec = ArraySpec(xp.shape(like), x.dtype)
    return xp.append("scatter_add", (x, indices), {"shape": spec.shape, "axis": axis % len(spec.shape)}, spec)


def unpick(xp: GraphBuilder, x: Op, labels: Op, like: Operand) -> Op:
    """Zeros in the shape of the pattern with one element of each row, at its label: the adjoint of ``pick``."""
    spec = ArraySpec(xp.shape(like), x.dtype)
    return xp.append("unpick", (x, labels), {"shape": spec.shape}, spec)


def fold(xp: GraphBuilder, x: Op, like: Operand, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Op:
    """Windows added back at the places they were taken from (col2im): the adjoint of ``windows``."""
    spec = ArraySpec(xp.shape(like), x.dtype)
    return xp.append("fold", (x,), {"shape": spec.shape, "stride": stride, "dilation": dilation}, spec)


def bernoulli(xp: GraphBuilder, like: Operand, counter: Operand, probability: float, seed: int) -> Op:
    """Random booleans in the shape of the pattern, a function of the counter and the seed."""
    like = xp.lift(like)
    spec = WEAK[bool] if like.is_weak else ArraySpec(like.shape, np.dtype(bool))
    attributes = {"shape": spec.shape, "probability": probability, "seed": seed}
    return xp.append("bernoulli", (xp.lift(counter),), attributes, spec)
