"""The attention of a transformer: which position reads which."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.data import described
from layertree.core.layer import AnyLayer
from layertree.plots._arguments import required_formula
from layertree.plots._matplotlib import DENSITY, entitle, panels
from layertree.plots._runs import operations_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["attention_maps"]


def attention_maps(formula: AnyLayer, input: object, ax: Axes | None = None, *, example: int = 0) -> list[Axes]:
    """The attention weights of each head of a formula for one input, in inference mode: queries down, keys across.

    Attention weights are the values of each softmax that is the first operand of a matrix product, of shape
    (..., queries, keys). ``example`` is the index along the first axis where there are four axes or more:
    (examples, heads, queries, keys). Each panel is one head of one product.

    Returns the axes of the panels. Raises TypeError for anything but a formula, ValueError for a formula without
    attention weights, IndexError for an example out of range, and ModuleNotFoundError without matplotlib.
    """
    required_formula(formula, "attention_maps")
    maps: list[tuple[str, Any]] = []
    found = [tape.upstream[0].value for tape in operations_of(formula, input) if _is_attention(tape)]
    for number, weights in enumerate(found, 1):
        one = weights[example] if np.ndim(weights) >= 4 else weights
        heads = np.reshape(one, (math.prod(np.shape(one)[:-2]), *np.shape(one)[-2:]))
        names = [f"attention {number}" + (f", head {i}" if len(heads) > 1 else "") for i in range(len(heads))]
        maps += zip(names, heads, strict=True)
    if not found:
        raise ValueError("attention_maps: no softmax is the first operand of a matrix product in this formula")
    maps = [(name, weights) for name, weights in maps if np.size(weights)]
    if not maps:
        raise ValueError(f"attention_maps: the attention weights have no element: {described(found[0])}")
    shown = panels(len(maps), ax, "attention_maps")
    for panel, (name, weights) in zip(shown, maps, strict=True):
        panel.imshow(weights, cmap=DENSITY, vmin=0.0, vmax=1.0)
        entitle(panel, name)
        panel.set_xlabel("key")
        panel.set_ylabel("query")
    return shown


def _is_attention(tape: Any) -> bool:
    """Whether a tape is of the product of a softmax with values."""
    function = getattr(tape.layer, "__function__", None)
    first = getattr(getattr(tape.upstream[0], "layer", None), "__function__", None)
    return function == "matmul" and first == "softmax" and np.ndim(tape.upstream[0].value) >= 2
