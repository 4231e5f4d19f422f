"""Indexing maps: which axes of the operands and of the result of a primitive run together, and what is reduced.

A label names one dimension of the iteration space of a primitive, as a letter does in an einsum and a dimension does in
the indexing maps of MLIR's linalg dialect: ``matmul`` is ``... i k, ... k j -> ... i j``. A label of operands that the
result lacks is reduced, by the combination that the map gives for the label. An axis without a label is one of which
every element of the result needs all, or a part that is not the same for all elements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from layertree.program.ir.operations import Op
from layertree.program.ir.static_index import axes_of


class Axis(NamedTuple):
    """One axis: its label, and how many elements of the labelled dimension one step along the axis takes."""

    label: int
    unit: int = 1


Axes: TypeAlias = tuple[Axis | None, ...]
"""The axes of one value."""

Combination: TypeAlias = Literal["sum", "max", "min", "first"]
"""How the elements along a reduced label become one; ``first`` for the first position that has a property."""


class IndexingMap(NamedTuple):
    """The axes of each operand and of the result, and the combination of each label that the result lacks."""

    operands: tuple[Axes, ...]
    result: Axes
    reduced: Mapping[int, Combination] = MappingProxyType({})


MapRule: TypeAlias = Callable[[Op], "IndexingMap | None"]
"""The indexing map of an operation of one primitive; None where sizes leave the axes without a common dimension."""


def _axes(count: int, first: int = 0) -> Axes:
    """As many axes, with labels of their own."""
    return tuple([Axis(first + place) for place in range(count)])


def _broadcast(shape: tuple[int, ...], axes: Axes, sizes: Sequence[int]) -> Axes:
    """The axes of an operand of a shape that is broadcast to ``sizes``, whose axes are ``axes``."""
    start = len(axes) - len(shape)
    return tuple(
        [
            None if size == 1 != wide else axis
            for size, wide, axis in zip(shape, sizes[start:], axes[start:], strict=True)
        ]
    )


def elementwise(op: Op) -> IndexingMap:
    """Operands that are broadcast to the shape of the result."""
    axes = _axes(op.ndim)
    return IndexingMap(tuple([_broadcast(read.shape, axes, op.shape) for read in op.inputs]), axes)


def reduction(combination: Combination, axis: int | None = None) -> MapRule:
    """A reduction over one axis, or over those of the attribute ``axis``, which the result lacks."""

    def rule(op: Op) -> IndexingMap:
        axes = _axes(op.inputs[0].ndim)
        named: int | tuple[int, ...] = op.attributes["axis"] if axis is None else axis
        places = (named,) if isinstance(named, int) else named
        gone = {place % len(axes) for place in places}
        kept = tuple([one for place, one in enumerate(axes) if place not in gone])
        return IndexingMap((axes,), kept, dict.fromkeys(gone, combination))

    return rule


def transpose(op: Op) -> IndexingMap:
    """Axes in another order."""
    axes = _axes(op.ndim)
    order: tuple[int, ...] = op.attributes["axes"]
    return IndexingMap((axes,), tuple([axes[axis] for axis in order]))


def matmul(op: Op) -> IndexingMap:
    """``... i k, ... k j -> ... i j``, where a vector has ``k`` alone."""
    a, b = op.inputs
    is_matrix = a.ndim > 1, b.ndim > 1
    lead = op.ndim - sum(is_matrix)
    stack, sizes = _axes(lead), op.shape[:lead]
    i, k, j = _axes(3, lead)
    rows, columns = (i,) * is_matrix[0], (j,) * is_matrix[1]
    first = (*_broadcast(a.shape[:-2], stack, sizes), *rows, k)
    second = (*_broadcast(b.shape[:-2], stack, sizes), k, *columns)
    return IndexingMap((first, second), (*stack, *rows, *columns), {lead + 1: "sum"})


def reshape(op: Op) -> IndexingMap | None:
    """Groups of axes of one size on both sides: the outermost axis of a group runs over it in steps of the others."""
    before, after = op.inputs[0].shape, op.shape
    if 0 in before:
        return None
    given: list[Axis | None] = [None] * len(before)
    made: list[Axis | None] = [None] * len(after)
    i = j = label = 0
    while i < len(before) and j < len(after):
        first, second, size, other = i, j, before[i], after[j]
        i, j = i + 1, j + 1
        while size != other:
            if size < other:
                size, i = size * before[i], i + 1
            else:
                other, j = other * after[j], j + 1
        outer, outer_made = _outermost(before, first, i), _outermost(after, second, j)
        given[outer] = Axis(label, math.prod(before[outer + 1 : i]))
        made[outer_made] = Axis(label, math.prod(after[outer_made + 1 : j]))
        label += 1
    return IndexingMap((tuple(given),), tuple(made))


def _outermost(shape: tuple[int, ...], start: int, stop: int) -> int:
    """The first axis of a group that has more than one element; the last axis where there is none."""
    return next((axis for axis in range(start, stop) if shape[axis] != 1), stop - 1)


def getitem(op: Op) -> IndexingMap:
    """A static index: the axes that are taken whole."""
    given: list[Axis | None] = [None] * op.inputs[0].ndim
    made: list[Axis | None] = [None] * op.ndim
    for axis in axes_of(op.index, len(given)):
        if axis.target is not None and axis.is_whole:
            given[axis.source] = made[axis.target] = Axis(axis.source)
    return IndexingMap((tuple(given),), tuple(made))


def put(op: Op) -> IndexingMap:
    """Operands that are written to static indices of the result: the axes that all indices take whole."""
    operands: list[Axes] = []
    whole = set(range(op.ndim))
    for index, read in zip(op.attributes["indices"], op.inputs, strict=True):
        axes: list[Axis | None] = [None] * read.ndim
        for axis in axes_of(index, op.ndim):
            if axis.target is not None and axis.is_whole:
                axes[axis.target] = Axis(axis.source)
        whole &= {axis.label for axis in axes if axis is not None}
        operands.append(tuple(axes))
    return IndexingMap(tuple(operands), tuple([Axis(place) if place in whole else None for place in range(op.ndim)]))


def concat(op: Op) -> IndexingMap:
    """All axes but the one along which the operands are joined."""
    joined = op.attributes["axis"] % op.ndim
    axes = tuple([None if place == joined else axis for place, axis in enumerate(_axes(op.ndim))])
    return IndexingMap((axes,) * len(op.inputs), axes)


def take(op: Op) -> IndexingMap:
    """``table[..., indices, ...]``: the axes of the indices in the place of one axis of the table."""
    table, indices = op.inputs
    place = op.attributes["axis"] % table.ndim
    own, others = _axes(table.ndim), _axes(indices.ndim, table.ndim)
    return IndexingMap(((*own[:place], None, *own[place + 1 :]), others), (*own[:place], *others, *own[place + 1 :]))


def scatter_add(op: Op) -> IndexingMap:
    """The adjoint of ``take``: elements of one index are added."""
    indices = op.inputs[1]
    place = op.attributes["axis"] % op.ndim
    own, others = _axes(op.ndim), _axes(indices.ndim, op.ndim)
    added: dict[int, Combination] = {axis.label: "sum" for axis in others if axis is not None}
    operands = (*own[:place], *others, *own[place + 1 :]), others
    return IndexingMap(operands, (*own[:place], None, *own[place + 1 :]), added)


def pick(op: Op) -> IndexingMap:
    """One element of each row, at its label."""
    axes = _axes(op.ndim)
    return IndexingMap(((*axes, None), _broadcast(op.inputs[1].shape, axes, op.shape)), axes)


def unpick(op: Op) -> IndexingMap:
    """The adjoint of ``pick``: rows of zeros but for one element."""
    axes = _axes(op.ndim - 1)
    operands = tuple([_broadcast(read.shape, axes, op.shape[:-1]) for read in op.inputs])
    return IndexingMap(operands, (*axes, None))


def leading(inner: Callable[[Op], int]) -> MapRule:
    """A primitive that works on the last axes of its operands alone, as many as ``inner`` says."""

    def rule(op: Op) -> IndexingMap:
        axes = _axes(op.inputs[0].ndim - inner(op))
        operands = tuple([_padded(axes, read.ndim) for read in op.inputs])
        return IndexingMap(operands, _padded(axes, op.ndim))

    return rule


def _padded(axes: Axes, ndim: int) -> Axes:
    return (*axes, *[None] * (ndim - len(axes)))
