"""Inference mode: the formula that ``predict`` evaluates. A mode is a rewrite, so the result is another formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from layertree.core.dynamic import type_of
from layertree.core.layer import AnyLayer
from layertree.core.structure import rebuild, transform
from layertree.sweep.plan import nodes_of
from layertree.tape.run import evaluate

if TYPE_CHECKING:  # predict uses no function that replaces nodes
    from layertree.rewrite.surgery import Rewritable

R = TypeVar("R")


def predict(layer: AnyLayer, data: object) -> object:
    """The output value of a formula for some data, in inference mode."""
    return evaluate(inference(layer.__layer__()), data, layer)


def inference(layer: Rewritable[R]) -> R:
    """The formula without dropout, and with running averages instead of the statistics of the batch.

    A layer class with another form in inference mode has a method ``inference`` that returns this form. The result is
    cached by the layer, and shares its weights; a formula without such a layer is its own result.

    >>> from layertree import Dropout, Identity
    >>> inference(Dropout(Identity(), True, 0.5))
    Identity()
    """
    root = layer.__layer__()
    cached = root.__dict__.get("_inference")
    if cached is None:
        has_replacements = any(hasattr(cls, "inference") for cls in {*map(type_of, nodes_of(root))})
        cached = transform(root, _replace) if has_replacements else root
        # A formula that is its own result keeps a flag: a reference to itself would be a cycle.
        root.__dict__["_inference"] = cached if cached is not root else True
    return layer.with_layer(root if cached is True else cached)


def _replace(node: AnyLayer, children: tuple[AnyLayer, ...]) -> AnyLayer:
    rebuilt: AnyLayer = rebuild(node, children)
    method = getattr(rebuilt, "inference", None)
    if method is None:
        return rebuilt
    replacement: AnyLayer = method()
    return replacement
