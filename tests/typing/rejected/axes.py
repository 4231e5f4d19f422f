"""Mistakes with axes: rows by rank, columns by kind of mistake."""

from typing import NewType

import symbolic as sy
from layertree.typing import Float32, Int64
from symbolic import Formula, placeholder

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Feat = NewType("Feat", int)

x1 = placeholder(Float32[Feat])
x2 = placeholder(Float32[Batch, Feat])
x3 = placeholder(Float32[Batch, Time, Feat])
labels = placeholder(Int64[Batch])

# The axis that went is not the one that broadcasts.
x2 - sy.mean(x2, axis=-1)  # error
x3 - sy.sum(x3, axis=0)  # error
sy.maximum(x2, sy.max(x2, axis=1))  # error
sy.min(x3, axis=1) * x3  # error

# Another dtype than the operand has.
x2 + sy.argmax(x2, axis=0)  # error
x1 * sy.sum(x1 > 0.0)  # error

# What is no axis, and what is no array.
sy.sum(x2, axis="0")  # error
sy.mean(x3, axis=1.0)  # error
sy.max(x2, axis=0, keepdims=1)  # error
sy.argmax(x2, axis=None)  # error
sy.argmax(2.0)  # error
sy.mean("1")  # error
sy.std(x2, axis="0")  # error
sy.vector_norm(x2, ord="2")  # error
sy.cumulative_sum(x2, axis=(0, 1))  # error
sy.clip(x2, x3)  # error

# Axes in another order.
x2 + x2.T  # error
x1.T  # error
x3.T  # error
x2 * sy.permute_dims(x2, (1, 0))  # error
x3 @ sy.permute_dims(x3, (0, 1, 2))  # error
x3 + sy.permute_dims(x3, (2, 1, 0))  # error
x3 @ x3  # error
sy.permute_dims(x2, (0, "1"))  # error

# Look-ups by what is no integer, and along what is no axis.
sy.take(x2, x2)  # error
sy.take(x2, placeholder(float))  # error
sy.take(x2, [0], axis="0")  # error

# What keeps the shape, of the wrong data.
sy.softmax(labels)  # error
x2 + sy.softmax(x2.T)  # error
sy.hook(x2, 1)  # error
sy.stop_gradient("1")  # error

# Attention: other features, other steps.
Steps = NewType("Steps", int)
query, key = placeholder((Float32[Batch, Time, Feat], Float32[Batch, Steps, Feat]))
query2, key2 = placeholder((Float32[Time, Feat], Float32[Time, Steps]))
sy.scaled_dot_product_attention(query, key, query)  # error
sy.scaled_dot_product_attention(query2, key2, key2)  # error
sy.scaled_dot_product_attention(x3, x3, x3, mask=x3)  # error

# Another type than the reduction has.
wrong_axis: Formula[Float32[Batch, Feat], Float32[Feat]] = sy.sum(x2, axis=1)  # error
wrong_rank: Formula[Float32[Batch, Feat], Float32[Batch, Feat]] = sy.sum(x2, axis=1, keepdims=True)  # error
wrong_order: Formula[Float32[Batch, Feat], Float32[Batch, Feat]] = sy.permute_dims(x2, (1, 0))  # error
wrong_scalar: Formula[Float32[Batch, Feat], float] = sy.mean(x2)  # error
