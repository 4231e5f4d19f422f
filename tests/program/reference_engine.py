"""A reference engine: interprets a graph op by op, each primitive as a function of plain NumPy that makes a new array.

Of the compiler it needs the seam alone. What has a definition in other primitives it leaves to legalization.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from layertree.core.cell import Cell
from layertree.core.nested import at_path, nested
from layertree.core.spec import WEAK_TYPES
from layertree.program.engine import Executable, Plan
from layertree.program.ir.operations import Array, Data, Graph, Op, all_ops
from tests.program.reference_primitives import FUNCTIONS

Values = dict[Op, Any]


class ReferenceEngine:
    """The engine; ``without`` are primitives that it is to lack."""

    name = "reference"

    def __init__(self, *without: str) -> None:
        self.primitives = FUNCTIONS.keys() - {*without}

    def build(self, graph: Graph, plan: Plan) -> Executable:
        if plan.limit is not None or plan.check_finite:
            raise TypeError("the reference engine knows neither a limit nor finite checks")
        return ReferenceProgram(graph, plan.destinations)


class ReferenceProgram:
    """A graph that is interpreted; it keeps nothing from one run to the next."""

    makes_new, plain_function = False, None

    def __init__(self, graph: Graph, destinations: Sequence[Op]) -> None:
        self.graph, self._destinations = graph, destinations
        self._cells, self._states = [[op for op in all_ops(graph.ops) if op.name == name] for name in ("cell", "state")]
        self.cells: list[Cell] = [op.attributes["key"] for op in self._cells]
        self.states: list[Any] = [op.attributes["key"] for op in self._states]
        self.text = str(graph)

    def frame(self) -> None:
        return None

    def run(
        self, frame: None, data: Data, weights: Sequence[Data], states: Sequence[Data], new: Sequence[Array]
    ) -> Any:
        values: Values = dict(zip([*self._cells, *self._states], [*weights, *states], strict=True))
        values.update({op: at_path(data, op.attributes["key"]) for op in self.graph.inputs()})
        with np.errstate(all="ignore"):
            _run(self.graph.ops, values)
        for array, op in zip(new, self._destinations, strict=True):
            np.copyto(array, values[op], casting="no")
        return nested(self.graph.outputs, [values[op] for op in self.graph.results()])


def _run(ops: Iterable[Op], values: Values) -> None:
    """Compute some operations in their order; of a branch the side that its condition takes."""
    for op in ops:
        inputs = [values[read] for read in op.inputs]
        if op in values:
            continue  # an input, a cell or a state
        if op.name == "constant":
            values[op] = op.attributes["data"]
        elif op.name == "cond":
            body = op.bodies[0 if inputs[0] else 1]
            _run(body.ops, values)
            values[op] = [values[result] for result in body.results]
        elif op.name == "result":
            values[op] = inputs[0][op.position]
        else:
            values[op] = _in_kind(FUNCTIONS[op.name](op, *inputs), op)


def _in_kind(value: Data, op: Op) -> Data:
    """A value in the kind of its spec: a Python number, a NumPy scalar or an array. The shape has to be the spec's."""
    array = np.asarray(value)
    assert array.shape == op.shape, f"{op!r}: {array.shape}"
    return WEAK_TYPES[op.dtype](array) if op.is_weak else array.astype(op.dtype, copy=False)[()]
