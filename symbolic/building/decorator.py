"""The decorator ``formula``, which traces a Python function once."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from layertree import Tape
from symbolic.building.operations import result_of
from symbolic.building.placeholders import placeholder
from symbolic.core.symbolic import Symbolic

__all__ = ["formula"]

In = TypeVar("In")
Out = TypeVar("Out")
X = TypeVar("X", bound="Data")
Y = TypeVar("Y", bound="Data")
Z = TypeVar("Z", bound="Data")

Data: TypeAlias = complex | np.ndarray[Any, Any] | np.generic | tuple[Any, ...]


@overload
def formula(function: Callable[[Symbolic[In, Any]], Symbolic[In, Out]], /) -> Symbolic[In, Out]: ...
@overload
def formula(
    function: Callable[[Symbolic[Any, Tape[X, X]], Symbolic[Any, Tape[Y, Y]]], Symbolic[Any, Out]], /
) -> Symbolic[Tape[tuple[X, Y], tuple[X, Y]], Out]: ...
@overload
def formula(
    function: Callable[
        [Symbolic[Any, Tape[X, X]], Symbolic[Any, Tape[Y, Y]], Symbolic[Any, Tape[Z, Z]]], Symbolic[Any, Out]
    ],
    /,
) -> Symbolic[Tape[tuple[X, Y, Z], tuple[X, Y, Z]], Out]: ...
@overload
def formula(function: Callable[[X], Y], /) -> Symbolic[Tape[X, X], Tape[Y, Y]]: ...
@overload
def formula(function: Callable[[X, Y], Z], /) -> Symbolic[Tape[tuple[X, Y], tuple[X, Y]], Tape[Z, Z]]: ...
@overload
def formula(function: Callable[..., Any], /) -> Symbolic[Any, Any]: ...
def formula(function: Callable[..., object], /) -> object:
    """The formula of an annotated function, which is called once, by this decorator, with placeholders.

    Each parameter's annotation gives its spec: ``Formula[float, float]``, ``float``, or ``Float32[Batch, Features]``.
    Several parameters are a tuple input. The weights that the body makes are made once.

    >>> from symbolic import Formula, weight
    >>> @formula
    ... def line(x: Formula[float, float]) -> Formula[float, float]:
    ...     return (1.0 + x) * weight(2.0)
    >>> line.predict(3.0)
    8.0

    Raises TypeError for a parameter without an annotation.
    """
    if not inspect.isroutine(function):
        raise TypeError(f"formula makes one of an annotated function: got {function!r}")
    name = function.__qualname__
    specs = _specs_of(function, name)
    arguments: Any = placeholder(specs) if len(specs) > 1 else (placeholder(*specs),)  # as many as specs
    return result_of(name, function(*arguments), arguments)


def _specs_of(function: Callable[..., object], name: str) -> tuple[Any, ...]:
    """The specs in the annotations of a function's parameters. Raises TypeError for a parameter without one."""
    try:
        hints = typing.get_type_hints(function)
    except NameError as error:
        raise TypeError(f"{name}: an annotation is not known where the function is defined: {error}") from None
    parameters = inspect.signature(function).parameters
    if not parameters:
        raise TypeError(f"{name} has no parameter to be the input of a formula")
    for parameter in parameters.values():
        by_position = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        if parameter.name not in hints or not by_position:
            raise TypeError(
                f"{name}: the parameter {parameter} needs to be positional, and an annotation that gives its spec, "
                f"such as {parameter.name}: Formula[float, float]"
            )
    return tuple([_spec_of_hint(hints[one]) for one in parameters])


def _spec_of_hint(hint: Any) -> Any:
    """The data type of a parameter, which an annotation gives: for a Formula the type of its output."""
    if typing.get_origin(hint) is Symbolic:
        output = typing.get_args(hint)[1]
        if typing.get_origin(output) is Tape:
            return typing.get_args(output)[0]
        raise TypeError(f"{hint} leaves the data of the input open: write Formula[float, float]")
    return hint
