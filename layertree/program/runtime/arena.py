"""The arena: one stretch of memory, and the arrays that lie in it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeAlias

from layertree.core.alignment import ALIGNMENT, aligned
from layertree.program.ir.operations import Array, ArrayType, DType, Op

"""The shape and the dtype of an array."""


class ArenaSlice:
    """A slice of an arena as an array: its offset in bytes, shape, dtype and memory order (C, or F by columns).

    Slices are compared by identity, since two values may have equal slices one after the other.
    """

    __slots__ = ("by_columns", "dtype", "offset", "shape")

    by_columns: bool
    dtype: DType
    offset: int
    shape: tuple[int, ...]

    def __init__(self, offset: int, shape: tuple[int, ...], dtype: DType, by_columns: bool = False) -> None:
        self.offset = offset
        self.shape = shape
        self.dtype = dtype
        self.by_columns = by_columns

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    def __repr__(self) -> str:
        order = " by columns" if self.by_columns else ""
        return f"<bytes {self.offset} to {self.offset + self.nbytes}: {self.dtype.name} {self.shape}{order}>"

    def part(self, number: int) -> ArenaSlice:
        """The subarray at an index of the first axis."""
        shape = self.shape[1:]
        return ArenaSlice(self.offset + number * math.prod(shape) * self.dtype.itemsize, shape, self.dtype)


class BoundView:
    """A view of an arena slice that is made once, with the arena: to make it takes longer than to use it."""

    __slots__ = ("op", "slice")

    op: Op
    slice: ArenaSlice

    def __init__(self, op: Op, slice: ArenaSlice) -> None:
        self.op = op
        self.slice = slice


BlockPart: TypeAlias = "ArenaSlice | slice | tuple[slice | int | None, ...]"
"""What one block of a loop nest has of one variable: a slice of the arena, or an index into a whole array."""


class Blocks:
    """The iterations of a loop nest, for each thread a tuple of blocks.

    A block is a tuple of the parts of all loop variables, or the one part where there is one variable.
    """

    __slots__ = ("shares",)

    shares: tuple[tuple[BlockPart | tuple[BlockPart, ...], ...], ...]

    def __init__(self, shares: tuple[tuple[BlockPart | tuple[BlockPart, ...], ...], ...]) -> None:
        self.shares = shares


def array_at(arena: Array, place: ArenaSlice) -> Array:
    """The array at a slice of an arena."""
    array = arena[place.offset : place.offset + place.nbytes].view(place.dtype)
    return array.reshape(place.shape, order="F" if place.by_columns else "C")


def arrays_of(types: Iterable[ArrayType]) -> tuple[Array, tuple[Array, ...]]:
    """One new arena with an aligned array of each type in it, and these arrays."""
    slices: list[ArenaSlice] = []
    offset = 0
    for shape, dtype in types:
        slices.append(ArenaSlice(offset, shape, dtype))
        offset += -(-slices[-1].nbytes // ALIGNMENT) * ALIGNMENT
    arena = aligned(offset)
    return arena, tuple([array_at(arena, one) for one in slices])
