"""Modes that cut gradients: frozen weights, stopped deltas. A mode is a rewrite: the result is another formula."""

from __future__ import annotations

from typing import Any, TypeVar

from layertree.core.literal import Literal
from layertree.core.structure import rebuild, transform
from layertree.layers.control import StopGradient
from layertree.rewrite.selection import Where, weights_in
from layertree.rewrite.surgery import Rewritable, replace

R = TypeVar("R")


def freeze(layer: Rewritable[R], where: Where | None = None) -> R:
    """The formula with constants in the place of weights: what these hold now stays, whatever the weights learn.

    All weights, or those that are meant: those at or below a path or in a sub-formula, those that a pattern names, or
    of which a predicate is true. A weight that is used many times becomes one constant. The formula itself, and what
    else has its weights, still trains them.

    >>> from layertree import Identity, Plus, Times, Weight
    >>> line = Plus(Times(Identity(), Weight(2.0, name="slope")), Weight(1.0, name="start"))
    >>> freeze(line, "slope")
    Plus(Times(Identity(), Literal(2.0)), Weight(1.0, name='start'))
    >>> freeze(line, lambda weight: weight.value == 1.0)
    Plus(Times(Identity(), Weight(2.0, name='slope')), Literal(1.0))

    Raises UnknownPathError for a path, a pattern or a sub-formula without weights.
    """
    root: Any = layer.__layer__()
    constants = {weight: Literal(weight.value, copy=False) for weight in weights_in(root, where)}
    return layer.with_layer(
        transform(root, lambda node, children: _frozen(node, children, constants)) if constants else root
    )


def _frozen(node: Any, children: tuple[Any, ...], constants: dict[Any, Any]) -> Any:
    return constants.get(node, node) if node.__control__ == "cell" else rebuild(node, children)


def stop_gradient(layer: Rewritable[R], where: Where = "") -> R:
    """The formula with no way back from some nodes: what is behind them gets no delta from there.

    ``where`` is what ``find`` takes; unless it is given, the output is meant.

    >>> from layertree import Exp, Identity, Plus, Weight
    >>> formula = Plus(Exp(Weight(2.0)), Weight(1.0))
    >>> stop_gradient(formula, "operand1")
    Plus(StopGradient(Exp(Weight(2.0))), Weight(1.0))

    Raises UnknownPathError where a path, a pattern or a sub-formula is not there.
    """
    return replace(layer, where, StopGradient)
