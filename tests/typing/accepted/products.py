"""Matrix products, by the ranks of both operands."""

from typing import NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree import Tape
from layertree.typing import Float32
from symbolic import Formula, Symbolic, placeholder, weight
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

# A weight on the right.
assert_type(x1 @ weight(normal(feat)), Formula[Float32[Feat], np.float32])
assert_type(x1 @ weight(normal(feat, hid)), Formula[Float32[Feat], Float32[Hid]])
assert_type(x2 @ weight(normal(feat)), Formula[Float32[Batch, Feat], Float32[Batch]])
assert_type(x2 @ weight(normal(feat, hid)), Formula[Float32[Batch, Feat], Float32[Batch, Hid]])
assert_type(x3 @ weight(normal(feat)), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time]])
assert_type(x3 @ weight(normal(feat, hid)), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Hid]])
assert_type(x3 @ weight(normal(batch, feat, hid)), Formula[Float32[Batch, Time, Feat], Float32[Batch, Time, Hid]])
assert_type(x4 @ weight(normal(feat, hid)), Formula[Float32[Batch, Head, Time, Feat], Float32[Batch, Head, Time, Hid]])
assert_type(
    x4 @ weight(normal(batch, head, feat, hid)),
    Formula[Float32[Batch, Head, Time, Feat], Float32[Batch, Head, Time, Hid]],
)

# A weight on the left, which fits any input: the method of the right operand types it.
assert_type(weight(normal(feat)) @ x1, Formula[Float32[Feat], np.float32])
assert_type(weight(normal(hid, feat)) @ x1, Formula[Float32[Feat], Float32[Hid]])
assert_type(weight(normal(batch)) @ x2, Formula[Float32[Batch, Feat], Float32[Feat]])
assert_type(weight(normal(hid, batch)) @ x2, Formula[Float32[Batch, Feat], Float32[Hid, Feat]])
assert_type(weight(normal(batch, hid, time)) @ x3, Formula[Float32[Batch, Time, Feat], Float32[Batch, Hid, Feat]])

# Plain data on either side.
assert_type(x2 @ normal(feat, hid), Formula[Float32[Batch, Feat], Float32[Batch, Hid]])
assert_type(normal(hid, batch) @ x2, Formula[Float32[Batch, Feat], Float32[Hid, Feat]])
assert_type(x1 @ normal(feat), Formula[Float32[Feat], np.float32])

# The function, with operands in either order.
assert_type(sy.matmul(x2, weight(normal(feat, hid))), Formula[Float32[Batch, Feat], Float32[Batch, Hid]])
assert_type(sy.matmul(weight(normal(hid, batch)), x2), Formula[Float32[Batch, Feat], Float32[Hid, Feat]])
assert_type(sy.matmul(normal(hid, batch), x2), Formula[Float32[Batch, Feat], Float32[Hid, Feat]])

# Arrays without named dimensions.
loose: Symbolic[object, Tape[NDArray[np.float32], NDArray[np.float32]]] = weight(normal(5, 6))
x2 @ loose
loose @ weight(normal(hid))
weight(normal(hid, batch)) @ (x2 @ loose)
