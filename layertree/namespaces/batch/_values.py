"""The values of the batch namespace: each has the spec of one example and may stand for a stack of examples."""

from __future__ import annotations

from typing import TypeAlias

from typing_extensions import TypeIs

from layertree.core.spec import ArraySpec, Spec
from layertree.core.value import Shape
from layertree.namespaces.hash_consing import TreeValue
from layertree.namespaces.tree import Derivation


class Batched:
    """A stack: one element for each example along the leading axes. ``spec`` is the spec of one example."""

    __slots__ = ("_stack", "spec")

    _stack: TreeValue | None
    spec: ArraySpec

    def __init__(self, stack: TreeValue | None, spec: ArraySpec) -> None:
        self._stack = stack
        self.spec = spec

    @property
    def stack(self) -> TreeValue:
        """All examples, as a value of the tree namespace."""
        assert self._stack is not None  # a subclass without a stack overrides this property
        return self._stack


class Diagonal(Batched):
    """A stack of directions that is diagonal: (*shape, *shape), where element (i, j) is 0 unless i and j are equal.

    ``elements`` is the diagonal, a value of the tree namespace in the shape of one direction; ``is_one`` says that all
    elements of the diagonal are 1.
    """

    __slots__ = ("elements", "is_one", "xp")

    xp: Derivation
    elements: TreeValue
    is_one: bool

    def __init__(self, xp: Derivation, elements: TreeValue, is_one: bool = False) -> None:
        super().__init__(None, elements.spec)
        self.xp = xp
        self.elements = elements
        self.is_one = is_one

    @property
    def stack(self) -> TreeValue:
        """The dense stack, with the zeros."""
        if self.is_one:
            return self.xp.eye_like(self.elements)
        return self.xp.embed_diagonal(self.elements, axes=self.spec.ndim)


ArrayValue: TypeAlias = TreeValue | Batched
"""The value of one array: a stack, or a value of the tree namespace that all examples share."""

BatchValue: TypeAlias = "TreeValue | Batched | Several"
"""Any value of the namespace. A value of the tree namespace, a tuple too, is shared by all examples."""


BatchValues: TypeAlias = "tuple[BatchValue, ...]"


class Several:
    """A tuple of values, of which some are stacks."""

    __slots__ = ("parts", "spec")

    parts: BatchValues
    spec: tuple[Spec, ...]

    def __init__(self, parts: BatchValues) -> None:
        self.parts = parts
        self.spec = tuple([part.spec for part in parts])


def parts_of_several(value: object) -> BatchValues | None:
    """The parts of a ``Several``; None for other values. The ``split`` of walks over nested values."""
    return value.parts if isinstance(value, Several) else None


def several(_: object, parts: list[BatchValue]) -> Several:
    """A ``Several`` of parts. The ``join`` of ``folded``."""
    return Several(tuple(parts))


def is_batched(value: object) -> TypeIs[Batched | Several]:
    """Whether a value, or a part of it, differs from example to example."""
    return isinstance(value, (Batched, Several))


def is_known(shape: Shape) -> TypeIs[tuple[int, ...]]:
    """Whether all dimensions of a shape are sizes."""
    return all(isinstance(dim, int) for dim in shape)
