"""How a block of a product's rows and columns runs through what is computed from it: which axes are cut, and how.

The product is one of long rows and long columns, like the scores of attention. ``None`` says that an operation does
not work block by block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import is_elementwise
from layertree.program.passes.loop_nest import Cut, Kinds, broadcast_kinds

STACK, ROWS, COLUMNS, HIDDEN = "stack", "rows", "columns", "hidden"
"""``HIDDEN`` are those of a block's columns, up to its last, that a mask hides from some row."""


Known = dict[Op, Kinds]


def product_kinds(ndim: int) -> Kinds:
    """How the product itself is cut: along its rows, its columns, and the axis of a stack of such products."""
    return (*[None] * (ndim - 3), STACK, ROWS, COLUMNS)[-ndim:]


def cut_of(op: Op, known: Known, product: Op) -> Cut | None:
    """How an op is cut, from how those of its operands that are computed by blocks are; None where it cannot be."""
    if op.name == "matmul":
        return _matmul(op, known, product)
    rule = _RULES.get(op.name) or (_elementwise if is_elementwise(op.name) else None)
    return rule(op, known) if rule is not None and any(read in known for read in op.inputs) else None


def _elementwise(op: Op, known: Known) -> Cut | None:
    result = _common(op, known)
    if result is None:
        return None
    return Cut(result, tuple([known.get(read) or broadcast_kinds(read.shape, result) for read in op.inputs]))


def _common(op: Op, known: Known, last: int = 0) -> Kinds | None:
    """How the axes of a result but the ``last`` few are cut, as they are in all operands that have them."""
    ndim = len(op.shape) - last
    found: dict[int, str | None] = {}
    for read in op.inputs:
        kinds = known.get(read, ())
        kinds = kinds[: len(kinds) - last]
        offset = ndim - len(kinds)
        for axis, kind in enumerate(kinds):
            is_there = read.shape[axis] == op.shape[offset + axis]
            if is_there and found.setdefault(offset + axis, kind) != kind:
                return None
    return tuple([found.get(axis) for axis in range(ndim)])


def _reduction(op: Op, known: Known) -> Cut | None:
    kinds = known[op.inputs[0]]
    axes: tuple[int, ...] = op.attributes.get("axis", (len(kinds) - 1,))
    if any(kinds[axis] in (STACK, ROWS) for axis in axes):
        return None
    return Cut(tuple([kind for axis, kind in enumerate(kinds) if axis not in axes]), (kinds,))


def _reshape(op: Op, known: Known) -> Cut | None:
    """Axes of size 1 come or go: written as an index, which holds for blocks of any size."""
    kinds, before, after = known[op.inputs[0]], list(op.inputs[0].shape), op.shape
    index: list[Any] = []
    result: list[str | None] = []
    place = 0
    for size in after:
        while place < len(before) and before[place] == 1 != size:
            index.append(0)
            place += 1
        if place < len(before) and before[place] == size:
            index.append(slice(None))
            result.append(kinds[place])
            place += 1
        elif size == 1:
            index.append(None)
            result.append(None)
        else:
            return None
    if any(size != 1 for size in before[place:]):
        return None
    index.extend([0] * (len(before) - place))
    return Cut(tuple(result), (kinds,), name="getitem", attributes={"index": tuple(index)})


def _transpose(op: Op, known: Known) -> Cut | None:
    kinds = known[op.inputs[0]]
    axes: tuple[int, ...] = op.attributes["axes"]
    return Cut(tuple([kinds[axis] for axis in axes]), (kinds,))


def _matmul(op: Op, known: Known, product: Op) -> Cut | None:
    a, b = op.inputs
    if len(a.shape) < 2 or len(b.shape) < 2:
        return None
    first, second = known.get(a), known.get(b)
    if first is None and second is None and not _is_alike(op, product):
        return None
    stack = _stack(op, known, product)
    if stack is None:
        return None
    rows = first[-2] if first else None
    columns = second[-1] if second else None
    if _is_alike(op, product):
        rows, columns = rows or ROWS, columns or COLUMNS
    along = (first[-1] if first else None) or (second[-2] if second else None)
    result = (*stack, rows, columns)
    left, right = first or _outer(a, stack, rows, along), second or _outer(b, stack, along, columns)
    is_twice = rows is not None and rows == columns
    if left[-1] != right[-2] or STACK in (rows, columns, along) or is_twice or along in {rows, columns} - {None}:
        return None
    return Cut(result, (left, right), is_total=along == ROWS)


def _is_alike(op: Op, product: Op) -> bool:
    return op.spec == product.spec


def _stack(op: Op, known: Known, product: Op) -> Kinds | None:
    """How the axes before the last two are cut."""
    if not any(read in known for read in op.inputs):
        return product_kinds(len(product.shape))[:-2]
    stack = _common(op, known, last=2)
    return None if stack is None or ROWS in stack or COLUMNS in stack else stack


def _outer(read: Op, stack: Kinds, rows: str | None, columns: str | None) -> Kinds:
    """How a matrix from outside is cut."""
    return (*broadcast_kinds(read.shape, (*stack, None, None))[:-2], rows, columns)


_RULES: dict[str, Callable[[Op, Known], Cut | None]] = {
    "sum": _reduction,
    "max": _reduction,
    "min": _reduction,
    "sum_of_last": _reduction,
    "reshape": _reshape,
    "transpose": _transpose,
}
