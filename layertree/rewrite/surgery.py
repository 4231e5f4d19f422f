"""Formulas out of formulas: nodes replaced, where they are meant. Nothing is edited, and sharing is kept.

What is given as a Symbolic comes back as one of the same input, with its spec inferred anew: what does not fit is an
error that names the operation, and the line of the change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar, overload

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.fields import lift
from layertree.core.layer import Layer
from layertree.core.paths import Path, Pattern, end_of, follow
from layertree.core.structure import children_of, own_children, post_order, rebuild, transform
from layertree.rewrite.selection import Where, find, select, unknown

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

Change = Callable[[Any], Any]


class Rewritable(Protocol[R_co]):
    """A formula, bare or wrapped: what becomes of it when its layer is another one."""

    def __layer__(self) -> Layer[Any, Any]:
        """The layer."""
        ...

    def with_layer(self, layer: Any, given: Sequence[Any] = ..., /) -> R_co:
        """The same around another layer, made with some given formulas."""
        ...

    def surroundings(self) -> Any:
        """A context for each node that a function gets."""
        ...


def map_layers(layer: Rewritable[R], function: Change) -> R:
    """The formula with ``function(node)`` in the place of each distinct node, bottom up.

    The function sees a node over its new operands, and returns it, or a layer, a formula or a value that takes its
    place. It is called once for each distinct node: what was shared stays shared.

    >>> from layertree import Cos, Exp, Identity, Plus, Sin
    >>> def swap(node):
    ...     match node:
    ...         case Sin(operand):
    ...             return Cos(operand)
    ...     return node
    >>> map_layers(Plus(Sin(Identity()), Exp(Sin(1.0))), swap)
    Plus(Cos(Identity()), Exp(Cos(Literal(1.0))))

    Raises TypeError for a function that returns None.
    """
    root = layer.__layer__()
    change = _Change(layer, function)
    made = transform(root, lambda node, children: change(node, rebuild(node, children)))
    return layer.with_layer(made, change.given)


@overload
def replace(layer: Rewritable[R], where: Where, new: Change) -> R: ...
@overload
def replace(layer: Rewritable[R], where: Where, new: Any) -> R: ...
def replace(layer: Rewritable[R], where: Where, new: Any) -> R:
    """The formula with other nodes in the place of those that are meant, as ``find`` finds them.

    ``new`` is a layer, a formula or a value, or a function of the node (a layer class is one), which sees it over its
    new operands.

    >>> from layertree import Cos, Identity, Plus, Sin, StopGradient, Times
    >>> formula = Plus(Sin(Identity()), Times(Sin(Identity()), 2.0))
    >>> replace(formula, Sin, lambda node: Cos(node.operand))
    Plus(Cos(Identity()), Times(Cos(Identity()), Literal(2.0)))
    >>> replace(formula, "operand2/operand2", 3.0).operand2
    Times(Sin(Identity()), Literal(3.0))
    >>> replace(formula, "operand1", StopGradient).operand1
    StopGradient(Sin(Identity()))

    Raises UnknownPathError where a path, a pattern or a sub-formula is not there.
    """
    root = layer.__layer__()
    chosen = select(root, where, required=True)
    change = _Change(layer, new)
    made: dict[int, Any] = {}
    for node in post_order(root):
        below = children_of(node)
        children = [
            change(child, child) if (id(node), i) in chosen.edges else made[id(child)] for i, child in enumerate(below)
        ]
        over = rebuild(node, tuple(children))
        made[id(node)] = change(node, over) if id(node) in chosen.nodes else over
    return layer.with_layer(made[id(root)], change.given)


class _Change:
    """What takes the place of a node: one layer for all, or what a function makes of each."""

    def __init__(self, formula: Any, new: Any) -> None:
        self._root = formula.__layer__()
        self._around = formula.surroundings()
        self._new = new
        self._is_function = callable(new) and not is_a(new, Layer)
        self._layer = None if self._is_function else lift(new)
        self._own: set[int] | None = None
        self._given: dict[int, Any] = {}

    @property
    def given(self) -> list[Any]:
        """The formulas that took the place of nodes which have the formula's own input."""
        return list(self._given.values())

    def __call__(self, node: Any, over: Any) -> Any:
        """The new layer for a node, which is now over other operands."""
        made: Any = self._new
        if self._is_function:
            with self._around(node):
                made = made(over)
            if made is None:
                raise TypeError(
                    f"the function of {brief_formula(over)} returned None: return the node itself to keep it"
                )
        if made is over:
            return over
        new = lift(made) if self._layer is None else self._layer
        if new is not made and is_a(made, Layer) and self._is_own(node):
            self._given[id(made)] = made
        return new

    def _is_own(self, node: Any) -> bool:
        """Whether a node is read over the formula's own input, and not only within the outer part of a composition."""
        if self._own is None:
            self._own = {id(one) for one in post_order(self._root, own_children)}
        return id(node) in self._own


class At(Generic[R]):
    """Some nodes of a formula, to look at or to change: ``formula.at("operand1/kernel").set(...)``."""

    def __init__(self, formula: Rewritable[R], where: Where) -> None:
        self._formula = formula
        self._where = where

    @property
    def nodes(self) -> tuple[Any, ...]:
        """The distinct nodes that are meant; none where a pattern matches nothing."""
        return find(self._formula, self._where)

    def get(self) -> Any:
        """The one node that is meant; ValueError where there are several, or none."""
        found = self.nodes
        if len(found) != 1:
            raise ValueError(f"one node is wanted, and {self._where!r} means {len(found)}: see .nodes")
        return found[0]

    def set(self, new: Any, *, only_here: bool = False) -> R:
        """The formula with another layer, formula or value there.

        A node that several others use changes for all of them; ``only_here`` changes the one place of a path, and all
        that is not on the way there stays shared.

        >>> from layertree import Identity, Plus, Sin, Times
        >>> shared = Sin(Identity())
        >>> Times(shared, Plus(shared, 1.0)).at("operand1").set(2.0)
        Times(Literal(2.0), Plus(Literal(2.0), Literal(1.0)))
        >>> Times(shared, Plus(shared, 1.0)).at("operand1").set(2.0, only_here=True)
        Times(Literal(2.0), Plus(Sin(Identity()), Literal(1.0)))
        """
        # A function is no layer, so it would be applied; here it is a mistake.
        if callable(new) and not isinstance(new, Layer):
            raise TypeError(f"set({new!r}) is not allowed: give a layer, a formula or a value; apply takes a function")
        return self._changed(new, only_here)

    def apply(self, function: Change, *, only_here: bool = False) -> R:
        """The formula with ``function(node)`` there; a formula is a function of its input.

        >>> from layertree import Identity, Sin, StopGradient
        >>> Sin(Identity()).at("operand").apply(StopGradient)
        Sin(StopGradient(Identity()))
        """
        if not callable(function):
            raise TypeError(f"apply({function!r}) is not allowed: give a function of the node; set takes a layer")

        def applied(node: Any) -> Any:  # a formula is a function, too: it is composed with the node
            return function(node)

        return self._changed(applied, only_here)

    def _changed(self, new: Any, only_here: bool) -> R:
        if not only_here:
            return replace(self._formula, self._where, new)
        root = self._formula.__layer__()
        edges = way_to(root, self._where)
        change = _Change(self._formula, new)
        node = end_of(root, edges)
        made = change(node, node)
        for parent, position in reversed(edges):
            children = list(children_of(parent))
            children[position] = made
            made = rebuild(parent, tuple(children))
        return self._formula.with_layer(made, change.given)


def at(layer: Rewritable[R], where: Where) -> At[R]:
    """The nodes of a formula that are meant, as ``find`` finds them, to look at or to change; a method, too.

    >>> from layertree import Exp, Identity, Plus, Times
    >>> formula = Times(Plus(1.0, Identity()), Exp(Identity()))
    >>> at(formula, "operand1/operand1").set(2.0)
    Times(Plus(Literal(2.0), Identity()), Exp(Identity()))
    """
    return At(layer, where)


def way_to(root: Any, where: Any) -> list[tuple[Any, int]]:
    """The edges to the one node that is meant: along its path, else along its first way."""
    if isinstance(where, (str, Path)) and not (pattern := Pattern(str(where))).is_wild:
        edges, rest = follow(root, tuple(pattern.segments))
        if not rest:
            return edges
    found = find(root, where)
    if len(found) != 1:
        if not found:
            raise unknown(root, where)
        raise ValueError(f"one node is wanted, and {where!r} means {len(found)}")
    return _first_way(root, found[0])


def _first_way(root: Any, node: Any) -> list[tuple[Any, int]]:
    """The edges along the first way to a node."""
    above: dict[int, tuple[Any, int] | None] = {}
    stack: list[tuple[Any, tuple[Any, int] | None]] = [(root, None)]
    while stack:
        one, edge = stack.pop()
        if id(one) in above:
            continue
        above[id(one)] = edge
        if one is node:
            break
        stack.extend([(child, (one, i)) for i, child in enumerate(children_of(one))][::-1])
    edges: list[tuple[Any, int]] = []
    edge = above[id(node)]
    while edge is not None:
        edges.append(edge)
        edge = above[id(edge[0])]
    return edges[::-1]
