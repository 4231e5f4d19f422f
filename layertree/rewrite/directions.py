"""Jacobians: one derivative over the stacked rows of an identity, so their trees do not grow with the dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layertree.core.free import Free
from layertree.core.literal import Literal
from layertree.core.spec import WEAK_TYPES
from layertree.layers.shape import BroadcastTo, OnesLike, PermuteDims
from layertree.layers.structure import Tuple
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.spec._dims import size_of
from layertree.rewrite.batch import batch
from layertree.rewrite.derive import derive, exchange, push, simplified, zeros


def jacobians(layer: Any, spec: Any, targets: Sequence[Any]) -> list[Any]:
    """The derivative of an array by each target, an array too, with the axes of the output before the target's.

    Forward from the directions of a target that is smaller than the output, else backward from those of the output.

    >>> from layertree import Identity, Sin
    >>> from layertree.core.spec import ArraySpec
    >>> jacobians(Sin(Identity()), ArraySpec(("N",)), [Identity()])
    [EmbedDiagonal(Cos(Identity()), axes=1)]
    """
    root = layer.__layer__()
    output = infer_spec(root, spec)
    forward = [_is_smaller(infer_spec(target, spec), output) for target in targets]
    back = iter(
        _backward(root, spec, output, [one for one, is_forward in zip(targets, forward, strict=True) if not is_forward])
    )
    found = [
        _forward(root, spec, output, target) if is_forward else next(back)
        for target, is_forward in zip(targets, forward, strict=True)
    ]
    return simplified(found, spec)


def _is_smaller(target: Any, output: Any) -> bool:
    """Whether a target is known to have fewer elements than the output."""
    if output.ndim == 0:
        return False
    mine, theirs = size_of(target.shape), size_of(output.shape)
    return target.ndim == 0 or (mine is not None and theirs is not None and mine < theirs)


def _backward(root: Any, spec: Any, output: Any, targets: Sequence[Any]) -> list[Any]:
    """The derivatives for each direction of the output."""
    if output.ndim == 0:
        return _reached(derive(root, spec, targets), spec, targets)
    delta: Any = Free[Any](output)
    found = _reached(derive(root, spec, targets, delta), spec, targets)
    return stack_of(found, spec, output.shape, {delta: ones(root, output)})


def _forward(root: Any, spec: Any, output: Any, target: Any) -> Any:
    """The derivative along each direction of a target."""
    own = infer_spec(target, spec)
    tangent: Any = Free[Any](own)
    pushed = push(root, spec, target, tangent)
    found = zeros(root, spec) if pushed is None else pushed
    if own.ndim == 0:
        return exchange(found, {tangent: _number(own, 1)})
    stack = stack_of([found], spec, own.shape, {tangent: ones(target, own)})[0]
    return PermuteDims(stack, axes=(*range(own.ndim, own.ndim + output.ndim), *range(own.ndim)))


def stack_of(found: Sequence[Any], spec: Any, dims: Any, directions: Any) -> list[Any]:
    """Several formulas over one stack of directions."""
    if len(found) == 1:
        return [batch(found[0], spec, dims, directions=directions)]
    return list(batch(Tuple(tuple(found)), spec, dims, directions=directions).operands)


def ones(layer: Any, spec: Any) -> Any:
    """Ones in the shape of a formula's output, which is not computed where it is known."""
    if all(isinstance(dim, int) for dim in spec.shape):
        return BroadcastTo(_number(spec, 1), shape=spec.shape)
    return OnesLike(layer)


def _number(spec: Any, value: int) -> Any:
    return Literal(WEAK_TYPES[spec.dtype](value) if spec.weak else spec.dtype.type(value))


def _reached(found: Sequence[Any], spec: Any, targets: Sequence[Any]) -> list[Any]:
    return [zeros(target, spec) if one is None else one for one, target in zip(found, targets, strict=True)]
