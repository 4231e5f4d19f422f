"""Modes are rewrites, not flags: a formula in inference mode, or with frozen weights, is another formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from layertree._kinds import type_of
from layertree._literal import Literal
from layertree._structure import rebuild, transform
from layertree._sweep import nodes_of

if TYPE_CHECKING:  # predict needs inference alone, and nothing of what finds nodes
    from layertree.rewrite.selection import Where
    from layertree.rewrite.surgery import Rewritable

R = TypeVar("R")


def inference(layer: Rewritable[R]) -> R:
    """The formula without dropout, and with running averages in the place of the batch's statistics.

    A layer class says so itself, by a method ``inference`` that gives what stands in its place. The result is kept
    by the layer, and shares its weights; a formula with nothing to replace is its own result.

    >>> from layertree import Dropout, Identity
    >>> inference(Dropout(Identity(), True, 0.5))
    Identity()
    """
    root: Any = layer.__layer__()
    known = root.__dict__.get("_inference")
    if known is None:
        has_replacements = any(hasattr(cls, "inference") for cls in {*map(type_of, nodes_of(root))})
        known = transform(root, _replace) if has_replacements else root
        # Of a formula that is its own result it keeps no reference to itself: that would be a cycle.
        root.__dict__["_inference"] = known if known is not root else True
    return layer.with_layer(root if known is True else known)


def _replace(node: Any, children: tuple[Any, ...]) -> Any:
    made = rebuild(node, children)
    method = getattr(made, "inference", None)
    return made if method is None else method()


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
    from layertree.rewrite.selection import weights_in

    root: Any = layer.__layer__()
    constants = {weight: Literal(weight.value) for weight in weights_in(root, where)}
    return layer.with_layer(
        transform(root, lambda node, children: _frozen(node, children, constants)) if constants else root
    )


def _frozen(node: Any, children: tuple[Any, ...], constants: dict[Any, Any]) -> Any:
    return constants.get(node, node) if node._control == "cell" else rebuild(node, children)


def stop_gradient(layer: Rewritable[R], where: Where = "") -> R:
    """The formula with no way back from some nodes: what is behind them gets no delta from there.

    ``where`` is what ``find`` takes; unless it is given, the output is meant.

    >>> from layertree import Exp, Identity, Plus, Weight
    >>> formula = Plus(Exp(Weight(2.0)), Weight(1.0))
    >>> stop_gradient(formula, "operand1")
    Plus(StopGradient(Exp(Weight(2.0))), Weight(1.0))

    Raises UnknownPathError where a path, a pattern or a sub-formula is not there.
    """
    from layertree.layers.control import StopGradient
    from layertree.rewrite.surgery import replace

    return replace(layer, where, StopGradient)
