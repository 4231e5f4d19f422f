"""Samples of windows, convolution and pooling."""

from typing import Any

import numpy as np

from layertree.layers.convolution import Conv2D, Fold, MaxPool2D, MaxUnpool2D, Windows
from tests.layers.loops import conv2d, fold, max_pool2d, max_unpool2d, windows
from tests.layers.sample import sample, spread

WINDOWS: list[tuple[str, tuple[int, ...], dict[str, tuple[int, ...]]]] = [
    ("overlapping", (2, 3, 4, 1), {"window": (2, 3), "stride": (1, 1), "dilation": (1, 1)}),
    ("strided", (1, 5, 4, 2), {"window": (2, 1), "stride": (2, 3), "dilation": (1, 1)}),
    ("dilated", (1, 5, 4, 2), {"window": (2, 2), "stride": (1, 2), "dilation": (3, 1)}),
    ("one-axis", (2, 6, 2), {"window": (3,), "stride": (2,), "dilation": (1,)}),
    ("one-image", (3, 3, 1), {"window": (2, 2), "stride": (1, 1), "dilation": (1, 1)}),
]

CONVOLUTIONS: list[tuple[str, tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ("plain", (2, 3, 4, 2), (2, 2, 2, 3), {}),
    ("oblong", (1, 4, 3, 1), (3, 1, 1, 2), {}),
    ("strided", (2, 5, 4, 1), (2, 2, 1, 2), {"stride": (2, 1)}),
    ("padded", (1, 3, 3, 2), (3, 3, 2, 1), {"padding": (1, 1)}),
    ("padded-one-way", (1, 3, 2, 1), (2, 2, 1, 2), {"padding": (0, 2)}),
    ("padded-other-way", (1, 2, 3, 1), (2, 2, 1, 2), {"padding": (1, 0)}),
    ("padded-across", (1, 2, 3, 1), (2, 2, 1, 2), {"padding": (0, 1)}),
    ("padded-by-two", (1, 2, 3, 1), (2, 2, 1, 2), {"padding": (2, 0)}),
    ("dilated", (1, 5, 4, 1), (2, 2, 1, 2), {"dilation": (3, 2)}),
    ("grouped", (2, 3, 3, 4), (2, 2, 2, 4), {"groups": 2}),
    ("depthwise", (1, 3, 3, 3), (2, 2, 1, 3), {"groups": 3}),
    ("one-by-one", (2, 2, 2, 3), (1, 1, 3, 2), {}),
    ("all", (2, 5, 4, 4), (2, 3, 2, 2), {"stride": (2, 1), "padding": (2, 1), "dilation": (1, 2), "groups": 2}),
    ("one-image", (3, 3, 2), (2, 2, 2, 2), {}),
    ("one-grouped-image", (3, 3, 2), (2, 2, 1, 2), {"groups": 2}),
]

POOLS: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    ("tiles", (2, 4, 4, 2), {"window": (2, 2), "stride": (2, 2)}),
    ("overlapping", (1, 4, 5, 1), {"window": (3, 2), "stride": (1, 2)}),
    ("padded", (1, 4, 3, 2), {"window": (2, 2), "stride": (2, 1), "padding": (1, 1)}),
    ("padded-one-way", (1, 3, 3, 1), {"window": (2, 3), "stride": (1, 2), "padding": (0, 1)}),
    ("padded-other-way", (1, 3, 3, 1), {"window": (3, 2), "stride": (2, 1), "padding": (1, 0)}),
    ("one-image", (4, 4, 1), {"window": (2, 2), "stride": (2, 2)}),
]

TIED = np.array([[1.0, 1.0, 2.0, 0.0], [0.0, 0.0, 2.0, 1.0]])[None, :, :, None]


def _batch(shape: tuple[int, ...], images: int) -> tuple[int, ...]:
    return (0,) if len(shape) == images else ()


_TIE: tuple[str, Any, dict[str, tuple[int, int]]] = ("tie", TIED, {"window": (2, 2), "stride": (2, 2)})


SAMPLES = [
    *[
        sample(
            Windows,
            label,
            spread(*shape),
            reference=lambda x, attributes=attributes: windows(x, **attributes),
            batch=(0,) if label != "one-image" else (),
            **attributes,
        )
        for label, shape, attributes in WINDOWS
    ],
    *[
        sample(
            Fold,
            label,
            spread(*windows(spread(*shape), **attributes).shape),
            spread(*shape),
            patterns=(1,),
            reference=lambda x, like, attributes=attributes: fold(
                x, like, attributes["stride"], attributes["dilation"]
            ),
            batch=(0, 1) if label != "one-image" else (),
            stride=attributes["stride"],
            dilation=attributes["dilation"],
        )
        for label, shape, attributes in WINDOWS
    ],
    *[
        sample(
            Conv2D,
            label,
            spread(*images),
            spread(*kernel, seed=1),
            reference=lambda x, kernel, attributes=attributes: conv2d(x, kernel, **attributes),
            batch=_batch(images, 4),
            **attributes,
        )
        for label, images, kernel, attributes in CONVOLUTIONS
    ],
    *[
        sample(
            MaxPool2D,
            label,
            spread(*images),
            reference=lambda x, attributes=attributes: max_pool2d(x, **attributes),
            batch=_batch(images, 4),
            **attributes,
        )
        for label, images, attributes in POOLS
    ],
    *[
        sample(
            MaxUnpool2D,
            label,
            spread(*max_pool2d(like, **attributes).shape),
            max_pool2d(like, **attributes),
            like,
            reference=lambda x, output, like, attributes=attributes: max_unpool2d(x, output, like, **attributes),
            patterns=(1, 2),
            batch=(0, 1, 2) if like.ndim == 4 else (),
            kink=True,
            **attributes,
        )
        for label, like, attributes in [*[(name, spread(*shape), rest) for name, shape, rest in POOLS], _TIE]
    ],
    sample(
        MaxPool2D,
        "tie",
        TIED,
        window=(2, 2),
        stride=(2, 2),
        reference=lambda x: max_pool2d(x, (2, 2), (2, 2)),
        batch=(0,),
        kink=True,
    ),
]
