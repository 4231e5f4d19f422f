"""In which dtypes a rule may be used: what computes in another order does so in one and the same float dtype.

Integers wrap around and booleans have an arithmetic of their own, so that in them two orders of one computation differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.core.dynamic import is_a, type_of
from layertree.core.structure import children_of, post_order
from layertree.layers.arithmetic import BroadcastLike, Maximum, Minimum
from layertree.layers.comparison import (
    BitwiseAnd,
    BitwiseInvert,
    BitwiseOr,
    BitwiseXor,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    NotEqual,
    Where,
)
from layertree.layers.control import Hook, StopGradient
from layertree.layers.indexing import GetItem, Pick, Put, Take, Unpick
from layertree.layers.linear_algebra import MatrixTranspose
from layertree.layers.reduction import AxisSize, Max, Min
from layertree.layers.shape import (
    Alike,
    BroadcastTo,
    Concat,
    ConcatPart,
    ExpandDims,
    MergeDims,
    OnesLike,
    Pad,
    PermuteDims,
    Reshape,
    ReshapeLike,
    SplitDim,
    ZerosLike,
)
from layertree.layers.stacks import EmbedDiagonal, EyeLike, ReshapeLast, TakeDiagonal, TakeEach
from layertree.layers.structure import Item, Tuple
from layertree.namespaces.hash_consing import TreeValue
from layertree.rewrite.pattern import Bindings, Rule

_MOVING: frozenset[Any] = frozenset(
    {
        Alike,
        AxisSize,
        BroadcastLike,
        BroadcastTo,
        Concat,
        ConcatPart,
        EmbedDiagonal,
        ExpandDims,
        EyeLike,
        GetItem,
        Hook,
        Item,
        MatrixTranspose,
        MergeDims,
        OnesLike,
        Pad,
        PermuteDims,
        Pick,
        Put,
        Reshape,
        ReshapeLast,
        ReshapeLike,
        SplitDim,
        StopGradient,
        Take,
        TakeDiagonal,
        TakeEach,
        Tuple,
        Unpick,
        ZerosLike,
        BitwiseAnd,
        BitwiseInvert,
        BitwiseOr,
        BitwiseXor,
        Equal,
        Greater,
        GreaterEqual,
        Less,
        LessEqual,
        NotEqual,
    }
)
"""What moves elements, compares them or works on their bits, which is the same for all dtypes."""

_CHOOSING: frozenset[Any] = frozenset({Max, Maximum, Min, Minimum, Where})
"""What gives elements of its operands, brought to one dtype."""


class Regrouping:
    """What the dtypes have to be for a rule that computes in another order."""

    def __init__(self, rule: Rule) -> None:
        computing = list(_computing(rule.pattern)) + list(_computing(rule.replacement))
        self._is_arithmetic = any(type_of(node) not in _CHOOSING for node in computing)
        self._places = tuple(
            dict.fromkeys(one.name for node in computing for one in _operands(node) if one.__control__ == "place")
        )
        self._paths = tuple(_paths(rule.pattern))

    def dtype(self, spec: Any, values: tuple[TreeValue, ...], bindings: Bindings) -> np.dtype[Any] | None:
        """The one dtype in which a match computes; None if there are several, or if it is not one of floats.

        Python numbers take on the dtype of what is beside them, and Python integers alone do not wrap around.
        """
        nodes = [_spec_at(path, spec, values) for path in self._paths]
        specs = [bindings[name].spec for name in self._places]
        if any(is_a(one, tuple) for one in nodes + specs):
            return None
        strong = {one.dtype for one in specs if not one.weak}
        dtypes = {one.dtype for one in nodes} | strong or {one.dtype for one in specs}
        if len(dtypes) != 1:
            return None
        dtype: np.dtype[Any] = dtypes.pop()
        if not self._is_arithmetic:
            return dtype
        is_exact = dtype.kind == "i" and all(one.weak for one in nodes + specs)
        has_booleans = any(one.dtype.kind == "b" for one in specs)
        return dtype if (is_exact or dtype.kind == "f") and not has_booleans else None

    def admits(self, cls: Any, spec: Any, is_constant: bool, dtype: np.dtype[Any]) -> bool:
        """Whether a node of the replacement, of a class and with a spec, computes in the dtype too."""
        if cls in _MOVING or cls.__control__ is not None:
            return True
        if is_a(spec, tuple):
            return False
        return bool(spec.dtype == dtype) or (is_constant and spec.weak)


def regrouping(rule: Rule) -> Regrouping | None:
    """What a rule asks of the dtypes; None for one that serves all of them.

    It does if it only moves elements, if it leaves out its one operation, or if it does this same one over other
    operands, such as what has not been broadcast.
    """
    before = [type_of(node) for node in _computing(rule.pattern)]
    after = [type_of(node) for node in _computing(rule.replacement)]
    return None if len(before) <= 1 and after in ([], before) else Regrouping(rule)


def _computes(node: Any) -> bool:
    return node.__control__ is None and type_of(node) not in _MOVING


def _computing(tree: Any) -> Iterator[Any]:
    return filter(_computes, post_order(tree))


def _operands(node: Any) -> tuple[Any, ...]:
    """The children whose dtype counts: that of a condition does not."""
    return children_of(node)[1:] if type_of(node) is Where else children_of(node)


def _paths(tree: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Where a pattern computes: which child of which child it is."""
    if _computes(tree):
        yield path
    for position, child in enumerate(children_of(tree)):
        yield from _paths(child, (*path, position))


def _spec_at(path: tuple[int, ...], spec: Any, values: tuple[TreeValue, ...]) -> Any:
    for position in path:
        spec, values = values[position].spec, values[position].children
    return spec
