"""What a name says of itself: whether it goes element by element, and which of its operands are patterns."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from layertree.layers import functions, layer_of
from layertree.namespaces import definitions
from layertree.namespaces.spec import SPEC, elementwise, indexing, like, products, reduction, shape, stacks, structure

_OTHERS = (structure, like, shape, stacks, indexing, reduction, products)
_QUERIES = ("shape", "ndim", "dtype")
_known: dict[str, bool] = {}


def is_elementwise(name: str, specs: list[Any], attributes: dict[str, Any]) -> bool:
    """Whether a name works element by element on what is broadcast: itself, or all names of its definition."""
    known = _known.get(name)
    if known is None:
        known = _known[name] = _primitive(name)
        if not known and name in definitions.__all__ and not attributes:
            known = _known[name] = _by_definition(name, specs)
    return known


def _primitive(name: str) -> bool:
    if any(getattr(module, name, None) is not None for module in _OTHERS):
        return False
    return getattr(elementwise, name, None) is not None


def _by_definition(name: str, specs: list[Any]) -> bool:
    tracer = Tracer()
    getattr(definitions, name)(tracer, *specs)
    return tracer.is_elementwise


class Tracer:
    """The spec namespace, which notes whether all names that are asked of it go element by element."""

    def __init__(self, allowed: tuple[str, ...] = ()) -> None:
        self.is_elementwise = True
        self._allowed = (*allowed, *_QUERIES)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = getattr(SPEC, name)

        def function(*operands: Any, **attributes: Any) -> Any:
            if name not in self._allowed and not is_elementwise(name, list(operands), attributes):
                self.is_elementwise = False
            return found(*operands, **attributes)

        return function


def patterns(name: str) -> tuple[bool, ...]:
    """For each operand of a name whether it gives its shape alone: that is what its field is called for.

    What has something to say to a cell says it for each example, so there a pattern is more than a shape.
    """
    cls = layer_of(name)
    layout = cls.__layout__
    if cls.__has_effect__:
        return (False,) * len(layout.operands + layout.variadic)
    return tuple([field in ("like", "likes") for field in layout.names if field in layout.operands + layout.variadic])


@cache
def is_named(cls: Any) -> bool:
    """Whether a class is the one that computes a name of the namespaces."""
    return cls.__function__ in functions() and layer_of(cls.__function__) is cls


def is_transparent(node: Any, specs: list[Any]) -> bool:
    """Whether both rules of a layer without a name go element by element, so that it may stand over stacks itself."""
    if not hasattr(node, "gradient"):
        return False
    tracer = Tracer(("sum_to", "cast_like", "broadcast_like", "zeros_like", "ones_like"))
    output = node.compute(tracer, *specs)
    if isinstance(output, tuple):
        return False
    for pullback in node.gradient(tracer, output, output, *specs):
        if pullback is not None:
            pullback()
    return tracer.is_elementwise
