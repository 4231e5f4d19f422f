"""Matrix products. A section for each form; the comment of a line gives the ranks of both operands, and the case."""

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

X1 = Float32[Feat]
X2 = Float32[Batch, Feat]
X3 = Float32[Batch, Time, Feat]
X4 = Float32[Batch, Head, Time, Feat]
x1 = placeholder(X1)
x2 = placeholder(X2)
x3 = placeholder(X3)
x4 = placeholder(X4)
loose: Symbolic[object, Tape[NDArray[np.float32], NDArray[np.float32]]] = weight(normal(5, 6))

# == a weight on the right
assert_type(x1 @ weight(normal(feat)), Formula[X1, np.float32])  # 1 by 1 | @
assert_type(x1 @ weight(normal(feat, hid)), Formula[X1, Float32[Hid]])  # 1 by 2 | @
assert_type(x2 @ weight(normal(feat)), Formula[X2, Float32[Batch]])  # 2 by 1 | @
assert_type(x2 @ weight(normal(feat, hid)), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | @
assert_type(x3 @ weight(normal(feat)), Formula[X3, Float32[Batch, Time]])  # 3 by 1 | @
assert_type(x3 @ weight(normal(feat, hid)), Formula[X3, Float32[Batch, Time, Hid]])  # 3 by 2 | @
assert_type(x3 @ weight(normal(batch, feat, hid)), Formula[X3, Float32[Batch, Time, Hid]])  # 3 by 3 | @
assert_type(x4 @ weight(normal(feat, hid)), Formula[X4, Float32[Batch, Head, Time, Hid]])  # 4 by 2 | @
assert_type(x4 @ weight(normal(batch, head, feat, hid)), Formula[X4, Float32[Batch, Head, Time, Hid]])  # 4 by 4 | @

# == a weight on the left, which fits any input: the method of the right operand types it
assert_type(weight(normal(feat)) @ x1, Formula[X1, np.float32])  # 1 by 1 | @
assert_type(weight(normal(hid, feat)) @ x1, Formula[X1, Float32[Hid]])  # 2 by 1 | @
assert_type(weight(normal(batch)) @ x2, Formula[X2, Float32[Feat]])  # 1 by 2 | @
assert_type(weight(normal(hid, batch)) @ x2, Formula[X2, Float32[Hid, Feat]])  # 2 by 2 | @
assert_type(weight(normal(batch, hid, time)) @ x3, Formula[X3, Float32[Batch, Hid, Feat]])  # 3 by 3 | @

# == plain data
assert_type(x2 @ normal(feat, hid), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | on the right
assert_type(normal(hid, batch) @ x2, Formula[X2, Float32[Hid, Feat]])  # 2 by 2 | on the left
assert_type(x1 @ normal(feat), Formula[X1, np.float32])  # 1 by 1 | on the right

# == two weights
assert_type(weight(normal(feat, hid)) @ weight(normal(hid)), Symbolic[object, Tape[X1, X1]])  # 2 by 1 | @

# == a formula
assert_type(x2 @ x2.T, Formula[X2, Float32[Batch, Batch]])  # 2 by 2 | transposed
assert_type(x3 @ x3.mT, Formula[X3, Float32[Batch, Time, Time]])  # 3 by 3 | transposed

# == inside of another operation
assert_type(sy.relu(x2 @ weight(normal(feat, hid))), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | relu
assert_type(sy.tanh(x3 @ weight(normal(feat, hid))), Formula[X3, Float32[Batch, Time, Hid]])  # 3 by 2 | tanh
assert_type(sy.softmax(x2 @ weight(normal(feat, hid))), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | softmax
assert_type(2.0 * (x2 @ weight(normal(feat, hid))), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | a multiple
assert_type(sy.maximum(x2 @ weight(normal(feat, hid)), 0.0), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | maximum

# == matmul
assert_type(sy.matmul(x2, weight(normal(feat, hid))), Formula[X2, Float32[Batch, Hid]])  # 2 by 2 | a weight right
assert_type(sy.matmul(weight(normal(hid, batch)), x2), Formula[X2, Float32[Hid, Feat]])  # 2 by 2 | a weight left
assert_type(sy.matmul(normal(hid, batch), x2), Formula[X2, Float32[Hid, Feat]])  # 2 by 2 | plain data left

# == unnamed dimensions, of which only that they are accepted is claimed
x2 @ loose  # 2 by any | on the right
loose @ weight(normal(hid))  # any by 1 | on the left
weight(normal(hid, batch)) @ (x2 @ loose)  # 2 by any | of a result
