"""Mistakes with axes. The comment of a line gives the rank, and the kind of mistake."""

from typing import NewType

import symbolic as sy
from layertree.typing import Float32, Int64
from symbolic import Formula, placeholder

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Feat = NewType("Feat", int)
Steps = NewType("Steps", int)

X2 = Float32[Batch, Feat]
x1 = placeholder(Float32[Feat])
x2 = placeholder(X2)
x3 = placeholder(Float32[Batch, Time, Feat])
labels = placeholder(Int64[Batch])

# == a reduction
sy.sum(x2, axis="0")  # error | 2 | an axis that is none
sy.mean(x3, axis=1.0)  # error | 3 | an axis that is no integer
sy.max(x2, axis=0, keepdims=1)  # error | 2 | an option of the wrong kind
sy.argmax(x2, axis=(0, 1))  # error | 2 | several axes, of argmax
sy.var(labels)  # error | 1 | a variance of integers
x1 * sy.sum(x1 > 0.0)  # error | 1 | a count beside floats
wrong_axis: Formula[X2, Float32[Feat]] = sy.sum(x2, axis=1)  # error | 2 | another type, by the axis
wrong_rank: Formula[X2, X2] = sy.sum(x2, axis=1, keepdims=True)  # error | 2 | another type, by the rank
wrong_scalar: Formula[X2, float] = sy.mean(x2)  # error | 2 | another type, by the kind

# == axes exchanged
x2 + x2.T  # error | 2 | .T, beside the operand
x2 + x2.mT  # error | 2 | .mT, beside the operand
x3 + x3.mT  # error | 3 | .mT, beside the operand
x1.mT  # error | 1 | .mT of a vector
x1.T  # error | 1 | .T of a vector
x3.T  # error | 3 | .T of a stack
x2 * sy.permute_dims(x2, (1, 0))  # error | 2 | permute_dims, beside the operand
x3 @ sy.permute_dims(x3, (0, 1, 2))  # error | 3 | permute_dims that changes nothing
x3 + sy.permute_dims(x3, (2, 1, 0))  # error | 3 | permute_dims, beside the operand
sy.permute_dims(x2, (0, "1"))  # error | 2 | an axis that is none
wrong_order: Formula[X2, X2] = sy.permute_dims(x2, (1, 0))  # error | 2 | another type

# == expand_dims
x2 + sy.expand_dims(sy.sum(x2, axis=1), axis=0)  # error | 2 | another place
sy.expand_dims(x2, axis="0")  # error | 2 | an axis that is none
wrong_place: Formula[X2, Float32[Batch, Feat, int]] = sy.expand_dims(x2, axis=1)  # error | 2 | another type

# == take
sy.take(x2, x2)  # error | 2 | indices that are floats
sy.take(x2, placeholder(float))  # error | 2 | an index that is a float
sy.take(x2, [0], axis="0")  # error | 2 | an axis that is none
sy.take(x2, labels)  # error | 2 | indices of another input
wrong_rows: Formula[X2, X2] = sy.take(x2, 0)  # error | 2 | another type

# == what keeps the shape
x2 + sy.softmax(x2.T)  # error | 2 | softmax, of axes exchanged
sy.cumulative_sum(x2 > 0.0)  # error | 2 | cumulative_sum of booleans
sy.hook(x2, 1)  # error | 2 | a hook that is no function
sy.stop_gradient("1")  # error | any | no operand

# == attention
query, key = placeholder((Float32[Batch, Time, Feat], Float32[Batch, Steps, Feat]))
query2, key2 = placeholder((Float32[Time, Feat], Float32[Time, Steps]))
sy.scaled_dot_product_attention(query, key, query)  # error | 3 | other steps
sy.scaled_dot_product_attention(query2, key2, key2)  # error | 2 | other features
sy.scaled_dot_product_attention(x3, x3, x3, mask=x3)  # error | 3 | a mask that is no boolean
sy.scaled_dot_product_attention(x3, key, key)  # error | 3 | keys of another input
