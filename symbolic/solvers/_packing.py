"""Numbers, arrays and tuples of them as one flat vector of float64, and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from layertree import DTypeError, ShapeError
from layertree.core.data import PYTHON_NUMBERS, as_data, describe
from layertree.core.dynamic import is_a, type_of
from layertree.core.nested import Path, flat, nested, paths, place_text
from symbolic.solvers._results import Flat

if TYPE_CHECKING:
    from symbolic.core.types import Nested

Leaf: TypeAlias = float | Flat
"""One variable, or an array of variables."""


def as_floats(given: object, what: str) -> Any:
    """Data in double precision: a Python number as a float, an array as one of float64, a tuple as a tuple of these.

    Raises DTypeError for data that are no real numbers.
    """
    data = as_data(given)
    if data is None:
        raise DTypeError(f"{what} is missing")
    return nested(data, [_as_floats(part, path, what) for path, part in paths(data)])


def _as_floats(data: Any, path: Path, what: str) -> Leaf:
    if np.asarray(data).dtype.kind == "b":
        raise DTypeError(f"{place_text(path, what)} is {describe(data)}: real numbers are wanted")
    return float(data) if type(data) in PYTHON_NUMBERS else np.asarray(data, np.float64)[()]


class Packing:
    """The structure of some data, and the order of its leaves in a flat vector.

    >>> packing = Packing((1.0, np.ones((2, 2))))
    >>> packing.unpack(np.arange(5.0))
    (0.0, array([[1., 2.],
           [3., 4.]]))
    >>> packing.pack((7.0, np.zeros((2, 2)))).tolist()
    [7.0, 0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, pattern: object, called: str = "x0") -> None:
        self.called = called
        self.pattern: Nested[Leaf] = as_floats(pattern, called)
        sizes = [np.size(leaf) for leaf in flat(self.pattern)]
        self.size = sum(sizes)
        self._places = [slice(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]

    def pack(self, data: object, what: str | None = None) -> Flat:
        """The flat vector of data of this structure; a single number in place of an array or a tuple is repeated.

        Any sequence may be given for a tuple. Raises ShapeError for another structure.
        """
        return np.concatenate([np.zeros(0), *self._pieces(data, what or self.called)])

    def unpack(self, vector: object) -> Any:
        """Data of this structure with the elements of a flat vector, which are copied."""
        return nested(self.pattern, self.split(vector))

    def split(self, vector: object) -> list[Leaf]:
        """The leaves with the elements of a flat vector, in their order."""
        whole = np.asarray(vector, np.float64)
        return [_leaf(leaf, whole[place]) for leaf, place in zip(flat(self.pattern), self._places, strict=True)]

    def names(self, leaves: Sequence[str]) -> list[str]:
        """The name of each element, from the names of the leaves.

        >>> Packing((1.0, np.ones(2))).names(["a", "w"])
        ['a', 'w[0]', 'w[1]']
        """
        shapes = [np.shape(leaf) for leaf in flat(self.pattern)]
        return [
            _element(name, index) for name, shape in zip(leaves, shapes, strict=True) for index in np.ndindex(shape)
        ]

    def _pieces(self, data: object, what: str) -> list[Flat]:
        """The leaves of data as vectors, a single number repeated for each element of the pattern."""

        def split(three: tuple[Path, Nested[Leaf], Any]) -> list[tuple[Path, Nested[Leaf], object]] | None:
            path, wanted, given = three
            if not isinstance(wanted, tuple):
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

    def _spread(self, pattern: Leaf, given: object, what: str) -> Flat:
        data = as_floats(given, what)
        if is_a(data, tuple) or np.shape(data) not in ((), np.shape(pattern)):
            raise ShapeError(f"{what} is {describe(data)}: {describe(pattern)} is wanted, as in {self.called}")
        return np.broadcast_to(data, np.shape(pattern)).ravel()


def is_sequence(given: Any) -> bool:
    """Whether a value has parts: a tuple, a list, or an array with an axis."""
    return is_a(given, (tuple, list)) or np.ndim(given) > 0


def _element(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def _leaf(pattern: Leaf, piece: Flat) -> Leaf:
    shaped = piece.reshape(np.shape(pattern))
    return float(shaped) if type_of(pattern) is float else np.array(shaped)[()]
