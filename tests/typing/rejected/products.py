"""Mistakes with matrix products. The comment of a line gives the ranks of both operands, and the kind of mistake."""

from typing import NewType

import numpy as np

import symbolic as sy
from layertree.typing import Float32
from symbolic import Formula, placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Head = NewType("Head", int)
Time = NewType("Time", int)
Feat = NewType("Feat", int)
Hid = NewType("Hid", int)
batch, head, time, feat, hid = Batch(2), Head(3), Time(4), Feat(5), Hid(6)

x1 = placeholder(Float32[Feat])
x2 = placeholder(Float32[Batch, Feat])
x3 = placeholder(Float32[Batch, Time, Feat])
x4 = placeholder(Float32[Batch, Head, Time, Feat])

# == a weight on the right
x1 @ weight(normal(hid))  # error | 1 by 1 | another inner dimension
x1 @ weight(normal(hid, feat))  # error | 1 by 2 | another inner dimension
x2 @ weight(normal(hid))  # error | 2 by 1 | another inner dimension
x2 @ weight(normal(hid, feat))  # error | 2 by 2 | another inner dimension
x3 @ weight(normal(hid))  # error | 3 by 1 | another inner dimension
x3 @ weight(normal(hid, feat))  # error | 3 by 2 | another inner dimension
x3 @ weight(normal(batch, hid, feat))  # error | 3 by 3 | another inner dimension
x4 @ weight(normal(hid, feat))  # error | 4 by 2 | another inner dimension
x4 @ weight(normal(batch, head, hid, feat))  # error | 4 by 4 | another inner dimension
x3 @ weight(normal(time, feat, hid))  # error | 3 by 3 | another batch
x4 @ weight(normal(head, batch, feat, hid))  # error | 4 by 4 | another batch
x1 @ weight(np.zeros(5))  # error | 1 by 1 | another dtype
x2 @ weight(np.zeros((5, 6)))  # error | 2 by 2 | another dtype
x3 @ weight(np.zeros((2, 5, 6)))  # error | 3 by 3 | another dtype
x2 @ weight(2.0)  # error | 2 by 0 | a number

# == a weight on the left
weight(normal(hid)) @ x1  # error | 1 by 1 | another inner dimension
weight(normal(feat)) @ x2  # error | 1 by 2 | another inner dimension
weight(normal(feat, hid)) @ x2  # error | 2 by 2 | another inner dimension
weight(normal(batch, time, hid)) @ x3  # error | 3 by 3 | another inner dimension
weight(normal(head, hid, time)) @ x3  # error | 3 by 3 | another batch

# == plain data
x2 @ normal(hid, feat)  # error | 2 by 2 | another inner dimension, on the right
normal(feat, hid) @ x2  # error | 2 by 2 | another inner dimension, on the left
x2 @ 2.0  # error | 2 by 0 | a number on the right
2.0 @ x2  # error | 0 by 2 | a number on the left

# == a formula
x2 @ x2  # error | 2 by 2 | itself
x3 @ x3  # error | 3 by 3 | itself
x2 @ x1  # error: mypy pyright | 2 by 1 | the formula of another input
placeholder(float) @ x2  # error | 0 by 2 | a number of another input

# == inside of another operation
sy.relu(x2 @ weight(normal(hid, feat)))  # error | 2 by 2 | another inner dimension
sy.relu(x2 @ weight(normal(feat, hid))) @ weight(normal(feat, hid))  # error | 2 by 2 | another one, after it
sy.softmax(x2 @ weight(normal(feat, hid))) + weight(normal(feat))  # error | 2 by 1 | another dimension, after it

# == matmul
sy.matmul(x2, weight(normal(hid, feat)))  # error | 2 by 2 | another inner dimension, on the right
sy.matmul(weight(normal(feat, hid)), x2)  # error | 2 by 2 | another inner dimension, on the left
sy.matmul(x2, sy.astype(weight(normal(feat, hid)), np.float64))  # error | 2 by 2 | another dtype
sy.matmul(x2, x1)  # error | 2 by 1 | the formula of another input

# == another type than the product has
X2 = Float32[Batch, Feat]
wrong_shape: Formula[X2, X2] = x2 @ weight(normal(feat, hid))  # error | 2 by 2 | shape
wrong_rank: Formula[X2, Float32[Batch, Hid]] = x2 @ weight(normal(feat))  # error | 2 by 1 | rank
