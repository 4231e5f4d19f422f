"""Mistakes with matrix products, by the ranks of both operands."""

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

# The inner dimensions differ.
x1 @ weight(normal(hid))  # error
x1 @ weight(normal(hid, feat))  # error
x2 @ weight(normal(hid))  # error
x2 @ weight(normal(hid, feat))  # error
x2 @ x2  # error
x3 @ weight(normal(hid))  # error
x3 @ weight(normal(hid, feat))  # error
x3 @ weight(normal(batch, hid, feat))  # error
x4 @ weight(normal(hid, feat))  # error
x4 @ weight(normal(batch, head, hid, feat))  # error
weight(normal(hid)) @ x1  # error
weight(normal(feat)) @ x2  # error
weight(normal(feat, hid)) @ x2  # error
weight(normal(batch, time, hid)) @ x3  # error
x2 @ normal(hid, feat)  # error
normal(feat, hid) @ x2  # error
sy.matmul(x2, weight(normal(hid, feat)))  # error
sy.matmul(weight(normal(feat, hid)), x2)  # error

# The batches differ.
x3 @ weight(normal(time, feat, hid))  # error
x4 @ weight(normal(head, batch, feat, hid))  # error
weight(normal(head, hid, time)) @ x3  # error

# Another dtype.
x1 @ weight(np.zeros(5))  # error
x2 @ weight(np.zeros((5, 6)))  # error
x3 @ weight(np.zeros((2, 5, 6)))  # error
sy.matmul(x2, sy.astype(weight(normal(feat, hid)), np.float64))  # error

# A number, and formulas of two inputs.
x2 @ 2.0  # error
2.0 @ x2  # error
x2 @ weight(2.0)  # error
placeholder(float) @ x2  # error
x2 @ x1  # error: mypy pyright

# Another type than the product has.
wrong_shape: Formula[Float32[Batch, Feat], Float32[Batch, Feat]] = x2 @ weight(normal(feat, hid))  # error
wrong_rank: Formula[Float32[Batch, Feat], Float32[Batch, Hid]] = x2 @ weight(normal(feat))  # error
