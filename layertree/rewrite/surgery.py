"""Surgery: formulas made from a formula by replacing selected nodes. Nothing is edited, and sharing is kept.

The result of surgery on a Symbolic is a Symbolic of the same input, whose spec is inferred anew: a node that does not
fit is an error that names the operation, and the line of the change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, overload

from layertree.core.brief import brief_formula
from layertree.core.fields import lift
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_layer
from layertree.core.paths import Path, Pattern, end_of, follow
from layertree.core.structure import children_of, own_children, post_order, rebuild, transform
from layertree.rewrite.selection import Edge, Selector, find, select, unknown

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

Change: TypeAlias = Callable[[Any], object]
"""A function of a node, a layer of any class, to a layer, a formula or a value."""


class Rewritable(Protocol[R_co]):
    """A formula, bare or wrapped, from which rewriting makes a formula of the same kind."""

    def __layer__(self) -> AnyLayer:
        """The layer."""
        ...

    def with_layer(self, layer: AnyLayer, given: Sequence[Any] = ..., /) -> R_co:
        """The same wrapper around another layer; ``given`` are the formulas that the new layer contains."""
        ...

    def surroundings(self) -> Callable[[AnyLayer], AbstractContextManager[object]]:
        """A context manager for each node, in which a rewriting function runs on the node."""
        ...


def map_layers(layer: Rewritable[R], function: Change) -> R:
    """The formula with each distinct node replaced by ``function(node)``, bottom up.

    The function receives a node over its new operands, and returns the node, or a layer, a formula or a value as the
    replacement. The function is called once for each distinct node: shared nodes stay shared.

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
def replace(layer: Rewritable[R], where: Selector, new: Change) -> R: ...
@overload
def replace(layer: Rewritable[R], where: Selector, new: object) -> R: ...
def replace(layer: Rewritable[R], where: Selector, new: object) -> R:
    """The formula with the nodes that ``where`` selects, as in ``find``, replaced.

    ``new`` is a layer, a formula or a value, or a function (a layer class is one), which receives the node over its new
    operands.

    >>> from layertree import Cos, Identity, Plus, Sin, StopGradient, Times
    >>> formula = Plus(Sin(Identity()), Times(Sin(Identity()), 2.0))
    >>> replace(formula, Sin, lambda node: Cos(node.operand))
    Plus(Cos(Identity()), Times(Cos(Identity()), Literal(2.0)))
    >>> replace(formula, "operand2/operand2", 3.0).operand2
    Times(Sin(Identity()), Literal(3.0))
    >>> replace(formula, "operand1", StopGradient).operand1
    StopGradient(Sin(Identity()))

    Raises UnknownPathError for a path, a pattern or a sub-formula that the formula does not have.
    """
    root = layer.__layer__()
    selected = select(root, where, required=True)
    change = _Change(layer, new)
    results: dict[int, AnyLayer] = {}
    for node in post_order(root):
        children = [
            change(child, child) if (id(node), i) in selected.edges else results[id(child)]
            for i, child in enumerate(children_of(node))
        ]
        rebuilt: AnyLayer = rebuild(node, tuple(children))
        results[id(node)] = change(node, rebuilt) if id(node) in selected.nodes else rebuilt
    return layer.with_layer(results[id(root)], change.given)


class _Change:
    """The replacement of nodes: one layer for all of them, or a function of each."""

    def __init__(self, formula: Rewritable[object], new: object) -> None:
        self._root = formula.__layer__()
        self._surroundings = formula.surroundings()
        self._new = new
        self.__function__: Change | None = new if callable(new) and not is_layer(new) else None
        self._layer: AnyLayer | None = None if self.__function__ is not None else lift(new)
        self._own: set[int] | None = None
        self._given: dict[int, AnyLayer] = {}

    @property
    def given(self) -> list[AnyLayer]:
        """The formulas among the replacements whose input is the formula's own input."""
        return list(self._given.values())

    def __call__(self, node: AnyLayer, rebuilt: AnyLayer) -> AnyLayer:
        """The replacement of a node, given the node over its new operands."""
        made = self._new
        if self.__function__ is not None:
            with self._surroundings(node):
                made = self.__function__(rebuilt)
            if made is None:
                raise TypeError(
                    f"the function of {brief_formula(rebuilt)} returned None: return the node itself to keep it"
                )
        if made is rebuilt:
            return rebuilt
        new: AnyLayer = lift(made) if self._layer is None else self._layer
        if new is not made and is_layer(made) and self._is_own(node):
            self._given[id(made)] = made
        return new

    def _is_own(self, node: AnyLayer) -> bool:
        """Whether the input of a node is the formula's own input, not that of the outer part of a Compose."""
        if self._own is None:
            self._own = {id(one) for one in post_order(self._root, own_children)}
        return id(node) in self._own


class At(Generic[R]):
    """Selected nodes of a formula, to read or to replace: ``formula.at("operand1/kernel").set(...)``."""

    def __init__(self, formula: Rewritable[R], where: Selector) -> None:
        self._formula = formula
        self._where = where

    def __repr__(self) -> str:
        return f"<At {self._where!r} of {brief_formula(self._formula.__layer__())}>"

    @property
    def nodes(self) -> tuple[Any, ...]:
        """The distinct selected nodes; none where a pattern matches nothing."""
        return find(self._formula.__layer__(), self._where)

    def get(self) -> Any:
        """The one selected node; ValueError where there are several, or none."""
        found = self.nodes
        if len(found) != 1:
            raise ValueError(f"one node is wanted, and {self._where!r} means {len(found)}: see .nodes")
        return found[0]

    def set(self, new: object, *, only_here: bool = False) -> R:
        """The formula with the selected nodes replaced by a layer, a formula or a value.

        A shared node is replaced for all of its users. With ``only_here`` it is replaced at the one position of a path;
        nodes that are not on the path stay shared.

        >>> from layertree import Identity, Plus, Sin, Times
        >>> shared = Sin(Identity())
        >>> Times(shared, Plus(shared, 1.0)).at("operand1").set(2.0)
        Times(Literal(2.0), Plus(Literal(2.0), Literal(1.0)))
        >>> Times(shared, Plus(shared, 1.0)).at("operand1").set(2.0, only_here=True)
        Times(Literal(2.0), Plus(Sin(Identity()), Literal(1.0)))
        """
        # ``_changed`` would apply a function to each node; as an argument of ``set`` a function is a mistake.
        if callable(new) and not is_layer(new):
            raise TypeError(f"set({new!r}) is not allowed: give a layer, a formula or a value; apply takes a function")
        return self._changed(new, only_here)

    def apply(self, function: Change, *, only_here: bool = False) -> R:
        """The formula with each selected node replaced by ``function(node)``; a formula is a function of its input.

        >>> from layertree import Identity, Sin, StopGradient
        >>> Sin(Identity()).at("operand").apply(StopGradient)
        Sin(StopGradient(Identity()))
        """
        if not callable(function):
            raise TypeError(f"apply({function!r}) is not allowed: give a function of the node; set takes a layer")

        def applied(node: AnyLayer) -> object:  # a formula is callable, too: the call composes it with the node
            return function(node)

        return self._changed(applied, only_here)

    def _changed(self, new: object, only_here: bool) -> R:
        if not only_here:
            return replace(self._formula, self._where, new)
        root = self._formula.__layer__()
        edges = edges_to(root, self._where)
        change = _Change(self._formula, new)
        node: AnyLayer = end_of(root, edges)
        result = change(node, node)
        for parent, position in reversed(edges):
            children = list(children_of(parent))
            children[position] = result
            result = rebuild(parent, tuple(children))
        return self._formula.with_layer(result, change.given)


def at(layer: Rewritable[R], where: Selector) -> At[R]:
    """Selected nodes of a formula, as in ``find``, to read or to replace; also a method of formulas.

    >>> from layertree import Exp, Identity, Plus, Times
    >>> formula = Times(Plus(1.0, Identity()), Exp(Identity()))
    >>> at(formula, "operand1/operand1").set(2.0)
    Times(Plus(Literal(2.0), Identity()), Exp(Identity()))
    """
    return At(layer, where)


def edges_to(root: AnyLayer, where: object) -> list[Edge]:
    """The edges from the root to the one selected node: along the path that selects it, else along its first path.

    Raises UnknownPathError where no node is selected, ValueError where several are.
    """
    if isinstance(where, (str, Path)) and not (pattern := Pattern(str(where))).is_wild:
        edges, rest = follow(root, tuple(pattern.segments))
        if not rest:
            return edges
    selector: Any = where
    found = find(root, selector)
    if len(found) != 1:
        if not found:
            raise unknown(root, where)
        raise ValueError(f"one node is wanted, and {where!r} means {len(found)}")
    return _first_path(root, found[0])


def _first_path(root: AnyLayer, node: AnyLayer) -> list[Edge]:
    """The edges along the first path to a node in depth-first order."""
    above: dict[int, Edge | None] = {}
    stack: list[tuple[AnyLayer, Edge | None]] = [(root, None)]
    while stack:
        one, edge = stack.pop()
        if id(one) in above:
            continue
        above[id(one)] = edge
        if one is node:
            break
        stack.extend([(child, (one, i)) for i, child in enumerate(children_of(one))][::-1])
    edges: list[Edge] = []
    edge = above[id(node)]
    while edge is not None:
        edges.append(edge)
        edge = above[id(edge[0])]
    return edges[::-1]
