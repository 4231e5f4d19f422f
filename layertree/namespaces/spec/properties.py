"""SpecProperties: shape, rank and dtype of the values of a namespace in which every value has a spec."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol

from layertree.core.spec import Spec
from layertree.core.value import DType, Shape, Value
from layertree.namespaces.spec import shape as inference


class HasSpec(Protocol):
    """A value with a spec."""

    @property
    def spec(self) -> Spec:
        """The spec."""
        ...


class SpecProperties:
    """The base class of such a namespace; a subclass implements ``lift``."""

    @abstractmethod
    def lift(self, value: Value) -> HasSpec:
        """A value of the namespace as it is, a constant of a rule as a value."""

    def shape(self, value: Value) -> Shape:
        """The shape; a name or None for a size that is not known."""
        return inference.shape(self.lift(value).spec)

    def ndim(self, value: Value) -> int:
        """The number of axes."""
        return inference.ndim(self.lift(value).spec)

    def dtype(self, value: Value) -> DType:
        """The dtype; the type of a Python number."""
        return inference.dtype(self.lift(value).spec)
