"""Reductions and the order of axes: rows by rank, columns by axis."""

from typing import Literal, NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree.typing import Bool, Float32, Float64, Int64
from symbolic import Formula, placeholder

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Feat = NewType("Feat", int)

x1 = placeholder(Float32[Feat])
x2 = placeholder(Float32[Batch, Feat])
x3 = placeholder(Float32[Batch, Time, Feat])
labels = placeholder(Int64[Batch])
X1 = Float32[Feat]
X2 = Float32[Batch, Feat]
X3 = Float32[Batch, Time, Feat]
One = Literal[1]

# Over all axes.
assert_type(sy.sum(x1), Formula[X1, np.float32])
assert_type(sy.mean(x2), Formula[X2, np.float32])
assert_type(sy.max(x3), Formula[X3, np.float32])

# Over one axis, which goes.
assert_type(sy.sum(x1, axis=0), Formula[X1, np.float32])
assert_type(sy.sum(x2, axis=0), Formula[X2, Float32[Feat]])
assert_type(sy.sum(x2, axis=1), Formula[X2, Float32[Batch]])
assert_type(sy.mean(x2, axis=-1), Formula[X2, Float32[Batch]])
assert_type(sy.max(x2, axis=-2), Formula[X2, Float32[Feat]])
assert_type(sy.min(x3, axis=0), Formula[X3, Float32[Time, Feat]])
assert_type(sy.mean(x3, axis=1), Formula[X3, Float32[Batch, Feat]])
assert_type(sy.sum(x3, axis=-1), Formula[X3, Float32[Batch, Time]])

# Over one axis, which is kept, and broadcasts back.
assert_type(sy.sum(x1, axis=-1, keepdims=True), Formula[X1, Float32[One]])
assert_type(sy.sum(x2, axis=0, keepdims=True), Formula[X2, Float32[One, Feat]])
assert_type(sy.mean(x2, axis=-1, keepdims=True), Formula[X2, Float32[Batch, One]])
assert_type(sy.max(x3, axis=0, keepdims=True), Formula[X3, Float32[One, Time, Feat]])
assert_type(sy.min(x3, axis=1, keepdims=True), Formula[X3, Float32[Batch, One, Feat]])
assert_type(sy.mean(x3, axis=2, keepdims=True), Formula[X3, Float32[Batch, Time, One]])
assert_type(x2 - sy.mean(x2, axis=-1, keepdims=True), Formula[X2, X2])
assert_type(sy.mean(x2, axis=0, keepdims=True) / x2, Formula[X2, X2])
assert_type(x3 - sy.mean(x3, axis=-1, keepdims=True), Formula[X3, X3])
assert_type(sy.mean(x3, axis=1, keepdims=True) * x3, Formula[X3, X3])
assert_type(sy.maximum(x3, sy.min(x3, axis=1, keepdims=True)), Formula[X3, X3])
assert_type(x2 >= sy.max(x2, axis=-1, keepdims=True), Formula[X2, Bool[Batch, Feat]])


# Over an axis that is not known, and over several.
def total(axis: int) -> None:
    assert_type(sy.sum(x2, axis=axis), Formula[X2, Float32[int]])


total(0)
assert_type(sy.sum(x3, axis=(0, 1)), Formula[X3, NDArray[np.float32]])

# Of integers and booleans.
assert_type(sy.mean(labels), Formula[Int64[Batch], np.float64])
assert_type(sy.sum(labels, axis=0), Formula[Int64[Batch], np.int64])
assert_type(sy.sum(x2 > 0.0), Formula[X2, np.int64])

# Positions.
assert_type(sy.argmax(x1), Formula[X1, np.int64])
assert_type(sy.argmax(x2), Formula[X2, Int64[Batch]])
assert_type(sy.argmax(x2, axis=0), Formula[X2, Int64[Feat]])
assert_type(sy.argmax(x3, axis=1), Formula[X3, Int64[Batch, Feat]])
assert_type(sy.argmax(x3, keepdims=True), Formula[X3, Int64[Batch, Time, One]])

# Axes exchanged.
assert_type(x2.T, Formula[X2, Float32[Feat, Batch]])
assert_type(x2 @ x2.T, Formula[X2, Float32[Batch, Batch]])
assert_type(x3.mT, Formula[X3, NDArray[np.float32]])
assert_type(sy.matrix_transpose(x2), Formula[X2, Float32[Feat, Batch]])
assert_type(x3 @ sy.matrix_transpose(x3), Formula[X3, Float32[Batch, Time, Time]])
assert_type(sy.permute_dims(x2, (1, 0)), Formula[X2, Float32[Feat, Batch]])
assert_type(sy.permute_dims(x3, (0, 2, 1)), Formula[X3, Float32[Batch, Feat, Time]])
assert_type(sy.permute_dims(x3, (2, 0, 1)), Formula[X3, Float32[Feat, Batch, Time]])
assert_type(sy.flatten(x3), Formula[X3, Float32[Batch, int]])

# Products, deviations and norms; over a known axis those of the latter have no names of dimensions.
assert_type(sy.prod(x2, axis=0), Formula[X2, Float32[Feat]])
assert_type(sy.logsumexp(x3, axis=-1), Formula[X3, Float32[Batch, Time]])
assert_type(sy.var(x2), Formula[X2, np.float32])
assert_type(sy.std(x2, axis=0, correction=1), Formula[X2, NDArray[np.float32]])
assert_type(sy.vector_norm(x2, ord=1), Formula[X2, np.float32])
assert_type(sy.vector_norm(x3, axis=-1, keepdims=True), Formula[X3, NDArray[np.float32]])

# What keeps the shape.
assert_type(sy.cumulative_sum(x2, axis=0), Formula[X2, X2])
assert_type(sy.cumulative_prod(x1), Formula[X1, X1])
assert_type(sy.clip(x2, 0.0, 1.0), Formula[X2, X2])
assert_type(sy.clip(x2, max=np.float32(1.0)), Formula[X2, X2])
assert_type(sy.softmax(x3), Formula[X3, X3])
assert_type(sy.log_softmax(x2, axis=0), Formula[X2, X2])
assert_type(sy.stop_gradient(x2), Formula[X2, X2])
assert_type(sy.hook(x1, lambda value: None), Formula[X1, X1])
assert_type(sy.astype(sy.sum(x2, axis=0), np.float64), Formula[X2, Float64[Feat]])

# Attention: (batch, time, features) beside (batch, steps, features) and (batch, steps, width).
Steps = NewType("Steps", int)
Width = NewType("Width", int)
Rows = tuple[X3, Float32[Batch, Steps, Feat], Float32[Batch, Steps, Width]]
query, key, value = placeholder((X3, Float32[Batch, Steps, Feat], Float32[Batch, Steps, Width]))
assert_type(sy.scaled_dot_product_attention(x2, x2, x2), Formula[X2, X2])
assert_type(sy.scaled_dot_product_attention(query, key, value), Formula[Rows, Float32[Batch, Time, Width]])
