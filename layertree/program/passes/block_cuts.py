"""How a block of a product's rows and columns runs through what is computed from it: which axes are cut, and how.

The product is one of long rows and long columns, like the scores of attention. The indexing maps of the primitives
carry the kinds of its axes on; ``None`` says that an operation does not work block by block.
"""

from __future__ import annotations

from typing import Any

from layertree.program.ir.indexing_maps import Axes, IndexingMap
from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import indexing_map, primitive
from layertree.program.passes.loop_nest import Cut, Kinds

STACK, ROWS, COLUMNS, HIDDEN = "stack", "rows", "columns", "hidden"
"""``HIDDEN`` are those of a block's columns, up to its last, that a mask hides from some row."""


Known = dict[Op, Kinds]


def product_kinds(ndim: int) -> Kinds:
    """How the product itself is cut: along its rows, its columns, and the axis of a stack of such products."""
    return (*[None] * (ndim - 3), STACK, ROWS, COLUMNS)[-ndim:]


def cut_of(op: Op, known: Known, product: Op) -> Cut | None:
    """How an op is cut, from how those of its operands that are computed by blocks are; None where it cannot be.

    A product with the shape of the first one is cut as that one, also where its operands come from outside.
    """
    is_alike = op.name == product.name and op.spec == product.spec
    if not is_alike and not any(read in known for read in op.inputs):
        return None
    found = indexing_map(op) if _holds_for_blocks(op) else None
    kinds = None if found is None else _kinds_of_labels(op, found, known)
    if found is None or kinds is None:
        return None
    if is_alike:
        wanted = product_kinds(op.ndim) if not kinds else (*[None] * (op.ndim - 2), ROWS, COLUMNS)
        for axis, kind in zip(found.result, wanted, strict=True):
            if axis is not None and kind is not None:
                kinds.setdefault(axis.label, kind)
    return _cut(op, found, kinds, known)


def _holds_for_blocks(op: Op) -> bool:
    """Whether attributes and workspaces of an operation are those of a block of any size, too."""
    own = primitive(op.name)
    if op.name == "reshape":
        return _as_index(op) is not None
    return "shape" not in op.attributes and (own.is_elementwise or not any(own.workspaces(op)))


def _kinds_of_labels(op: Op, found: IndexingMap, known: Known) -> dict[int, str | None] | None:
    """The kind of each label that an operand computed by blocks has; None where two operands disagree."""
    kinds: dict[int, str | None] = {}
    for read, axes in zip(op.inputs, found.operands, strict=True):
        for axis, kind, size in zip(axes, known.get(read, ()), read.shape, strict=False):
            if axis is None:
                if kind is not None and size != 1:
                    return None
            elif kinds.setdefault(axis.label, kind) != kind:
                return None
    return kinds


def _cut(op: Op, found: IndexingMap, kinds: dict[int, str | None], known: Known) -> Cut | None:
    result = _named(found.result, kinds)
    reduced = [kind for label in found.reduced if (kind := kinds.get(label)) is not None]
    all_kinds = [kind for kind in result if kind is not None] + reduced
    if len(set(all_kinds)) < len(all_kinds) or STACK in reduced:
        return None
    is_total = ROWS in reduced
    if is_total and op.name != "matmul":
        return None
    operands = tuple(
        [known.get(read) or _named(axes, kinds) for read, axes in zip(op.inputs, found.operands, strict=True)]
    )
    if op.name == "reshape":
        return Cut(result, operands, name="getitem", attributes={"index": _as_index(op)})
    return Cut(result, operands, is_total=is_total)


def _named(axes: Axes, kinds: dict[int, str | None]) -> Kinds:
    return tuple([None if axis is None else kinds.get(axis.label) for axis in axes])


def _as_index(op: Op) -> tuple[Any, ...] | None:
    """A reshape by which axes of size 1 come or go, as an index, which holds for blocks of any size; else None."""
    before, index, place = op.inputs[0].shape, list[Any](), 0
    for size in op.shape:
        while place < len(before) and before[place] == 1 != size:
            index.append(0)
            place += 1
        if place < len(before) and before[place] == size:
            index.append(slice(None))
            place += 1
        elif size == 1:
            index.append(None)
        else:
            return None
    if any(size != 1 for size in before[place:]):
        return None
    return (*index, *[0] * (len(before) - place))
