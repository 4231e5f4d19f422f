"""Mistakes with arrays, element by element. The comment of a line gives the rank, and the kind of mistake."""
# ruff: noqa: B015

from typing import NewType

import numpy as np

import symbolic as sy
from layertree.typing import Bool, Float32, Float64, Int64
from symbolic import Formula, placeholder, weight
from symbolic.initializers import normal, zeros

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Height = NewType("Height", int)
Feat = NewType("Feat", int)
Hid = NewType("Hid", int)
batch, time, height, feat, hid = Batch(2), Time(3), Height(4), Feat(5), Hid(6)

X2 = Float32[Batch, Feat]
x0 = placeholder(np.float32)
x1 = placeholder(Float32[Feat])
x2 = placeholder(X2)
x3 = placeholder(Float32[Batch, Time, Feat])
x4 = placeholder(Float32[Batch, Time, Height, Feat])
labels = placeholder(Int64[Batch])
misfit = weight(normal(batch, hid))

# == +
x1 + weight(normal(hid))  # error | 1 | another dimension
x2 + weight(normal(batch, hid))  # error | 2 | another dimension
x3 + weight(normal(batch, time, hid))  # error | 3 | another dimension
x4 + weight(normal(batch, time, height, hid))  # error | 4 | another dimension
weight(normal(batch, hid)) + x2  # error | 2 | another dimension, on the left
x2 + normal(batch, hid)  # error | 2 | another dimension, of plain data
x2 + weight(normal(feat, batch))  # error | 2 | dimensions exchanged
x1 + weight(normal(batch, hid))  # error | 1 | a higher rank
x3 + weight(normal(batch, time))  # error | 3 | a lower rank
x0 + weight(np.float64(1.0))  # error | 0 | another dtype
x1 + weight(np.zeros(5))  # error | 1 | another dtype
x2 + np.zeros((2, 5))  # error | 2 | another dtype, of plain data
x2 + sy.argmax(x2)  # error | 2 | integers beside floats
x2 + "1"  # error | 2 | no operand
x1 + None  # error | 1 | nothing
x1 + x2  # error: mypy pyright | 1 | the formula of another input
x2 + placeholder(float)  # error: mypy pyright | 2 | a number of another input

# == + of a vector along another axis than the last
x2 + weight(zeros(batch))  # error | 2 | the first
x3 + weight(zeros(time))  # error | 3 | the second
x4 + weight(zeros(height))  # error | 4 | the third
weight(zeros(batch)) + x2  # error | 2 | the first, on the left

# == + of an axis that went
x2 + sy.mean(x2, axis=-1)  # error | 2 | the last
x3 + sy.sum(x3, axis=0)  # error | 3 | the first
sy.min(x3, axis=1) + x3  # error | 3 | the second, on the left

# == the other arithmetic, of another dimension
x2 - misfit  # error | 2 | -
x2 * misfit  # error | 2 | *
x2 / misfit  # error | 2 | /
x2 // misfit  # error | 2 | //
x2 % misfit  # error | 2 | %
x2**misfit  # error | 2 | **

# == /
labels / weight(np.zeros(2))  # error | 1 | floats beside integers
labels / (labels > labels) / x2  # error | 1 | the formula of another input

# == a sign
-(x2 > 0.0)  # error | 2 | of booleans

# == comparison, of another dimension
x2 < misfit  # error | 2 | <
x2 <= misfit  # error | 2 | <=
x2 > misfit  # error | 2 | >
x2 >= misfit  # error | 2 | >=
x2 == misfit  # error | 2 | ==
x2 != misfit  # error | 2 | !=

# == comparison
x4 > weight(zeros(height))  # error | 4 | a vector along another axis
x2 > sy.astype(x2, np.float64)  # error | 2 | another dtype
x3 > x1  # error: mypy pyright | 3 | the formula of another input

# == logic
x2 & x2  # error | 2 | bits of floats
x2 | (x2 > 0.0)  # error | 2 | floats beside booleans
(x2 > 0.0) & placeholder(Bool[Batch, Hid])  # error | 2 | another dimension

# == a function
sy.tanh(normal)  # error | any | no operand
sy.sqrt(x2 > 0.0)  # error | 2 | a smooth function of booleans
sy.softmax(labels)  # error | 1 | softmax of integers
sy.relu(x2 > 0.0)  # error | 2 | a function of the magnitude, of booleans

# == a function of two operands
sy.maximum(x2, weight(normal(batch, hid)))  # error | 2 | another dimension
sy.less(weight(normal(batch, hid)), x2)  # error | 2 | another dimension, compared
sy.minimum(x2, sy.astype(x2, np.float64))  # error | 2 | another dtype
sy.add(x1, x2)  # error | 1 | the formula of another input
sy.maximum(x2, sy.max(x2, axis=1))  # error | 2 | an axis that went

# == a choice
sy.where(x2, x2, 0.0)  # error | 2 | a condition that is no boolean
sy.where(x2 > 0.0, x2, weight(normal(batch, hid)))  # error | 2 | another dimension
sy.where(x2 > 0.0, x2, placeholder((X2, float))[0])  # error | 2 | the formula of another input
sy.clip(x2, weight(normal(hid)))  # error | 2 | a bound of another dimension

# == another type than the formula has
wrong_shape: Formula[X2, Float32[Batch, Hid]] = x2 * 2.0  # error | 2 | of the dimensions
wrong_dtype: Formula[X2, Float64[Batch, Feat]] = sy.relu(x2)  # error | 2 | of the elements
wrong_rank: Formula[X2, Float32[Batch]] = x2 + weight(zeros(feat))  # error | 2 | of the rank
wrong_kind: Formula[X2, X2] = x2 > 0.0  # error | 2 | of a comparison
wrong_quotient: Formula[Int64[Batch], Int64[Batch]] = labels / 2  # error | 1 | of a quotient
