"""The classification of functions: elementwise ones, and operands that are patterns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import cast

from layertree.core.fields import missing_gradient
from layertree.core.layer import AnyLayer, Rules
from layertree.core.namespace import Namespace
from layertree.core.spec import Spec
from layertree.layers import functions, layer_of
from layertree.namespaces import definitions
from layertree.namespaces.spec import SPEC, elementwise, indexing, like, products, reduction, shape, stacks, structure

_NOT_ELEMENTWISE = (structure, like, shape, stacks, indexing, reduction, products)
_CASTS = ("astype", "cast_like")
_LIKE = (*_CASTS, "sum_to", "broadcast_like", "zeros_like", "ones_like")
"""Functions that a rule over a stack of examples may call: their patterns have the shape of one example, too."""
_PROPERTIES = ("shape", "ndim", "dtype")
_known: dict[str, bool] = {}


def is_elementwise(name: str, specs: Sequence[Spec], attributes: dict[str, object]) -> bool:
    """Whether a function is elementwise, or is defined by elementwise functions alone."""
    known = _known.get(name)
    if known is None:
        known = _known[name] = _has_elementwise_rule(name)
        if not known and name in definitions.__all__ and not attributes:
            known = _known[name] = _has_elementwise_definition(name, specs)
    return known


def _has_elementwise_rule(name: str) -> bool:
    if any(getattr(module, name, None) is not None for module in _NOT_ELEMENTWISE):
        return False
    return getattr(elementwise, name, None) is not None


def _has_elementwise_definition(name: str, specs: Sequence[Spec]) -> bool:
    tracer = Tracer()
    getattr(definitions, name)(tracer, *specs)
    return tracer.is_elementwise


class Tracer:
    """The spec namespace, with a record of whether all functions called so far are elementwise.

    Functions in ``allowed`` count as elementwise.
    """

    def __init__(self, allowed: tuple[str, ...] = ()) -> None:
        self.is_elementwise = True
        self._allowed = (*allowed, *_PROPERTIES)

    def __getattr__(self, name: str) -> Callable[..., Spec]:
        found = getattr(SPEC, name)

        def function(*operands: Spec, **attributes: object) -> Spec:
            if name not in self._allowed and not is_elementwise(name, operands, attributes):
                self.is_elementwise = False
            return found(*operands, **attributes)

        return function


def patterns(name: str) -> tuple[bool, ...]:
    """For each operand of a function, whether it is a pattern: its field is called ``like`` or ``likes``.

    A function with a contribution to a cell contributes once for each example, so its patterns are data.
    """
    cls = layer_of(name)
    layout = cls.__layout__
    if cls.__has_effect__:
        return (False,) * len(layout.operands + layout.variadic)
    return tuple([field in ("like", "likes") for field in layout.names if field in layout.operands + layout.variadic])


@cache
def is_named(cls: type[AnyLayer]) -> bool:
    """Whether a class is the one that computes a function of the namespaces."""
    function = cls.__function__
    return function is not None and function in functions() and layer_of(function) is cls


def is_transparent(node: AnyLayer, specs: Sequence[Spec]) -> bool:
    """Whether both rules of a layer without a function are elementwise: then the layer applies to stacks itself."""
    return _are_elementwise(node, specs, _LIKE)


def has_elementwise_rules(node: AnyLayer, specs: Sequence[Spec]) -> bool:
    """Whether an element of the output of a layer depends on one element of each operand, and so do the deltas.

    A rule that cannot be read in the spec namespace is not elementwise, as far as is known.
    """
    try:
        return _are_elementwise(node, specs, _CASTS)
    except Exception:  # of a rule of a user, which may do anything with a value
        return False


def _are_elementwise(node: AnyLayer, specs: Sequence[Spec], allowed: tuple[str, ...]) -> bool:
    """Whether both rules call elementwise functions alone; ``compute`` may also call those in ``allowed``."""
    if not node.__has_gradient__ or getattr(type(node), "gradient", missing_gradient) is missing_gradient:
        return False
    forward, back = Tracer(allowed), Tracer(_LIKE)
    rules = cast("Rules", node)
    output = rules.compute(cast("Namespace", forward), *specs)
    if not forward.is_elementwise or isinstance(output, tuple):
        return False
    for pullback in rules.gradient(cast("Namespace", back), output, output, *specs):
        if pullback is not None:
            pullback()
    return back.is_elementwise
