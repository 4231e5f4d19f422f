"""Limits of the formulas that a text may describe: a short text may ask for more work than any machine can do.

A formula that is composed with itself, line by line, doubles with each line; a power of integers has as many digits as
its exponent says. Both are bounded where the text has the spec of its input, so that the formula can be computed.
A text without it is read as a structure alone, of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree import Compose, Literal, Negative, Power
from layertree.core.dynamic import is_a
from layertree.core.structure import own_children, post_order
from layertree.namespaces.scalar import LARGEST_POWER
from symbolic.parsing._operands import OperandError

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer

__all__ = ["require_bounded"]

LARGEST_EXPANSION = 10_000_000
"""The number of operations that a formula may have with its compositions written out."""


def require_bounded(root: AnyLayer) -> None:
    """Raise OperandError for a formula that is too large to be computed."""
    _require_small_powers(root)
    _require_small_expansion(root)


def _require_small_powers(root: AnyLayer) -> None:
    """Raise OperandError for a power of constant integers with too many bits."""
    values: dict[int, int] = {}
    each: list[Any] = list(post_order(root))  # the fields depend on the class
    for node in each:
        if is_a(node, Literal):
            if is_a(node.data, int):
                values[id(node)] = node.data
        elif is_a(node, Negative) and id(node.operand) in values:
            values[id(node)] = -values[id(node.operand)]
        elif is_a(node, Power) and id(node.operand1) in values and id(node.operand2) in values:
            base, exponent = values[id(node.operand1)], values[id(node.operand2)]
            if exponent > 1 and base.bit_length() * exponent > LARGEST_POWER and not -2 < base < 2:
                raise OperandError(f"a power of integers has over {LARGEST_POWER} bits: write a float, such as 9.0")
            if exponent >= 0:
                values[id(node)] = base**exponent


def _require_small_expansion(root: AnyLayer) -> None:
    """Raise OperandError for a formula with too many operations in its expansion.

    The outer part of a composition counts once for each composition; shared nodes over one input count once.
    """
    sizes: dict[int, int] = {}
    pending = [root]
    visited = 0
    while pending:
        whole = pending[-1]
        if id(whole) in sizes:
            pending.pop()
            continue
        nodes: list[Any] = list(post_order(whole, own_children))
        visited += len(nodes)
        outers: list[AnyLayer] = [node.outer for node in nodes if is_a(node, Compose)]
        unknown = [outer for outer in outers if id(outer) not in sizes]
        if unknown:
            pending += unknown
        else:
            sizes[id(whole)] = len(nodes) + sum(sizes[id(outer)] for outer in outers)
            pending.pop()
        if max(visited, sizes.get(id(whole), 0)) > LARGEST_EXPANSION:
            raise OperandError(
                f"the compositions of this formula make more than {LARGEST_EXPANSION} operations: a formula is "
                "repeated wherever it is called"
            )
