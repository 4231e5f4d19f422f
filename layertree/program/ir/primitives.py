"""Properties of primitives by name, which passes and code generation share."""

from __future__ import annotations

from functools import cache

import numpy as np

from layertree.namespaces import NUMPY

SHORT = 32
"""Up to how many elements a row is short, and from how many rows on a matrix of short rows is worth a treatment."""

FILL_A_BUFFER = frozenset(
    [
        "where",
        "sum",
        "max",
        "min",
        "matmul",
        "astype",
        "reshape",
        "concat",
        "argmax",
        "take",
        "scatter_add",
        "pick",
        "unpick",
        "places",
        "pick_at",
        "unpick_at",
        "add_at",
        "put",
        "pad",
        "max_pool2d",
        "max_unpool",
        "max_unpool2d",
        "max_of_last",
        "sum_of_last",
        "sum_of_rows",
        "fold",
        "masked",
    ]
)
"""The primitives besides the elementwise ones that code generation can write into an array that exists already."""


@cache
def is_elementwise(name: str) -> bool:
    """Whether a primitive computes each element of its result from the elements of its operands at the same place."""
    return name in ("where", "masked") or (name != "matmul" and isinstance(getattr(NUMPY, name, None), np.ufunc))


def fills_a_buffer(name: str) -> bool:
    """Whether a primitive can write its result into an array that exists already; others make a new array."""
    return name in FILL_A_BUFFER or is_elementwise(name)
