"""Batching: the batch namespace, which dispatches each function to the rule for its stacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from layertree.namespaces.batch import _diagonals, _rules, _tuples
from layertree.namespaces.batch._stacks import Operand, Stacks, mapped_operand
from layertree.namespaces.batch._values import ArrayValue, Batched, BatchValue, Diagonal, is_batched, is_known
from layertree.namespaces.classification import is_elementwise, patterns
from layertree.namespaces.hash_consing import TreeValue
from layertree.namespaces.spec import SPEC


class Batching(Stacks):
    """The namespace of stacks with some leading axes over the tree namespace ``xp``.

    A function of shared values alone stays a function of the tree namespace. Otherwise the first of these applies: the
    rule for diagonal stacks, the rule of the name in ``_rules`` or ``_tuples``, alignment of ranks for an elementwise
    function, and stacks as operands, which suits every function that counts axes from the end.
    """

    def _call(self, name: str, operands: tuple[Operand, ...], attributes: dict[str, object]) -> BatchValue:
        """The result of a function of the namespace."""
        operands = self._with_shared_patterns(name, operands)
        if not any(map(is_batched, _flat(operands))):
            shared: TreeValue = getattr(self.xp, name)(*operands, **attributes)
            return shared
        rule = vars(_diagonals).get(name) if any(isinstance(value, Diagonal) for value in _flat(operands)) else None
        found: BatchValue | None = None if rule is None else rule(self, *operands, **attributes)
        if found is not None:
            return found
        rule = vars(_rules).get(name) or vars(_tuples).get(name)
        if rule is not None:
            found = rule(self, *operands, **attributes)
            assert found is not None  # these rules hold for all operands
            return found
        if is_elementwise(name, [operand.spec for operand in _flat(operands)], attributes):
            return self._elementwise(name, *cast("tuple[ArrayValue, ...]", operands))  # a tuple has no such function
        return self.together(name, *operands, **attributes)

    def _with_shared_patterns(self, name: str, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """The operands with patterns that all examples share, where the shape of a pattern is known.

        A pattern is also shared where no other operand depends on the example: then the result does not either.
        """
        marks = patterns(name)
        if not any(marks):
            return operands
        pairs = list(zip(operands, marks, strict=True))
        alone = not any(is_batched(value) for operand, mark in pairs if not mark for value in _flat((operand,)))

        def shared(value: BatchValue) -> BatchValue:
            if not isinstance(value, Batched) or not (alone or is_known(value.spec.shape)):
                return value
            return self.pattern_of_one(value)

        return tuple([mapped_operand(shared, operand) if mark else operand for operand, mark in pairs])

    def _elementwise(self, name: str, *operands: ArrayValue) -> Batched:
        """An elementwise function, over stacks in which the axes of the examples are aligned."""
        spec = getattr(SPEC, name)(*[operand.spec for operand in operands])
        stacks = [self.aligned(operand, spec.ndim) for operand in operands]
        return self.result(name, getattr(self.xp, name)(*stacks), spec)


def _flat(operands: tuple[Operand, ...]) -> Iterator[BatchValue]:
    """The values of operands, of a variadic one all."""
    for operand in operands:
        if isinstance(operand, tuple):
            yield from operand
        else:
            yield operand
