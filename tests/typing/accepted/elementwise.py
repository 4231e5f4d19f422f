"""Elementwise operations of arrays: rows by rank, columns by what stands beside the array."""
# ruff: noqa: B015

from typing import NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree import Tape
from layertree.typing import ArraySpec, Bool, Float32, Float64, Int64
from symbolic import Formula, Symbolic, placeholder, weight
from symbolic.initializers import normal, ones, zeros

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Height = NewType("Height", int)
Feat = NewType("Feat", int)
batch, time, height, feat = Batch(2), Time(3), Height(4), Feat(5)

x0 = placeholder(np.float32)
x1 = placeholder(Float32[Feat])
x2 = placeholder(Float32[Batch, Feat])
x3 = placeholder(Float32[Batch, Time, Feat])
x4 = placeholder(Float32[Batch, Time, Height, Feat])

# The same shape: a weight on either side, and plain data.
assert_type(x0 + weight(np.float32(1.0)), Formula[np.float32, np.float32])
assert_type(x1 + weight(normal(feat)), Formula[Float32[Feat], Float32[Feat]])
assert_type(x2 + weight(normal(batch, feat)), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x3 + weight(normal(batch, time, feat)), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(
    x4 + weight(normal(batch, time, height, feat)),
    Formula[Float32[Batch, Time, Height, Feat], Float32[Batch, Time, Height, Feat]],
)
assert_type(weight(np.float32(1.0)) - x0, Formula[np.float32, np.float32])
assert_type(weight(normal(feat)) - x1, Formula[Float32[Feat], Float32[Feat]])
assert_type(weight(normal(batch, feat)) - x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(weight(normal(batch, time, feat)) - x3, Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(x1 * ones(feat), Formula[Float32[Feat], Float32[Feat]])
assert_type(ones(feat) * x1, Formula[Float32[Feat], Float32[Feat]])
assert_type(x2 * ones(batch, feat), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(ones(batch, feat) * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])

# Each operator.
assert_type(x2 + x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 - x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 / x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 // x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 % x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2**x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(-x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(abs(x2), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])

# A Python number, plain or a formula, keeps the array's type.
assert_type(x0 * 2.0, Formula[np.float32, np.float32])
assert_type(x1 * 2.0, Formula[Float32[Feat], Float32[Feat]])
assert_type(x2 * 2.0, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x3 * 2, Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(2.0 * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(2 / x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2**2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x2 * weight(2.0), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(weight(2.0) * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.literal(2.0) * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(placeholder(float) * ones(feat), Formula[float, Float32[Feat]])
assert_type(ones(feat) * placeholder(float), Formula[float, Float32[Feat]])

# A NumPy scalar of the array's dtype.
assert_type(x1 * np.float32(2.0), Formula[Float32[Feat], Float32[Feat]])
assert_type(x2 * weight(np.float32(2.0)), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(weight(np.float32(2.0)) * x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x0 * ones(feat), Formula[np.float32, Float32[Feat]])

# A vector along the last axis.
assert_type(x2 + weight(zeros(feat)), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(x3 + weight(zeros(feat)), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(x4 + weight(zeros(feat)), Formula[Float32[Batch, Time, Height, Feat], Float32[Batch, Time, Height, Feat]])
assert_type(weight(zeros(feat)) + x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(weight(zeros(feat)) + x3, Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(weight(zeros(feat)) + x4, Formula[Float32[Batch, Time, Height, Feat], Float32[Batch, Time, Height, Feat]])
assert_type(x2 + zeros(feat), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(zeros(feat) + x2, Formula[Float32[Batch, Feat], Float32[Batch, Feat]])

# Comparisons and logic, by the same columns.
assert_type(x0 > 0.0, Formula[np.float32, np.bool_])
assert_type(x0 > x0, Formula[np.float32, np.bool_])
assert_type(x1 > 0.0, Formula[Float32[Feat], Bool[Feat]])
assert_type(x2 > 0.0, Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(x2 <= x2, Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(x2 == x2, Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(x2 != 1, Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(x2 > weight(zeros(feat)), Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(weight(zeros(feat)) < x3, Formula[Float32[Batch, Time, Feat], Bool[Batch, Time, Feat]])
assert_type(x3 >= ones(batch, time, feat), Formula[Float32[Batch, Time, Feat], Bool[Batch, Time, Feat]])
assert_type((x2 > 0.0) & (x2 < 1.0), Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(~(x2 > 0.0), Formula[Float32[Batch, Feat], Bool[Batch, Feat]])

# Integers: they stay beside integers, and become float64 beside a Python float.
labels = placeholder(Int64[Batch])
assert_type(labels + 1, Formula[Int64[Batch], Int64[Batch]])
assert_type(labels * labels, Formula[Int64[Batch], Int64[Batch]])
assert_type(labels * 0.5, Formula[Int64[Batch], Float64[Batch]])
assert_type(labels == 3, Formula[Int64[Batch], Bool[Batch]])
assert_type((x2 > 0.0) * 1.0, Formula[Float32[Batch, Feat], Float64[Batch, Feat]])

# Functions keep shapes, in either order of operands.
assert_type(sy.tanh(x3), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Feat]])
assert_type(sy.relu(sy.sigmoid(x2)), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.maximum(0.0, x2), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.multiply(weight(zeros(feat)), x2), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.greater(weight(zeros(feat)), x2), Formula[Float32[Batch, Feat], Bool[Batch, Feat]])
assert_type(sy.where(x2 > 0.0, x2, 0.0), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.where(x2 > 0.0, 0.0, x2), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.where(x2 > 0.0, 1.0, 0.0), Formula[Float32[Batch, Feat], Float64[Batch, Feat]])
assert_type(sy.astype(x2, np.float64), Formula[Float32[Batch, Feat], Float64[Batch, Feat]])
assert_type(sy.astype(x2 > 0.0, np.float32), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])
assert_type(sy.astype(placeholder(float), np.float32), Formula[float, np.float32])
assert_type(sy.softmax(x2), Formula[Float32[Batch, Feat], Float32[Batch, Feat]])

# Arrays without named dimensions fit everywhere. Of what they give, only that it is accepted is claimed.
u = placeholder(ArraySpec((None, 5), np.float32))
loose: Symbolic[object, Tape[NDArray[np.float32], NDArray[np.float32]]] = weight(np.zeros((2, 5), np.float32))
assert_type(u, Formula[NDArray[np.float32], NDArray[np.float32]])
named: Formula[NDArray[np.float32], Float32[Batch, Feat]] = u * 2.0
u + loose
2.0 * u
x2 + loose
loose + x2
x3 * loose
x2 > loose
u > 0.0
sy.maximum(loose, x2)
