"""Derivatives of Python functions: traced on fresh variables, which are exchanged for the arguments afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree import nodes
from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.rewrite.derive import exchange, over
from symbolic.building.operations import as_symbolic
from symbolic.core.formula import AnyFormula
from symbolic.core.origin import common_origin
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import simple, source_of

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec

Answer: TypeAlias = AnyFormula | tuple[AnyFormula, ...]
Build: TypeAlias = Callable[[AnyFormula, list[AnyFormula]], Answer]
"""The derivative of the traced value of a function, from the value and the variables."""
Function: TypeAlias = Callable[..., object]
"""A Python function of formulas."""


def positions_of(wrt: Any) -> tuple[tuple[int, ...], bool]:
    """The positions of the arguments to differentiate by, and whether ``wrt`` is one position and no sequence."""
    if wrt is None:
        return (0,), True
    return (tuple(wrt), False) if is_a(wrt, Sequence) else ((wrt,), True)


def require_positions(positions: Sequence[object], count: int) -> None:
    """Raise TypeError for a value that is no position among some arguments."""
    for position in positions:
        if not isinstance(position, int) or not 0 <= position < count:
            raise TypeError(f"wrt = {position!r} is no position among {count} arguments")


def of_arguments(function: Function, wrt: object, derivative: Callable[[AnyFormula, object], Answer]) -> Function:
    """The function of the same arguments that gives a derivative with respect to the arguments ``wrt``."""
    positions, is_one = positions_of(wrt)

    def differentiated(*arguments: object) -> object:
        require_positions(positions, len(arguments))

        def build(value: AnyFormula, variables: list[AnyFormula]) -> Answer:
            targets = [variables[i] for i in positions]
            return derivative(value, targets[0] if is_one else targets)

        return traced(function, arguments, build)

    return differentiated


def of_all_arguments(function: Function, derivative: Build) -> Function:
    """The function of the same arguments that gives a derivative with respect to all arguments."""

    def differentiated(*arguments: object) -> object:
        return traced(function, arguments, derivative)

    return differentiated


def traced(function: Function, arguments: Sequence[object], build: Build, vectors: Sequence[AnyFormula] = ()) -> object:
    """``build`` of the value of a function, with the arguments in place of the variables.

    ``build`` gives a formula or a tuple of formulas, in which the formulas ``vectors`` may occur. If all arguments are
    data the result is data, else a formula.
    """
    given = [as_symbolic(argument) for argument in arguments]
    # Only the variables are exchanged: variables of an outer derivative, and outer inputs, are free in the function.
    variables = [variable(symbol.spec) for symbol in given]
    value = as_symbolic(function(*variables))
    answer = build(without_compositions(value), variables)
    back = {one.layer: symbol.layer for one, symbol in zip(variables, given, strict=True)}
    if isinstance(answer, tuple):
        return tuple([_with_arguments(one, back, [*given, *vectors]) for one in answer])
    return _with_arguments(answer, back, [*given, *vectors])


def without_compositions(value: AnyFormula) -> AnyFormula:
    """A formula with its compositions inlined: the argument of a variable is a formula of the outer input."""
    return Symbolic(over([value.layer], source_of(value))[0], value.spec, value.origin)


def variable(spec: Spec) -> AnyFormula:
    """A fresh leaf, equal to itself alone."""
    return Symbolic(Free[Any](spec), spec, None)


def _with_arguments(answer: AnyFormula, back: dict[AnyLayer, AnyLayer], given: list[AnyFormula]) -> object:
    """A formula over variables with the arguments in their places; its value if all of it is data."""
    origin = common_origin(answer.layer, [answer, *given])
    result = simple(exchange(answer.layer, back), answer.spec, origin)
    return value_of_closed(result, given)


def value_of_closed(result: AnyFormula, given: Sequence[AnyFormula]) -> object:
    """The value of a result, if neither the result nor the arguments depend on an input; else the result itself."""
    is_data = not any(is_open(argument.layer) for argument in given)
    value: object = result.predict() if is_data and not is_open(result) else result
    return value


def is_open(formula: AnyLayer) -> bool:
    """Whether a formula depends on an input, or on a variable of a surrounding derivative."""
    return any(node.__control__ in ("free", "source") for node in nodes(formula))
