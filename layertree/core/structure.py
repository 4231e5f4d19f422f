"""Traversals of layer trees without recursion: children, post-order, equality, hash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from layertree.core.brief import counted
from layertree.core.dynamic import type_of
from layertree.core.provenance import carry

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


def operands_of(layer: Any) -> tuple[Any, ...]:
    """The operands of a layer, in the order of its fields."""
    layout = layer.__layout__
    if not layout.variadic:
        return layout.pick(layer)  # type: ignore[no-any-return]  # a layer is of any class here
    found: list[Any] = []
    for name in layout.names:
        if name in layout.operands:
            found.append(getattr(layer, name))
        elif name in layout.variadic:
            found.extend(getattr(layer, name))
    return tuple(found)


def regions_of(layer: AnyLayer) -> tuple[Any, ...]:
    """The regions of a layer: the formulas that the layer runs itself."""
    return tuple([getattr(layer, name) for name in layer.__layout__.regions])


def children_of(layer: AnyLayer) -> tuple[Any, ...]:
    """Operands, then regions."""
    layout = layer.__layout__
    if not layout.regions:
        return operands_of(layer)
    return operands_of(layer) + regions_of(layer)


def own_children(layer: AnyLayer) -> tuple[Any, ...]:
    """The children over the layer's own input: all but the outer part of a composition."""
    return operands_of(layer) if layer.__control__ == "call" else children_of(layer)


def rebuild(layer: AnyLayer, children: Sequence[AnyLayer]) -> Any:
    """The same layer over other children; the layer itself if all children are the same objects."""
    layout = layer.__layout__
    if layout.variadic:
        return _rebuild_variadic(layer, children)
    old = layer.__dict__
    names = layout.operands + layout.regions if layout.regions else layout.operands
    for name, child in zip(names, children, strict=True):
        if old[name] is not child:
            break
    else:
        return layer
    made: Any = object.__new__(type_of(layer))
    fields = made.__dict__
    for name in layout.names:
        fields[name] = old[name]
    fields.update(zip(names, children, strict=True))
    carry(layer.__dict__, fields)
    return made


def _rebuild_variadic(layer: AnyLayer, children: Sequence[AnyLayer]) -> Any:
    if all(new is old for new, old in zip(children, children_of(layer), strict=True)):
        return layer
    layout = layer.__layout__
    remaining = iter(children)
    made: Any = object.__new__(type_of(layer))
    fields = made.__dict__
    for name in layout.names:
        value = getattr(layer, name)
        if name in layout.operands:
            value = next(remaining)
        elif name in layout.variadic:
            value = tuple([next(remaining) for _ in value])
        fields[name] = value
    for name in layout.regions:
        fields[name] = next(remaining)
    carry(layer.__dict__, fields)
    return made


def construct(cls: Any, children: Sequence[AnyLayer]) -> Any:
    """A layer of a plain class over layers, made without the conversions and checks of the constructor."""
    names = cls.__layout__.operands
    if len(names) != len(children):
        raise ValueError(f"{cls.__name__} has {counted(len(names), 'operand')}: {len(children)} are given")
    made: Any = object.__new__(cls)
    fields = made.__dict__
    for position, name in enumerate(names):  # faster than zip
        fields[name] = children[position]
    return made


def post_order(root: Any, children: Callable[[Any], tuple[Any, ...]] = children_of) -> list[Any]:
    """All distinct nodes below and including ``root``, each after its children."""
    order: list[Any] = []
    done: set[int] = set()
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        if node is _READY:
            order.append(stack.pop())
            continue
        if id(node) in done:
            continue
        done.add(id(node))
        below = children(node)
        if not below:
            order.append(node)
            continue
        stack.append(node)
        stack.append(_READY)
        for child in reversed(below):
            if id(child) not in done:
                stack.append(child)
    return order


_READY = object()
"""A marker on the stack of a traversal: all children of the next node are finished."""


def transform(root: AnyLayer, change: Callable[[Any, tuple[Any, ...]], Any]) -> Any:
    """The tree with each node replaced by ``change(node, new_children)``, bottom up; shared nodes stay shared."""
    made: dict[int, Any] = {}
    for node in post_order(root):
        made[id(node)] = change(node, tuple([made[id(child)] for child in children_of(node)]))
    return made[id(root)]


def tree_hash(root: AnyLayer) -> int:
    """The structural hash (Merkle tree), stored in each node, so a tree over hashed children costs one step."""
    known = root.__dict__.get("_hash")
    if known is None:
        for node in post_order(root, _unhashed):
            node.__dict__["_hash"] = hash(
                (type_of(node), node.__label_hash__(), *[child.__dict__["_hash"] for child in children_of(node)])
            )
        known = root.__dict__["_hash"]
    return int(known)


def _unhashed(node: AnyLayer) -> tuple[Any, ...]:
    return tuple([child for child in children_of(node) if "_hash" not in child.__dict__])


def tree_equal(first: AnyLayer, second: AnyLayer) -> bool:
    """Whether two trees have equal structure; each pair of nodes is compared once."""
    if first is second:
        return True
    if tree_hash(first) != tree_hash(second):
        return False
    compared: set[tuple[int, int]] = set()
    stack = [(first, second)]
    while stack:
        one, other = stack.pop()
        if one is other or (id(one), id(other)) in compared:
            continue
        if type(one) is not type(other) or not one.__same_label__(other):
            return False
        compared.add((id(one), id(other)))
        below, beside = children_of(one), children_of(other)
        if len(below) != len(beside):
            return False
        stack.extend(zip(below, beside, strict=True))
    return True
