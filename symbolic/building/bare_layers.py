"""Bare layers as formulas, while a function rewrites the formula that they are part of.

A rewriting function gets bare layers, since these match patterns as case classes do. The functions of this package
take them as operands, too: a context variable holds the specs of the formula that is being rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from layertree.core.structure import own_children, post_order
from layertree.namespaces.spec import branches, infer, infer_spec
from layertree.sweep.reading import Demands, Reading, Request
from layertree.sweep.sweep import sweep
from symbolic.core.origin import Origin, input_spec
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from layertree import Compose
    from layertree.layers.control import If
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer, Spec

    AnyIf: TypeAlias = If[Any, Any, Any]
    AnyCompose: TypeAlias = Compose[Any, Any]

__all__ = ["Surroundings", "formula_of_bare_layer"]


class _Inferred(NamedTuple):
    """The inferred properties of a node over an input."""

    spec: Spec
    is_open: bool
    """Whether the node depends on the input."""
    table: _Table
    """The table of that input."""


class _Table:
    """The inferred properties of the nodes over one input. Each node is kept, so that its id stays its own."""

    def __init__(self, origin: Origin | None) -> None:
        self.origin = origin
        self.source = _Inferred(input_spec(origin), True, self)
        self._inferred: dict[int, tuple[AnyLayer, _Inferred]] = {}

    def note(self, node: AnyLayer, spec: Spec, operands: Sequence[_Inferred]) -> _Inferred:
        """Keep the spec of a node over some operands."""
        inferred = _Inferred(spec, any(operand.is_open for operand in operands), self)
        self._inferred[id(node)] = node, inferred
        return inferred

    def formula(self, layer: AnyLayer) -> AnyFormula:
        """A bare layer over this input as a formula. Nodes in the table are not visited again."""
        if id(layer) not in self._inferred:
            for node in post_order(layer, self._unknown_children):
                self._infer(node)
        inferred = self._inferred[id(layer)][1]
        return Symbolic(layer, inferred.spec, self.origin if inferred.is_open else None)

    def _unknown_children(self, node: AnyLayer) -> tuple[AnyLayer, ...]:
        return tuple([child for child in own_children(node) if id(child) not in self._inferred])

    def _infer(self, node: Any) -> None:  # the attributes depend on the class of the node
        """Infer the spec of a node from those of its children."""
        operands = [self._inferred[id(child)][1] for child in own_children(node)]
        if node.__control__ == "source":
            self._inferred[id(node)] = node, self.source
        elif node.__control__ == "call":
            self.note(node, infer_spec(node.outer, operands[0].spec), operands)
        elif node.__control__ == "cond":
            self.note(node, branches(node, *[operand.spec for operand in operands]), operands)
        elif node.__control__ is None:
            self.note(node, infer(node, [operand.spec for operand in operands]), operands)
        else:
            self.note(node, infer_spec(node, ()), ())


class _Recording(Reading[_Inferred]):
    """The reading of a sweep that fills one table for each input."""

    def __init__(self, table: _Table) -> None:
        self._own = table
        self._tables: dict[int, tuple[_Inferred, _Table]] = {}
        self.first: dict[int, _Table] = {}
        """By the id of a node, the table of the first input over which the sweep reads the node."""

    def _note(self, node: AnyLayer, spec: Spec, operands: Sequence[_Inferred], table: _Table) -> _Inferred:
        self.first.setdefault(id(node), table)
        return table.note(node, spec, operands)

    def apply(self, node: AnyLayer, inputs: list[_Inferred]) -> _Inferred:
        table = inputs[0].table if inputs else self._own
        return self._note(node, infer(node, [one.spec for one in inputs]), inputs, table)

    def constant(self, node: AnyLayer, context: _Table | None) -> _Inferred:
        return self._note(node, infer_spec(node, ()), (), context or self._own)

    cell = free = constant

    def choose(self, node: AnyIf, condition: _Inferred, then: _Inferred, otherwise: _Inferred) -> _Inferred:
        parts = [condition, then, otherwise]
        return self._note(node, branches(node, *[one.spec for one in parts]), parts, condition.table)

    def call(
        self, node: AnyCompose, inputs: list[_Inferred], source: _Inferred, context: _Table | None
    ) -> Demands[_Inferred]:
        inner = inputs[0]
        _, table = self._tables.setdefault(id(inner), (inner, _Table(Origin(inner.spec))))
        outer = yield Request(node.outer, table.source, table)
        return self._note(node, outer.spec, inputs, inner.table)


class Surroundings:
    """The inputs of the nodes of a formula: that of the formula, and those within the outer parts of compositions."""

    def __init__(self, formula: AnyFormula) -> None:
        self._formula = formula
        self._own = _Table(formula.origin)
        self._tables: dict[int, _Table] | None = None

    @contextmanager
    def __call__(self, node: AnyLayer) -> Generator[None]:
        """While a function reads a node, bare layers have the input of that node."""
        before = _table_in_context.get()
        try:  # an interrupt may come between any two instructions, so the change is made inside
            _table_in_context.set(lambda: self._table(node))
            yield
        finally:
            _table_in_context.set(before)

    def _table(self, node: AnyLayer) -> _Table:
        if self._tables is None:
            reading = _Recording(self._own)
            sweep(self._formula.layer, self._own.source, reading)
            self._tables = reading.first
        return self._tables.get(id(node), self._own)


_table_in_context: ContextVar[Callable[[], _Table] | None] = ContextVar("table_in_context", default=None)


def formula_of_bare_layer(layer: AnyLayer) -> AnyFormula | None:
    """A bare layer as a formula, within a function that rewrites a formula; elsewhere None."""
    table = _table_in_context.get()
    return None if table is None else table().formula(layer)
