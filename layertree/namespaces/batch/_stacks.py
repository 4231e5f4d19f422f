"""Stacks: the operations by which rules make, align and repeat stacks of examples."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.nested import folded
from layertree.core.spec import WEAK_TYPES, ArraySpec, Spec
from layertree.core.value import Shape, Value
from layertree.namespaces.batch._values import (
    ArrayValue,
    Batched,
    BatchValue,
    BatchValues,
    Several,
    is_batched,
    is_known,
)
from layertree.namespaces.classification import patterns
from layertree.namespaces.hash_consing import TreeValue
from layertree.namespaces.spec import SPEC
from layertree.namespaces.spec.properties import SpecProperties
from layertree.namespaces.tree import Derivation

R = TypeVar("R")

Operand: TypeAlias = "BatchValue | BatchValues"
"""An operand of a function: a value, or a tuple of values for a variadic operand."""


class Stacks(SpecProperties):
    """The base class of the batch namespace: what rules use besides the functions of the namespace.

    ``xp`` is the tree namespace of the stacks. ``dims`` are the sizes of the leading axes, which may be names or
    unknown; ``witness`` is a value of ``xp`` that has the leading axes, as a pattern for unknown sizes.
    """

    def __init__(self, xp: Derivation, dims: Shape, witness: TreeValue) -> None:
        self.xp = xp
        self.dims = dims
        self._witness = witness

    @abstractmethod
    def _call(self, name: str, operands: tuple[Operand, ...], attributes: dict[str, object]) -> BatchValue:
        """The result of a function of the namespace."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        getattr(SPEC, name)  # an AttributeError for a name that is no function

        def function(*operands: Value, **attributes: object) -> BatchValue:
            return self._call(name, tuple([mapped_operand(self.lift, operand) for operand in operands]), attributes)

        return function

    def lift(self, value: Value) -> BatchValue:
        """A value as it is, a constant of a rule as a value."""
        return value if is_batched(value) else self.xp.lift(value)

    def together(self, name: str, *operands: Operand, **attributes: object) -> Batched:
        """A function that counts axes from the end, over operands that are all stacks."""
        spec = getattr(SPEC, name)(*[mapped_operand(_spec, operand) for operand in operands], **attributes)
        marks = patterns(name)
        stacks = [
            mapped_operand(self.pattern if mark else self.stacked, operand)
            for operand, mark in zip(operands, marks, strict=True)
        ]
        return self.result(name, getattr(self.xp, name)(*stacks, **attributes), spec)

    def result(self, name: str, stack: TreeValue, spec: Spec) -> Batched:
        """A stack as a value, cast to the dtype of one example; DTypeError where the shapes differ."""
        if is_a(stack.spec, tuple) or not _agree(stack.spec.shape, (*self.dims, *spec.shape)):
            raise DTypeError(
                f"{name} gives {stack.spec} for stacks where it gives {spec} for one example: no rule is known"
            )
        if stack.spec.dtype != spec.dtype:
            stack = self.xp.astype(stack, dtype=spec.dtype)
        return Batched(stack, spec)

    def stacked(self, value: BatchValue) -> TreeValue:
        """A value of the tree namespace with the leading axes; a shared value is repeated along the leading axes."""
        if isinstance(value, Batched):
            return value.stack
        stack: TreeValue = folded(value, self._stacked, self._tuple, self._parts)
        return stack

    def _tuple(self, _: object, stacks: list[TreeValue]) -> TreeValue:
        return self.xp.tuple(tuple(stacks))

    def _parts(self, value: BatchValue) -> tuple[BatchValue, ...] | list[TreeValue] | None:
        """The parts of a tuple, whose parts are stacks or which all examples share; None for other values."""
        if isinstance(value, Several):
            return value.parts
        if isinstance(value, Batched) or not is_a(value.spec, tuple):
            return None
        return [self.xp.item(value, position=i) for i in range(len(value.spec))]

    def _stacked(self, value: ArrayValue) -> TreeValue:
        if isinstance(value, Batched):
            return value.stack
        shape = (*self.dims, *value.spec.shape)
        if is_known(shape):
            return self.xp.broadcast_to(value, shape=shape)
        return self.xp.broadcast_like(self.aligned(value, value.spec.ndim), self._added(value))

    def aligned(self, value: ArrayValue, ndim: int) -> TreeValue:
        """A value of the tree namespace of which one example has rank ``ndim``: new axes come before its own."""
        if isinstance(value, Batched):
            return self._widened(value.stack, value.spec.ndim, ndim)
        # Broadcasting must not pair the name of a leading axis with an axis of one example that has the same name:
        # then all operands get the same rank.
        has_name = any(isinstance(dim, str) and dim in self.dims for dim in value.spec.shape)
        return self._widened(value, value.spec.ndim, ndim + len(self.dims)) if has_name else value

    def _widened(self, value: TreeValue, own: int, ndim: int) -> TreeValue:
        """A value with new axes of size 1 before the last ``own`` axes, until the latter are ``ndim``."""
        for place in range(own, ndim):
            value = self.xp.expand_dims(value, axis=-place - 1)
        return value

    def pattern(self, like: ArrayValue) -> TreeValue:
        """A value of the tree namespace in the shape and dtype of ``like`` as a stack."""
        if isinstance(like, Batched):
            return like.stack
        shape = (*self.dims, *like.spec.shape)
        return self.xp.broadcast_to(self._zero(like.spec), shape=shape) if is_known(shape) else self.stacked(like)

    def pattern_of_one(self, like: Batched) -> TreeValue:
        """A value of the tree namespace in the shape and dtype of one example of ``like``."""
        spec = like.spec
        if is_known(spec.shape):
            zero = self._zero(spec)
            return zero if spec.ndim == 0 else self.xp.broadcast_to(zero, shape=spec.shape)
        total = self.xp.sum(like.stack, axis=tuple(range(-spec.ndim - len(self.dims), -spec.ndim)), keepdims=False)
        return total if total.spec.dtype == spec.dtype else self.xp.astype(total, dtype=spec.dtype)

    def _zero(self, spec: ArraySpec) -> TreeValue:
        return self.xp.lift(WEAK_TYPES[spec.dtype](0) if spec.weak else spec.dtype.type(0))

    def _added(self, value: TreeValue) -> TreeValue:
        """A pattern of a shared value as a stack, for sizes that only a run knows."""
        column = self.xp.zeros_like(self._witness)
        own = column.spec.ndim - len(self.dims)
        if own:
            column = self.xp.sum(column, axis=tuple(range(-own, 0)), keepdims=False)
        for _ in range(value.spec.ndim):
            column = self.xp.expand_dims(column, axis=-1)
        return self.xp.add(column, self.aligned(value, value.spec.ndim)) if value.spec.ndim else column


def mapped_operand(function: Callable[[Any], R], operand: Value) -> R | tuple[R, ...]:
    """``function`` of an operand, or of each value of a variadic operand."""
    if isinstance(operand, tuple):
        return tuple(map(function, cast("tuple[Value, ...]", operand)))
    return function(operand)


def _spec(value: BatchValue) -> Spec:
    return value.spec


def _agree(given: Shape, wanted: Shape) -> bool:
    """Whether two shapes may be equal, as far as their sizes are known."""
    return len(given) == len(wanted) and all(
        one == other or not (isinstance(one, int) and isinstance(other, int))
        for one, other in zip(given, wanted, strict=True)
    )
