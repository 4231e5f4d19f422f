"""Checks of the dtype and the range of indices and labels that are data."""

from __future__ import annotations

import numpy as np

from layertree.core.errors import DTypeError, IndexRangeError
from layertree.core.value import Array


def check_labels(labels: Array, classes: int) -> None:
    """Raise IndexRangeError for a label outside of 0 to classes - 1; the error names its value and position."""
    require_integers(labels)
    labels = np.asarray(labels)
    wrong = np.argwhere((labels < 0) | (labels >= classes))
    if len(wrong):
        where = tuple(map(int, wrong[0]))
        place = where[0] if len(where) == 1 else where
        raise IndexRangeError(
            f"label {labels[where]} at position {place} is out of range: there are {classes} classes, "
            f"0 to {classes - 1}"
        )


def require_integers(indices: Array) -> None:
    """Raise DTypeError for indices that are not integers."""
    kind = np.asarray(indices).dtype.kind
    if kind not in "iu":
        raise DTypeError(f"indices and labels are integers: got {np.asarray(indices).dtype}; cast them to int")
