"""Outputs picked out of a formula, without what they do not need."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from layertree.core.dynamic import is_a
from layertree.core.identity import Compose
from layertree.core.paths import end_of, is_outer
from layertree.core.structure import rebuild, transform
from layertree.rewrite.selection import unknown
from layertree.rewrite.surgery import Rewritable, way_to

R = TypeVar("R")


@overload
def prune(layer: Rewritable[R], outputs: None = ...) -> R: ...
@overload
def prune(layer: Rewritable[Any], outputs: Any) -> Any: ...
def prune(layer: Any, outputs: Any = None) -> Any:
    """The formula of some outputs alone, without what they do not need.

    ``outputs`` is a position in a tuple formula, or where a node is: a path or anything else that ``find`` takes and
    that means one node, whose value then is the output. A list of these gives a tuple formula. Without ``outputs`` the
    formula stays, but for parts of tuples that nobody takes.

    >>> from layertree import Exp, Identity, Plus, Sin, Tuple
    >>> formula = Tuple((Sin(Identity()), Plus(Exp(Identity()), 1.0)))
    >>> prune(formula, 1), prune(formula, ["operands/1/operand1", 0])
    (Plus(Exp(Identity()), Literal(1.0)), Tuple((Exp(Identity()), Sin(Identity()))))

    Raises UnknownPathError for what is not there.
    """
    root = layer.__layer__()
    if outputs is None:
        picked = root
    elif is_a(outputs, (list, tuple)):
        picked = _tuple([_output(root, one) for one in outputs])
    else:
        picked = _output(root, outputs)
    return layer.with_layer(transform(picked, _without_unused))


def _tuple(parts: list[Any]) -> Any:
    from layertree.layers.structure import Tuple

    made: Any = Tuple(tuple(parts))
    return made


def _output(root: Any, where: Any) -> Any:
    """A node of the formula as a formula of its input: within the outer part of a composition, composed again."""
    from layertree.layers.structure import Item

    if is_a(where, int) and not is_a(where, bool):
        made: Any = Item(root, where)
        return made
    edges = way_to(root, where)
    picked = end_of(root, edges)
    for parent, position in reversed(edges):
        if is_outer(parent, position):
            picked = Compose(picked, parent.inner)
    return picked


def _without_unused(node: Any, children: tuple[Any, ...]) -> Any:
    """A part of a tuple is that part, through compositions and branches."""
    made = rebuild(node, children)
    if made.__function__ != "item":
        return made
    return _part(made.operand, made)


def _part(whole: Any, item: Any) -> Any:
    around: list[Any] = []
    while whole.__control__ == "call":
        around.append(whole)
        whole = whole.outer
    if whole.__function__ != "tuple":
        return item
    if not item.position < len(whole.operands):
        raise unknown(whole, f"operands/{item.position}")
    made = whole.operands[item.position]
    for compose in reversed(around):
        made = rebuild(compose, (compose.inner, made))
    return made
