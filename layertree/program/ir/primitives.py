"""The table of primitives: what the compiler knows of each primitive besides its kernel, in one entry.

A ufunc of the NumPy namespace is a primitive without an entry of its own: ``exp`` and its like are elementwise, fill a
buffer, and may overwrite an operand. Another name without an entry is a function that makes a new array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

import attrs
import numpy as np

from layertree import kernels
from layertree.kernels.select import BITS
from layertree.namespaces import NUMPY
from layertree.program.ir import indexing_maps as maps
from layertree.program.ir.indexing_maps import IndexingMap, MapRule
from layertree.program.ir.operations import ArrayType, Op

SHORT = 32
"""Up to how many elements a row is short, and from how many rows on a matrix of short rows is worth a treatment."""

Count: TypeAlias = Callable[[Op], int]
"""A number of operations or elements, from the sizes of an operation."""


Room: TypeAlias = Callable[[Op], Iterator[ArrayType]]
"""The arrays that an operation needs while it runs."""


def _nothing(op: Op) -> int:
    return 0


def _size(op: Op) -> int:
    return math.prod(op.shape)


def _read_size(op: Op) -> int:
    return _size(op.inputs[0])


def _no_workspace(op: Op) -> Iterator[ArrayType]:
    return iter(())


def _never(op: Op, operand: Op) -> bool:
    return False


def _always(op: Op, operand: Op) -> bool:
    return True


@attrs.frozen
class Primitive:
    """One primitive.

    ``axes`` gives its indexing map; without one, nothing is known of its axes. ``flops`` counts arithmetic, with any
    function of a number as one operation. A primitive that ``fills`` can write its result into an array that exists
    already. ``overwrites`` says whether it reads each element of an operand before it writes an element to the same
    place. ``workspaces`` are the arrays that it needs while it runs. An elementwise one computes each element of the
    result from the elements of its operands at the same place.
    """

    axes: MapRule | None = None
    flops: Count = _nothing
    fills: bool = False
    overwrites: Callable[[Op, Op], bool] = _never
    workspaces: Room = _no_workspace
    is_elementwise: bool = False


def _of_where(op: Op) -> Iterator[ArrayType]:
    """The bits of the selected operand, which ``select`` combines with those of the mask."""
    bits = BITS.get(op.dtype.itemsize)
    return iter([(op.shape, bits)] if op.is_array and bits is not None and op.dtype.kind in "iuf" else [])


def _of_max_unpool(op: Op) -> Iterator[ArrayType]:
    return iter(kernels.unpool_room(op.inputs[0].shape, op.dtype, op.shape[0]))


def _of_max_unpool2d(op: Op) -> Iterator[ArrayType]:
    return iter(kernels.unpool_room(op.inputs[0].shape, op.dtype, math.prod(op.attributes["window"])))


def _of_fold(op: Op) -> Iterator[ArrayType]:
    shape = kernels.fold_room(op.inputs[0].shape, op.attributes["stride"], op.attributes["dilation"])
    return iter([(shape, op.dtype)])


def _of_scatter_add(op: Op) -> Iterator[ArrayType]:
    """The table of one-hot rows of a product, for few enough indices."""
    if op.attributes["axis"] != 0 or op.dtype.char not in "fd":
        return iter(())
    tokens, rows = math.prod(op.inputs[1].shape), op.shape[0]
    return iter([((rows, tokens), op.dtype)] if kernels.fits_table(tokens, rows) else [])


def _of_max_of_last(op: Op) -> Iterator[ArrayType]:
    return iter([(op.inputs[0].shape[::-1], op.dtype)])


def _of_pick(op: Op) -> Iterator[ArrayType]:
    """The flat positions of the labels."""
    return iter([((math.prod(op.inputs[1].shape),), np.dtype(np.int64))])


def _overwrites_then(op: Op, operand: Op) -> bool:
    return op.inputs[1] is operand and op.inputs[2] is not operand


def _overwrites_first(op: Op, operand: Op) -> bool:
    return op.inputs[0] is operand


def _reduction(combination: maps.Combination, axis: int | None = None, workspaces: Room = _no_workspace) -> Primitive:
    return Primitive(maps.reduction(combination, axis), _read_size, fills=True, workspaces=workspaces)


def _product_flops(op: Op) -> int:
    return 2 * _size(op) * op.inputs[0].shape[-1]


def _pool_flops(op: Op) -> int:
    return _size(op) * math.prod(op.attributes["window"])


def _window_axes(op: Op) -> int:
    """The axes that windows are taken from, and the one of channels."""
    return len(op.attributes["window"]) + 1


ELEMENTWISE = Primitive(maps.elementwise, _size, fills=True, overwrites=_always, is_elementwise=True)

PRIMITIVES: dict[str, Primitive] = {
    "add_at": Primitive(fills=True, overwrites=_overwrites_first),
    "argmax": _reduction("first"),
    "astype": Primitive(maps.elementwise, fills=True),
    "broadcast_to": Primitive(maps.elementwise),
    "concat": Primitive(maps.concat, fills=True),
    "fold": Primitive(
        maps.leading(lambda op: 2 * len(op.attributes["stride"]) + 1), _read_size, fills=True, workspaces=_of_fold
    ),
    "getitem": Primitive(maps.getitem),
    "masked": ELEMENTWISE,
    "matmul": Primitive(maps.matmul, _product_flops, fills=True),
    "max": _reduction("max"),
    "max_of_last": _reduction("max", -1, workspaces=_of_max_of_last),
    "max_pool2d": Primitive(maps.leading(lambda op: 3), _pool_flops, fills=True),
    "max_unpool": Primitive(None, _read_size, fills=True, workspaces=_of_max_unpool),
    "max_unpool2d": Primitive(maps.leading(lambda op: 3), _read_size, fills=True, workspaces=_of_max_unpool2d),
    "min": _reduction("min"),
    "pad": Primitive(maps.leading(lambda op: len(op.attributes["widths"])), fills=True),
    "pick": Primitive(maps.pick, fills=True, workspaces=_of_pick),
    "pick_at": Primitive(fills=True),
    "places": Primitive(fills=True),
    "prod": Primitive(None, _read_size),
    "put": Primitive(maps.put, fills=True),
    "reshape": Primitive(maps.reshape, fills=True),
    "scatter_add": Primitive(maps.scatter_add, _read_size, fills=True, workspaces=_of_scatter_add),
    "sum": _reduction("sum"),
    "sum_of_last": _reduction("sum", -1),
    "sum_of_rows": _reduction("sum", 0),
    "take": Primitive(maps.take, fills=True),
    "transpose": Primitive(maps.transpose),
    "unpick": Primitive(maps.unpick, fills=True, workspaces=_of_pick),
    "unpick_at": Primitive(fills=True),
    "where": Primitive(
        maps.elementwise,
        _size,
        fills=True,
        overwrites=_overwrites_then,
        workspaces=_of_where,
        is_elementwise=True,
    ),
    "windows": Primitive(maps.leading(_window_axes)),
}
"""The primitives that are no ufuncs, by name."""

_FUNCTION = Primitive()


@cache
def primitive(name: str) -> Primitive:
    """The entry of a primitive by its name."""
    known = PRIMITIVES.get(name)
    if known is not None:
        return known
    return ELEMENTWISE if isinstance(getattr(NUMPY, name, None), np.ufunc) else _FUNCTION


@cache
def is_elementwise(name: str) -> bool:
    """Whether a primitive computes each element of its result from the elements of its operands at the same place."""
    return primitive(name).is_elementwise


@cache
def fills_a_buffer(name: str) -> bool:
    """Whether a primitive can write its result into an array that exists already; others make a new array."""
    return primitive(name).fills


def indexing_map(op: Op) -> IndexingMap | None:
    """Which axes of an operation's operands and result run together; None where nothing is known of them."""
    rule = primitive(op.name).axes
    return None if rule is None else rule(op)
