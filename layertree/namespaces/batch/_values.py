"""Values of the batch namespace: of one example each, though they may stand for a stack of them."""

from __future__ import annotations

from typing import Any


class Batched:
    """A value with one element for each example along leading axes; ``spec`` is that of one example."""

    __slots__ = ("spec", "stack")

    def __init__(self, stack: Any, spec: Any) -> None:
        self.stack: Any = stack
        self.spec: Any = spec


class Several:
    """A tuple of values, of which some are batched."""

    __slots__ = ("parts", "spec")

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts
        self.spec = tuple([part.spec for part in parts])


def is_batched(value: Any) -> bool:
    """Whether a value, or a part of it, differs from example to example."""
    return isinstance(value, (Batched, Several))


def is_known(shape: tuple[Any, ...]) -> bool:
    """Whether all sizes of a shape are numbers."""
    return all(isinstance(dim, int) for dim in shape)
