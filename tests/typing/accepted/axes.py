"""Reductions, the order of axes, and look-ups. The comment of a line gives the rank, and the axis."""

from typing import Literal, NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree import Tape
from layertree.typing import ArraySpec, Float32, Float64, Int64
from symbolic import Formula, Symbolic, placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Feat = NewType("Feat", int)
Steps = NewType("Steps", int)
Width = NewType("Width", int)
Head = NewType("Head", int)
batch, time, feat = Batch(2), Time(3), Feat(4)

X1 = Float32[Feat]
X2 = Float32[Batch, Feat]
X3 = Float32[Batch, Time, Feat]
X4 = Float32[Batch, Head, Time, Feat]
One = Literal[1]
x0 = placeholder(np.float32)
x1 = placeholder(X1)
x2 = placeholder(X2)
x3 = placeholder(X3)
x4 = placeholder(X4)
u = placeholder(ArraySpec((None, 5), np.float32))
labels = placeholder(Int64[Batch])
tokens = placeholder(Int64[Batch, Steps])
table: Symbolic[object, Tape[Float32[Width, Feat], Float32[Width, Feat]]] = weight(normal(Width(9), feat))

# == a reduction over all axes
assert_type(sy.sum(x1), Formula[X1, np.float32])  # 1 | sum
assert_type(sy.mean(x2), Formula[X2, np.float32])  # 2 | mean
assert_type(sy.max(x3), Formula[X3, np.float32])  # 3 | max
assert_type(sy.std(x2), Formula[X2, np.float32])  # 2 | std
assert_type(sy.mean(labels), Formula[Int64[Batch], np.float64])  # 1 | mean of integers
assert_type(sy.sum(x2 > 0.0), Formula[X2, np.int64])  # 2 | sum of booleans

# == a reduction over an axis that goes
assert_type(sy.sum(x1, axis=0), Formula[X1, np.float32])  # 1 | the only one
assert_type(sy.sum(x2, axis=0), Formula[X2, X1])  # 2 | the first
assert_type(sy.mean(x2, axis=1), Formula[X2, Float32[Batch]])  # 2 | the second
assert_type(sy.max(x2, axis=-1), Formula[X2, Float32[Batch]])  # 2 | the last, from the end
assert_type(sy.min(x3, axis=0), Formula[X3, Float32[Time, Feat]])  # 3 | the first
assert_type(sy.mean(x3, axis=-2), Formula[X3, X2])  # 3 | the second, from the end
assert_type(sy.var(x3, axis=2, correction=1.0), Formula[X3, Float32[Batch, Time]])  # 3 | the last
assert_type(sy.sum(labels, axis=0), Formula[Int64[Batch], np.int64])  # 1 | the only one, of integers

# == a reduction over an axis that stays
assert_type(sy.sum(x1, axis=-1, keepdims=True), Formula[X1, Float32[One]])  # 1 | the only one
assert_type(sy.sum(x2, axis=0, keepdims=True), Formula[X2, Float32[One, Feat]])  # 2 | the first
assert_type(sy.vector_norm(x2, axis=-1, keepdims=True), Formula[X2, Float32[Batch, One]])  # 2 | the last
assert_type(sy.max(x3, axis=0, keepdims=True), Formula[X3, Float32[One, Time, Feat]])  # 3 | the first
assert_type(sy.min(x3, axis=1, keepdims=True), Formula[X3, Float32[Batch, One, Feat]])  # 3 | the second
assert_type(sy.mean(x3, axis=2, keepdims=True), Formula[X3, Float32[Batch, Time, One]])  # 3 | the last


# == a reduction over an axis that is not known, and over several
def total(axis: int) -> None:
    assert_type(sy.sum(x2, axis=axis), Formula[X2, Float32[int]])  # 2 | not known


total(0)
assert_type(sy.sum(x3, axis=(0, 1)), Formula[X3, NDArray[np.float32]])  # 3 | two

# == argmax
assert_type(sy.argmax(x1), Formula[X1, np.int64])  # 1 | flattened, unless an axis is given
assert_type(sy.argmax(x2), Formula[X2, np.int64])  # 2 | flattened, unless an axis is given
assert_type(sy.argmax(x2, axis=None), Formula[X2, np.int64])  # 2 | flattened
assert_type(sy.argmax(x2, axis=-1), Formula[X2, Int64[Batch]])  # 2 | the last
assert_type(sy.argmax(x3, axis=1), Formula[X3, Int64[Batch, Feat]])  # 3 | the second
assert_type(sy.argmax(x3, axis=2, keepdims=True), Formula[X3, Int64[Batch, Time, One]])  # 3 | the last, which stays
assert_type(sy.argmax(x3, keepdims=True), Formula[X3, Int64[One, One, One]])  # 3 | flattened; the axes stay

# == axes exchanged
assert_type(x2.T, Formula[X2, Float32[Feat, Batch]])  # 2 | .T
assert_type(x2.mT, Formula[X2, Float32[Feat, Batch]])  # 2 | .mT
assert_type(x3.mT, Formula[X3, Float32[Batch, Feat, Time]])  # 3 | .mT
assert_type(x4.mT, Formula[X4, Float32[Batch, Head, Feat, Time]])  # 4 | .mT
assert_type(u.mT, Formula[NDArray[np.float32], NDArray[np.float32]])  # any | .mT
assert_type(sy.matrix_transpose(x3), Formula[X3, Float32[Batch, Feat, Time]])  # 3 | matrix_transpose
assert_type(sy.permute_dims(x2, (1, 0)), Formula[X2, Float32[Feat, Batch]])  # 2 | permute_dims, both
assert_type(sy.permute_dims(x3, (0, 2, 1)), Formula[X3, Float32[Batch, Feat, Time]])  # 3 | permute_dims, the last two
assert_type(sy.permute_dims(x3, (2, 0, 1)), Formula[X3, Float32[Feat, Batch, Time]])  # 3 | permute_dims, all

# == expand_dims
assert_type(sy.expand_dims(x0), Formula[np.float32, Float32[One]])  # 0 | the only one
assert_type(sy.expand_dims(x1), Formula[X1, Float32[One, Feat]])  # 1 | the first, unless given
assert_type(sy.expand_dims(x1, axis=-1), Formula[X1, Float32[Feat, One]])  # 1 | the last
assert_type(sy.expand_dims(x2, axis=1), Formula[X2, Float32[Batch, One, Feat]])  # 2 | the middle
assert_type(sy.expand_dims(x3, axis=-2), Formula[X3, Float32[Batch, Time, One, Feat]])  # 3 | before the last

# == flatten
assert_type(sy.flatten(x3), Formula[X3, Float32[Batch, int]])  # 3 | all but the first

# == take
assert_type(sy.take(table, labels), Formula[Int64[Batch], X2])  # 2 | a vector along the first
looked_up = sy.take(table, tokens)
assert_type(looked_up, Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])  # 2 | a matrix along the first
assert_type(sy.take(x2, np.arange(3), axis=1), Formula[X2, Float32[Batch, int]])  # 2 | plain data along the last
assert_type(sy.take(x2, 0), Formula[X2, X1])  # 2 | an integer along the first
assert_type(sy.take(x1, 0), Formula[X1, np.float32])  # 1 | an integer
assert_type(sy.take(x3, 1, axis=1), Formula[X3, X2])  # 3 | an integer along the second
assert_type(sy.take(x2, [0, 1]), Formula[X2, NDArray[np.float32]])  # 2 | a list

# == what keeps the shape
assert_type(sy.softmax(x3), Formula[X3, X3])  # 3 | softmax
assert_type(sy.log_softmax(x2, axis=0), Formula[X2, X2])  # 2 | log_softmax
assert_type(sy.cumulative_sum(x2, axis=0), Formula[X2, X2])  # 2 | cumulative_sum
assert_type(sy.stop_gradient(x2), Formula[X2, X2])  # 2 | stop_gradient
assert_type(sy.hook(x1, lambda value: None), Formula[X1, X1])  # 1 | hook
assert_type(sy.astype(sy.sum(x2, axis=0), np.float64), Formula[X2, Float64[Feat]])  # 1 | astype
