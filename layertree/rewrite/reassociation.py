"""The dtypes in which a rule is sound: a rule that changes the order of arithmetic needs one float dtype.

Integers wrap around and booleans have an arithmetic of their own, so in these dtypes two orders of one computation
differ. Rules that only move, compare or choose elements hold in every dtype.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.core.spec import SpecTree
from layertree.core.structure import children_of, post_order
from layertree.namespaces.hash_consing import TreeValue
from layertree.rewrite.pattern import Bindings, Number, Rule, Wildcard

_EXACT_IN_ANY_DTYPE = frozenset(
    {
        "alike",
        "axis_size",
        "bitwise_and",
        "bitwise_invert",
        "bitwise_or",
        "bitwise_xor",
        "broadcast_like",
        "broadcast_to",
        "concat",
        "concat_part",
        "embed_diagonal",
        "equal",
        "expand_dims",
        "eye_like",
        "getitem",
        "greater",
        "greater_equal",
        "hook",
        "item",
        "less",
        "less_equal",
        "matrix_transpose",
        "merge_dims",
        "not_equal",
        "ones_like",
        "pad",
        "permute_dims",
        "pick",
        "put",
        "reshape",
        "reshape_last",
        "reshape_like",
        "split_dim",
        "stop_gradient",
        "take",
        "take_diagonal",
        "take_each",
        "tuple",
        "unpick",
        "zeros_like",
    }
)
"""The functions that move elements, compare them or work on their bits, by name."""

_SELECTIONS = frozenset({"max", "maximum", "min", "minimum", "where"})
"""The functions whose result has elements of the operands, after promotion to one dtype."""


class DTypeCondition:
    """The condition on dtypes of a rule that changes the order of operations."""

    def __init__(self, rule: Rule) -> None:
        operations = list(_operations(rule.pattern)) + list(_operations(rule.replacement))
        self._is_arithmetic = any(node.__function__ not in _SELECTIONS for node in operations)
        operands = [operand for node in operations for operand in _data_operands(node)]
        self._names = tuple(dict.fromkeys(one.name for one in operands if isinstance(one, (Wildcard, Number))))
        self._paths = tuple(_paths(rule.pattern))

    def dtype(self, spec: SpecTree, values: tuple[TreeValue, ...], bindings: Bindings) -> np.dtype[Any] | None:
        """The one dtype in which a match computes; None if there are several, or one in which order matters.

        Python numbers adopt the dtype of the other operand, and Python integers alone do not wrap around.
        """
        nodes: list[Any] = [_spec_at(path, spec, values) for path in self._paths]
        specs: list[Any] = [bindings[name].spec for name in self._names]
        if any(isinstance(one, tuple) for one in nodes + specs):
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

    def admits(self, cls: type[AnyLayer], spec: SpecTree, is_constant: bool, dtype: np.dtype[Any] | str) -> bool:
        """Whether a node of the replacement, of a class and with a spec, computes in the dtype too."""
        if cls.__function__ in _EXACT_IN_ANY_DTYPE or cls.__control__ is not None:
            return True
        if isinstance(spec, tuple):
            return False
        return bool(spec.dtype == dtype) or (is_constant and spec.weak)


def dtype_condition(rule: Rule) -> DTypeCondition | None:
    """The condition of a rule on dtypes; None for a rule that holds in every dtype.

    A rule holds in every dtype if it only moves elements, if it drops its one operation, or if it applies the same
    operation to other operands, such as a value before its broadcast.
    """
    before = [type(node) for node in _operations(rule.pattern)]
    after = [type(node) for node in _operations(rule.replacement)]
    return None if len(before) <= 1 and after in ([], before) else DTypeCondition(rule)


def _is_operation(node: AnyLayer) -> bool:
    """Whether the result of a node depends on the dtype in which it computes."""
    return node.__control__ is None and node.__function__ not in _EXACT_IN_ANY_DTYPE


def _operations(term: AnyLayer) -> Iterator[AnyLayer]:
    return filter(_is_operation, post_order(term))


def _data_operands(node: AnyLayer) -> tuple[AnyLayer, ...]:
    """The operands that take part in the promotion of dtypes: all but the condition of a ``where``."""
    children = children_of(node)
    return children[1:] if node.__function__ == "where" else children


def _paths(term: AnyLayer, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The positions of the operations of a pattern, each as the indices of children; patterns are small."""
    if _is_operation(term):
        yield path
    for position, child in enumerate(children_of(term)):
        yield from _paths(child, (*path, position))


def _spec_at(path: tuple[int, ...], spec: SpecTree, values: tuple[TreeValue, ...]) -> SpecTree:
    """The spec of the sub-formula at a path below a node."""
    for position in path:
        spec, values = values[position].spec, values[position].children
    return spec
