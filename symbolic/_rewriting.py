"""Formulas that are rewritten: wrapped again, with specs inferred anew; and the bare layers that a function meets then.

Such a function gets bare layers, which match as case classes do. The functions of this package take them, too: while a
formula is rewritten, it is known which input they have.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from layertree._context import MISFITS
from layertree._place import here
from layertree._structure import own_children, post_order
from layertree.namespaces.spec import Inferring, branches, infer_spec
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
        raise type(error)(f"{error}" if place is None else f"{error}\n  changed at {place}") from None
    return Symbolic(layer, spec, origin)


class _Table:
    """What is known of the nodes over one input: their specs, and whether they depend on it."""

    def __init__(self, origin: Origin | None) -> None:
        self.origin = origin
        self._known: dict[int, tuple[Any, Any, bool]] = {}  # with the node itself, so that no other gets its id

    def symbolic(self, layer: Any) -> Symbolic[Any, Any]:
        """A bare layer over this input as a formula. What was seen before is not visited again."""

        def unknown(node: Any) -> tuple[Any, ...]:
            return tuple([child for child in own_children(node) if id(child) not in self._known])

        if id(layer) not in self._known:
            for node in post_order(layer, unknown):
                below = [self._known[id(child)] for child in own_children(node)]
                spec = self._spec(node, [spec for _, spec, _ in below])
                is_open = node._control == "source" or any(is_open for _, _, is_open in below)
                self._known[id(node)] = node, spec, is_open
        _, spec, is_open = self._known[id(layer)]
        return Symbolic(layer, spec, self.origin if is_open else None)

    def _spec(self, node: Any, specs: list[Any]) -> Any:
        if node._control == "source":
            return () if self.origin is None else self.origin.spec
        if node._control == "call":
            return infer_spec(node.outer, specs[0])
        if node._control == "cond":
            return branches(node, *specs)
        if node._control is None:
            return _INFERRING.apply(node, specs)
        return getattr(_INFERRING, node._control)(node, None)


_INFERRING = Inferring()


class Surroundings:
    """The inputs that the nodes of a formula have: its own, and others within the outer parts of compositions."""

    def __init__(self, formula: Any) -> None:
        self._formula = formula
        self._tables: dict[int, _Table] | None = None

    @contextmanager
    def __call__(self, node: Any) -> Generator[None]:
        """While a function looks at a node, bare layers have that node's input."""
        token = _around.set(lambda: self._table(node))
        try:
            yield
        finally:
            _around.reset(token)

    def _table(self, node: Any) -> _Table:
        if self._tables is None:
            self._tables = _tables(self._formula)
        return self._tables[id(node)]


def _tables(formula: Any) -> dict[int, _Table]:
    """The table of the first input over which each node is read, by id."""
    found: dict[int, _Table] = {}
    stack = [(formula.layer, _Table(formula.origin))]
    while stack:
        root, table = stack.pop()

        def unknown(node: Any) -> tuple[Any, ...]:
            return tuple([child for child in own_children(node) if id(child) not in found])

        if id(root) in found:
            continue
        for node in post_order(root, unknown):
            found[id(node)] = table
            if node._control == "call":
                stack.append((node.outer, _Table(Origin(table.symbolic(node.inner).spec))))
    return found


_around: ContextVar[Callable[[], _Table] | None] = ContextVar("around", default=None)


def bare(layer: Any) -> Symbolic[Any, Any] | None:
    """A bare layer as a formula, where it is met while a formula is rewritten; else None."""
    around = _around.get()
    return None if around is None else around().symbolic(layer)
