"""Small networks, the same in each process, and batches for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.typing import ArraySpec
from symbolic import cross_entropy, dropout, nn, placeholder, relu, reshape, seed

IMAGE = (8, 8, 1)


def placeholders(*shape: int) -> Any:
    return placeholder((ArraySpec(("Batch", *shape), np.float32), ArraySpec(("Batch",), np.int64)))


def regression() -> Any:
    """Softmax regression."""
    with seed(0):
        rows, labels = placeholders(6)
        return cross_entropy(nn.dense(rows, 3), labels)


def mlp(sizes: tuple[int, ...] = (6, 5, 3), *, rate: float | None = None) -> Any:
    """Dense layers with relu between them, and dropout where a rate is given."""
    with seed(0):
        rows, labels = placeholders(sizes[0])
        hidden = rows
        for size in sizes[1:-1]:
            hidden = relu(nn.dense(hidden, size))
            if rate is not None:
                hidden = dropout(hidden, rate)
        return cross_entropy(nn.dense(hidden, sizes[-1]), labels)


def convolutional() -> Any:
    """Two convolutions with pooling, and a dense layer."""
    with seed(0):
        images, labels = placeholders(*IMAGE)
        hidden = nn.max_pool2d(relu(nn.conv2d(images, 4, 3, padding=1)))
        hidden = nn.max_pool2d(relu(nn.conv2d(hidden, 6, 3, padding=1)))
        return cross_entropy(nn.dense(reshape(hidden, (-1, 24)), 3), labels)


def batch(rows: int, *shape: int, number: int = 0) -> Any:
    """Random rows and labels."""
    generator = np.random.default_rng(number)
    return generator.standard_normal((rows, *shape)).astype(np.float32), generator.integers(0, 3, rows)
