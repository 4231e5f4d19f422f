"""Every operation of the front end: unwrap the operands, build a layer, infer its spec, wrap it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree import Compose, Literal
from layertree.core.brief import brief_formula
from layertree.core.data import PYTHON_NUMBERS
from layertree.core.diagnostics import MISFITS, written_at
from layertree.core.errors import DTypeError
from layertree.core.narrowing import is_layer, is_sequence
from layertree.core.nested import flat
from layertree.core.source_location import here
from layertree.core.spec import WEAK, ArraySpec, require, spec_of, spec_text
from layertree.core.structure import own_children, post_order, rebuild
from layertree.core.tape import Tape
from layertree.layers import layer_of
from layertree.namespaces.spec import branches, infer, infer_spec
from symbolic.building.bare_layers import formula_of_bare_layer
from symbolic.building.powers import exponent_of
from symbolic.core.narrowing import is_formula
from symbolic.core.origin import Origin, common_origin, input_spec, part_advice
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from layertree.layers.control import If
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer, Spec

__all__ = [
    "apply",
    "apply_layer",
    "array_spec",
    "as_symbolic",
    "as_symbolics",
    "binary",
    "compose",
    "formula_of",
    "if_symbolic",
    "result_of",
    "unary",
]


def apply(function: str, /, *operands: object, **attributes: object) -> AnyFormula:
    """The formula of a function of the namespaces, by its name, over some operands.

    A variadic operand is a tuple or a list. Attributes are those of the function's layer class.
    """
    return apply_layer(layer_of(function), *operands, **attributes)


def apply_layer(cls: Any, /, *operands: Any, **attributes: object) -> AnyFormula:
    """The formula of a layer class, of any signature, over some operands."""
    known = _known_origin(operands)
    variadic = cls.__layout__.variadic
    fields: list[AnyLayer | tuple[AnyLayer, ...]] = []
    symbols: list[AnyFormula] = []
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
    origin = common_origin(layer, symbols)
    return Symbolic(layer, infer(layer, specs), origin)


# Not by ``__dict__``: CPython makes the dict of an object when ``__dict__`` is first read, and fewer dicts are less
# work for the garbage collector.
_put = object.__setattr__


def unary(function: str, operand: object, /) -> AnyFormula:
    """The formula of a function of one operand. It does what ``apply`` does, in less time."""
    cls: Any = layer_of(function)
    symbol = operand if type(operand) is Symbolic else as_symbolic(operand)
    layer = object.__new__(cls)
    (name,) = cls.__layout__.operands
    _put(layer, name, symbol.layer)
    _put(layer, "_place", here(3))
    spec = cls.__specs_of_numbers__.get((id(symbol.spec),))
    return Symbolic(layer, infer(layer, (symbol.spec,)) if spec is None else spec, symbol.origin)


def binary(function: str, first: Any, second: Any, /) -> AnyFormula:
    """The formula of a function of two operands, of which one is often a Python number."""
    cls: Any = layer_of(function)
    if function == "pow" and type(second) is not float:
        second = _exponent(first, second)
    if type(first) is Symbolic and type(second) in PYTHON_NUMBERS:
        return _of_two(cls, first.layer, Literal(second), first.spec, WEAK[type(second)], first.origin)
    if type(second) is Symbolic and type(first) in PYTHON_NUMBERS:
        return _of_two(cls, Literal(first), second.layer, WEAK[type(first)], second.spec, second.origin)
    if type(first) is not Symbolic or type(second) is not Symbolic:
        try:
            first, second = as_symbolics((first, second))
        except DTypeError:
            answer: AnyFormula = _reflected(function, first, second)
            if answer is NotImplemented:
                raise
            return answer
    origin = first.origin
    if origin is None:
        origin = second.origin
    elif second.origin is not origin and second.origin is not None:
        clash = cls(first.layer, second.layer)
        clash.__dict__["_place"] = here(3)
        common_origin(clash, (first, second))  # raises
    return _of_two(cls, first.layer, second.layer, first.spec, second.spec, origin)


_REFLECTED = {
    "add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__", "divide": "__rtruediv__",
    "floor_divide": "__rfloordiv__", "remainder": "__rmod__", "pow": "__rpow__", "matmul": "__rmatmul__",
    "bitwise_and": "__rand__", "bitwise_or": "__ror__", "bitwise_xor": "__rxor__", "less": "__gt__",
    "less_equal": "__ge__", "greater": "__lt__", "greater_equal": "__le__", "equal": "__eq__", "not_equal": "__ne__",
}  # fmt: skip
"""The method of the right operand that Python calls where the left one does not know the operation."""


def _reflected(function: str, first: object, second: object) -> Any:
    """What an object on the right of a formula makes of an operator, if its class has the reflected method.

    The answer may be of any type; it is NotImplemented without such a method. Python itself would ask the object, but
    its error for an object without an answer names two types alone, and that of the operand says what operands are.
    """
    if not is_formula(first) or is_formula(second) or isinstance(second, _WITHOUT_AN_ANSWER):
        return NotImplemented
    name = _REFLECTED.get(function, "")
    # By the dicts of the classes: an attribute of a class may be that of its metaclass, as in ``type.__ror__``.
    method: Any = next((vars(cls)[name] for cls in type(second).__mro__ if name in vars(cls)), None)
    return NotImplemented if method is None else method(second, first)


_WITHOUT_AN_ANSWER = (Number, str, bytes, list, tuple, dict, set, np.ndarray, np.generic)
"""Types with reflected methods that know no formulas, some of which raise errors of their own."""


def _exponent(base: Any, exponent: object) -> object:
    """The exponent of a power of integers as a float, if it is a negative constant; any other one as it is."""
    if type(exponent) is int and (
        exponent >= 0 or (type(base) is Symbolic and not isinstance(base.spec, tuple) and base.spec.dtype.kind == "f")
    ):
        return exponent
    try:
        symbol, power = as_symbolics((base, exponent))
    except DTypeError:  # ``binary`` says so
        return exponent
    layer = exponent_of(symbol.spec, power.layer, brief_formula(symbol))
    return exponent if layer is power.layer else Symbolic(layer, WEAK[float], None)


def _of_two(
    cls: Any, first: AnyLayer, second: AnyLayer, first_spec: Spec, second_spec: Spec, origin: Origin | None
) -> AnyFormula:
    """The formula of a layer over two others, with the line of the user's code: the caller of ``binary``'s caller."""
    layer: AnyLayer = object.__new__(cls)
    name1, name2 = cls.__layout__.operands
    _put(layer, name1, first)
    _put(layer, name2, second)
    _put(layer, "_place", here(4))
    spec = cls.__specs_of_numbers__.get((id(first_spec), id(second_spec)))
    return Symbolic(layer, infer(layer, (first_spec, second_spec)) if spec is None else spec, origin)


def as_symbolic(value: object, origin: Origin | None = None) -> AnyFormula:
    """A formula as it is; a layer, plain data or a tuple of formulas as a formula.

    ``origin`` gives the input of a bare layer. Raises DTypeError for values that are no operand.
    """
    if is_formula(value):
        return value
    if type(value) in PYTHON_NUMBERS:
        return Symbolic(Literal(value), WEAK[type(value)], None)
    if is_layer(value):
        return _of_layer(value, origin)
    if isinstance(value, Tape):
        raise DTypeError(
            f"{value!r} is a tape, the result of a run; a formula is built from formulas and data: use tape.value"
        )
    if is_sequence(value) and _has_formula(value):
        if isinstance(value, tuple):
            return apply("tuple", value)
        raise DTypeError(f"{value!r} is a list of formulas: stack or concat join them, and a tuple keeps them apart")
    return _constant(value)


def as_symbolics(values: Sequence[object]) -> list[AnyFormula]:
    """Several values as formulas; bare layers have the input of the first formula with one."""
    known = _known_origin(values)
    return [as_symbolic(value, known) for value in values]


def _has_formula(values: Iterable[object]) -> bool:
    return any(is_layer(one) for one in flat(values, _parts_of_operand))


def _constant(value: object) -> AnyFormula:
    if value is None:
        raise DTypeError("None is no operand: give a formula, a number or an array")
    layer = Literal(value)
    return Symbolic(layer, spec_of(layer.data), None)


def _of_layer(layer: AnyLayer, origin: Origin | None) -> AnyFormula:
    known = formula_of_bare_layer(layer) if origin is None else None
    if known is not None:
        return known
    if all(node.__control__ != "source" for node in post_order(layer, own_children)):
        return Symbolic(layer, infer_spec(layer, ()), None)
    if origin is None:
        raise DTypeError(f"{layer!r} has no spec for its input: wrap(layer, spec) gives it one")
    return Symbolic(layer, infer_spec(layer, origin.spec), origin)


def _known_origin(operands: Iterable[object]) -> Origin | None:
    """The origin of the first operand that has an input; bare layers among the operands have the same input."""
    for operand in flat(operands, _parts_of_operand):
        if is_formula(operand) and operand.origin is not None:
            return operand.origin
    return None


def _parts_of_operand(value: object) -> tuple[object, ...] | list[object] | None:
    return value if is_sequence(value) else None


def compose(outer: AnyFormula, arguments: tuple[object, ...]) -> AnyFormula:
    """``outer`` with the output of another formula as its input; several arguments become a tuple.

    Raises ShapeError or DTypeError for an argument that does not fit the input of ``outer``.
    """
    inner = as_symbolic(arguments[0] if len(arguments) == 1 else arguments)
    if outer.origin is None:
        return as_symbolic(outer)
    layer: AnyLayer = Compose(outer.layer, inner.layer)
    layer.__dict__["_place"] = here()
    try:
        require(outer.origin.spec, inner.spec, "the argument")
    except MISFITS as error:
        call = f"({brief_formula(outer)})({brief_formula(inner)}: {spec_text(inner.spec)})"
        advice = part_advice(outer.origin.spec, inner.spec)
        raise type(error)(f"{call}: {error}{advice}{written_at(layer)}") from None
    spec = outer.spec if inner.spec == outer.origin.spec else infer_spec(outer.layer, inner.spec)
    return Symbolic(layer, spec, inner.origin)


def result_of(function: str, result: object, arguments: tuple[AnyFormula, ...]) -> AnyFormula:
    """The result of a traced function as a formula of its arguments.

    Raises DTypeError for a result that is no formula, ValueError for a formula of another input.
    """
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


def if_symbolic(condition: object, then: object, otherwise: object) -> AnyFormula:
    """The formula of an If, whose branches are formulas of the same input."""
    from layertree.layers.control import If  # for loading time: most formulas have no branches

    known = _known_origin((condition, then, otherwise))
    symbols = [as_symbolic(value, known) for value in (condition, then, otherwise)]
    layer: If[Any, Any, Any] = If(*[symbol.layer for symbol in symbols])
    layer.__dict__["_place"] = here()
    origin = common_origin(layer, symbols)
    spec: Spec = branches(layer, *[symbol.spec for symbol in symbols])
    return Symbolic(_with_equal_branches(layer, symbols, spec), spec, origin)


def _with_equal_branches(layer: If[Any, Any, Any], symbols: Sequence[AnyFormula], spec: Spec) -> AnyLayer:
    """An If whose branches give data of the same spec: a Python number is cast to the dtype of the other branch."""
    then, otherwise = [
        layer_of("astype")(symbol.layer, dtype=spec.dtype)
        if isinstance(spec, ArraySpec) and isinstance(symbol.spec, ArraySpec) and symbol.spec.weak and not spec.weak
        else symbol.layer
        for symbol in symbols[1:]
    ]
    rebuilt: AnyLayer = rebuild(layer, (layer.condition, then, otherwise))
    return rebuilt


def array_spec(formula: AnyFormula) -> ArraySpec[Any]:
    """The spec of a formula whose output is known to be one array or number."""
    spec = formula.spec
    assert not isinstance(spec, tuple)
    return spec


def formula_of(layer: AnyLayer, origin: Origin | None) -> AnyFormula:
    """A layer as a formula of an input."""
    return Symbolic(layer, infer_spec(layer, input_spec(origin)), origin)
