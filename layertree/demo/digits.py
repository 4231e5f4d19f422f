"""The second part: a convolutional classifier learns handwritten digits, and is asked about ones it never saw."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from layertree import Adam, datasets, fit, parameters
from layertree.core.data import with_article
from layertree.demo.drawing import confusion, shaded, side_by_side
from layertree.demo.page import Page
from layertree.typing import ArraySpec
from symbolic import accuracy, conv2d, cross_entropy, dense, dropout, max_pool2d, placeholder, relu, reshape, seed

Array = np.ndarray[Any, Any]

EPOCHS = 8
_CLASSES = 10
_DARKEST = 16
_SHIFTS = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))


class Split(NamedTuple):
    """The digits to learn from, and those held out until the end, with their rows in the file."""

    images: Array
    labels: Array
    held_rows: Array
    held_images: Array
    held_labels: Array


def split() -> Split:
    """Every fifth row (4, 9, 14, ...) held out.

    >>> split().held_rows[:3].tolist(), len(split().held_rows), len(split().labels)
    ([4, 9, 14], 359, 1438)
    """
    images, labels = datasets.digits()
    rows = np.arange(len(labels))
    held = rows % 5 == 4
    return Split(images[~held], labels[~held], rows[held], images[held], labels[held])


def classifier(images: Any) -> Any:
    """Scores of the ten digits for images (N, 8, 8, 1): three convolutions and two dense layers, with dropout."""
    x = relu(conv2d(images, 16, padding="same"))
    x = max_pool2d(relu(conv2d(x, 32, padding="same")))
    x = max_pool2d(relu(conv2d(x, 64, padding="same")))
    x = dropout(reshape(x, (-1, 2 * 2 * 64)), 0.25)
    x = dropout(relu(dense(x, 64)), 0.5)
    return dense(x, _CLASSES)


def inputs(images: Array) -> Array:
    """Images as the classifier takes them: float32 from 0 to 1, with one channel."""
    return (images[..., None] / _DARKEST).astype(np.float32)


def shifted(images: Array, labels: Array) -> tuple[Array, Array]:
    """Each image five times: as it is, and moved by one pixel to each side."""
    wide = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    moved = [wide[:, 1 + down : 9 + down, 1 + right : 9 + right] for down, right in _SHIFTS]
    return np.concatenate(moved), np.tile(labels, len(_SHIFTS))


def train(images: Array, labels: Array, *, epochs: int, number: int, page: Page, progress: bool) -> Any:
    """The classifier, trained on images and labels. ``number`` seeds the weights, the dropout and the order."""
    with seed(number):
        model = classifier(placeholder(ArraySpec(("Batch", 8, 8, 1), np.float32)))
    x, y = placeholder((ArraySpec(("Batch", 8, 8, 1), np.float32), ArraySpec(("Batch",), np.int64)))
    scores = model(x)
    size = sum(w.value.size for w in parameters(model))
    page.say(f"{size} weights learn from {len(labels)} digits, each also moved by one pixel to each side.")
    images, labels = shifted(images, labels)
    last = epochs // 4
    for count, rate in ((epochs - last, 0.002), (last, 0.0004)):
        if count:
            page.say(f"{count} epoch{'s' if count > 1 else ''} with Adam({rate}):")
            fit(
                cross_entropy(scores, y),
                (inputs(images), labels),
                optimizer=Adam(rate),
                epochs=count,
                batch_size=64,
                seed=number,
                metrics={"accuracy": accuracy(scores, y)},
                progress=progress,
            )
    return model


def report(page: Page, digits: Split, predicted: Array) -> None:
    """The confusion matrix, and the digits that were taken for others."""
    page.title("Digits it never saw")
    page.say(f"{len(predicted)} digits were held out. The digit down the side, what it was taken for across:")
    page.draw(["", *confusion(digits.held_labels, predicted, _CLASSES, page.unicode)])
    wrong = np.flatnonzero(predicted != digits.held_labels)
    page.say(f"{len(wrong)} of them were taken for another:" if len(wrong) else "None was taken for another.")
    drawn = [
        [
            f"row {digits.held_rows[i]}:",
            f"{with_article(str(digits.held_labels[i]))}, taken for {predicted[i]}"[:17],
            *shaded(digits.held_images[i], _DARKEST, page.unicode),
        ]
        for i in wrong
    ]
    page.draw(["", *side_by_side(drawn, page.columns), ""])
