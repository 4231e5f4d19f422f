"""Inference mode: the formula that ``predict`` evaluates. A mode is a rewrite, so the result is another formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from layertree.core.dynamic import type_of
from layertree.core.structure import rebuild, transform
from layertree.sweep.plan import nodes_of
from layertree.tape.run import evaluate

if TYPE_CHECKING:  # predict needs nothing of what replaces nodes
    from layertree.rewrite.surgery import Rewritable

R = TypeVar("R")


def predict(layer: Any, data: Any) -> Any:
    """The output value of a formula for some data, in inference mode."""
    return evaluate(inference(layer.__layer__()), data, layer)


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
