"""Derivatives of Python functions: traced on fresh variables, which are exchanged for the arguments afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from layertree import nodes
from layertree._free import Free
from layertree._kinds import is_a
from symbolic.building.operations import as_symbolic
from symbolic.core.origin import common_origin
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import simple, source_of

Build = Callable[[Any, list[Any]], Any]


def positions_of(wrt: Any) -> tuple[tuple[int, ...], bool]:
    """The arguments that a derivative is taken by, and whether one was given and not several."""
    if wrt is None:
        return (0,), True
    return (tuple(wrt), False) if is_a(wrt, Sequence) else ((wrt,), True)


def require_positions(positions: Sequence[Any], count: int) -> None:
    """TypeError for what is no position among some arguments."""
    for position in positions:
        if not is_a(position, int) or not 0 <= position < count:
            raise TypeError(f"wrt = {position!r} is no position among {count} arguments")


def traced(function: Callable[..., Any], arguments: Sequence[Any], build: Build, beside: Sequence[Any] = ()) -> Any:
    """What ``build(value, variables)`` makes of a function's value for some arguments, given over these arguments.

    ``build`` gives a formula or a tuple of them, in which there may be the formulas ``beside``. Of data they become
    data, of formulas formulas.
    """
    given = [as_symbolic(argument) for argument in arguments]
    # What the function itself refers to from outside, a variable of an outer derivative or an outer input, stays.
    variables = [variable(symbol.spec) for symbol in given]
    value = as_symbolic(function(*variables))
    answer = build(in_place(value), variables)
    back = {one.layer: symbol.layer for one, symbol in zip(variables, given, strict=True)}
    if is_a(answer, tuple):
        return tuple([_given_back(one, back, [*given, *beside]) for one in answer])
    return _given_back(answer, back, [*given, *beside])


def in_place(value: Any) -> Any:
    """A formula with compositions put in place: what takes a variable's place within one would get its input."""
    from layertree.rewrite.derive import over

    return Symbolic(over([value.layer], source_of(value))[0], value.spec, value.origin)


def variable(spec: Any) -> Any:
    """A fresh leaf, equal to itself alone."""
    return Symbolic(Free[Any](spec), spec, None)


def _given_back(answer: Any, back: dict[Any, Any], given: list[Any]) -> Any:
    from layertree.rewrite.derive import exchange

    origin = common_origin(answer.layer, [answer, *given])
    result = simple(exchange(answer.layer, back), answer.spec, origin)
    is_data = not any(is_open(argument.layer) for argument in given)
    return result.predict() if is_data and not is_open(result) else result


def is_open(formula: Any) -> bool:
    """Whether a formula depends on an input, or on a variable of a function around it."""
    return any(node._control in ("free", "source") for node in nodes(formula))
