"""Mistakes with arrays, element by element: rows by rank, columns by kind of mistake."""
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

x0 = placeholder(np.float32)
x1 = placeholder(Float32[Feat])
x2 = placeholder(Float32[Batch, Feat])
x3 = placeholder(Float32[Batch, Time, Feat])
x4 = placeholder(Float32[Batch, Time, Height, Feat])
labels = placeholder(Int64[Batch])

# Another dimension.
x1 + weight(normal(hid))  # error
x2 + weight(normal(batch, hid))  # error
x3 + weight(normal(batch, time, hid))  # error
x4 + weight(normal(batch, time, height, hid))  # error
weight(normal(hid)) + x1  # error
weight(normal(batch, hid)) + x2  # error
weight(normal(batch, time, hid)) + x3  # error
weight(normal(batch, time, height, hid)) + x4  # error
x2 - weight(normal(batch, hid))  # error
x2 * weight(normal(batch, hid))  # error
x2 / weight(normal(batch, hid))  # error
x2 // weight(normal(batch, hid))  # error
x2 % weight(normal(batch, hid))  # error
x2 ** weight(normal(batch, hid))  # error
x2 < weight(normal(batch, hid))  # error
x2 <= weight(normal(batch, hid))  # error
x2 > weight(normal(batch, hid))  # error
x2 >= weight(normal(batch, hid))  # error
x2 == weight(normal(batch, hid))  # error
x2 != weight(normal(batch, hid))  # error
sy.maximum(x2, weight(normal(batch, hid)))  # error
sy.less(weight(normal(batch, hid)), x2)  # error

# Dimensions exchanged.
x2 + weight(normal(feat, batch))  # error
x3 * weight(normal(time, batch, feat))  # error

# Another rank, which is no vector along the last axis.
x1 + weight(normal(batch, hid))  # error
x2 + weight(normal(time, batch, feat, hid))  # error
x3 + weight(normal(batch, time))  # error

# A vector along another axis than the last one.
x2 + weight(zeros(batch))  # error
x3 + weight(zeros(time))  # error
x4 + weight(zeros(height))  # error
weight(zeros(batch)) + x2  # error
weight(zeros(time)) * x3  # error
weight(zeros(height)) > x4  # error
x2 + weight(zeros(hid))  # error
x3 > weight(zeros(hid))  # error

# Another dtype.
x0 + weight(np.float64(1.0))  # error
x1 + weight(np.zeros(5))  # error
x2 + placeholder(Float64[Batch, Feat])  # error
x2 * np.zeros((2, 5))  # error
x2 + sy.astype(x2, np.float64)  # error
x2 > sy.astype(x2, np.float64)  # error
x2 + sy.argmax(x2)  # error
x3 + weight(np.zeros(5))  # error
sy.minimum(x2, sy.astype(x2, np.float64))  # error

# Formulas of two inputs.
x1 + x2  # error: mypy pyright
x2 + x1  # error: mypy pyright
x2 * placeholder(float)  # error: mypy pyright
placeholder(float) * x2  # error: mypy pyright
x3 > placeholder(Float32[Feat])  # error: mypy pyright

# What is no operand.
x2 + "1"  # error
x1 * None  # error
sy.tanh(normal)  # error

# Bits of floats, smooth functions of integers, and a mask of another shape.
x2 & x2  # error
x2 & (x2 > 0.0)  # error
sy.sqrt(labels)  # error
(x2 > 0.0) & placeholder(Bool[Batch, Hid])  # error
sy.where(x2, x2, 0.0)  # error
sy.where(x2 > 0.0, x2, weight(normal(batch, hid)))  # error

# Another type than the formula has.
wrong_shape: Formula[Float32[Batch, Feat], Float32[Batch, Hid]] = x2 * 2.0  # error
wrong_dtype: Formula[Float32[Batch, Feat], Float64[Batch, Feat]] = sy.relu(x2)  # error
wrong_rank: Formula[Float32[Batch, Feat], Float32[Batch]] = x2 + weight(zeros(feat))  # error
wrong_kind: Formula[Float32[Batch, Feat], Float32[Batch, Feat]] = x2 > 0.0  # error
