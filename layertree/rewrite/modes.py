"""Modes that cut gradients: frozen weights, stopped deltas. A mode is a rewrite: the result is another formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.structure import rebuild, transform
from layertree.layers.control import StopGradient
from layertree.rewrite.selection import Selector, weights_in
from layertree.rewrite.surgery import Rewritable, replace

R = TypeVar("R")


def freeze(layer: Rewritable[R], where: Selector | None = None) -> R:
    """The formula with constants instead of weights, each with the present value of the weight.

    ``where`` selects weights: those at or below a path or in a sub-formula, those whose name matches a pattern, or for
    which a predicate is true; None selects all. A weight that occurs several times becomes one constant. The formula
    itself, and every other formula with the same weights, still trains them.

    >>> from layertree import Identity, Plus, Times, Weight
    >>> line = Plus(Times(Identity(), Weight(2.0, name="slope")), Weight(1.0, name="start"))
    >>> freeze(line, "slope")
    Plus(Times(Identity(), Literal(2.0)), Weight(1.0, name='start'))
    >>> freeze(line, lambda weight: weight.value == 1.0)
    Plus(Times(Identity(), Weight(2.0, name='slope')), Literal(1.0))

    Raises UnknownPathError for a path, a pattern or a sub-formula without weights.
    """
    root = layer.__layer__()
    constants: dict[AnyLayer, AnyLayer] = {
        weight: Literal(weight.value, copy=False) for weight in weights_in(root, where)
    }
    return layer.with_layer(
        transform(root, lambda node, children: _frozen(node, children, constants)) if constants else root
    )


def _frozen(node: AnyLayer, children: tuple[AnyLayer, ...], constants: Mapping[AnyLayer, AnyLayer]) -> AnyLayer:
    if node.__control__ == "cell":
        return constants.get(node, node)
    rebuilt: AnyLayer = rebuild(node, children)
    return rebuilt


def stop_gradient(layer: Rewritable[R], where: Selector = "") -> R:
    """The formula whose gradient treats some nodes as constants: no delta passes through these nodes.

    ``where`` selects nodes as in ``find``; the default is the output.

    >>> from layertree import Exp, Identity, Plus, Weight
    >>> formula = Plus(Exp(Weight(2.0)), Weight(1.0))
    >>> stop_gradient(formula, "operand1")
    Plus(StopGradient(Exp(Weight(2.0))), Weight(1.0))

    Raises UnknownPathError for a path, a pattern or a sub-formula that the formula does not have.
    """
    return replace(layer, where, StopGradient)
