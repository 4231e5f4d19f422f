"""Modes are rewrites, not flags: a formula in inference mode is another formula."""

from __future__ import annotations

from typing import Any

from layertree._structure import rebuild, transform


def inference(layer: Any) -> Any:
    """The formula without dropout, and with running averages in the place of the batch's statistics.

    A layer class says so itself, by a method ``inference`` that gives what stands in its place. The result is kept
    by the layer, and shares its weights; a formula with nothing to replace is its own result.

    >>> from layertree import Dropout, Identity
    >>> inference(Dropout(Identity(), True, 0.5))
    Identity()
    """
    root = layer.__layer__()
    known = root.__dict__.get("_inference")
    if known is None:
        known = transform(root, _replace)
        # Of a formula that is its own result it keeps no reference to itself: that would be a cycle.
        root.__dict__["_inference"] = known if known is not root else True
    return root if known is True else known


def _replace(node: Any, children: tuple[Any, ...]) -> Any:
    made = rebuild(node, children)
    method = getattr(made, "inference", None)
    return made if method is None else method()
