"""NumPy's protocols: ``np.exp(formula)`` and ``array * formula`` build what the functions of this package build."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from layertree.layers import functions


@cache
def _by_ufunc() -> dict[Any, str]:
    """The ufuncs whose Array API name is a layer."""
    found = {getattr(np, name): name for name in functions() if isinstance(getattr(np, name, None), np.ufunc)}
    return found | {np.square: "square", np.positive: "positive"}


@cache
def _by_function() -> dict[Any, Any]:
    """NumPy's functions that this package has under the same name."""
    import symbolic

    names = symbolic.__all__  # type: ignore[attr-defined]  # checkers see the imports instead
    named = {name: getattr(np, name, None) for name in names}
    return {function: getattr(symbolic, name) for name, function in named.items() if callable(function)}


def ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The formula of a ufunc call; a TypeError for methods, ``out`` and ``where``, which have no formula."""
    from symbolic import _build

    name = _by_ufunc().get(ufunc)
    if method != "__call__" or options or name is None:
        what = f"np.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
        with_options = f" with {', '.join(options)}" if options else ""
        raise TypeError(
            f"{what}{with_options} builds no formula: there are {', '.join(sorted(set(_by_ufunc().values())))}"
        )
    if name in ("square", "positive"):
        return inputs[0] * inputs[0] if name == "square" else inputs[0]
    return _build.apply(name, *inputs)


def function(function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The formula of a call of another NumPy function."""
    found = _by_function().get(function)
    if found is None:
        raise TypeError(f"np.{function.__name__} builds no formula: see dir(symbolic) for what there is")
    return found(*arguments, **options)
