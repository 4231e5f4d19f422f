"""Lowering: a simplified formula read in the record namespace becomes a list of primitives."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from layertree.core.errors import DTypeError
from layertree.core.nested import flat, nested, paths
from layertree.core.spec import spec_of
from layertree.namespaces.spec import branches
from layertree.program._ops import Body, Graph
from layertree.program.names import names_of_cells
from layertree.program.record import Record
from layertree.sweep.reading import Demand, Hoist, Reading, Request, unchanged
from layertree.sweep.sweep import sweep


def lower(
    root: Any, spec: Any, states: Mapping[Any, Any] | None = None, names: Mapping[Any, str] | None = None
) -> Graph:
    """The program of a formula whose value is a tuple of outputs, for an input of a spec whose sizes are known.

    ``states`` says which part of which cell's rule state each free variable stands for, ``names`` what cells are
    called in the source: as ``named_cells`` calls them, unless given.

    >>> from layertree import Identity, Plus, Tuple
    >>> lower(Tuple((Plus(Identity(), 1.0),)), spec_of(2.0)).ops
    [<input float>, <constant float>, <add float>]
    """
    record = Record()
    names = names_of_cells(root) if names is None else names
    source = nested(spec, [record.leaf("input", path, part) for path, part in paths(spec)])
    outputs = sweep(root, source, Lowering(record, states or {}, names))
    return Graph(record.ops, source, outputs)


class Lowering(Reading[Any]):
    """The reading whose results are operations of a program."""

    def __init__(self, record: Record, states: Mapping[Any, Any], names: Mapping[Any, str]) -> None:
        self._record = record
        self._states = states
        self._names = names

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        """An operation as the primitives that its ``compute`` asks for."""
        if node.__has_tape__:
            raise DTypeError(f"{type(node).__name__} makes a tape of its own, so it runs, but does not compile")
        self._record.layer = node
        return node.compute(self._record, *inputs)

    def constant(self, node: Any, context: Any) -> Any:
        """A Literal's data, or a tuple of them."""
        return nested(node.data, map(self._record.constant, flat(node.data)))

    def cell(self, node: Any, context: Any) -> Any:
        """The value of a cell."""
        cell = node.cell
        leaf = self._record.leaf("cell", cell, spec_of(cell.value))
        leaf.attributes["name"] = self._names.get(cell) or cell.path or "weight"
        return leaf

    def free(self, node: Any, context: Any) -> Any:
        """A part of what a rule has: values as one array, then parts of its state; or a delta that is given."""
        key = self._states[node]
        leaf = self._record.leaf("state", key, node.spec)
        leaf.attributes["name"] = "delta" if isinstance(key, int) else "state" if key[1] else "value"
        return leaf

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Demand, Any, Any]:
        """A branch, each side recorded in a list of its own."""
        yield Hoist(node)
        bodies: list[Body] = []
        specs: list[Any] = []
        for layer in (node.then, node.otherwise):
            self._record.open()
            # A context of its own: what one side computes the other one does not have.
            value = yield Request(layer, source, object(), unchanged)
            bodies.append(Body(self._record.close(), tuple(flat(value))))
            specs.append(nested(value, [op.spec for op in flat(value)]))
        self._record.layer = node
        spec = branches(node, inputs[0].spec, *specs)
        return self._record.branch(inputs[0], (bodies[0], bodies[1]), spec)

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        """The outer formula over the inner one's value."""
        return (yield Request(node.outer, inputs[0], context))
