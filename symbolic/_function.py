"""The decorator that turns a Python function into a formula."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any, TypeVar, overload

from layertree import Tape
from symbolic import _build
from symbolic._placeholder import placeholder
from symbolic._symbolic import Symbolic

__all__ = ["formula"]

In = TypeVar("In")
Out = TypeVar("Out")
S = TypeVar("S", bound=Symbolic[Any, Any])


@overload
def formula(function: Callable[[Symbolic[In, Any]], Symbolic[In, Out]], /) -> Symbolic[In, Out]: ...
@overload
def formula(function: Callable[..., Symbolic[In, Out]], /) -> Symbolic[In, Out]: ...
def formula(function: Any, /) -> Any:
    """A formula from an annotated function, which runs once, now, on placeholders.

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
    hints = typing.get_type_hints(function)
    parameters = inspect.signature(function).parameters
    if not parameters:
        raise TypeError(f"{function.__qualname__} has no parameter to be the input of a formula")
    for name, parameter in parameters.items():
        if name not in hints or parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(
                f"{function.__qualname__}: the parameter {parameter} needs an annotation that gives its spec, "
                f"such as {name}: Formula[float, float]"
            )
    specs = tuple([_spec_of_hint(hints[name]) for name in parameters])
    arguments: Any = placeholder(specs) if len(specs) > 1 else (placeholder(*specs),)
    result = function(*arguments)
    return (
        _build.apply("tuple", result) if isinstance(result, tuple) else _build.as_symbolic(result, arguments[0].origin)
    )


def _spec_of_hint(hint: Any) -> Any:
    """The data type of a parameter: of a Formula, or a Symbolic, the type of its output."""
    if typing.get_origin(hint) is Symbolic:
        output = typing.get_args(hint)[1]
        if typing.get_origin(output) is Tape:
            return typing.get_args(output)[0]
        raise TypeError(f"{hint} leaves the data of the input open: write Formula[float, float]")
    return hint
