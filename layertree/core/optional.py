"""Modules of optional extras, which load when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["optional_module"]


def optional_module(name: str, extra: str, need: str) -> Any:
    """The module of a name. Raises ModuleNotFoundError, with ``need`` and the name of the extra, where it is missing.

    A module that is there, but does not find one of its own dependencies, raises the error of the dependency.

    >>> optional_module("math", "extra", "roots are those of math").sqrt(4.0)
    2.0
    >>> optional_module("no_such_module", "extra", "roots are those of no_such_module")
    Traceback (most recent call last):
      ...
    ModuleNotFoundError: roots are those of no_such_module, which is not installed: pip install 'layertree[extra]',
      or in a checkout pip install -e '.[extra]'
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != name.partition(".")[0]:
            raise
        raise ModuleNotFoundError(f"{need}, which is not installed: {_hint(extra)}", name=error.name) from None


def _hint(extra: str) -> str:
    """The commands that install an extra: of the package, and of a checkout of its sources."""
    return f"pip install 'layertree[{extra}]',\n  or in a checkout pip install -e '.[{extra}]'"
