"""Formulas that are rewritten: wrapped again, with specs inferred anew; and the bare layers that a function meets then.

Such a function gets bare layers, which match as case classes do. The functions of this package take them, too: while a
formula is rewritten, it is known which input they have.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from layertree.core.diagnostics import MISFITS
from layertree.core.source_location import SourceLocation, here
from layertree.core.structure import own_children, post_order
from layertree.namespaces.spec import branches, infer, infer_spec
from layertree.sweep.reading import Reading, Request
from layertree.sweep.sweep import sweep
from symbolic._symbolic import Origin, Symbolic

__all__ = ["Surroundings", "bare", "rewritten"]


def rewritten(formula: Any, layer: Any, given: Sequence[Any]) -> Any:
    """A formula around another layer. What does not fit there is an error with the line of the change."""
    from symbolic._build import one_origin

    if layer is formula.layer:
        return formula
    origin = one_origin(layer, [formula, *[one for one in given if isinstance(one, Symbolic)]])
    try:
        spec = infer_spec(layer, () if origin is None else origin.spec)
    except MISFITS as error:
        place = here()
        made = type(error)(f"{error}" if place is None else f"{error}\n  changed at {SourceLocation(*place)}")
        for note in getattr(error, "__notes__", ()):
            made.add_note(note)
        raise made from None
    return Symbolic(layer, spec, origin)


class _Known(NamedTuple):
    """What is known of a node over an input: its spec, whether it depends on the input, and the table of that input."""

    spec: Any
    is_open: bool
    table: _Table


class _Table:
    """What is known of the nodes over one input. A node is kept with it, so that no other gets its id."""

    def __init__(self, origin: Origin | None) -> None:
        self.origin = origin
        self.source = _Known(() if origin is None else origin.spec, True, self)
        self._known: dict[int, tuple[Any, _Known]] = {}

    def note(self, node: Any, spec: Any, operands: Sequence[_Known]) -> _Known:
        """Keep what was found out about a node."""
        known = _Known(spec, any(operand.is_open for operand in operands), self)
        self._known[id(node)] = node, known
        return known

    def symbolic(self, layer: Any) -> Symbolic[Any, Any]:
        """A bare layer over this input as a formula. What was seen before is not visited again."""
        if id(layer) not in self._known:
            for node in post_order(layer, self._unknown):
                self._infer(node)
        known = self._known[id(layer)][1]
        return Symbolic(layer, known.spec, self.origin if known.is_open else None)

    def _unknown(self, node: Any) -> tuple[Any, ...]:
        return tuple([child for child in own_children(node) if id(child) not in self._known])

    def _infer(self, node: Any) -> None:
        """Find out about a node from what is known of its children."""
        operands = [self._known[id(child)][1] for child in own_children(node)]
        if node.__control__ == "source":
            self._known[id(node)] = node, self.source
        elif node.__control__ == "call":
            self.note(node, infer_spec(node.outer, operands[0].spec), operands)
        elif node.__control__ == "cond":
            self.note(node, branches(node, *[operand.spec for operand in operands]), operands)
        elif node.__control__ is None:
            self.note(node, infer(node, [operand.spec for operand in operands]), operands)
        else:
            self.note(node, infer_spec(node, ()), ())


class _Recording(Reading[_Known]):
    """The reading that fills a table for each input."""

    def __init__(self, table: _Table) -> None:
        self._own = table
        self._tables: dict[int, tuple[_Known, _Table]] = {}
        self.first: dict[int, _Table] = {}
        """The table of the first input over which a node is read, by id."""

    def _note(self, node: Any, spec: Any, operands: Sequence[_Known], table: _Table) -> _Known:
        self.first.setdefault(id(node), table)
        return table.note(node, spec, operands)

    def apply(self, node: Any, inputs: list[_Known]) -> _Known:
        table = inputs[0].table if inputs else self._own
        return self._note(node, infer(node, [known.spec for known in inputs]), inputs, table)

    def constant(self, node: Any, context: Any) -> _Known:
        return self._note(node, infer_spec(node, ()), (), context or self._own)

    cell = free = constant

    def cond(self, node: Any, inputs: list[_Known], source: Any, context: Any) -> Generator[Request, Any, _Known]:
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        parts = [inputs[0], then, otherwise]
        return self._note(node, branches(node, *[known.spec for known in parts]), parts, inputs[0].table)

    def call(self, node: Any, inputs: list[_Known], source: Any, context: Any) -> Generator[Request, Any, _Known]:
        inner = inputs[0]
        _, table = self._tables.setdefault(id(inner), (inner, _Table(Origin(inner.spec))))
        outer = yield Request(node.outer, table.source, table)
        return self._note(node, outer.spec, inputs, inner.table)


class Surroundings:
    """The inputs that the nodes of a formula have: its own, and others within the outer parts of compositions."""

    def __init__(self, formula: Any) -> None:
        self._formula = formula
        self._own = _Table(formula.origin)
        self._tables: dict[int, _Table] | None = None

    @contextmanager
    def __call__(self, node: Any) -> Generator[None]:
        """While a function looks at a node, bare layers have that node's input."""
        before = _around.get()
        try:  # an interrupt may arrive between any two instructions, so not after the change
            _around.set(lambda: self._table(node))
            yield
        finally:
            _around.set(before)

    def _table(self, node: Any) -> _Table:
        if self._tables is None:
            reading = _Recording(self._own)
            sweep(self._formula.layer, self._own.source, reading)
            self._tables = reading.first
        return self._tables.get(id(node), self._own)


_around: ContextVar[Callable[[], _Table] | None] = ContextVar("around", default=None)


def bare(layer: Any) -> Symbolic[Any, Any] | None:
    """A bare layer as a formula, where it is met while a formula is rewritten; else None."""
    around = _around.get()
    return None if around is None else around().symbolic(layer)
