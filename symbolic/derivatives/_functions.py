"""Derivatives of Python functions: traced on fresh variables, which are exchanged for the arguments afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree import nodes
from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.core.narrowing import is_layer, is_sequence
from layertree.core.nested import flat
from layertree.rewrite.derive import inline, substitute_nodes
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


def traced(
    function: Function,
    arguments: Sequence[object],
    build: Build,
    vectors: Sequence[object] = (),
    stand_ins: Mapping[AnyLayer, AnyLayer] = MappingProxyType({}),
) -> object:
    """``build`` of the value of a function, with the arguments in place of the variables.

    ``build`` gives a formula or a tuple of formulas, in which ``vectors``, formulas or data, may occur, or
    variables for them: ``stand_ins``, which ``build`` fills, has the layers that take their places. The result is data
    if all arguments and vectors are data and no part of the result holds a weight, else a formula.
    """
    given = [as_symbolic(argument) for argument in arguments]
    # Only the variables are exchanged: variables of an outer derivative, and outer inputs, are free in the function.
    variables = [variable(symbol.spec) for symbol in given]
    value = as_symbolic(function(*variables))
    answer = build(without_compositions(value), variables)
    back = {one.layer: symbol.layer for one, symbol in zip(variables, given, strict=True)}
    back |= stand_ins
    known = [*given, *[as_symbolic(vector) for vector in vectors]]
    if isinstance(answer, tuple):
        results = [_with_arguments(one, back, known) for one in answer]
        return tuple(values_of_closed(results, [*arguments, *vectors]))
    return values_of_closed([_with_arguments(answer, back, known)], [*arguments, *vectors])[0]


def without_compositions(value: AnyFormula) -> AnyFormula:
    """A formula with its compositions inlined: the argument of a variable is a formula of the outer input."""
    return Symbolic(inline([value.layer], source_of(value))[0], value.spec, value.origin)


def variable(spec: Spec) -> AnyFormula:
    """A fresh leaf, equal to itself alone."""
    return Symbolic(Free[Any](spec), spec, None)


def _with_arguments(answer: AnyFormula, back: dict[AnyLayer, AnyLayer], given: list[AnyFormula]) -> AnyFormula:
    """A formula over variables with the arguments in their places."""
    origin = common_origin(answer.layer, [answer, *given])
    return simple(substitute_nodes(answer.layer, back), answer.spec, origin)


def values_of_closed(results: Sequence[AnyFormula], arguments: Sequence[object]) -> Sequence[object]:
    """The values of some results, if all arguments are data and all results constant; else the results themselves.

    A result that depends on an input, on a variable of a surrounding derivative or on a weight is not constant: its
    value would be that of the weight at this moment, and an outer derivative with respect to the weight would be lost.
    """
    if any(map(_has_layer, arguments)) or any(map(_is_open, results)):
        return results
    return [result.predict() for result in results]


def _has_layer(argument: object) -> bool:
    """Whether an argument is a formula, or a tuple or list with a formula in it."""
    return any(is_layer(part) for part in flat(argument, lambda one: one if is_sequence(one) else None))


def _is_open(formula: AnyLayer) -> bool:
    """Whether the value of a formula depends on more than constants."""
    return any(node.__control__ in ("free", "source", "cell") for node in nodes(formula))
