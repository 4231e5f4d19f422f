"""Derivatives as formulas: of anything in a formula that is a float, with respect to anything in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from layertree._free import Free
from layertree._kinds import is_a
from layertree._structure import rebuild, transform
from layertree._sweep import sweep
from layertree.layers.shape import ZerosLike
from layertree.layers.structure import Item, Tuple
from layertree.namespaces._table import Inlining, source_of
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import Derivation, layers_of, pull_back
from layertree.rewrite.simplify import Simplification, mark_simplest, simplify, simplify_all


def derive(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> list[Any]:
    """The derivative with respect to each target, simplified together; None for one that is not reached.

    A target is the input (``Identity()``), a Weight, a free variable, or a sub-formula, which is then a variable of its
    own. ``spec`` is that of the input, ``delta`` a formula of the output's shape, 1 where the output is one number.

    >>> from layertree import Identity, Sin, Times
    >>> from layertree._spec import spec_of
    >>> derive(Times(Sin(Identity()), 3.0), spec_of(1.0), [Identity(), Sin(Identity())])
    [Times(Literal(3.0), Cos(Identity())), Literal(3.0)]
    """
    return value_and_derivatives(layer, spec, targets, delta)[1]


def value_and_derivatives(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> tuple[Any, list[Any]]:
    """The formula in its simplest form, and its derivatives: what they have in common is one node.

    >>> from layertree import Exp, Identity
    >>> from layertree._spec import spec_of
    >>> value, (derivative,) = value_and_derivatives(Exp(Identity()), spec_of(1.0), [Identity()])
    >>> value is derivative
    True
    """
    root = layer.__layer__()
    xp = Simplification()
    source = source_of(xp, root, spec)
    value = xp.read(root, source)
    paths = [_path(target) for target in targets]
    wanted = {path[0] for path in paths if path is not None}
    seed = _each(delta, lambda part: xp.read(part.__layer__(), source) if hasattr(part, "__layer__") else part)
    # The derivative is that of the simple formula, and each of its nodes is made in its simplest form.
    leaves = dict(pull_back(xp, value.layer, source, seed, wanted)) if wanted else {}
    found = [
        mapped(_by_part(root, spec, target, delta), lambda part: xp.read(part, source).layer)
        if path is None
        else _layers(_part(leaves.get(path[0]), path[1]))
        for target, path in zip(targets, paths, strict=True)
    ]
    made = [value.layer]
    for one in found:
        mapped(one, made.append)
    mark_simplest(made, spec)
    return value.layer, found


def _layers(found: Any) -> Any:
    return None if found is None else layers_of(found)


def push(layer: Any, spec: Any, target: Any, tangent: Any) -> Any:
    """The derivative along a tangent, a formula of the target's shape; None where the target is not reached.

    The reverse rules give it: what the deltas of the target are to those of the output is linear, so its derivative
    with respect to the delta of the output leads from tangents of the target to those of the output.

    >>> from layertree import Identity, Sin
    >>> from layertree._spec import spec_of
    >>> push(Sin(Identity()), spec_of(1.0), Identity(), Identity())
    Times(Identity(), Cos(Identity()))
    """
    root = layer.__layer__()
    deltas = _variables(infer_spec(root, spec))
    pulled = derive(root, spec, [target], deltas)[0]
    if pulled is None:
        return None
    own = infer_spec(target, spec)
    flat = _flat(deltas)
    pushed = derive(_whole(pulled, target, own), spec, flat, parts_of(tangent, own))
    # What is left of the deltas are patterns that give their shape alone: the output has the same.
    back = dict(zip(flat, _flat(parts_of(root, infer_spec(root, spec))), strict=True))
    if len(flat) == 1 and deltas is flat[0]:
        return None if pushed[0] is None else simplify(exchange(pushed[0], back), spec)
    outputs = [
        zeros(back[one], spec) if found is None else exchange(found, back)
        for one, found in zip(flat, pushed, strict=True)
    ]
    return simplify(_packed(deltas, iter(outputs)), spec)


def _variables(spec: Any) -> Any:
    """A free variable of a spec; of a tuple one for each part."""
    return tuple(map(_variables, spec)) if is_a(spec, tuple) else Free[Any](spec)


def _flat(parts: Any) -> list[Any]:
    return [leaf for part in parts for leaf in _flat(part)] if is_a(parts, tuple) else [parts]


def _packed(parts: Any, leaves: Iterator[Any]) -> Any:
    """The layer of a tuple that is built like ``parts``."""
    return Tuple(tuple([_packed(part, leaves) for part in parts])) if is_a(parts, tuple) else next(leaves)


def parts_of(layer: Any, spec: Any) -> Any:
    """A layer; of one that gives a tuple the tuple of its parts."""
    if not is_a(spec, tuple):
        return layer
    if is_a(layer, Tuple):
        return tuple(map(parts_of, layer.operands, spec))
    return tuple([parts_of(Item(layer, i), part) for i, part in enumerate(spec)])


def _whole(pulled: Any, target: Any, spec: Any) -> Any:
    """The derivative by a tuple as the layer of a tuple, with zeros for the parts that are not reached."""
    if not is_a(spec, tuple):
        return _zeros(target, spec) if pulled is None else pulled
    found: Any = pulled or {}
    return Tuple(tuple([_whole(found.get(i), Item(target, i), part) for i, part in enumerate(spec)]))


def zeros(like: Any, spec: Any) -> Any:
    """The derivative by what is not reached, or along it."""
    return _zeros(like, infer_spec(like, spec))


def _zeros(like: Any, spec: Any) -> Any:
    if is_a(spec, tuple):
        return Tuple(tuple([_zeros(Item(like, i), part) for i, part in enumerate(spec)]))
    return ZerosLike(like)


def over(layers: Sequence[Any], spec: Any, source: Any = None) -> list[Any]:
    """Formulas with ``source``, a formula of an input of ``spec``, in the place of their input, and no compositions.

    >>> from layertree import Compose, Exp, Identity, Item, Sin
    >>> from layertree._spec import spec_of
    >>> over([Compose(Sin(Identity()), Exp(Identity()))], spec_of((1.0, 2.0)), Item(Identity(), 1))
    [Sin(Exp(Item(Identity(), position=1)))]
    """
    xp = Derivation()
    reading = Inlining(xp)
    start = source_of(xp, layers[0] if source is None else source, spec)
    inner = start if source is None else sweep(source, start, reading)
    return [sweep(layer, inner, reading).layer for layer in layers]


def _path(target: Any) -> tuple[Any, tuple[int, ...]] | None:
    """A leaf and the position of a part in it; None for what is computed."""
    positions: tuple[int, ...] = ()
    while is_a(target, Item):
        positions = (target.position, *positions)
        target = target.operand
    return (target, positions) if target._control in ("source", "cell", "free") else None


def _part(found: Any, positions: tuple[int, ...]) -> Any:
    """The derivative by a part, of that by the whole."""
    for position in positions:
        found = None if found is None else found.get(position)
    return found


def _by_part(root: Any, spec: Any, target: Any, delta: Any) -> Any:
    """The derivative by a sub-formula, which a free variable stands for meanwhile."""
    # Compositions are put in place first: within one, an equal node has another input, so it is another part.
    variable: Any = Free[Any](infer_spec(target, spec))
    root, target = over([root, target], spec)
    delta = _each(delta, lambda part: over([part], spec)[0] if hasattr(part, "__layer__") else part)
    meanwhile = {target: variable}
    found = derive(exchange(root, meanwhile), spec, [variable], _each(delta, lambda part: exchange_in(part, meanwhile)))
    return mapped(found[0], lambda part: exchange(part, {variable: target}))


def _each(delta: Any, function: Callable[[Any], Any]) -> Any:
    return tuple([_each(part, function) for part in delta]) if is_a(delta, tuple) else function(delta)


def mapped(found: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of a derivative, or of those by the parts of a tuple; None stays None."""
    if is_a(found, dict):
        return {i: mapped(part, function) for i, part in found.items()}
    return None if found is None else function(found)


def simplified(found: Sequence[Any], spec: Any) -> list[Any]:
    """Several derivatives in their simplest form, with what they have in common as common nodes."""
    flat: list[Any] = []

    def noted(layer: Any) -> int:
        flat.append(layer)
        return len(flat) - 1

    places = [mapped(one, noted) for one in found]
    results = simplify_all(flat, spec) if flat else []
    return [mapped(place, lambda i: results[i]) for place in places]


def exchange(layer: Any, replacements: Mapping[Any, Any]) -> Any:
    """The formula with some of its nodes exchanged for others, wherever they are equal."""
    if not replacements:
        return layer

    def change(node: Any, children: tuple[Any, ...]) -> Any:
        other = replacements.get(node)
        return rebuild(node, children) if other is None else other

    return transform(layer, change)


def exchange_in(delta: Any, replacements: Mapping[Any, Any]) -> Any:
    """The same in a delta, which may be data."""
    return exchange(delta.__layer__(), replacements) if hasattr(delta, "__layer__") else delta
