"""Every operation of the front end in one place: unwrap, build, check, wrap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from layertree import Compose, Layer, Literal
from layertree.core.brief import brief_formula
from layertree.core.data import PYTHON_NUMBERS
from layertree.core.diagnostics import MISFITS, operation_text, written_at
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.nested import flat
from layertree.core.source_location import here
from layertree.core.spec import WEAK, ArraySpec, require, spec_of, spec_text
from layertree.core.structure import rebuild
from layertree.core.tape import Tape
from layertree.layers import layer_of
from layertree.namespaces.spec import branches, infer, infer_spec
from layertree.sweep.plan import nodes_of
from symbolic._rewriting import bare
from symbolic._symbolic import Origin, Symbolic

__all__ = ["apply", "apply_layer", "as_symbolic", "binary", "compose", "if_symbolic", "result_of", "unary"]


def apply(function: str, /, *operands: Any, **attributes: Any) -> Symbolic[Any, Any]:
    """The formula of a function of the namespaces over some operands; a variadic operand is a tuple."""
    return apply_layer(layer_of(function), *operands, **attributes)


def apply_layer(cls: Any, /, *operands: Any, **attributes: Any) -> Symbolic[Any, Any]:
    """The same for a layer class."""
    known = _known_origin(operands)
    variadic = cls.__layout__.variadic
    fields: list[Any] = []
    symbols: list[Any] = []
    for name, operand in zip(cls.__layout__.names, operands, strict=False):
        if name in variadic:
            parts = [as_symbolic(part, known) for part in operand]
            symbols.extend(parts)
            fields.append(tuple([part.layer for part in parts]))
        else:
            symbol = as_symbolic(operand, known)
            symbols.append(symbol)
            fields.append(symbol.layer)
    layer = cls(*fields, **attributes)
    layer.__dict__["_place"] = here()
    specs = [symbol.spec for symbol in symbols]
    origin = one_origin(layer, symbols)
    return Symbolic(layer, infer(layer, specs), origin)


# Not by ``__dict__``: Python makes none for an object until it is asked for, and the collector has fewer to walk over.
_put = object.__setattr__


def unary(function: str, operand: Any, /) -> Symbolic[Any, Any]:
    """The same for a function of one operand: a node of a long formula is made in no time."""
    cls = layer_of(function)
    symbol = operand if type(operand) is Symbolic else as_symbolic(operand)
    layer = object.__new__(cls)
    (name,) = cls.__layout__.operands
    _put(layer, name, symbol.layer)
    _put(layer, "_place", here(3))
    spec = cls.__specs_of_numbers__.get((id(symbol.spec),))
    return Symbolic(layer, infer(layer, (symbol.spec,)) if spec is None else spec, symbol.origin)


def binary(function: str, first: Any, second: Any, /) -> Symbolic[Any, Any]:
    """The same for a function of two operands, of which one may well be a number."""
    cls = layer_of(function)
    if type(first) is Symbolic and type(second) in PYTHON_NUMBERS:
        return _of_two(_over(cls, first.layer, Literal(second)), first.spec, WEAK[type(second)], first.origin)
    if type(second) is Symbolic and type(first) in PYTHON_NUMBERS:
        return _of_two(_over(cls, Literal(first), second.layer), WEAK[type(first)], second.spec, second.origin)
    if type(first) is not Symbolic or type(second) is not Symbolic:
        known = _known_origin((first, second))
        first, second = as_symbolic(first, known), as_symbolic(second, known)
    layer, origin = _over(cls, first.layer, second.layer), first.origin
    if origin is None:
        origin = second.origin
    elif second.origin is not origin and second.origin is not None:
        one_origin(layer, (first, second))  # raises
    return _of_two(layer, first.spec, second.spec, origin)


def _over(cls: Any, first: Any, second: Any) -> Any:
    """The layer over two others, which knows the line outside of ``binary`` and of what called that."""
    layer = object.__new__(cls)
    name1, name2 = cls.__layout__.operands
    _put(layer, name1, first)
    _put(layer, name2, second)
    _put(layer, "_place", here(4))
    return layer


def _of_two(layer: Any, first: Any, second: Any, origin: Origin | None) -> Symbolic[Any, Any]:
    """The formula around a layer whose operands have these specs."""
    spec = layer.__specs_of_numbers__.get((id(first), id(second)))
    return Symbolic(layer, infer(layer, (first, second)) if spec is None else spec, origin)


def as_symbolic(value: Any, origin: Origin | None = None) -> Symbolic[Any, Any]:
    """A formula as it is; a layer, a plain value or a tuple of formulas as a formula."""
    if is_a(value, Symbolic):
        symbol: Symbolic[Any, Any] = value
        return symbol
    if type(value) in PYTHON_NUMBERS:
        return Symbolic(Literal(value), WEAK[type(value)], None)
    if isinstance(value, Layer):
        return _of_layer(value, origin)
    if isinstance(value, Tape):
        raise DTypeError(
            f"{value!r} is a tape, the result of a run; a formula is built from formulas and data: use tape.value"
        )
    if is_a(value, tuple) and _has_formula(value):
        return apply("tuple", value)
    if is_a(value, list) and _has_formula(value):
        raise DTypeError(f"{value!r} is a list of formulas: stack or concat join them, and a tuple keeps them apart")
    return _constant(value)


def _has_formula(values: Iterable[Any]) -> bool:
    return any(isinstance(one, Layer) for one in flat(values, _parts_of_operand))


def _constant(value: Any) -> Symbolic[Any, Any]:
    if value is None:
        raise DTypeError("None is no operand: give a formula, a number or an array")
    layer = Literal(value)
    return Symbolic(layer, spec_of(layer.data), None)


def _of_layer(layer: Any, origin: Origin | None) -> Symbolic[Any, Any]:
    known = bare(layer) if origin is None else None
    if known is not None:
        return known
    if all(node.__control__ != "source" for node in nodes_of(layer)):
        return Symbolic(layer, infer_spec(layer, ()), None)
    if origin is None:
        raise DTypeError(f"{layer!r} has no spec for its input: wrap(layer, spec) gives it one")
    return Symbolic(layer, infer_spec(layer, origin.spec), origin)


def _known_origin(operands: Iterable[Any]) -> Origin | None:
    """The input of the first formula that has one: it is that of bare layers beside it, too."""
    for operand in flat(operands, _parts_of_operand):
        if is_a(operand, Symbolic) and operand.origin is not None:
            origin: Origin = operand.origin
            return origin
    return None


def _parts_of_operand(value: Any) -> Any:
    return value if is_a(value, (tuple, list)) else None


def one_origin(layer: Any, symbols: Sequence[Any]) -> Origin | None:
    """The one input that all operands have; an error where they have several."""
    origin: Origin | None = None
    for symbol in symbols:
        if origin is None:
            origin = symbol.origin
        elif symbol.origin is not None and symbol.origin is not origin:
            operation = operation_text(layer, [spec_text(one.spec) for one in symbols])
            raise ValueError(
                f"{operation}: these formulas stem from two different placeholder calls, and a formula has one input: "
                f"make them a pair, x, y = placeholder((float, float)), or compose them, f(g){written_at(layer)}"
            )
    return origin


def compose(outer: Any, arguments: tuple[Any, ...]) -> Symbolic[Any, Any]:
    """``outer`` with another formula's output as its input; several arguments are a tuple."""
    inner = as_symbolic(arguments[0] if len(arguments) == 1 else arguments)
    if outer.origin is None:
        return as_symbolic(outer)
    layer: Any = Compose(outer.layer, inner.layer)
    layer.__dict__["_place"] = here()
    try:
        require(outer.origin.spec, inner.spec, "the argument")
    except MISFITS as error:
        call = f"({brief_formula(outer)})({brief_formula(inner)}: {spec_text(inner.spec)})"
        raise type(error)(f"{call}: {error}{written_at(layer)}") from None
    spec = outer.spec if inner.spec == outer.origin.spec else infer_spec(outer.layer, inner.spec)
    return Symbolic(layer, spec, inner.origin)


def result_of(function: str, result: Any, arguments: tuple[Any, ...]) -> Any:
    """The formula that a traced function returned, which has to be one of its arguments."""
    origin = _known_origin(arguments)
    try:
        found = as_symbolic(result, origin)
    except DTypeError as error:
        raise DTypeError(f"{function} returned what is no formula: {error}") from None
    if found.origin is not None and found.origin is not origin:
        raise ValueError(
            f"{function} returned {brief_formula(found)}, a formula of another placeholder than its parameters: "
            "call that one with them, f(x)"
        )
    return found


def if_symbolic(condition: Any, then: Any, otherwise: Any) -> Symbolic[Any, Any]:
    """The formula of an If, whose branches are formulas of its own input."""
    from layertree.layers.control import If

    known = _known_origin((condition, then, otherwise))
    symbols = [as_symbolic(value, known) for value in (condition, then, otherwise)]
    layer: Any = If(*[symbol.layer for symbol in symbols])
    layer.__dict__["_place"] = here()
    origin = one_origin(layer, symbols)
    spec = branches(layer, *[symbol.spec for symbol in symbols])
    return Symbolic(_with_one_kind(layer, symbols, spec), spec, origin)


def _with_one_kind(layer: Any, symbols: Sequence[Any], spec: Any) -> Any:
    """An If whose branches give one kind of data, whichever is taken: a Python number beside an array is cast."""
    then, otherwise = [
        layer_of("astype")(symbol.layer, dtype=spec.dtype)
        if isinstance(spec, ArraySpec) and symbol.spec.weak and not spec.weak
        else symbol.layer
        for symbol in symbols[1:]
    ]
    return rebuild(layer, (layer.condition, then, otherwise))
