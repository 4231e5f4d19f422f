"""Mistakes in a network of two layers: each one is an error where it is written, and not later."""

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

# Building.
x @ weight(normal(hid, feat))  # error
x @ weight(normal(feat, hid)) + weight(zeros(feat))  # error
hidden @ weight(normal(feat, classes))  # error
x @ weight(np.zeros((4, 8)))  # error
x @ weight(normal(feat, hid)) + weight(np.zeros(8))  # error
sy.relu(x @ weight(normal(feat, hid))) @ weight(normal(classes, hid))  # error

# The formula of one input beside that of another. In calls of functions mypy takes Never for an input that is both, and
# complains where the formula runs.
model + logits  # error: mypy pyright
hidden @ weight(normal(hid, classes)) + logits  # error: mypy pyright
sy.cross_entropy(model, labels)  # error: pyright
sy.accuracy(model, labels)  # error: pyright
sy.cross_entropy(model, labels).predict(normal(batch, feat))  # error: mypy pyright

# Composing misfits.
model(labels)  # error
model(logits)  # error
model(loss)  # error
model(placeholder(Float64[Batch, Feat]))  # error
model(placeholder(Float32[Feat]))  # error
model(placeholder(float))  # error
model(images, labels)  # error
model(2.0)  # error
model(normal(batch, hid))  # error
loss(images)  # error
loss(labels, images)  # error

# Blocks of the wrong data.
sy.dense(labels, hid)  # error
sy.dense(2.0, hid)  # error
sy.embedding(images, 65, feat)  # error
sy.layer_norm(labels)  # error
sy.conv2d(placeholder(float), 4)  # error
sy.scaled_dot_product_attention(hidden, hidden, sy.astype(hidden, np.float64))  # error
sy.dense(x, hid, kernel=2.0)  # error

# Losses of the wrong data.
sy.cross_entropy(logits, images)  # error
sy.cross_entropy(labels, labels)  # error
sy.cross_entropy(logits, sy.argmax(images @ weight(normal(feat, batch)) @ weight(normal(batch, hid)).T))  # error
sy.cross_entropy(logits, labels, reduction="total")  # error
sy.mean_squared_error(logits, labels)  # error
sy.mean_squared_error(logits, images)  # error
sy.accuracy(logits, images)  # error

# Running on the wrong data.
model.predict(normal(batch, hid))  # error
model.predict(normal(feat))  # error
model.predict(np.zeros((2, 4)))  # error
model.predict(2.0)  # error
loss.predict(normal(batch, feat))  # error
loss.predict((normal(batch, hid), labels.predict))  # error
loss.train((normal(batch, hid), np.zeros(2, np.int64)))  # error
loss.forward(2.0)  # error
model.forward(normal(batch, feat)).backward(normal(batch, hid))  # error

# Another type than the network has.
wrong_input: Formula[Float32[Batch, Hid], Float32[Batch, Classes]] = model  # error
wrong_output: Formula[Float32[Batch, Feat], Float32[Batch, Hid]] = model  # error
wrong_loss: Formula[Float32[Batch, Feat], np.float32] = loss  # error
