"""Networks: blocks, composing, losses, sequences, training. The comment of a line gives the rank, and the case."""

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
Time = NewType("Time", int)
Steps = NewType("Steps", int)
Width = NewType("Width", int)
batch, feat, hid, classes = Batch(2), Feat(4), Hid(8), Classes(3)

X2 = Float32[Batch, Feat]
Y2 = Float32[Batch, Classes]
Rows = tuple[X2, Int64[Batch]]
x = placeholder(X2)
images, labels = placeholder((X2, Int64[Batch]))
tokens = placeholder(Int64[Batch, Steps])
loose: NDArray[np.float32] = np.ones((2, 4), np.float32)
answers: NDArray[np.int64] = np.zeros(2, np.int64)

# == a network of two layers
hidden = sy.relu(x @ weight(normal(feat, hid)) + weight(zeros(hid)))
model = hidden @ weight(normal(hid, classes)) + weight(zeros(classes))
assert_type(hidden, Formula[X2, Float32[Batch, Hid]])  # 2 | one layer
assert_type(model, Formula[X2, Y2])  # 2 | two layers
assert_type(model.layer, Layer[Tape[X2, X2], Tape[Y2, Y2]])  # 2 | the layer of the formula

# == composing
logits = model(images)
assert_type(logits, Formula[Rows, Y2])  # 2 | a part of a pair
assert_type(model(normal(batch, feat)), Symbolic[object, Tape[Y2, Y2]])  # 2 | plain data
assert_type(model(weight(normal(batch, feat))), Symbolic[object, Tape[Y2, Y2]])  # 2 | a weight

# == a block
assert_type(sy.dense(hidden, classes), Formula[X2, Y2])  # 2 | dense
assert_type(sy.dense(hidden, 10), Formula[X2, Float32[Batch, int]])  # 2 | dense, of a size without a name
assert_type(sy.dropout(hidden, 0.5), Formula[X2, Float32[Batch, Hid]])  # 2 | dropout
assert_type(sy.layer_norm(hidden), Formula[X2, Float32[Batch, Hid]])  # 2 | layer_norm
pixels = placeholder(ArraySpec(("Batch", 8, 8, 1), np.float32))
convolved = sy.max_pool2d(sy.relu(sy.conv2d(pixels, 4, padding="same")))
assert_type(convolved, Formula[NDArray[np.float32], NDArray[np.float32]])  # 4 | conv2d and max_pool2d
assert_type(sy.dense(sy.flatten(convolved), 10), Formula[NDArray[np.float32], NDArray[np.float32]])  # any | dense

# == a sequence
embedded = sy.embedding(tokens, 65, feat)
X3 = Float32[Batch, Steps, Feat]
assert_type(embedded, Formula[Int64[Batch, Steps], X3])  # 2 | embedding
assert_type(sy.embedding(labels, 65, feat), Formula[Rows, X2])  # 1 | embedding
assert_type(sy.layer_norm(embedded), Formula[Int64[Batch, Steps], X3])  # 3 | layer_norm
assert_type(sy.dense(embedded, hid), Formula[Int64[Batch, Steps], Float32[Batch, Steps, Hid]])  # 3 | dense
attended = sy.scaled_dot_product_attention(embedded, embedded, embedded)
assert_type(embedded + attended, Formula[Int64[Batch, Steps], X3])  # 3 | attention to itself
Three = tuple[Float32[Batch, Time, Feat], Float32[Batch, Steps, Feat], Float32[Batch, Steps, Width]]
query, key, value = placeholder((Float32[Batch, Time, Feat], X3, Float32[Batch, Steps, Width]))
attention = sy.scaled_dot_product_attention(query, key, value)
assert_type(attention, Formula[Three, Float32[Batch, Time, Width]])  # 3 | attention to others
assert_type(sy.scaled_dot_product_attention(x, x, x), Formula[X2, X2])  # 2 | attention

# == a loss
loss = sy.cross_entropy(logits, labels)
assert_type(loss, Formula[Rows, np.float32])  # 2 | cross_entropy of labels
smoothed = sy.cross_entropy(logits, labels, label_smoothing=0.1, ignore=2)
assert_type(smoothed, Formula[Rows, np.float32])  # 2 | cross_entropy with options
probabilities = sy.softmax(logits)
assert_type(sy.cross_entropy(logits, probabilities), Formula[Rows, np.float32])  # 2 | cross_entropy of probabilities
assert_type(sy.cross_entropy(embedded, tokens), Formula[Int64[Batch, Steps], np.float32])  # 3 | cross_entropy of labels
assert_type(sy.mean_squared_error(logits, sy.relu(logits)), Formula[Rows, np.float32])  # 2 | mean_squared_error
assert_type(sy.mean_absolute_error(x, normal(batch, feat)), Formula[X2, np.float32])  # 2 | of plain data
assert_type(loss + 0.5 * sy.mean(logits * logits), Formula[Rows, np.float32])  # 0 | with a penalty
assert_type(sy.accuracy(logits, labels), Formula[Rows, np.float32])  # 2 | accuracy

# == a loss of each row
assert_type(sy.cross_entropy(logits, labels, reduction="none"), Formula[Rows, Float32[Batch]])  # 2 | labels
of_row = sy.cross_entropy(logits, probabilities, reduction="none")
assert_type(of_row, Formula[Rows, Float32[Batch]])  # 2 | probabilities
each = sy.cross_entropy(embedded, tokens, reduction="none")
assert_type(each, Formula[Int64[Batch, Steps], Float32[Batch, Steps]])  # 3 | labels
assert_type(sy.mean_squared_error(x, x, reduction="none"), Formula[X2, X2])  # 2 | mean_squared_error

# == a loss in parts
parts = sy.cross_entropy(logits, labels, reduction="parts")
assert_type(parts, Formula[Rows, tuple[np.float32, np.float32]])  # 2 | labels
assert_type(parts[0], Formula[Rows, np.float32])  # 2 | the sum

# == running
assert_type(model.predict(normal(batch, feat)), Y2)  # 2 | predict
assert_type(model.predict(loose), Y2)  # 2 | predict, of unnamed dimensions
assert_type(loss.predict((normal(batch, feat), answers)), np.float32)  # 0 | predict, of a pair
assert_type(loss.train((loose, answers)), np.float32)  # 0 | train
with loss.forward((loose, answers)) as tape:
    assert_type(tape.value, np.float32)  # 0 | the value of a tape
    tape.backward()
