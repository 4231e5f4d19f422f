"""Pruning: a formula of some outputs of another one, without dead code."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from layertree.core.dynamic import is_a
from layertree.core.identity import Compose
from layertree.core.layer import AnyLayer
from layertree.core.paths import end_of, is_outer
from layertree.core.structure import children_of, rebuild, transform
from layertree.layers.structure import Item, Tuple
from layertree.rewrite.selection import unknown
from layertree.rewrite.surgery import Rewritable, edges_to

R = TypeVar("R")


@overload
def prune(layer: Rewritable[R], outputs: None = ...) -> R: ...
@overload
def prune(layer: Rewritable[Any], outputs: object) -> Any: ...
def prune(layer: Rewritable[Any], outputs: Any = None) -> Any:
    """The formula of some outputs alone, without nodes that no output depends on.

    An output is a position in a tuple formula, or a node: a path or anything else that ``find`` takes and that selects
    one node, whose value becomes the output. A list of outputs gives a tuple formula. Without ``outputs`` the formula
    keeps its outputs, and loses only parts of inner tuples that no node takes.

    >>> from layertree import Exp, Identity, Plus, Sin, Tuple
    >>> formula = Tuple((Sin(Identity()), Plus(Exp(Identity()), 1.0)))
    >>> prune(formula, 1), prune(formula, ["operands/1/operand1", 0])
    (Plus(Exp(Identity()), Literal(1.0)), Tuple((Exp(Identity()), Sin(Identity()))))

    Raises UnknownPathError for an output that the formula does not have.
    """
    root = layer.__layer__()
    picked: AnyLayer
    if outputs is None:
        picked = root
    elif is_a(outputs, (list, tuple)):
        picked = Tuple(tuple([_output(root, one) for one in outputs]))
    else:
        picked = _output(root, outputs)
    return layer.with_layer(transform(picked, _without_unused))


def _output(root: AnyLayer, where: object) -> AnyLayer:
    """An output as a formula of the same input; a node within the outer part of a Compose is composed again."""
    if isinstance(where, int) and not is_a(where, bool):
        return Item(root, where)
    edges = edges_to(root, where)
    picked: AnyLayer = end_of(root, edges)
    for parent, position in reversed(edges):
        if is_outer(parent, position):
            picked = Compose(picked, parent.inner)
    return picked


def _without_unused(node: AnyLayer, children: tuple[AnyLayer, ...]) -> AnyLayer:
    """A node over pruned children; an Item of a Tuple becomes the part of the Tuple."""
    rebuilt: Any = rebuild(node, children)
    return _part(rebuilt, rebuilt.position) if is_a(rebuilt, Item) else rebuilt


def _part(item: AnyLayer, position: int) -> AnyLayer:
    """The part of a tuple that an Item takes, also where the tuple is the outer part of a Compose."""
    compositions: list[AnyLayer] = []
    whole: AnyLayer = children_of(item)[0]
    while whole.__control__ == "call":
        compositions.append(whole)
        whole = children_of(whole)[-1]
    if whole.__function__ != "tuple":
        return item
    parts = children_of(whole)
    if not position < len(parts):
        raise unknown(whole, f"operands/{position}")
    part: AnyLayer = parts[position]
    for compose in reversed(compositions):
        part = rebuild(compose, (*children_of(compose)[:-1], part))
    return part
