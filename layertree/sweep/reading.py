"""Reading: what a sweep makes of each kind of node. Each namespace of values and each rewrite is a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from layertree.core.free import Free
    from layertree.core.identity import Compose
    from layertree.core.layer import AnyLayer
    from layertree.core.literal import Literal
    from layertree.core.weight import CellLayer
    from layertree.layers.control import If

R = TypeVar("R")


class Request(NamedTuple):
    """A region to read: the formula ``body`` over ``source``, the result of its input.

    ``context`` is what the reading knows about the region, such as the branch of an If; results are shared within one
    context. With ``inherit`` the body is a branch in a context of its own: results computed inside of the branch are
    known there alone, and a result of the enclosing formula enters the branch as ``inherit(result)``, computed once a
    branch.
    """

    body: AnyLayer
    source: Any
    context: Any
    inherit: Callable[[Any], Any] | None = None


class Hoist(NamedTuple):
    """A request to compute, before the branches of an If, the nodes that both branches need (code hoisting).

    The sweep answers None.
    """

    node: AnyLayer


Demand: TypeAlias = Request | Hoist
"""What the generator of a node with regions yields."""

Demands: TypeAlias = Generator[Demand, Any, R]
"""The generator of a node with regions: it yields demands, is sent their results, and returns the node's result."""


def unchanged(result: R) -> R:
    """The ``inherit`` of a branch in which results of the enclosing formula are the same."""
    return result


class Reading(ABC, Generic[R]):
    """The result of each kind of node, from the results of its operands."""

    @abstractmethod
    def apply(self, node: AnyLayer, inputs: list[R]) -> R:
        """The result of an operation."""

    @abstractmethod
    def constant(self, node: Literal[Any], context: Any) -> R:
        """The result of a Literal."""

    @abstractmethod
    def cell(self, node: CellLayer[Any], context: Any) -> R:
        """The result of a Weight or State."""

    @abstractmethod
    def free(self, node: Free[Any], context: Any) -> R:
        """The result of a free variable."""

    def cond(self, node: If[Any, Any, Any], inputs: list[R], source: R, context: Any) -> Demands[R]:
        """The result of an If: both branches are read, and ``choose`` combines their results."""
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        return self.choose(node, inputs[0], then, otherwise)

    def choose(self, node: If[Any, Any, Any], condition: R, then: R, otherwise: R) -> R:
        """The result of an If, from those of its condition and of both branches."""
        raise NotImplementedError(f"{type(self).__name__} reads no If")

    def call(self, node: Compose[Any, Any], inputs: list[R], source: R, context: Any) -> Demands[R]:
        """The result of a Compose: its outer formula over the result of the inner one."""
        result: R = yield Request(node.outer, inputs[0], context)
        return result
