"""NumPy's protocols: ``np.exp(formula)`` and ``array * formula`` build what the functions of this package build."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from layertree.layers import functions
from symbolic.building.operations import apply
from symbolic.core.facade import facade

__all__ = ["array_function", "ufunc"]

Build: TypeAlias = Callable[..., Any]
"""A function of operands that builds a formula, or a pair of them."""


@cache
def _by_ufunc() -> dict[Callable[..., object], Build]:
    """The ufuncs that build formulas: those whose Array API name is a layer, and four more."""

    def builder(name: str) -> Build:
        return lambda *operands: apply(name, *operands)

    found: dict[Callable[..., object], Build] = {
        getattr(np, name): builder(name) for name in functions() if isinstance(getattr(np, name, None), np.ufunc)
    }
    quotient, rest = builder("floor_divide"), builder("remainder")
    found[np.square], found[np.positive] = facade.namespace.square, facade.namespace.positive
    found[np.power] = facade.namespace.pow
    found[np.divmod] = lambda *operands: (quotient(*operands), rest(*operands))
    return found


def ufunc(
    ufunc: Callable[..., object], method: str, inputs: tuple[object, ...], options: Mapping[str, object]
) -> object:
    """The formula of the call of a ufunc. Raises TypeError for calls without a formula: methods, ``out``, ``where``."""
    build = _by_ufunc().get(ufunc)
    name = f"np.{ufunc.__name__}"
    if method != "__call__":
        raise TypeError(
            f"{name}.{method} builds no formula: {name} does, and sum, mean, max and min of symbolic reduce over axes"
        )
    if "out" in options:
        raise TypeError(
            f"{name} cannot write a formula into an array, which holds numbers: drop out=..., and write "
            "y = y + formula instead of y += formula"
        )
    if build is None:
        known = ", ".join(sorted(found.__name__ for found in _by_ufunc()))
        raise TypeError(f"{name} builds no formula. The ufuncs that do: {known}")
    if options:
        raise TypeError(f"{name} builds no formula with {_listed(options)}: drop that; where and astype do it")
    return build(*inputs)


@cache
def _by_function() -> dict[Callable[..., object], Build]:
    """NumPy's other functions that build formulas: those that this package has under the same or an older name."""
    namespace = facade.namespace
    names = {name: name for name in dir(namespace) if hasattr(np, name) and callable(getattr(namespace, name))}
    names |= {"amax": "max", "amin": "min"}
    found: dict[Callable[..., object], Build] = {
        getattr(np, theirs): getattr(namespace, ours)
        for theirs, ours in names.items()
        if callable(getattr(np, theirs)) and not isinstance(getattr(np, theirs), np.ufunc)
    }
    return found


def array_function(
    function: Callable[..., object], arguments: tuple[object, ...], options: dict[str, object]
) -> object:
    """The formula of the call of another NumPy function. Raises TypeError for functions without a formula."""
    name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
    build = _by_function().get(function)
    if build is None:
        known = ", ".join(sorted(found.__name__ for found in _by_function()))
        raise TypeError(
            f"{name} builds no formula: it takes arrays, and formula.predict(data) gives one, also to plot. "
            f"The functions that do, beside ufuncs such as np.exp: {known}"
        )
    signature = inspect.signature(build)
    try:
        call = signature.bind(*_as_ours(signature, arguments, options), **options)
    except TypeError as error:
        raise TypeError(f"{name} builds {build.__name__}({', '.join(signature.parameters)}): {error}") from None
    if build.__name__ == "take" and "axis" not in call.arguments and getattr(call.args[0], "ndim", 1) != 1:
        raise TypeError(f"{name} without an axis reads the flattened array, which no formula does: give axis=...")
    return build(*call.args, **call.kwargs)


def _as_ours(
    signature: inspect.Signature, arguments: tuple[object, ...], options: dict[str, object]
) -> tuple[object, ...]:
    """The positional arguments without an axis, which becomes an option: NumPy takes an axis by position, too."""
    positional = [
        name for name, parameter in signature.parameters.items() if parameter.kind is not parameter.KEYWORD_ONLY
    ]
    axis = signature.parameters.get("axis")
    if axis is None or "axis" in positional or "axis" in options:
        return arguments
    if len(arguments) == len(positional) + 1:
        options["axis"] = arguments[-1]
        return arguments[:-1]
    return arguments


def _listed(options: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
