"""Mistakes in a network, each where it is written. The comment of a line gives the rank, and the kind of mistake."""

from typing import NewType

import numpy as np

import symbolic as sy
from layertree.typing import Float32, Float64, Int64
from symbolic import Formula, placeholder, weight
from symbolic.initializers import normal, zeros

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
Hid = NewType("Hid", int)
Classes = NewType("Classes", int)
batch, feat, hid, classes = Batch(2), Feat(4), Hid(8), Classes(3)

x = placeholder(Float32[Batch, Feat])
hidden = sy.relu(x @ weight(normal(feat, hid)) + weight(zeros(hid)))
model = hidden @ weight(normal(hid, classes)) + weight(zeros(classes))
images, labels = placeholder((Float32[Batch, Feat], Int64[Batch]))
logits = model(images)
loss = sy.cross_entropy(logits, labels)

# == a layer of the network
x @ weight(normal(feat, hid)) + weight(zeros(feat))  # error | 2 | a bias of another dimension
hidden @ weight(normal(feat, classes))  # error | 2 | a kernel of another dimension
x @ weight(normal(feat, hid)) + weight(np.zeros(8))  # error | 2 | a bias of another dtype
model + logits  # error: mypy pyright | 2 | the formula of another input

# == composing
model(labels)  # error | 1 | integers
model(logits)  # error | 2 | another dimension
model(loss)  # error | 0 | a number for an array
model(placeholder(Float64[Batch, Feat]))  # error | 2 | another dtype
model(placeholder(Float32[Feat]))  # error | 1 | another rank
model(placeholder(float))  # error | 0 | a Python number for an array
model(images, labels)  # error | 2 | too many arguments
model(normal(batch, hid))  # error | 2 | plain data of another dimension
loss(images)  # error | 2 | too few arguments
loss(labels, images)  # error | 2 | arguments exchanged

# == a block
sy.dense(labels, hid)  # error | 1 | dense of integers
sy.dense(2.0, hid)  # error | 0 | dense of a number
sy.dense(x, hid, kernel=2.0)  # error | 2 | dense with a kernel that is no initialiser
sy.embedding(images, 65, feat)  # error | 2 | embedding of floats
sy.layer_norm(labels)  # error | 1 | layer_norm of integers
sy.conv2d(placeholder(float), 4)  # error | 0 | conv2d of a number
sy.scaled_dot_product_attention(hidden, hidden, sy.astype(hidden, np.float64))  # error | 2 | attention of two dtypes

# == a loss
sy.cross_entropy(logits, images)  # error | 2 | cross_entropy with floats of another dimension
sy.cross_entropy(labels, labels)  # error | 1 | cross_entropy of integers
sy.cross_entropy(logits, sy.argmax(logits, axis=0))  # error | 2 | cross_entropy with labels of another dimension
sy.cross_entropy(logits, labels, reduction="total")  # error | 2 | a reduction that is none
sy.cross_entropy(model, labels)  # error | 2 | cross_entropy of another input
sy.cross_entropy(logits, images, reduction="none")  # error | 2 | each row, of another dimension
sy.mean_squared_error(logits, labels)  # error | 2 | mean_squared_error with integers
sy.mean_squared_error(logits, images)  # error | 2 | mean_squared_error of another dimension
sy.mean_squared_error(model, logits)  # error | 2 | mean_squared_error of another input
sy.accuracy(logits, images)  # error | 2 | accuracy with floats
sy.accuracy(model, labels)  # error | 2 | accuracy of another input

# == running
model.predict(normal(batch, hid))  # error | 2 | predict, of another dimension
model.predict(normal(feat))  # error | 1 | predict, of another rank
model.predict(np.zeros((2, 4)))  # error | 2 | predict, of another dtype
model.predict(2.0)  # error | 0 | predict, of a number
loss.predict(normal(batch, feat))  # error | 2 | predict, of too few parts
loss.train((normal(batch, hid), np.zeros(2, np.int64)))  # error | 2 | train, on another dimension
loss.forward(2.0)  # error | 0 | forward, of a number
model.forward(normal(batch, feat)).backward(normal(batch, hid))  # error | 2 | backward, from another dimension

# == another type than the network has
wrong_input: Formula[Float32[Batch, Hid], Float32[Batch, Classes]] = model  # error | 2 | of the input
wrong_output: Formula[Float32[Batch, Feat], Float32[Batch, Hid]] = model  # error | 2 | of the output
wrong_loss: Formula[Float32[Batch, Feat], np.float32] = loss  # error | 0 | of the input of a loss
each = sy.cross_entropy(logits, labels, reduction="none")
wrong_rows: Formula[tuple[Float32[Batch, Feat], Int64[Batch]], Float32[Classes]] = each  # error | 1 | of each row
