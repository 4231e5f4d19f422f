"""Every operation of the front end in one place: unwrap, build, check, wrap."""

from __future__ import annotations

from typing import Any

from layertree import Layer, Literal
from layertree._errors import DTypeError
from layertree._place import here
from layertree._spec import spec_of
from layertree._tape import Tape
from layertree.layers import layer_of
from layertree.namespaces.spec import branches, infer, infer_spec
from symbolic._symbolic import Origin, Symbolic

__all__ = ["apply", "apply_layer", "as_symbolic", "compose", "if_symbolic"]


def apply(function: str, /, *operands: Any, **attributes: Any) -> Any:
    """The formula of a function of the namespaces over some operands; a tuple is a variadic operand."""
    return apply_layer(layer_of(function), *operands, **attributes)


def apply_layer(cls: Any, /, *operands: Any, **attributes: Any) -> Any:
    """The same for a layer class."""
    fields: list[Any] = []
    specs: list[Any] = []
    origin: Origin | None = None
    for operand in operands:
        parts = operand if isinstance(operand, (tuple, list)) else (operand,)
        symbols = [as_symbolic(part, origin) for part in parts]
        for symbol in symbols:
            origin = joined(origin, symbol.origin)
            specs.append(symbol.spec)
        layers = [symbol.layer for symbol in symbols]
        fields.append(tuple(layers) if isinstance(operand, (tuple, list)) else layers[0])
    layer = cls(*fields, **attributes)
    layer.__dict__["_place"] = here()
    return Symbolic(layer, infer(layer, specs), origin)


def as_symbolic(value: Any, origin: Origin | None = None) -> Any:
    """A formula as it is; a layer or a plain value as a formula."""
    if isinstance(value, Symbolic):
        return value
    if isinstance(value, Tape) and not isinstance(value, Layer):
        raise DTypeError(
            f"{value!r} is a tape, the result of a run; a formula is built from formulas and data: use tape.value"
        )
    if isinstance(value, Layer):
        return _of_layer(value.__layer__(), origin)
    try:
        spec = spec_of(value)
    except DTypeError:
        raise DTypeError(f"{value!r} is no operand: give a formula, a number or an array") from None
    return Symbolic(Literal(value), spec, None)


def _of_layer(layer: Any, origin: Origin | None) -> Any:
    from layertree import nodes

    if all(node._control != "source" for node in nodes(layer)):
        return Symbolic(layer, infer_spec(layer, ()), None)
    if origin is None:
        raise DTypeError(f"{layer!r} has no spec for its input: wrap(layer, spec) gives it one")
    return Symbolic(layer, infer_spec(layer, origin.spec), origin)


def joined(first: Origin | None, second: Origin | None) -> Origin | None:
    """The one input that two operands have; an error where they have two."""
    if first is None or first is second:
        return second
    if second is None:
        return first
    raise ValueError(
        "these formulas stem from two different placeholder calls, and a formula has one input: make them a pair, "
        "x, y = placeholder((float, float)), or compose them, f(g)"
    )


def compose(outer: Any, arguments: tuple[Any, ...]) -> Any:
    """``outer`` with another formula's output as its input; several arguments are a tuple."""
    from layertree import Compose

    if len(arguments) == 1 and not isinstance(arguments[0], (tuple, list)):
        inner = as_symbolic(arguments[0])
    else:
        parts = arguments[0] if len(arguments) == 1 else arguments
        inner = apply("tuple", tuple(parts))
    if outer.origin is None:
        return outer
    _require_fit(outer, inner)
    spec = outer.spec if inner.spec == outer.origin.spec else infer_spec(outer.layer, inner.spec)
    layer: Any = Compose(outer.layer, inner.layer)
    layer.__dict__["_place"] = here()
    return Symbolic(layer, spec, inner.origin)


def _require_fit(outer: Any, inner: Any) -> None:
    from layertree._errors import ShapeError
    from layertree._spec import spec_text
    from layertree.namespaces.spec import fits

    if not fits(inner.spec, outer.origin.spec):
        raise ShapeError(
            f"{inner!s} gives {spec_text(inner.spec)}, but the formula called with it takes "
            f"{spec_text(outer.origin.spec)}"
        )


def if_symbolic(condition: Any, then: Any, otherwise: Any) -> Any:
    """The formula of an If, whose branches are formulas of its own input."""
    from layertree.layers.control import If

    origin: Origin | None = None
    symbols = [as_symbolic(value) for value in (condition, then, otherwise)]
    for symbol in symbols:
        origin = joined(origin, symbol.origin)
    layer: Any = If(*[symbol.layer for symbol in symbols])
    layer.__dict__["_place"] = here()
    return Symbolic(layer, branches(layer, *[symbol.spec for symbol in symbols]), origin)
