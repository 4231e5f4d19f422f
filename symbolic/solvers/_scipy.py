"""SciPy, which is an optional extra and loads when a solver first runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def optimize() -> Any:
    """The module ``scipy.optimize``; ModuleNotFoundError, which names the extra, where SciPy is not installed."""
    try:
        return import_module("scipy.optimize")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != "scipy":
            raise
        raise ModuleNotFoundError(
            "the solvers are SciPy's, which is not installed: pip install 'layertree[scipy]'", name=error.name
        ) from None
