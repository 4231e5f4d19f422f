"""A network of two layers with named dimensions: building, composing, training and running it."""

from typing import NewType, assert_type

import numpy as np
from numpy.typing import NDArray

import symbolic as sy
from layertree import Layer, Tape
from layertree.typing import ArraySpec, Float32, Int64
from symbolic import Formula, Symbolic, placeholder, weight
from symbolic.initializers import normal, zeros

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
Hid = NewType("Hid", int)
Classes = NewType("Classes", int)
batch, feat, hid, classes = Batch(2), Feat(4), Hid(8), Classes(3)

x = placeholder(Float32[Batch, Feat])
hidden = sy.relu(x @ weight(normal(feat, hid)) + weight(zeros(hid)))
model = hidden @ weight(normal(hid, classes)) + weight(zeros(classes))
assert_type(hidden, Formula[Float32[Batch, Feat], Float32[Batch, Hid]])
assert_type(model, Formula[Float32[Batch, Feat], Float32[Batch, Classes]])
assert_type(model.layer, Layer[Tape[Float32[Batch, Feat], Float32[Batch, Feat]],
                               Tape[Float32[Batch, Classes], Float32[Batch, Classes]]])  # fmt: skip

# Composing: the inner formula's output is the outer one's input.
images, labels = placeholder((Float32[Batch, Feat], Int64[Batch]))
logits = model(images)
Rows = tuple[Float32[Batch, Feat], Int64[Batch]]
assert_type(images, Formula[Rows, Float32[Batch, Feat]])
assert_type(labels, Formula[Rows, Int64[Batch]])
assert_type(logits, Formula[Rows, Float32[Batch, Classes]])
assert_type(model(normal(batch, feat)), Symbolic[object, Tape[Float32[Batch, Classes], Float32[Batch, Classes]]])
assert_type(
    model(weight(normal(batch, feat))), Symbolic[object, Tape[Float32[Batch, Classes], Float32[Batch, Classes]]]
)

# Losses and metrics are NumPy scalars.
loss = sy.cross_entropy(logits, labels)
assert_type(loss, Formula[Rows, np.float32])
assert_type(sy.cross_entropy(logits, labels, label_smoothing=0.1, ignore=2), Formula[Rows, np.float32])
assert_type(sy.cross_entropy(logits, sy.softmax(logits)), Formula[Rows, np.float32])
assert_type(sy.cross_entropy(logits, labels, reduction="none"), Formula[Rows, NDArray[np.float32]])
assert_type(sy.cross_entropy(logits, labels, reduction="parts"), Formula[Rows, tuple[np.float32, np.float32]])
assert_type(sy.cross_entropy(logits, labels, reduction="parts")[0], Formula[Rows, np.float32])
assert_type(sy.accuracy(logits, labels), Formula[Rows, np.float32])
assert_type(sy.mean_squared_error(logits, sy.relu(logits)), Formula[Rows, np.float32])
assert_type(loss + 0.5 * sy.mean(logits * logits), Formula[Rows, np.float32])

# Blocks make their own weights.
images4 = placeholder(ArraySpec(("Batch", 8, 8, 1), np.float32))
convolved = sy.max_pool2d(sy.relu(sy.conv2d(images4, 4, padding="same")))
assert_type(convolved, Formula[NDArray[np.float32], NDArray[np.float32]])
assert_type(sy.dense(sy.dropout(sy.flatten(convolved), 0.5), 10), Formula[NDArray[np.float32], NDArray[np.float32]])
assert_type(sy.dense(hidden, classes), Formula[Float32[Batch, Feat], Float32[Batch, Classes]])
assert_type(sy.dense(hidden, 10), Formula[Float32[Batch, Feat], Float32[Batch, int]])

# Sequences.
Steps = NewType("Steps", int)
tokens = placeholder(Int64[Batch, Steps])
embedded = sy.embedding(tokens, 65, feat)
assert_type(embedded, Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])
assert_type(sy.layer_norm(embedded), Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])
assert_type(sy.batch_norm(embedded), Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])
assert_type(sy.dense(sy.relu(sy.layer_norm(embedded)), hid), Formula[Int64[Batch, Steps], Float32[Batch, Steps, Hid]])
attended = sy.scaled_dot_product_attention(embedded, embedded, embedded)
assert_type(attended, Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])
assert_type(embedded + attended, Formula[Int64[Batch, Steps], Float32[Batch, Steps, Feat]])

# Running takes data of the input's type, and data without named dimensions.
loose: NDArray[np.float32] = np.ones((2, 4), np.float32)
assert_type(model.predict(normal(batch, feat)), Float32[Batch, Classes])
assert_type(model.predict(loose), Float32[Batch, Classes])
answers: NDArray[np.int64] = np.zeros(2, np.int64)
assert_type(loss.predict((normal(batch, feat), answers)), np.float32)
assert_type(loss.train((loose, answers)), np.float32)
with loss.forward((loose, answers)) as tape:
    assert_type(tape.value, np.float32)
    tape.backward()
