"""Rewriting for speed, before derivatives are taken: what a program may do in another order at less cost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.structure import children_of, rebuild, transform
from layertree.layers.arithmetic import Plus
from layertree.layers.convolution import MaxPool2D
from layertree.layers.elementwise import ReLU
from layertree.rewrite.simplify import simplify
from layertree.sweep.plan import nodes_of


def simplified(layer: Any, spec: Any) -> Any:
    """The formula in its simplest form, with pooling before what rises with its operand.

    The largest of some sums with one number is the sum of the largest, to the last bit, and relu keeps the order: both
    then act on the few elements that pooling leaves. Deltas are the same, but where elements differ by less than the
    sum can tell: they tie after it, and not before.

    >>> from layertree import Identity
    >>> from layertree.typing import ArraySpec
    >>> simplified(MaxPool2D(ReLU(Identity()), (2, 2), (2, 2)), ArraySpec((1, 4, 4, 1)))
    ReLU(MaxPool2D(Identity(), window=(2, 2), stride=(2, 2)))
    """
    root = simplify(layer, spec)
    order = nodes_of(root)
    if not any(type(node) is MaxPool2D for node in order):
        return root
    uses = Counter(id(child) for node in order for child in children_of(node))

    def change(node: Any, children: tuple[Any, ...]) -> Any:
        made = rebuild(node, children)
        return _pooled_first(made) if type_of(made) is MaxPool2D and uses[id(node.operand)] == 1 else made

    return transform(root, change)


def _pooled_first(pool: MaxPool2D[Any, Any, Any]) -> Any:
    """The same with what rises taken out of the pooling, as long as there is some."""
    around: list[Any] = []
    inner: Any = pool.operand
    while type_of(inner) is ReLU or (type_of(inner) is Plus and _is_row(inner.operand2)):
        around.append(inner)
        inner = inner.operand if type_of(inner) is ReLU else inner.operand1
    result = rebuild(pool, (inner,))
    for node in reversed(around):
        result = rebuild(node, (result, *children_of(node)[1:]))
    return result


def _is_row(node: Any) -> bool:
    """Whether a value is the same at each place of an image: a number, or one for each channel."""
    if node.__control__ not in ("cell", "constant"):
        return False
    value = node.value if node.__control__ == "cell" else node.data
    return not isinstance(value, tuple) and np.ndim(value) <= 1
