"""The data that training runs over: arrays with a common first axis, taken a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree._data import describe
from layertree._errors import DTypeError, ShapeError


class Rows:
    """An array, or a tuple of arrays of one length; ``name`` is what errors call it."""

    def __init__(self, data: Any, name: str) -> None:
        self.name = name
        self._is_tuple = isinstance(data, tuple)
        if self._is_tuple:
            self._parts = [_array(part, f"part {i} of {name}") for i, part in enumerate(data)]
        else:
            self._parts = [_array(data, name)]
        self._check_lengths()

    def _check_lengths(self) -> None:
        lengths = [len(part) for part in self._parts]
        for i, length in enumerate(lengths):
            if length != lengths[0]:
                raise ShapeError(
                    f"fit: the parts of {self.name} differ in length: "
                    f"part 0 has {lengths[0]} rows, part {i} has {length}"
                )
        if not lengths or not lengths[0]:
            raise ShapeError(f"fit: {self.name} is empty, but at least one row is wanted")

    def __len__(self) -> int:
        return len(self._parts[0])

    def batches(self, size: int, order: np.ndarray[Any, Any] | None = None) -> Iterator[Any]:
        """All rows, in order, ``size`` at a time; the last batch may be short."""
        for start in range(0, len(self), size):
            chosen = slice(start, start + size)
            yield self._take(chosen if order is None else order[chosen])

    def samples(self, size: int) -> Iterator[Any]:
        """One batch of each length that ``batches`` gives."""
        for length in {min(size, len(self)), len(self) % size} - {0}:
            yield self._take(slice(length))

    def _take(self, chosen: Any) -> Any:
        taken = tuple([part[chosen] for part in self._parts])
        return taken if self._is_tuple else taken[0]


def _array(part: Any, place: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(part)
    except ValueError as error:
        raise ShapeError(f"fit: {place} is no array: {error}") from None
    if array.dtype.kind not in "biuf":
        shown = describe(part if array.dtype == object else array)
        raise DTypeError(f"fit: {place} is a {shown}, but an array of numbers is wanted, or a tuple of these")
    if not array.ndim:
        raise ShapeError(f"fit: {place} is a {describe(part)}, but an array whose first axis counts the rows is wanted")
    return array
