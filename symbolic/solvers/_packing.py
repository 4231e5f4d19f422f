"""Numbers, arrays and tuples of them as one flat vector of float64, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from layertree import DTypeError, ShapeError
from layertree._data import PYTHON_NUMBERS, as_data, describe
from layertree._kinds import is_a, type_of

Flat = NDArray[np.float64]


def as_floats(given: Any, what: str) -> Any:
    """Data in double precision: a Python float of a Python number, else arrays of float64, in tuples as they are.

    Raises DTypeError for what is no real number.
    """
    data = as_data(given)
    if data is None:
        raise DTypeError(f"{what} is missing")
    if is_a(data, tuple):
        return tuple([as_floats(part, f"part {i} of {what}") for i, part in enumerate(data)])
    if np.asarray(data).dtype.kind == "b":
        raise DTypeError(f"{what} is {describe(data)}: real numbers are wanted")
    return float(data) if type(data) in PYTHON_NUMBERS else np.asarray(data, np.float64)[()]


class Packing:
    """The structure of some data, whose leaves follow each other in a flat vector.

    >>> packing = Packing((1.0, np.ones((2, 2))))
    >>> packing.unpack(np.arange(5.0))
    (0.0, array([[1., 2.],
           [3., 4.]]))
    >>> packing.pack((7.0, np.zeros((2, 2)))).tolist()
    [7.0, 0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, pattern: Any) -> None:
        self.pattern = as_floats(pattern, "x0")
        self.size = sum([np.size(leaf) for leaf in leaves(self.pattern)])

    def pack(self, data: Any, what: str = "x0") -> Flat:
        """The flat vector of data of this structure; a single number stands for as many as the structure wants there.

        Raises ShapeError for another structure.
        """
        return np.concatenate([np.zeros(0), *_flat(self.pattern, as_floats(data, what), what)])

    def unpack(self, flat: Any) -> Any:
        """The data that a flat vector holds, in copies of their own."""
        rest = np.asarray(flat, np.float64)
        return _take(self.pattern, rest, [0])

    def split(self, flat: Any) -> list[Any]:
        """The leaves alone, in their order."""
        return leaves(self.unpack(flat))


def leaves(data: Any) -> list[Any]:
    """The numbers and arrays in some data, from the left."""
    if not is_a(data, tuple):
        return [data]
    return [leaf for part in data for leaf in leaves(part)]


def _flat(pattern: Any, data: Any, what: str) -> list[Flat]:
    if is_a(pattern, tuple):
        parts = data if is_a(data, tuple) else (data,) * len(pattern) if np.ndim(data) == 0 else ()
        if len(parts) != len(pattern):
            raise ShapeError(f"{what} is {describe(data)}: a tuple of {len(pattern)} is wanted, as x0 is one")
        return [one for i, part in enumerate(parts) for one in _flat(pattern[i], part, f"part {i} of {what}")]
    if is_a(data, tuple) or np.shape(data) not in ((), np.shape(pattern)):
        raise ShapeError(f"{what} is {describe(data)}, but x0 is {describe(pattern)} there")
    return [np.broadcast_to(data, np.shape(pattern)).ravel()]


def _take(pattern: Any, flat: Flat, position: list[int]) -> Any:
    if is_a(pattern, tuple):
        return tuple([_take(part, flat, position) for part in pattern])
    start = position[0]
    position[0] = start + np.size(pattern)
    piece = flat[start : position[0]].reshape(np.shape(pattern))
    return float(piece) if type_of(pattern) is float else np.array(piece)[()]
