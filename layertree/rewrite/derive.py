"""Derivatives as formulas: of anything in a formula that is a float, with respect to anything in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.core.nested import apart, as_dict, at_path, flat, folded, mapped, nested, parts_of_mapping, paths
from layertree.core.structure import rebuild, transform
from layertree.layers.shape import ZerosLike
from layertree.layers.structure import Item, Tuple
from layertree.namespaces.hash_consing import Inlining, source_of
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.rewrite.reverse_mode import pull_back
from layertree.rewrite.simplify import Simplification, mark_simplest, simplify, simplify_all
from layertree.sweep.sweep import sweep


def derive(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> list[Any]:
    """The derivative with respect to each target, simplified together; None for one that is not reached.

    A target is the input (``Identity()``), a Weight, a free variable, or a sub-formula, which is then a variable of its
    own. ``spec`` is that of the input, ``delta`` a formula of the output's shape, 1 where the output is one number.

    >>> from layertree import Identity, Sin, Times
    >>> from layertree.core.spec import spec_of
    >>> derive(Times(Sin(Identity()), 3.0), spec_of(1.0), [Identity(), Sin(Identity())])
    [Times(Literal(3.0), Cos(Identity())), Literal(3.0)]
    """
    return value_and_derivatives(layer, spec, targets, delta)[1]


def value_and_derivatives(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> tuple[Any, list[Any]]:
    """The formula in its simplest form, and its derivatives: what they have in common is one node.

    >>> from layertree import Exp, Identity
    >>> from layertree.core.spec import spec_of
    >>> value, (derivative,) = value_and_derivatives(Exp(Identity()), spec_of(1.0), [Identity()])
    >>> value is derivative
    True
    """
    value, found = values_of(layer, spec, targets, delta)
    return value.layer, [_each(one, lambda made: made.layer) for one in found]


def values_of(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> tuple[TreeValue, list[Any]]:
    """The same as values of the tree namespace: layers, each with the spec of its output."""
    root = layer.__layer__()
    xp = Simplification()
    source = source_of(xp, root, spec)
    value = xp.read(root, source)
    ways = [_path(target) for target in targets]
    wanted = {path[0] for path in ways if path is not None}
    seed = mapped(lambda part: xp.read(part.__layer__(), source) if hasattr(part, "__layer__") else part, delta)
    # The derivative is that of the simple formula, and each of its nodes is made in its simplest form.
    leaves = dict(pull_back(xp, value.layer, source, seed, wanted)) if wanted else {}
    found = [
        _each(_by_part(root, spec, target, delta), lambda part: xp.read(part, source))
        if path is None
        else at_path(leaves.get(path[0]), path[1])
        for target, path in zip(targets, ways, strict=True)
    ]
    mark_simplest([made.layer for made in (value, *_leaves_of(found))], spec)
    return value, found


def push(layer: Any, spec: Any, target: Any, tangent: Any) -> Any:
    """The derivative along a tangent, a formula of the target's shape; None where the target is not reached.

    The reverse rules give it: what the deltas of the target are to those of the output is linear, so its derivative
    with respect to the delta of the output leads from tangents of the target to those of the output.

    >>> from layertree import Identity, Sin
    >>> from layertree.core.spec import spec_of
    >>> push(Sin(Identity()), spec_of(1.0), Identity(), Identity())
    Times(Identity(), Cos(Identity()))
    """
    root = layer.__layer__()
    deltas = mapped(Free[Any], infer_spec(root, spec))
    pulled = derive(root, spec, [target], deltas)[0]
    if pulled is None:
        return None
    own = infer_spec(target, spec)
    variables = list(flat(deltas))
    pushed = derive(_whole(pulled, target, own), spec, variables, parts_of(tangent, own))
    # What is left of the deltas are patterns that give their shape alone: the output has the same.
    back = dict(zip(variables, flat(parts_of(root, infer_spec(root, spec))), strict=True))
    if not is_a(deltas, tuple):
        return None if pushed[0] is None else simplify(exchange(pushed[0], back), spec)
    outputs = [
        zeros(back[one], spec) if found is None else exchange(found, back)
        for one, found in zip(variables, pushed, strict=True)
    ]
    return simplify(_packed(nested(deltas, outputs)), spec)


def parts_of(layer: Any, spec: Any) -> Any:
    """A layer; of one that gives a tuple the tuple of its parts."""
    return nested(spec, apart(layer, spec, _item))


def _item(layer: Any, position: int) -> Any:
    return layer.operands[position] if is_a(layer, Tuple) else Item(layer, position)


def _packed(parts: Any) -> Any:
    """The parts as one layer, that of a tuple where they are nested ones."""
    return folded(parts, lambda layer: layer, lambda _, layers: Tuple(tuple(layers)))


def _whole(pulled: Any, target: Any, spec: Any) -> Any:
    """The derivative by a tuple as the layer of a tuple, with zeros for the parts that are not reached."""
    parts = parts_of(target, spec)
    found = [(at_path(pulled, path), part) for path, part in paths(parts)]
    return _packed(nested(parts, [ZerosLike(part) if one is None else one for one, part in found]))


def zeros(like: Any, spec: Any) -> Any:
    """The derivative by what is not reached, or along it."""
    return _packed(mapped(ZerosLike, parts_of(like, infer_spec(like, spec))))


def over(layers: Sequence[Any], spec: Any, source: Any = None) -> list[Any]:
    """Formulas with ``source``, a formula of an input of ``spec``, in the place of their input, and no compositions.

    >>> from layertree import Compose, Exp, Identity, Item, Sin
    >>> from layertree.core.spec import spec_of
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
    return (target, positions) if target.__control__ in ("source", "cell", "free") else None


def _by_part(root: Any, spec: Any, target: Any, delta: Any) -> Any:
    """The derivative by a sub-formula, which a free variable stands for meanwhile."""
    # Compositions are put in place first: within one, an equal node has another input, so it is another part.
    variable: Any = Free[Any](infer_spec(target, spec))
    root, target = over([root, target], spec)
    delta = mapped(lambda part: over([part], spec)[0] if hasattr(part, "__layer__") else part, delta)
    meanwhile = {target: variable}
    delta = mapped(lambda part: exchange_in(part, meanwhile), delta)
    found = derive(exchange(root, meanwhile), spec, [variable], delta)
    return _each(found[0], lambda part: exchange(part, {variable: target}))


def _each(found: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of a derivative, or of those by the parts of a tuple; None stays None."""
    return folded(found, lambda one: None if one is None else function(one), as_dict, parts_of_mapping)


def _leaves_of(found: Sequence[Any]) -> list[Any]:
    """What was found of some derivatives, for each part of a tuple by itself."""
    return [leaf for one in found for leaf in flat(one, parts_of_mapping) if leaf is not None]


def simplified(found: Sequence[Any], spec: Any) -> list[Any]:
    """Several derivatives in their simplest form, with what they have in common as common nodes."""
    layers = _leaves_of(found)
    results = iter(simplify_all(layers, spec) if layers else [])
    return [_each(one, lambda _: next(results)) for one in found]


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
