"""What operations are called in sources, reports and messages: a name from the formula, the cells, and the layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from layertree.core.brief import name_of
from layertree.core.cell import Cell
from layertree.core.naming import cell_names
from layertree.core.narrowing import is_cell, is_layer
from layertree.core.provenance import origin_of
from layertree.core.structure import operands_of
from layertree.program.ir.operations import AnyLayer, Op
from layertree.program.ir.views import VIEWS

CellNames = Mapping[Cell, str]


def names_of_cells(formula: AnyLayer) -> dict[Cell, str]:
    """The name of each cell of a formula, as ``named_cells`` gives it."""
    return {node.cell: name for node, name in cell_names(formula)}


def preferred_name(op: Op) -> str:
    """The variable name that an op's value would get if no other value had it.

    A product with a cell is named for the cell's scope, ``dense``; an op of a layer's gradient for that layer,
    ``d_dense``; any other op for its primitive.
    """
    if "name" in op.attributes and not op.inputs:
        return cast("str", op.attributes["name"])
    if op.name == "result" and op.inputs[0].name == "fused":
        return preferred_name(op.inputs[0].attributes["chain"].results[op.position])
    if op.name == "stack":
        return f"all_{preferred_name(op.inputs[0])}"
    if op.name == "input":
        return "_".join(["x", *map(str, op.attributes["key"])])
    origin = origin_of(op.layer)
    if is_layer(origin):
        return f"d_{_scope_of(origin) or name_of(origin)}"
    cell = _cell_read(op)
    if cell is None:
        return op.name
    if origin is not None:  # an op of an update rule
        return str(cell.attributes["name"])
    return _innermost(cell.attributes["key"].scope) or op.name


def is_of_update(op: Op) -> bool:
    """Whether an op was lowered from the formula of an update rule."""
    origin = origin_of(op.layer)
    return origin is not None and not is_layer(origin)


def _cell_read(op: Op) -> Op | None:
    """The first operand that is a cell, or a view of one."""
    for read in op.inputs:
        while read.name in VIEWS:
            read = read.inputs[0]
        if read.name == "cell":
            return read
    return None


def _scope_of(layer: AnyLayer) -> str:
    for operand in operands_of(layer):
        if is_cell(operand) and operand.cell.scope:
            return _innermost(operand.cell.scope)
    return ""


def _innermost(scope: str) -> str:
    return scope.rpartition("/")[2]


class LayerComments:
    """The comment on each op: the layer, the gradient or the update rule it was lowered from, with its cells' names."""

    def __init__(self, names: CellNames) -> None:
        self._names = names
        self._known: dict[int, str] = {}

    def of(self, op: Op) -> str:
        """The comment on an op, always on one line: Python would run what follows a line break in a cell's name."""
        text = self._text(op)
        return text if text.isprintable() else repr(text)[1:-1]

    def _text(self, op: Op) -> str:
        layer = op.layer
        origin = origin_of(layer)
        if is_layer(origin):
            return f"gradient of {self._layer(origin)}"
        if origin is not None:
            return type(origin).__name__
        return "" if layer is None else self._layer(layer)

    def _layer(self, layer: AnyLayer) -> str:
        """The text of a layer, made once: a layer has several ops, and its gradient has others."""
        known = self._known.get(id(layer))
        if known is None:
            known = self._known[id(layer)] = named_layer(layer, self._names)
        return known


def comments_of(cells: list[Op] | tuple[Op, ...]) -> LayerComments:
    """The comments of a program that reads some cells."""
    return LayerComments({op.attributes["key"]: op.attributes["name"] for op in cells})


def named_layer(layer: AnyLayer, names: CellNames) -> str:
    """The class of a layer, and the names of the cells among its operands."""
    name = type(layer).__name__
    cells = [operand.cell for operand in operands_of(layer) if is_cell(operand)]
    found = [one for cell in cells if (one := names.get(cell) or cell.path)]
    return f"{name} {', '.join(found)}" if found else name
