"""Axis propagation: which axis of each value runs over the batch, from the indexing maps of the primitives.

A value is the same for all rows (``None``), or ``Rows``: split along an axis, in which each row has ``unit`` elements
side by side; or a ``SUM`` over rows, of which each part of the batch gives a part. Where a primitive needs all rows at
once there is no such reading, and NotSplit is raised.
"""

from __future__ import annotations

from typing import NamedTuple

from layertree.program.ir.indexing_maps import Axes, IndexingMap
from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import indexing_map


class NotSplit(Exception):
    """A primitive needs all rows at once."""


class Rows(NamedTuple):
    """Split along ``axis``, where each row has ``unit`` elements."""

    axis: int
    unit: int


SUM = "sum"
Reading = Rows | str | None


def reading_of(op: Op, readings: list[Reading], size: int) -> Reading:
    """How a primitive's result runs over a batch of ``size`` rows, from its operands' readings."""
    if not any(isinstance(one, Rows) for one in readings):
        return None
    found = indexing_map(op)
    if found is None:
        raise NotSplit(f"{op.name} is not known to work row by row")
    label, width = _batch_label(op, readings, found)
    if label in found.reduced:
        return _sum(op, readings, found, label)
    for place, axis in enumerate(found.result):
        if axis is not None and axis.label == label:
            unit, rest = divmod(width, axis.unit)
            if rest == 0 and op.shape[place] == unit * size:
                return Rows(place, unit)
    raise NotSplit(f"{op.name} mixes rows")


def _batch_label(op: Op, readings: list[Reading], found: IndexingMap) -> tuple[int, int]:
    """The label of the axes that run over the batch, and how many elements of the labelled dimension a row has."""
    labels: set[tuple[int, int]] = set()
    for axes, rows in zip(found.operands, readings, strict=True):
        if isinstance(rows, Rows):
            axis = axes[rows.axis]
            if axis is None:
                raise NotSplit(f"{op.name} needs all rows at once")
            labels.add((axis.label, rows.unit * axis.unit))
    if len(labels) != 1:
        raise NotSplit(f"{op.name} of values split along different axes")
    return labels.pop()


def _sum(op: Op, readings: list[Reading], found: IndexingMap, label: int) -> Reading:
    """A sum over rows, if each operand that has the label is split along it."""
    if found.reduced[label] != "sum":
        raise NotSplit(f"{op.name} over rows")
    for axes, rows in zip(found.operands, readings, strict=True):
        if not isinstance(rows, Rows) and _place(axes, label) is not None:
            raise NotSplit(f"{op.name} over the rows of one operand")
    return SUM


def _place(axes: Axes, label: int) -> int | None:
    """The axis that has a label."""
    return next((place for place, axis in enumerate(axes) if axis is not None and axis.label == label), None)


def sliced_axis(op: Op, rows: Rows, place: int) -> int | None:
    """The axis along which a whole operand has to be cut for some rows of the result; None where it has none."""
    found = indexing_map(op)
    axis = None if found is None else found.result[rows.axis]
    return None if found is None or axis is None else _place(found.operands[place], axis.label)
