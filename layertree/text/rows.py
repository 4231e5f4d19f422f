"""Rows: an immutable sequence of records that prints as a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self, TypeVar, overload

import attrs

from layertree.core.facade import FACADE
from layertree.text.terminal import table_width

Row_co = TypeVar("Row_co", covariant=True)


@attrs.frozen(repr=False)
class Rows(Sequence[Row_co]):
    """The base class of reports: a sequence of rows, of which a slice is a report too.

    A subclass writes the table of its rows by ``table``; its ``repr`` is the table no wider than the terminal.
    """

    rows: tuple[Row_co, ...]

    @overload
    def __getitem__(self, index: int, /) -> Row_co: ...
    @overload
    def __getitem__(self, index: slice, /) -> Self: ...
    def __getitem__(self, index: int | slice, /) -> Row_co | Self:
        return type(self)(self.rows[index]) if isinstance(index, slice) else self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return self.table(table_width())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    def curves(self) -> dict[str, list[float]]:
        """The columns that a chart shows as curves over the rows; none for a report without an order in time."""
        return {}

    def bars(self) -> list[tuple[str, float, str]]:
        """The name, the length and the text of the bar of each row in a chart; none for a report without sizes."""
        return []

    @abstractmethod
    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
