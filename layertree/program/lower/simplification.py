"""Simplification of a formula before its derivatives: the algebra of ``rewrite``, and pooling before monotone maps."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.structure import children_of, rebuild, transform
from layertree.layers.arithmetic import Plus
from layertree.layers.convolution import MaxPool2D
from layertree.layers.elementwise import ReLU
from layertree.program.ir.operations import AnyLayer, SpecTree
from layertree.rewrite.simplify import simplify
from layertree.sweep.plan import nodes_of


def simplified(layer: AnyLayer, spec: SpecTree) -> AnyLayer:
    """The formula in its simplest form, with max pooling moved before functions that are monotone in their operand.

    max(x) + c = max(x + c) and max(relu(x)) = relu(max(x)) hold to the last bit for rounded arithmetic, too, and after
    pooling there are fewer elements. Deltas are equal, except where elements differ by less than a sum can resolve: a
    sum makes them ties.

    >>> from layertree import Identity
    >>> from layertree.typing import ArraySpec
    >>> simplified(MaxPool2D(ReLU(Identity()), (2, 2), (2, 2)), ArraySpec((1, 4, 4, 1)))
    ReLU(MaxPool2D(Identity(), window=(2, 2), stride=(2, 2)))
    """
    return pooled_first(simplify(layer, spec))


def pooled_first(root: AnyLayer) -> AnyLayer:
    """A formula with max pooling moved before functions that are monotone in their operand."""
    order = nodes_of(root)
    if not any(type(node) is MaxPool2D for node in order):
        return root
    uses = Counter(id(child) for node in order for child in children_of(node))

    def change(node: Any, children: tuple[AnyLayer, ...]) -> AnyLayer:
        made = rebuild(node, children)
        return _pooled_first(made) if type_of(made) is MaxPool2D and uses[id(node.operand)] == 1 else made

    return transform(root, change)  # type: ignore[no-any-return]  # a layer, as the root is one


def _pooled_first(pool: MaxPool2D[Any, Any, Any]) -> AnyLayer:
    """The pooling with all monotone functions directly below it moved above it."""
    monotone: list[AnyLayer] = []
    inner: Any = pool.operand
    while type_of(inner) is ReLU or (type_of(inner) is Plus and _is_per_channel(inner.operand2)):
        monotone.append(inner)
        inner = inner.operand if type_of(inner) is ReLU else inner.operand1
    result: AnyLayer = rebuild(pool, (inner,))
    for node in reversed(monotone):
        result = rebuild(node, (result, *children_of(node)[1:]))
    return result


def _is_per_channel(node: Any) -> bool:
    """Whether a value is equal at all pixels of an image: a constant or a weight with at most one axis."""
    if node.__control__ not in ("cell", "constant"):
        return False
    value = node.value if node.__control__ == "cell" else node.data
    return not isinstance(value, tuple) and np.ndim(value) <= 1
