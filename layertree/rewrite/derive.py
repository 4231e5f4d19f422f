"""Derivatives as formulas: vector-Jacobian products by reverse mode, and Jacobian-vector products from these.

JVP by transposing the VJP: the VJP is linear in its cotangent, and its derivative with respect to that cotangent is the
JVP (Townsend: A new trick for calculating Jacobian vector products, 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.core.layer import AnyLayer
from layertree.core.nested import apart, as_dict, at_path, flat, folded, mapped, nested, parts_of_mapping, paths
from layertree.core.spec import SpecTree
from layertree.core.structure import rebuild, transform
from layertree.layers.shape import ZerosLike
from layertree.layers.structure import Item, Tuple
from layertree.namespaces.hash_consing import Inlining, TreeValue, source_of
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import Derivation
from layertree.rewrite.reverse_mode import pull_back
from layertree.rewrite.simplify import Simplification, mark_normal, simplify, simplify_all
from layertree.rewrite.types import Derivative, DerivativeValue, Layers
from layertree.sweep.sweep import sweep


def derive(layer: AnyLayer, spec: SpecTree, targets: Sequence[AnyLayer], delta: object = None) -> list[Derivative]:
    """The vector-Jacobian product by each target, simplified together; None for a target without a derivative.

    A target is the input (``Identity()``), a Weight, a free variable, or a sub-formula, which counts as a variable of
    its own. ``spec`` is the spec of the input. ``delta``, the cotangent, is a formula or data of the shape of the
    output, a tuple of them for a tuple, and None for 1 where the output is one number.

    >>> from layertree import Identity, Sin, Times
    >>> from layertree.core.spec import spec_of
    >>> derive(Times(Sin(Identity()), 3.0), spec_of(1.0), [Identity(), Sin(Identity())])
    [Times(Literal(3.0), Cos(Identity())), Literal(3.0)]
    """
    return value_and_derivatives(layer, spec, targets, delta)[1]


def value_and_derivatives(
    layer: AnyLayer, spec: SpecTree, targets: Sequence[AnyLayer], delta: object = None
) -> tuple[Any, list[Derivative]]:
    """The normal form of a formula and its derivatives as ``derive`` gives them, with common nodes shared.

    >>> from layertree import Exp, Identity
    >>> from layertree.core.spec import spec_of
    >>> value, (derivative,) = value_and_derivatives(Exp(Identity()), spec_of(1.0), [Identity()])
    >>> value is derivative
    True
    """
    value, found = values_of(layer, spec, targets, delta)
    return value.layer, [_map_derivative(_layer_of, one) for one in found]


def values_of(
    layer: AnyLayer, spec: SpecTree, targets: Sequence[AnyLayer], delta: object = None
) -> tuple[TreeValue, list[DerivativeValue]]:
    """``value_and_derivatives`` in the tree namespace: layers, each with the spec of its output."""
    root = layer.__layer__()
    xp = Simplification()
    source = source_of(xp, root, spec)
    value = xp.read(root, source)
    leaf_paths = [_leaf_path(target) for target in targets]
    wanted = {path[0] for path in leaf_paths if path is not None}
    seed = mapped(lambda part: xp.read(part.__layer__(), source) if _is_formula(part) else part, delta)
    # The derivative is that of the normal form, and each of its own nodes is made in normal form.
    leaves = dict(pull_back(xp, value.layer, source, seed, wanted)) if wanted else {}
    found: list[DerivativeValue] = [
        _map_derivative(lambda part: xp.read(part, source), _by_sub_formula(root, spec, target, delta))
        if path is None
        else at_path(leaves.get(path[0]), path[1])
        for target, path in zip(targets, leaf_paths, strict=True)
    ]
    mark_normal([made.layer for made in (value, *_leaves(found))], spec)
    return value, found


def _layer_of(value: TreeValue) -> AnyLayer:
    layer: AnyLayer = value.layer
    return layer


def push_forward(layer: AnyLayer, spec: SpecTree, target: AnyLayer, tangent: AnyLayer) -> AnyLayer | None:
    """The Jacobian-vector product by a target along a tangent, a formula of the shape of the target; None for zero.

    The cotangent of the output is a free variable of the VJP, which is linear in it; the derivative of the VJP with
    respect to that variable, with the tangent as cotangent, is the JVP.

    >>> from layertree import Identity, Sin
    >>> from layertree.core.spec import spec_of
    >>> push_forward(Sin(Identity()), spec_of(1.0), Identity(), Identity())
    Times(Identity(), Cos(Identity()))
    """
    root = layer.__layer__()
    output: SpecTree = infer_spec(root, spec)
    cotangents = mapped(Free[Any], output)
    vjp = derive(root, spec, [target], cotangents)[0]
    if vjp is None:
        return None
    own: SpecTree = infer_spec(target, spec)
    variables: list[AnyLayer] = list(flat(cotangents))
    found = derive(_packed_derivative(vjp, target, own), spec, variables, parts_of(tangent, own))
    # The cotangents that remain are patterns which give a shape alone: the output has the same shape.
    outputs = dict(zip(variables, flat(parts_of(root, output)), strict=True))
    if not isinstance(output, tuple) and found[0] is None:
        return None
    parts: list[AnyLayer] = [
        zeros(outputs[variable], spec) if one is None else substitute_nodes(_formula(one), outputs)
        for variable, one in zip(variables, found, strict=True)
    ]
    product: AnyLayer = simplify(_packed(nested(output, parts)), spec)
    return product


def _formula(derivative: Derivative) -> AnyLayer:
    """The derivative by a leaf that is no tuple."""
    return cast("AnyLayer", derivative)


def parts_of(layer: AnyLayer, spec: SpecTree) -> Layers:
    """A formula of a spec; of one whose value is a tuple the formulas of the parts."""
    parts: Layers = nested(spec, apart(layer, spec, _item))
    return parts


def _item(layer: AnyLayer, position: int) -> AnyLayer:
    return layer.operands[position] if isinstance(layer, Tuple) else Item(layer, position)


def _packed(parts: Layers) -> AnyLayer:
    """Formulas as one formula, of nested tuples where they are nested."""
    packed: AnyLayer = folded(parts, lambda layer: layer, lambda _, layers: Tuple(tuple(layers)))
    return packed


def _packed_derivative(derivative: Derivative, target: AnyLayer, spec: SpecTree) -> AnyLayer:
    """The derivative by a target of a spec as one formula, with zeros for parts without a derivative."""
    parts = parts_of(target, spec)
    found = [(at_path(derivative, path), part) for path, part in paths(parts)]
    return _packed(nested(parts, [ZerosLike(part) if one is None else one for one, part in found]))


def zeros(like: AnyLayer, spec: SpecTree) -> AnyLayer:
    """Zeros in the structure and shape of a formula's output, for an input of a spec."""
    return _packed(mapped(ZerosLike, parts_of(like, infer_spec(like, spec))))


def inline(layers: Sequence[AnyLayer], spec: SpecTree, source: AnyLayer | None = None) -> list[Any]:
    """Formulas without Compose, with ``source``, a formula of an input of ``spec``, in the place of their input.

    >>> from layertree import Compose, Exp, Identity, Item, Sin
    >>> from layertree.core.spec import spec_of
    >>> inline([Compose(Sin(Identity()), Exp(Identity()))], spec_of((1.0, 2.0)), Item(Identity(), 1))
    [Sin(Exp(Item(Identity(), position=1)))]
    """
    xp = Derivation()
    reading = Inlining(xp)
    start = source_of(xp, layers[0] if source is None else source, spec)
    inner = start if source is None else sweep(source, start, reading)
    return [sweep(layer, inner, reading).layer for layer in layers]


def _leaf_path(target: Any) -> tuple[AnyLayer, tuple[int, ...]] | None:
    """The leaf that a target is, or is a part of, and the position of the part; None for a computed target."""
    positions: tuple[int, ...] = ()
    while is_a(target, Item):
        positions = (target.position, *positions)
        target = target.operand
    return (target, positions) if target.__control__ in ("source", "cell", "free") else None


def _by_sub_formula(root: AnyLayer, spec: SpecTree, target: AnyLayer, delta: object) -> Derivative:
    """The derivative by a sub-formula: a free variable replaces all of its occurrences, and is replaced in the result.

    Compositions are inlined first, since within a Compose an equal node has another input, and is another value.
    """
    variable: AnyLayer = Free[Any](infer_spec(target, spec))
    root, target = inline([root, target], spec)
    to_variable = {target: variable}
    delta = mapped(
        lambda part: substitute_nodes(inline([part], spec)[0], to_variable) if _is_formula(part) else part, delta
    )
    found = derive(substitute_nodes(root, to_variable), spec, [variable], delta)[0]
    derivative: Derivative = _map_derivative(lambda part: substitute_nodes(part, {variable: target}), found)
    return derivative


def _is_formula(part: object) -> bool:
    """Whether a part of a cotangent is a formula; else it is data, or a TreeValue."""
    return hasattr(part, "__layer__")


def _map_derivative(function: Callable[[Any], object], derivative: Derivative | DerivativeValue) -> Any:
    """``function`` of a derivative, or of those by the parts of a tuple; None stays None."""
    return folded(derivative, lambda one: None if one is None else function(one), as_dict, parts_of_mapping)


def _leaves(found: Iterable[Derivative | DerivativeValue]) -> list[Any]:
    """All derivatives among those by some targets, each part of a tuple by itself."""
    return [leaf for one in found for leaf in flat(one, parts_of_mapping) if leaf is not None]


def simplified(found: Sequence[Derivative], spec: SpecTree) -> list[Any]:
    """The normal forms of several derivatives, with common nodes shared."""
    layers = _leaves(found)
    results = iter(simplify_all(layers, spec) if layers else [])
    return [_map_derivative(lambda _: next(results), one) for one in found]


def substitute_nodes(layer: AnyLayer, replacements: Mapping[Any, AnyLayer]) -> Any:
    """The formula with each node that equals a key replaced by the value of the key, all at once.

    Equality does not regard compositions: ``rewrite.substitution.substitute`` does.
    """
    if not replacements:
        return layer

    def change(node: AnyLayer, children: tuple[AnyLayer, ...]) -> AnyLayer:
        other = replacements.get(node)
        return rebuild(node, children) if other is None else other

    return transform(layer, change)
