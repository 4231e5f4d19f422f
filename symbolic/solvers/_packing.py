"""Numbers, arrays and tuples of them as one flat vector of float64, and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layertree import DTypeError, ShapeError
from layertree.core.data import PYTHON_NUMBERS, as_data, describe
from layertree.core.dynamic import is_a, type_of
from layertree.core.nested import Path, flat, nested, paths, place_text

Flat = NDArray[np.float64]


def as_floats(given: Any, what: str) -> Any:
    """Data in double precision: a Python float of a Python number, else arrays of float64, in tuples as they are.

    Raises DTypeError for what is no real number.
    """
    data = as_data(given)
    if data is None:
        raise DTypeError(f"{what} is missing")
    return nested(data, [_as_floats(part, path, what) for path, part in paths(data)])


def _as_floats(data: Any, path: Path, what: str) -> Any:
    if np.asarray(data).dtype.kind == "b":
        raise DTypeError(f"{place_text(path, what)} is {describe(data)}: real numbers are wanted")
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

    def __init__(self, pattern: Any, called: str = "x0") -> None:
        self.called = called
        self.pattern = as_floats(pattern, called)
        sizes = [np.size(leaf) for leaf in flat(self.pattern)]
        self.size = sum(sizes)
        self._places = [slice(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]

    def pack(self, data: Any, what: str | None = None) -> Flat:
        """The flat vector of data of this structure; a single number stands for as many as the structure wants there.

        A tuple of it may be given as any sequence. Raises ShapeError for another structure.
        """
        return np.concatenate([np.zeros(0), *self._pieces(data, what or self.called)])

    def unpack(self, vector: Any) -> Any:
        """The data that a flat vector holds, in copies of their own."""
        return nested(self.pattern, self.split(vector))

    def split(self, vector: Any) -> list[Any]:
        """The leaves alone, in their order."""
        whole = np.asarray(vector, np.float64)
        return [_leaf(leaf, whole[place]) for leaf, place in zip(flat(self.pattern), self._places, strict=True)]

    def names(self, leaves: Sequence[str]) -> list[str]:
        """What each element is called, by the names of the leaves.

        >>> Packing((1.0, np.ones(2))).names(["a", "w"])
        ['a', 'w[0]', 'w[1]']
        """
        shapes = [np.shape(leaf) for leaf in flat(self.pattern)]
        return [
            _element(name, index) for name, shape in zip(leaves, shapes, strict=True) for index in np.ndindex(shape)
        ]

    def _pieces(self, data: Any, what: str) -> list[Flat]:
        """The parts of data as vectors, a single number repeated for all that the pattern has there."""

        def split(three: Any) -> Any:
            path, wanted, given = three
            if not is_a(wanted, tuple):
                return None
            parts = given if is_sequence(given) else (given,) * len(wanted) if np.ndim(given) == 0 else ()
            if len(parts) != len(wanted):
                size = f"{len(parts)} parts" if is_sequence(given) else describe(given)
                raise ShapeError(
                    f"{place_text(path, what)} is {size}: a tuple of {len(wanted)} is wanted, as in {self.called}"
                )
            return [((*path, i), *pair) for i, pair in enumerate(zip(wanted, parts, strict=True))]

        pieces = flat(((), self.pattern, data), split)
        return [self._spread(wanted, given, place_text(path, what)) for path, wanted, given in pieces]

    def _spread(self, pattern: Any, given: Any, what: str) -> Flat:
        data = as_floats(given, what)
        if is_a(data, tuple) or np.shape(data) not in ((), np.shape(pattern)):
            raise ShapeError(f"{what} is {describe(data)}: {describe(pattern)} is wanted, as in {self.called}")
        return np.broadcast_to(data, np.shape(pattern)).ravel()


def is_sequence(given: Any) -> bool:
    """Whether something has parts: a tuple, a list, or an array that is not one number."""
    return is_a(given, (tuple, list)) or np.ndim(given) > 0


def _element(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def _leaf(pattern: Any, piece: Flat) -> Any:
    shaped = piece.reshape(np.shape(pattern))
    return float(shaped) if type_of(pattern) is float else np.array(shaped)[()]
