"""Values of the batch namespace: of one example each, though they may stand for a stack of them."""

from __future__ import annotations

from typing import Any


class Batched:
    """A value with one element for each example along leading axes; ``spec`` is that of one example."""

    __slots__ = ("_stack", "spec")

    def __init__(self, stack: Any, spec: Any) -> None:
        self._stack: Any = stack
        self.spec: Any = spec

    @property
    def stack(self) -> Any:
        """All examples, as a value of the namespace below."""
        return self._stack


class Diagonal(Batched):
    """A stack with leading axes like its own, 0 where their places differ.

    ``elements`` are where they are the same, as a value of the namespace below; ``is_one`` says that they all are 1.
    """

    __slots__ = ("elements", "is_one", "xp")

    def __init__(self, xp: Any, elements: Any, is_one: bool = False) -> None:
        super().__init__(None, elements.spec)
        self.xp: Any = xp
        self.elements: Any = elements
        self.is_one: bool = is_one

    @property
    def stack(self) -> Any:
        """The whole of it."""
        if self.is_one:
            return self.xp.eye_like(self.elements)
        return self.xp.embed_diagonal(self.elements, axes=self.spec.ndim)


class Several:
    """A tuple of values, of which some are batched."""

    __slots__ = ("parts", "spec")

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts: tuple[Any, ...] = parts
        self.spec: tuple[Any, ...] = tuple([part.spec for part in parts])


def parts_of_several(value: Any) -> tuple[Any, ...] | None:
    """The parts of such a tuple; anything else has none."""
    return value.parts if isinstance(value, Several) else None


def several(_: Any, parts: list[Any]) -> Several:
    """How ``folded`` makes such tuples."""
    return Several(tuple(parts))


def is_batched(value: Any) -> bool:
    """Whether a value, or a part of it, differs from example to example."""
    return isinstance(value, (Batched, Several))


def is_known(shape: tuple[Any, ...]) -> bool:
    """Whether all sizes of a shape are numbers."""
    return all(isinstance(dim, int) for dim in shape)
