"""Jacobians: one derivative for the stack of all basis vectors, so the formula does not grow with the dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from layertree.core.free import Free
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.spec import WEAK_TYPES, ArraySpec, Dim, SpecTree
from layertree.layers.shape import BroadcastTo, OnesLike, PermuteDims
from layertree.layers.structure import Tuple
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.spec._dims import size_of
from layertree.rewrite.batch import batch
from layertree.rewrite.derive import derive, push_forward, simplified, substitute_nodes, zeros
from layertree.rewrite.types import Derivative


def jacobians(layer: AnyLayer, spec: SpecTree, targets: Sequence[AnyLayer]) -> list[Any]:
    """The Jacobian of an array by each target, an array too, with the axes of the output before those of the target.

    Forward mode over the basis of a target that has fewer elements than the output, else reverse mode over the basis
    of the output. Both run once under vmap.

    >>> from layertree import Identity, Sin
    >>> from layertree.core.spec import ArraySpec
    >>> jacobians(Sin(Identity()), ArraySpec(("N",)), [Identity()])
    [EmbedDiagonal(Cos(Identity()), axes=1)]
    """
    root = layer.__layer__()
    output: ArraySpec[Any] = infer_spec(root, spec)
    is_forward = [_is_smaller(infer_spec(target, spec), output) for target in targets]
    back = iter(
        _reverse_mode(root, spec, output, [one for one, ahead in zip(targets, is_forward, strict=True) if not ahead])
    )
    found: list[Derivative] = [
        _forward_mode(root, spec, output, target) if ahead else next(back)
        for target, ahead in zip(targets, is_forward, strict=True)
    ]
    return simplified(found, spec)


def _is_smaller(target: ArraySpec[Any], output: ArraySpec[Any]) -> bool:
    """Whether a target is known to have fewer elements than the output."""
    if output.ndim == 0:
        return False
    inputs, outputs = size_of(target.shape), size_of(output.shape)
    return target.ndim == 0 or (inputs is not None and outputs is not None and inputs < outputs)


def _reverse_mode(
    root: AnyLayer, spec: SpecTree, output: ArraySpec[Any], targets: Sequence[AnyLayer]
) -> Sequence[AnyLayer]:
    """The VJPs with all basis vectors of the output, stacked in front."""
    if output.ndim == 0:
        return _with_zeros(derive(root, spec, targets), spec, targets)
    delta: AnyLayer = Free[Any](output)
    found = _with_zeros(derive(root, spec, targets, delta), spec, targets)
    return stack_of(found, spec, output.shape, {delta: ones(root, output)})


def _forward_mode(root: AnyLayer, spec: SpecTree, output: ArraySpec[Any], target: AnyLayer) -> AnyLayer:
    """The JVPs along all basis vectors of a target, stacked behind."""
    own: ArraySpec[Any] = infer_spec(target, spec)
    tangent: AnyLayer = Free[Any](own)
    product = push_forward(root, spec, target, tangent)
    found = zeros(root, spec) if product is None else product
    if own.ndim == 0:
        derivative: AnyLayer = substitute_nodes(found, {tangent: _number(own, 1)})
        return derivative
    stack = stack_of([found], spec, own.shape, {tangent: ones(target, own)})[0]
    return PermuteDims(stack, axes=(*range(own.ndim, own.ndim + output.ndim), *range(own.ndim)))


def stack_of(
    found: Sequence[AnyLayer], spec: SpecTree, dims: tuple[Dim, ...], directions: Mapping[AnyLayer, AnyLayer]
) -> Sequence[AnyLayer]:
    """Several formulas under one vmap over the basis vectors that replace the variables in ``directions``."""
    if len(found) == 1:
        return [batch(found[0], spec, dims, directions=directions)]
    stacks: Tuple[Any] = batch(Tuple(tuple(found)), spec, dims, directions=directions)
    return stacks.operands


def ones(layer: AnyLayer, spec: ArraySpec[Any]) -> AnyLayer:
    """Ones in the shape of a formula's output; the formula does not occur in the result if the shape is known."""
    sizes = tuple([dim for dim in spec.shape if isinstance(dim, int)])
    return BroadcastTo(_number(spec, 1), shape=sizes) if len(sizes) == spec.ndim else OnesLike(layer)


def _number(spec: ArraySpec[Any], value: int) -> AnyLayer:
    return Literal(WEAK_TYPES[spec.dtype](value) if spec.weak else spec.dtype.type(value))


def _with_zeros(found: Sequence[Derivative], spec: SpecTree, targets: Sequence[AnyLayer]) -> list[AnyLayer]:
    """Derivatives by arrays, with zeros for targets without one."""
    return [
        zeros(target, spec) if one is None else cast("AnyLayer", one)
        for one, target in zip(found, targets, strict=True)
    ]
