"""The handwritten digits."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Digits(NamedTuple):
    """Images of digits and what they show; a pair, so that ``images, labels = digits()`` unpacks it."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"Digits(images: uint8 {self.images.shape}, labels: int64 {self.labels.shape})"


@cache
def digits() -> Digits:
    """1797 handwritten digits of 13 people, in the order of the file.

    ``images`` is uint8 (1797, 8, 8), rows from the top: each pixel counts the inked ones, from 0 to 16, in a block of
    4 by 4 of the scan. ``labels`` is int64 (1797,), the digit that was written, from 0 to 9. Both are read-only.

    From Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998,
    CC BY 4.0, https://doi.org/10.24432/C50P49. This is its test part.

    >>> images, labels = digits()
    >>> images.shape, labels[:5].tolist()
    ((1797, 8, 8), [0, 1, 2, 3, 4])
    >>> images[0, 0].tolist()
    [0, 0, 5, 13, 9, 1, 0, 0]
    """
    text = gzip.decompress(files("layertree.datasets").joinpath("digits.csv.gz").read_bytes())
    # One separator, since this parser knows only one; it is many times faster than np.loadtxt.
    rows = np.fromstring(text.rstrip().replace(b"\n", b","), dtype=np.uint8, sep=",").reshape(-1, 65)
    images = np.ascontiguousarray(rows[:, :64]).reshape(-1, 8, 8)
    labels = rows[:, 64].astype(np.int64)
    images.flags.writeable = labels.flags.writeable = False
    return Digits(images, labels)
