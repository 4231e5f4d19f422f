"""NumPy's protocols: ``np.exp(formula)`` and ``array * formula`` build what the functions of this package build."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from layertree.layers import functions


@cache
def _by_ufunc() -> dict[Any, Callable[..., Any]]:
    """The ufuncs that build formulas: those whose Array API name is a layer, and three more."""
    import symbolic
    from symbolic import _build

    def builder(name: str) -> Callable[..., Any]:
        return lambda *operands: _build.apply(name, *operands)

    found = {getattr(np, name): builder(name) for name in functions() if isinstance(getattr(np, name, None), np.ufunc)}
    more: dict[Any, Callable[..., Any]] = {np.square: symbolic.square, np.positive: symbolic.positive}
    quotient, rest = builder("floor_divide"), builder("remainder")

    def divmod(a: Any, b: Any) -> Any:
        return quotient(a, b), rest(a, b)

    return found | more | {np.divmod: divmod}


def ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The formula of a ufunc call; a TypeError for what has no formula: its methods, ``out``, ``where``."""
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
def _by_function() -> dict[Any, Callable[..., Any]]:
    """NumPy's other functions that build formulas: those that this package has, too, and their older names."""
    import symbolic

    names = {name: name for name in dir(symbolic) if not name.startswith("_")} | {"amax": "max", "amin": "min"}
    found = {getattr(np, name, None): getattr(symbolic, ours) for name, ours in names.items()}
    return {theirs: ours for theirs, ours in found.items() if callable(theirs) and not isinstance(theirs, np.ufunc)}


def function(function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The formula of a call of another NumPy function."""
    name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
    build = _by_function().get(function)
    if build is None:
        known = ", ".join(sorted(found.__name__ for found in _by_function()))
        raise TypeError(f"{name} builds no formula. The functions that do, beside ufuncs such as np.exp: {known}")
    signature = inspect.signature(build)
    try:
        call = signature.bind(*_as_ours(signature, arguments, options), **options)
    except TypeError as error:
        raise TypeError(f"{name} builds {build.__name__}({', '.join(signature.parameters)}): {error}") from None
    if build.__name__ in ("argmax", "take") and "axis" not in call.arguments and getattr(call.args[0], "ndim", 1) != 1:
        raise TypeError(f"{name} without an axis reads the flattened array, which no formula does: give axis=...")
    return build(*call.args, **call.kwargs)


def _as_ours(signature: inspect.Signature, arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments that stay positional: NumPy takes an axis by position, too, and it becomes an option."""
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


def _listed(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
