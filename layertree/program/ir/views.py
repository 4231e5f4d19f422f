"""View primitives: their results share the memory of their operands, and no element is copied."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from layertree.core.static_index import index_text
from layertree.kernels.windows import windows
from layertree.program.ir.operations import Array, Attributes
from layertree.program.ir.static_index import StaticIndex, parts_of


def _reshape(x: Array, shape: tuple[int, ...]) -> Array:
    return np.reshape(x, shape)


def _transpose(x: Array, axes: tuple[int, ...]) -> Array:
    return np.transpose(x, axes)


def _getitem(x: Array, index: StaticIndex) -> Array:
    part: Array = x[index]
    return part


VIEWS: dict[str, Callable[..., Array]] = {
    "reshape": _reshape,
    "transpose": _transpose,
    "broadcast_to": np.broadcast_to,
    "getitem": _getitem,
    "windows": windows,
}
"""The function that makes each view from the array of its operand and its attributes."""


def view_text(name: str, operand: str, attributes: Attributes, ndim: int, *, of_number: bool = False) -> str:
    """The expression of a view in NumPy; ``ndim`` is the rank of its result, and ``of_number`` its operand's is 0."""
    if name == "reshape":
        if of_number:
            return f"np.reshape({operand}, {attributes['shape']})"
        return f"{operand}.reshape({_sizes(attributes['shape'])})"
    if name == "transpose":
        axes = attributes["axes"]
        if axes == (1, 0):
            return f"{operand}.T"
        if axes == (*range(ndim - 2), ndim - 1, ndim - 2):
            return f"{operand}.mT"
        return f"{operand}.transpose({_sizes(axes)})"
    if name == "getitem":
        if of_number:
            operand = f"np.asarray({operand})"
        return f"{operand}[{index_text(parts_of(attributes['index']))}]"
    if name == "broadcast_to":
        return f"np.broadcast_to({operand}, {attributes['shape']})"
    given = ", ".join(f"{key}={value!r}" for key, value in attributes.items())
    return f"xp.{name}({operand}, {given})"


def _sizes(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes)) or "()"
