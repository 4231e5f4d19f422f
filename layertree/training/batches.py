"""The data of training: arrays with a common first axis, in batches of rows."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from layertree.core.brief import counted
from layertree.core.data import describe, described, require_plain_class, with_article
from layertree.core.errors import DTypeError, IndexRangeError, ShapeError
from layertree.core.narrowing import is_tuple

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

RowNumbers: TypeAlias = np.ndarray[tuple[int], np.dtype[np.intp]]
"""The numbers of some rows, counted from 0."""

Batch: TypeAlias = Array | tuple[Array, ...]
"""Some rows of the data: of an array an array, of a tuple of arrays a tuple."""


class BatchSource:
    """An array, or a tuple of arrays of one length, whose rows come in batches; errors call the data ``name``."""

    def __init__(self, data: object, name: str) -> None:
        self.name = name
        self._is_tuple = isinstance(data, tuple)
        if is_tuple(data):
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
                    f"part 0 has {counted(lengths[0], 'row')}, part {i} has {length}"
                )
        if not lengths or not lengths[0]:
            raise ShapeError(f"fit: {self.name} is empty, but at least one row is wanted")

    def __len__(self) -> int:
        return len(self._parts[0])

    def batches(self, size: int, order: RowNumbers | None = None) -> Iterator[RowNumbers]:
        """The numbers of all rows, in an order, ``size`` at a time; the last batch may be short."""
        numbers = np.arange(len(self)) if order is None else order
        for start in range(0, len(self), size):
            yield numbers[start : start + size]

    def take(self, chosen: RowNumbers | slice | list[int]) -> Batch:
        """The batch of some rows."""
        taken = tuple([part[chosen] for part in self._parts])
        return taken if self._is_tuple else taken[0]

    def samples(self, size: int) -> Iterator[Batch]:
        """One batch of each length that ``batches`` gives."""
        for length in {min(size, len(self)), len(self) % size} - {0}:
            yield self.take(slice(length))

    def named(self, error: IndexRangeError, chosen: Iterable[int], run: Callable[[Batch], object]) -> IndexRangeError:
        """The error of a batch with the number of the row in the data that causes it: each row runs by itself.

        The error itself knows at most a position in the batch, since an inner layer may have computed the index.
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


def _array(part: Any, place: str) -> Array:
    try:
        require_plain_class(part)
        array = np.asarray(part)
    except ValueError as error:
        raise ShapeError(f"fit: {place} is no array: {error}") from None
    except DTypeError as error:
        raise DTypeError(f"fit: {place}: {error}") from None
    if array.dtype.kind not in "biuf":
        shown = describe(part if array.dtype == object else array)
        raise DTypeError(
            f"fit: {place} is {with_article(shown)}, but an array of numbers is wanted, or a tuple of these"
        )
    if not array.ndim:
        raise ShapeError(f"fit: {place} is {described(part)}, but an array whose first axis counts the rows is wanted")
    return array
