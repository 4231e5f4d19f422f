"""Arrays, element by element. A section for each operation; the comment of a line gives the rank, and the case."""

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

X0 = np.float32
X1 = Float32[Feat]
X2 = Float32[Batch, Feat]
X3 = Float32[Batch, Time, Feat]
X4 = Float32[Batch, Time, Height, Feat]
x0 = placeholder(np.float32)
x1 = placeholder(X1)
x2 = placeholder(X2)
x3 = placeholder(X3)
x4 = placeholder(X4)
labels = placeholder(Int64[Batch])
number = placeholder(float)
loose: Symbolic[object, Tape[NDArray[np.float32], NDArray[np.float32]]] = weight(np.zeros((2, 5), np.float32))
u = placeholder(ArraySpec((None, 5), np.float32))

# == +
assert_type(x0 + x0, Formula[X0, X0])  # 0 | a formula
assert_type(x0 + weight(np.float32(1.0)), Formula[X0, X0])  # 0 | a weight on the right
assert_type(weight(np.float32(1.0)) + x0, Formula[X0, X0])  # 0 | a weight on the left
assert_type(x1 + weight(normal(feat)), Formula[X1, X1])  # 1 | a weight on the right
assert_type(x2 + weight(normal(batch, feat)), Formula[X2, X2])  # 2 | a weight on the right
assert_type(weight(normal(batch, feat)) + x2, Formula[X2, X2])  # 2 | a weight on the left
assert_type(x3 + weight(normal(batch, time, feat)), Formula[X3, X3])  # 3 | a weight on the right
assert_type(x4 + weight(normal(batch, time, height, feat)), Formula[X4, X4])  # 4 | a weight on the right
assert_type(x2 + ones(batch, feat), Formula[X2, X2])  # 2 | plain data on the right
assert_type(ones(feat) + x1, Formula[X1, X1])  # 1 | plain data on the left

# == + of a Python number
assert_type(x0 + 2.0, Formula[X0, X0])  # 0 | plain
assert_type(x1 + 2.0, Formula[X1, X1])  # 1 | plain
assert_type(2 + x2, Formula[X2, X2])  # 2 | an integer on the left
assert_type(x3 + weight(2.0), Formula[X3, X3])  # 3 | a weight on the right
assert_type(weight(2.0) + x2, Formula[X2, X2])  # 2 | a weight on the left
assert_type(number + ones(feat), Formula[float, X1])  # 1 | a formula beside plain data
assert_type(labels + 1, Formula[Int64[Batch], Int64[Batch]])  # 1 | an integer, to integers
assert_type(labels + 0.5, Formula[Int64[Batch], Float64[Batch]])  # 1 | a float, to integers
assert_type((x2 > 0.0) + 1, Formula[X2, Int64[Batch, Feat]])  # 2 | an integer, to booleans
assert_type((x2 > 0.0) + 1.0, Formula[X2, Float64[Batch, Feat]])  # 2 | a float, to booleans
assert_type(sy.sum(labels) + 0.5, Formula[Int64[Batch], np.float64])  # 0 | a float, to an integer

# == + of a NumPy scalar
assert_type(x1 + np.float32(2.0), Formula[X1, X1])  # 1 | plain
assert_type(weight(np.float32(2.0)) + x2, Formula[X2, X2])  # 2 | a weight on the left
assert_type(x0 + ones(feat), Formula[X0, X1])  # 0 | beside an array

# == + of a vector along the last axis
assert_type(x2 + weight(zeros(feat)), Formula[X2, X2])  # 2 | a weight on the right
assert_type(x3 + weight(zeros(feat)), Formula[X3, X3])  # 3 | a weight on the right
assert_type(x4 + weight(zeros(feat)), Formula[X4, X4])  # 4 | a weight on the right
assert_type(weight(zeros(feat)) + x3, Formula[X3, X3])  # 3 | a weight on the left
assert_type(weight(zeros(feat)) + x4, Formula[X4, X4])  # 4 | a weight on the left
assert_type(zeros(feat) + x2, Formula[X2, X2])  # 2 | plain data on the left

# == + of an axis that was kept
assert_type(x2 + sy.mean(x2, axis=-1, keepdims=True), Formula[X2, X2])  # 2 | the last
assert_type(sy.mean(x2, axis=0, keepdims=True) + x2, Formula[X2, X2])  # 2 | the first, on the left
assert_type(x3 + sy.mean(x3, axis=-1, keepdims=True), Formula[X3, X3])  # 3 | the last
assert_type(sy.mean(x3, axis=1, keepdims=True) + x3, Formula[X3, X3])  # 3 | the middle, on the left

# == the other arithmetic
assert_type(x2 - x2, Formula[X2, X2])  # 2 | -
assert_type(x2 * x2, Formula[X2, X2])  # 2 | *
assert_type(x2 // x2, Formula[X2, X2])  # 2 | //
assert_type(x2 % x2, Formula[X2, X2])  # 2 | %
assert_type(x2**2, Formula[X2, X2])  # 2 | **
assert_type(-x2, Formula[X2, X2])  # 2 | minus
assert_type(abs(x3), Formula[X3, X3])  # 3 | abs

# == /
assert_type(x2 / weight(normal(feat)), Formula[X2, X2])  # 2 | a vector along the last axis
assert_type(1 / x3, Formula[X3, X3])  # 3 | an integer on the left
assert_type(x0 / x0, Formula[X0, X0])  # 0 | a formula
assert_type(labels / labels, Formula[Int64[Batch], Float64[Batch]])  # 1 | integers by integers
assert_type(labels / 2, Formula[Int64[Batch], Float64[Batch]])  # 1 | integers by an integer
assert_type(1 / labels, Formula[Int64[Batch], Float64[Batch]])  # 1 | an integer by integers
assert_type(sy.sum(labels) / 2, Formula[Int64[Batch], np.float64])  # 0 | an integer by an integer
assert_type(sy.divide(labels, 2), Formula[Int64[Batch], Float64[Batch]])  # 1 | integers by an integer, by its function

# == comparison
assert_type(x0 > 0.0, Formula[X0, np.bool_])  # 0 | a number
assert_type(x1 <= x1, Formula[X1, Bool[Feat]])  # 1 | a formula
assert_type(x2 > 0.0, Formula[X2, Bool[Batch, Feat]])  # 2 | a number
assert_type(x2 == weight(zeros(feat)), Formula[X2, Bool[Batch, Feat]])  # 2 | a vector along the last axis
assert_type(weight(zeros(feat)) < x3, Formula[X3, Bool[Batch, Time, Feat]])  # 3 | a vector on the left
assert_type(x3 >= ones(batch, time, feat), Formula[X3, Bool[Batch, Time, Feat]])  # 3 | plain data
assert_type(labels != 3, Formula[Int64[Batch], Bool[Batch]])  # 1 | an integer, of integers
assert_type(sy.greater(weight(zeros(feat)), x2), Formula[X2, Bool[Batch, Feat]])  # 2 | a vector, by its function

# == logic
assert_type((x2 > 0.0) & (x2 < 1.0), Formula[X2, Bool[Batch, Feat]])  # 2 | booleans
assert_type(~(x3 > 0.0), Formula[X3, Bool[Batch, Time, Feat]])  # 3 | not
assert_type((x0 > 0.0) | (x0 < 1.0), Formula[X0, np.bool_])  # 0 | booleans
assert_type(labels ^ labels, Formula[Int64[Batch], Int64[Batch]])  # 1 | integers

# == a smooth function
assert_type(sy.log(x0), Formula[X0, X0])  # 0 | alone
assert_type(sy.tanh(x3), Formula[X3, X3])  # 3 | alone
assert_type(sy.sqrt(labels), Formula[Int64[Batch], Float64[Batch]])  # 1 | of integers
assert_type(sy.sigmoid(x2 + weight(zeros(feat))), Formula[X2, X2])  # 2 | around an operation

# == a function of the magnitude
assert_type(sy.relu(x2), Formula[X2, X2])  # 2 | alone
assert_type(sy.negative(labels), Formula[Int64[Batch], Int64[Batch]])  # 1 | of integers

# == a function of two operands
assert_type(sy.maximum(0.0, x2), Formula[X2, X2])  # 2 | a number on the left
assert_type(sy.multiply(weight(zeros(feat)), x2), Formula[X2, X2])  # 2 | a vector on the left
assert_type(sy.minimum(x3, sy.min(x3, axis=1, keepdims=True)), Formula[X3, X3])  # 3 | an axis that was kept

# == a choice
assert_type(sy.where(x2 > 0.0, x2, 0.0), Formula[X2, X2])  # 2 | a number otherwise
assert_type(sy.where(x2 > 0.0, 0.0, x2), Formula[X2, X2])  # 2 | a number then
assert_type(sy.where(x2 > 0.0, 1.0, 0.0), Formula[X2, Float64[Batch, Feat]])  # 2 | two numbers
assert_type(sy.if_(sy.mean(x2) > 0.0, x2, -x2), Formula[X2, X2])  # 2 | if_
assert_type(sy.clip(x3, -1.0, 1.0), Formula[X3, X3])  # 3 | clip

# == astype
assert_type(sy.astype(x2, np.float64), Formula[X2, Float64[Batch, Feat]])  # 2 | a float
assert_type(sy.astype(x2 > 0.0, np.float32), Formula[X2, X2])  # 2 | a boolean
assert_type(sy.astype(number, np.float32), Formula[float, np.float32])  # 0 | a Python number

# == unnamed dimensions, of which only that they are accepted is claimed
u + loose  # any | both
2.0 * u  # any | a number
x2 + loose  # 2 | on the right
loose + x2  # 2 | on the left
x3 * loose  # 3 | on the right
x2 > loose  # noqa: B015 # 2 | of a comparison
sy.maximum(loose, x2)  # 2 | of a function
named: Formula[NDArray[np.float32], X2] = u * 2.0  # 2 | given a name
