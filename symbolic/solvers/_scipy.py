"""SciPy, which is an optional extra and loads when a solver first runs."""

from __future__ import annotations

from typing import Any

from layertree.core.optional import optional_module


def optimize() -> Any:
    """The module ``scipy.optimize``; ModuleNotFoundError, which names the extra, where SciPy is not installed."""
    return optional_module("scipy.optimize", "scipy", "the solvers are SciPy's")
