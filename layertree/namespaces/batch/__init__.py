"""The batch namespace: another namespace's values with leading axes, one element for each example or direction.

A formula is read once over a whole stack. What does not depend on the examples stays as it is. The rule of a layer
sees values of one example; each name that it uses is put in terms of stacks: elementwise names once the ranks are
aligned, all others, since they count axes from the end, once every operand is a stack. The names for which there is
something better, or something else, have functions of their own in ``_rules``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.nested import folded
from layertree.core.spec import WEAK_TYPES, Dim
from layertree.namespaces.batch import _diagonals, _rules, _tuples
from layertree.namespaces.batch._names import is_elementwise, is_named, is_transparent, patterns
from layertree.namespaces.batch._values import Batched, Diagonal, Several, is_batched, is_known
from layertree.namespaces.spec import SPEC

__all__ = ["Batched", "Batching", "Diagonal", "Several", "is_batched", "is_named", "is_transparent"]


class Batching:
    """The namespace over ``xp``, the tree namespace, for stacks with some leading axes.

    ``dims`` are the sizes of these axes, which may be names or unknown; ``witness`` is a value of ``xp`` that has them.
    """

    def __init__(self, xp: Any, dims: tuple[Dim, ...], witness: Any) -> None:
        self.xp = xp
        self.dims = dims
        self._witness = witness

    def shape(self, value: Any) -> Any:
        """The shape of one example."""
        return SPEC.shape(self.lift(value).spec)

    def ndim(self, value: Any) -> Any:
        """The number of axes of one example."""
        return SPEC.ndim(self.lift(value).spec)

    def dtype(self, value: Any) -> Any:
        """The dtype; of a Python number its type."""
        return SPEC.dtype(self.lift(value).spec)

    def lift(self, value: Any) -> Any:
        """A constant of a rule as a value."""
        return value if is_batched(value) else self.xp.lift(value)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        getattr(SPEC, name)  # an AttributeError where there is none

        def function(*operands: Any, **attributes: Any) -> Any:
            return self._call(name, tuple([_mapped(self.lift, operand) for operand in operands]), attributes)

        return function

    def _call(self, name: str, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        operands = self._with_known_patterns(name, operands)
        if not any(map(is_batched, _flat(operands))):
            return getattr(self.xp, name)(*operands, **attributes)
        if any(isinstance(value, Diagonal) for value in _flat(operands)) and name in vars(_diagonals):
            found = getattr(_diagonals, name)(self, *operands, **attributes)
            if found is not None:
                return found
        rule = vars(_rules).get(name) or vars(_tuples).get(name)
        if rule is not None:
            return rule(self, *operands, **attributes)
        if is_elementwise(name, [operand.spec for operand in _flat(operands)], attributes):
            return self.elementwise(name, *operands)
        return self.together(name, *operands, **attributes)

    def _with_known_patterns(self, name: str, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """A pattern has the same shape for each example, so it is one of all where that shape is known.

        It is one of all, too, where the result does not depend on the examples otherwise.
        """
        marks = patterns(name)
        if not any(marks):
            return operands
        pairs = list(zip(operands, marks, strict=True))
        alone = not any(is_batched(value) for operand, mark in pairs if not mark for value in _flat((operand,)))

        def change(value: Any) -> Any:
            if not isinstance(value, Batched) or not (alone or is_known(value.spec.shape)):
                return value
            return self.pattern_of_one(value)

        return tuple([_mapped(change, operand) if mark else operand for operand, mark in pairs])

    def elementwise(self, name: str, *operands: Any) -> Batched:
        """A name that works element by element, over stacks whose axes stand where they do for one example."""
        spec = getattr(SPEC, name)(*[operand.spec for operand in operands])
        stacks = [self.aligned(operand, spec.ndim) for operand in operands]
        return self.result(name, getattr(self.xp, name)(*stacks), spec)

    def together(self, name: str, *operands: Any, **attributes: Any) -> Any:
        """A name that counts axes from the end, over operands that are all stacks."""
        spec = getattr(SPEC, name)(*[_mapped(_spec, operand) for operand in operands], **attributes)
        marks = patterns(name)
        stacks = [
            _mapped(self.pattern if mark else self.stacked, operand)
            for operand, mark in zip(operands, marks, strict=True)
        ]
        return self.result(name, getattr(self.xp, name)(*stacks, **attributes), spec)

    def result(self, name: str, stack: Any, spec: Any) -> Batched:
        """A stack as a value, in the dtype of one example."""
        if is_a(stack.spec, tuple) or not _agree(stack.spec.shape, (*self.dims, *spec.shape)):
            raise DTypeError(
                f"{name} gives {stack.spec} for stacks where it gives {spec} for one example: no rule is known"
            )
        if stack.spec.dtype != spec.dtype:
            stack = self.xp.astype(stack, dtype=spec.dtype)
        return Batched(stack, spec)

    def stacked(self, value: Any) -> Any:
        """A value of the namespace below that has the leading axes; what is one of all is repeated along them."""
        return folded(value, self._stacked, lambda _, stacks: self.xp.tuple(tuple(stacks)), self._parts)

    def _parts(self, value: Any) -> Any:
        """The parts of a tuple, be it of stacks or of what is one of all."""
        if isinstance(value, Several):
            return value.parts
        if isinstance(value, Batched) or not is_a(value.spec, tuple):
            return None
        return [self.xp.item(value, position=i) for i in range(len(value.spec))]

    def _stacked(self, value: Any) -> Any:
        if isinstance(value, Batched):
            return value.stack
        shape = (*self.dims, *value.spec.shape)
        if is_known(shape):
            return self.xp.broadcast_to(value, shape=shape)
        return self.xp.broadcast_like(self.aligned(value, value.spec.ndim), self._added(value))

    def aligned(self, value: Any, ndim: int) -> Any:
        """A value of the namespace below with ``ndim`` axes for one example: new ones go before its own."""
        if isinstance(value, Batched):
            return self._widened(value.stack, value.spec.ndim, ndim)
        # A name of a leading axis that is also one of an example's is not to meet itself: then all have the same rank.
        is_meant = any(isinstance(dim, str) and dim in self.dims for dim in value.spec.shape)
        return self._widened(value, value.spec.ndim, ndim + len(self.dims)) if is_meant else value

    def _widened(self, value: Any, own: int, ndim: int) -> Any:
        """With new axes of size 1 before the last ``own`` ones, until these are ``ndim``."""
        for place in range(own, ndim):
            value = self.xp.expand_dims(value, axis=-place - 1)
        return value

    def pattern(self, like: Any) -> Any:
        """A value of the namespace below of the shape and dtype that ``like`` has as a stack."""
        if isinstance(like, Batched):
            return like.stack
        shape = (*self.dims, *like.spec.shape)
        return self.xp.broadcast_to(self._zero(like.spec), shape=shape) if is_known(shape) else self.stacked(like)

    def pattern_of_one(self, like: Batched) -> Any:
        """A value of the namespace below of the shape and dtype that ``like`` has for one example."""
        spec = like.spec
        if is_known(spec.shape):
            zero = self._zero(spec)
            return zero if spec.ndim == 0 else self.xp.broadcast_to(zero, shape=spec.shape)
        total = self.xp.sum(like.stack, axis=tuple(range(-spec.ndim - len(self.dims), -spec.ndim)), keepdims=False)
        return total if total.spec.dtype == spec.dtype else self.xp.astype(total, dtype=spec.dtype)

    def _zero(self, spec: Any) -> Any:
        return self.xp.lift(WEAK_TYPES[spec.dtype](0) if spec.weak else spec.dtype.type(0))

    def _added(self, value: Any) -> Any:
        """Something of the shape that a value has as a stack, for sizes that are known at run time alone."""
        column = self.xp.zeros_like(self._witness)
        own = column.spec.ndim - len(self.dims)
        if own:
            column = self.xp.sum(column, axis=tuple(range(-own, 0)), keepdims=False)
        for _ in range(value.spec.ndim):
            column = self.xp.expand_dims(column, axis=-1)
        return self.xp.add(column, self.aligned(value, value.spec.ndim)) if value.spec.ndim else column


def _mapped(function: Callable[[Any], Any], operand: Any) -> Any:
    """``function`` of an operand, or of each value of a variadic one."""
    return tuple(map(function, operand)) if is_a(operand, tuple) else function(operand)


def _flat(operands: tuple[Any, ...]) -> Iterator[Any]:
    for operand in operands:
        if is_a(operand, tuple):
            yield from operand
        else:
            yield operand


def _spec(value: Any) -> Any:
    return value.spec


def _agree(given: tuple[Dim, ...], wanted: tuple[Dim, ...]) -> bool:
    """Whether two shapes may be the same, as far as they are known."""
    return len(given) == len(wanted) and all(
        one == other or not (isinstance(one, int) and isinstance(other, int))
        for one, other in zip(given, wanted, strict=True)
    )
