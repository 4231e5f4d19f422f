"""The data that training runs over: arrays with a common first axis, taken a batch at a time."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from layertree.core.data import describe, described, with_article
from layertree.core.errors import DTypeError, IndexRangeError, ShapeError


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

    def orders(self, size: int, order: np.ndarray[Any, Any] | None = None) -> Iterator[np.ndarray[Any, Any]]:
        """The numbers of all rows, in an order, ``size`` at a time; the last batch may be short."""
        numbers = np.arange(len(self)) if order is None else order
        for start in range(0, len(self), size):
            yield numbers[start : start + size]

    def take(self, chosen: Any) -> Any:
        """The batch of some rows."""
        taken = tuple([part[chosen] for part in self._parts])
        return taken if self._is_tuple else taken[0]

    def samples(self, size: int) -> Iterator[Any]:
        """One batch of each length that ``orders`` gives."""
        for length in {min(size, len(self)), len(self) % size} - {0}:
            yield self.take(slice(length))

    def named(self, error: IndexRangeError, chosen: Iterable[int], run: Callable[[Any], object]) -> IndexRangeError:
        """The error of a batch with the row of the data that it comes from, found by running each by itself.

        An error knows a place in the batch at best, and what is wrong may be an index of another layer's making.
        """
        for row in chosen:
            try:
                run(self.take([row]))
            except IndexRangeError as alone:
                return _with_notes(f"fit: row {row} of {self.name}, in a batch by itself: {alone}", alone)
            except Exception:
                break  # a formula for batches of one length
        shown = reprlib.repr(list(map(int, chosen)))
        return _with_notes(f"fit: a batch of rows {shown} of {self.name}: {error}", error)


def _with_notes(text: str, error: Exception) -> IndexRangeError:
    found = IndexRangeError(text)
    for note in getattr(error, "__notes__", ()):
        found.add_note(note)
    return found


def _array(part: Any, place: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(part)
    except ValueError as error:
        raise ShapeError(f"fit: {place} is no array: {error}") from None
    if array.dtype.kind not in "biuf":
        shown = describe(part if array.dtype == object else array)
        raise DTypeError(
            f"fit: {place} is {with_article(shown)}, but an array of numbers is wanted, or a tuple of these"
        )
    if not array.ndim:
        raise ShapeError(f"fit: {place} is {described(part)}, but an array whose first axis counts the rows is wanted")
    return array
