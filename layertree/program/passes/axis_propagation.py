"""Which axis of each value runs over the batch: what a program may compute for some rows at a time.

A value is the same for all rows (``None``), or ``Rows``: split along an axis, in which each row has ``unit`` elements
beside one another; or a ``SUM`` over rows, of which each part of the batch gives a part. Where a primitive needs all
rows at once there is no such reading, and NotSplit is raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from layertree.core.dynamic import is_a
from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import is_elementwise
from layertree.program.ir.static_index import axes_of


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
    rule = _RULES.get(op.name) or (_elementwise if is_elementwise(op.name) else None)
    if rule is None:
        raise NotSplit(f"{op.name} is not known to work row by row")
    return rule(op, readings, size)


def _elementwise(op: Op, readings: list[Reading], size: int) -> Reading:
    found: Rows | None = None
    for read, one in zip(op.inputs, readings, strict=True):
        if isinstance(one, Rows):
            here = Rows(one.axis + len(op.shape) - len(read.shape), one.unit)
            if found not in (None, here):
                raise NotSplit(f"{op.name} of values split along different axes")
            found = here
    return found


def _reduction(op: Op, readings: list[Reading], size: int) -> Reading:
    (rows,) = readings
    assert isinstance(rows, Rows)
    axes = op.attributes["axis"]
    axes = axes if is_a(axes, tuple) else (axes,)
    if rows.axis not in axes:
        return Rows(rows.axis - sum(axis < rows.axis for axis in axes), rows.unit)
    if op.name != "sum":
        raise NotSplit(f"{op.name} over rows")
    return SUM


def _of_matrix(op: Op, readings: list[Reading], size: int) -> Reading:
    (rows,) = readings
    assert isinstance(rows, Rows)
    reduced = 0 if op.name == "sum_of_rows" else len(op.inputs[0].shape) - 1
    if rows.axis != reduced:
        return Rows(rows.axis - (rows.axis > reduced), rows.unit)
    if op.name == "max_of_last":
        raise NotSplit("max_of_last over rows")
    return SUM


def _reshape(op: Op, readings: list[Reading], size: int) -> Reading:
    (rows,) = readings
    assert isinstance(rows, Rows)
    before, after = op.inputs[0].shape, op.shape
    lead, tail = math.prod(before[: rows.axis]), rows.unit * math.prod(before[rows.axis + 1 :])
    for axis, dim in enumerate(after):
        unit, rest = divmod(dim, size)
        if math.prod(after[:axis]) == lead and rest == 0 and unit * math.prod(after[axis + 1 :]) == tail:
            return Rows(axis, unit)
    raise NotSplit("reshape mixes rows")


def _transpose(op: Op, readings: list[Reading], size: int) -> Reading:
    (rows,) = readings
    assert isinstance(rows, Rows)
    return Rows(op.attributes["axes"].index(rows.axis), rows.unit)


def _lead(axes: Callable[[Op], int]) -> Callable[[Op, list[Reading], int], Reading]:
    """A primitive that works on the last axes alone, as many as ``axes`` says, and keeps those before them."""

    def rule(op: Op, readings: list[Reading], size: int) -> Reading:
        rows = readings[0]
        if not isinstance(rows, Rows) or any(one is not None and one != rows for one in readings):
            raise NotSplit(f"{op.name} of values split in different ways")
        if rows.axis >= len(op.inputs[0].shape) - axes(op):
            raise NotSplit(f"{op.name} along the rows")
        return rows

    return rule


def _matmul(op: Op, readings: list[Reading], size: int) -> Reading:
    first, second = [one if isinstance(one, Rows) else None for one in readings]
    a, b = [len(read.shape) for read in op.inputs]
    left = first.axis - a if first is not None else None  # from the end
    right = second.axis - b if second is not None else None
    contracted = (-1, -2 if b > 1 else -1)
    if (left, right) == contracted and first and second and first.unit == second.unit:
        return SUM
    if left == contracted[0] or right == contracted[1]:
        raise NotSplit("matmul over the rows of one operand")
    n = len(op.shape)
    candidates: set[Rows] = set()
    if first and left is not None:  # with a vector on the right, the product has an axis less
        candidates.add(Rows(n + left + (1 if b == 1 else 0), first.unit))
    if second and right is not None:
        candidates.add(Rows(n + right + (1 if a == 1 and right < -2 else 0), second.unit))
    is_row_of_one = (left == -2 and second is None) or (right == -1 and first is None and b > 1)
    is_stack = all(place is None or place < -2 for place in (left, right))
    if len(candidates) != 1 or not (is_row_of_one or is_stack):
        raise NotSplit("matmul of values split in different ways")
    return candidates.pop()


def _getitem(op: Op, readings: list[Reading], size: int) -> Reading:
    (rows,) = readings
    assert isinstance(rows, Rows)
    for axis in axes_of(op.attributes["index"], len(op.inputs[0].shape)):
        if axis.source == rows.axis and axis.target is not None and axis.is_whole:
            return Rows(axis.target, rows.unit)
    raise NotSplit("a part of the rows is taken")


def _put(op: Op, readings: list[Reading], size: int) -> Reading:
    found = {
        Rows(axis.source, rows.unit) if axis.is_whole else None
        for rows, index in zip(readings, op.attributes["indices"], strict=True)
        if isinstance(rows, Rows)
        for axis in axes_of(index, len(op.shape))
        if axis.target == rows.axis
    }
    if len(found) != 1 or None in found or None in readings:
        raise NotSplit("put into a part of the rows")
    return found.pop()


def _concat(op: Op, readings: list[Reading], size: int) -> Reading:
    found = _elementwise(op, readings, size)
    if not isinstance(found, Rows) or found.axis == op.attributes["axis"] % len(op.shape):
        raise NotSplit("concat along the rows")
    return found


def _take(op: Op, readings: list[Reading], size: int) -> Reading:
    table, indices = readings
    if table is not None or not isinstance(indices, Rows):
        raise NotSplit("take from a split table")
    axis = op.attributes["axis"] % len(op.inputs[0].shape)
    return Rows(axis + indices.axis, indices.unit)


def _scatter_add(op: Op, readings: list[Reading], size: int) -> Reading:
    x, indices = readings
    axis = op.attributes["axis"]
    if isinstance(x, Rows) and isinstance(indices, Rows) and x == Rows(axis + indices.axis, indices.unit):
        return SUM
    raise NotSplit("scatter_add into split rows")


def _pick(op: Op, readings: list[Reading], size: int) -> Reading:
    found = {one for one in readings if one is not None}
    if len(found) != 1 or found == {SUM}:
        raise NotSplit(f"{op.name} of values split in different ways")
    (rows,) = found
    if op.name == "pick" and isinstance(rows, Rows) and rows.axis >= len(op.shape):
        raise NotSplit("pick along the rows")
    return rows


_RULES: dict[str, Callable[[Op, list[Reading], int], Reading]] = {
    "sum": _reduction,
    "max": _reduction,
    "min": _reduction,
    "max_of_last": _of_matrix,
    "sum_of_last": _of_matrix,
    "sum_of_rows": _of_matrix,
    "argmax": _reduction,
    "reshape": _reshape,
    "transpose": _transpose,
    "broadcast_to": _elementwise,
    "astype": _elementwise,
    "matmul": _matmul,
    "getitem": _getitem,
    "put": _put,
    "concat": _concat,
    "take": _take,
    "scatter_add": _scatter_add,
    "pick": _pick,
    "unpick": _pick,
    "pad": _lead(lambda op: len(op.attributes["widths"])),
    "windows": _lead(lambda op: len(op.attributes["window"]) + 1),
    "fold": _lead(lambda op: 2 * len(op.attributes["stride"]) + 1),
    "max_pool2d": _lead(lambda op: 3),
    "max_unpool2d": _lead(lambda op: 3),
}


def sliced_axis(op: Op, rows: Rows, operand: Op) -> int | None:
    """The axis along which a whole operand has to be cut for some rows of the result; None where it has none."""
    shape, ndim = operand.shape, len(op.shape)
    if op.name in ("pick", "unpick"):
        axis = rows.axis
    elif op.name == "matmul" and rows.axis - ndim >= -2:
        return None
    elif op.name in ("matmul", "concat", "broadcast_to", "astype") or is_elementwise(op.name):
        axis = rows.axis + len(shape) - ndim
    else:
        return None
    return axis if 0 <= axis < len(shape) and shape[axis] != 1 else None
