"""Sample: one way to use a layer class, with data for its operands."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import layertree
from layertree import Identity, Item, Layer, Literal, Weight
from layertree.layers import families


@dataclass(frozen=True, eq=False)
class Sample:
    """How to build a layer over operands, their data in float64, and what is known of the result.

    ``differentiable`` are the operands that get a delta; ``batch`` those whose first axis may have any size, all the
    same. ``reference`` computes the value in plain NumPy. At a ``kink`` central differences still give the
    convention's gradient, but differences of the gradient mean nothing.
    """

    cls: type
    label: str
    build: Callable[..., Any]
    operands: tuple[Any, ...]
    differentiable: tuple[int, ...]
    batch: tuple[int, ...] = ()
    reference: Callable[..., Any] | None = None
    kink: bool = False

    @property
    def id(self) -> str:
        return f"{self.cls.__name__}-{self.label}"

    @cached_property
    def layer(self) -> Any:
        """The layer over the input: its one operand, or a tuple of them."""
        if len(self.operands) == 1:
            return self.build(Identity())
        return self.build(*[Item(Identity(), i) for i in range(len(self.operands))])

    @property
    def input(self) -> Any:
        return self.pack(self.operands)

    def pack(self, operands: Any) -> Any:
        """Data for the operands as data for the input."""
        return operands[0] if len(operands) == 1 else tuple(operands)

    def over_weights(self, operands: Any) -> tuple[Any, dict[int, Weight[Any]]]:
        """The layer with its differentiable operands as weights and the others as constants, and these weights."""
        leaves = [Weight(data) if i in self.differentiable else Literal(data) for i, data in enumerate(operands)]
        return self.build(*leaves), {i: leaves[i] for i in self.differentiable}

    def random(self, purpose: str) -> np.random.Generator:
        """Numbers that depend on the sample and on what they are for, and on nothing else."""
        return np.random.default_rng(zlib.crc32(f"{self.id} {purpose}".encode()))


def sample(
    cls: type,
    label: str,
    *operands: Any,
    build: Callable[..., Any] | None = None,
    reference: Callable[..., Any] | None = None,
    patterns: tuple[int, ...] = (),
    differentiable: tuple[int, ...] | None = None,
    batch: tuple[int, ...] = (),
    kink: bool = False,
    **attributes: Any,
) -> Sample:
    """A sample of a class whose fields are operands, then ``attributes``; ``build`` serves the others.

    Unless it is said otherwise, float operands are differentiable, but for ``patterns``, where the class has a rule.
    """

    def plain(*layers: Any) -> Any:
        return cls(*layers, **attributes)

    if differentiable is None:
        has_rule = hasattr(cls, "gradient")
        floats = [i for i, data in enumerate(operands) if is_float(data) and i not in patterns]
        differentiable = tuple(floats) if has_rule else ()
    return Sample(cls, label, build or plain, operands, differentiable, batch, reference, kink)


def is_float(data: Any) -> bool:
    return np.asarray(data).dtype.kind == "f"


def layer_classes() -> list[type]:
    """All classes that a user can name: the families', and those that the package itself exports."""
    found = [getattr(family, name) for family in families() for name in family.__all__]
    exported = [value for value in vars(layertree).values() if isinstance(value, type) and issubclass(value, Layer)]
    return [cls for cls in dict.fromkeys(found + exported) if cls is not Layer and cls.__control__ != "wildcard"]


def spread(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Any:
    """Distinct floats in a random order, exact in float32, that keep away from whole numbers and one another.

    Differences with a step of 2**-9 stay on one side of every kink.
    """
    size = int(np.prod(shape))
    grid = low + (high - low) * (np.arange(size) + 0.5) / max(size, 1)
    exact = np.floor(grid * 64) / 64 + 1 / 128
    assert len(set(exact)) == size, "too many elements for the interval"
    return np.random.default_rng([seed, size]).permutation(exact).reshape(shape)[()]
