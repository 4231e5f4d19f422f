"""Derivatives as formulas: of anything in a formula that is a float, with respect to anything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from layertree._free import Free
from layertree._kinds import is_a
from layertree._structure import rebuild, transform
from layertree.namespaces.spec import infer_spec
from layertree.namespaces.tree import derivatives
from layertree.rewrite.simplify import simplify


def derive(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> list[Any]:
    """The derivative with respect to each target, simplified; None for one that is not reached.

    A target is the input (``Identity()``), a Weight, a free variable, or a sub-formula, which is then a variable of its
    own. ``spec`` is that of the input, ``delta`` a formula of the output's shape, 1 where the output is one number.

    >>> from layertree import Identity, Sin, Times
    >>> from layertree._spec import spec_of
    >>> derive(Times(Sin(Identity()), 3.0), spec_of(1.0), [Identity(), Sin(Identity())])
    [Times(Literal(3.0), Cos(Identity())), Literal(3.0)]
    """
    root = layer.__layer__()
    leaves = derivatives(root, spec, delta) if any(map(_is_leaf, targets)) else {}
    return [
        _finished(leaves.get(target), spec) if _is_leaf(target) else _by_part(root, spec, target, delta)
        for target in targets
    ]


def _is_leaf(target: Any) -> bool:
    return target._control in ("source", "cell", "free")


def _by_part(root: Any, spec: Any, target: Any, delta: Any) -> Any:
    """The derivative by a sub-formula, which a free variable stands for meanwhile."""
    variable: Any = Free[Any](infer_spec(target, spec))
    found = derivatives(exchange(root, {target: variable}), spec, exchange_in(delta, {target: variable}))
    derivative = found.get(variable)
    return None if derivative is None else _finished(exchange(derivative, {variable: target}), spec)


def _finished(derivative: Any, spec: Any) -> Any:
    if derivative is None:
        return None
    if is_a(derivative, dict):
        return {i: _finished(part, spec) for i, part in derivative.items()}
    return simplify(derivative, spec)


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
