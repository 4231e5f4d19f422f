"""The case classes by family. A family is a module; what it makes public is its ``__all__``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any


def families() -> Iterator[ModuleType]:
    """The modules of this package, each loaded when it is reached."""
    import pkgutil  # here, since most of what is looked for is found without it

    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            yield import_module(f"{__name__}.{found.name}")


_FIRST = ("arithmetic", "linear_algebra", "elementwise", "reduction", "shape", "probability")
"""The families that most formulas need anyway."""


def _nearest_first() -> Iterator[ModuleType]:
    """The families: those that most formulas need, then those that are loaded, then all."""
    for name in _FIRST:
        yield import_module(f"{__name__}.{name}")
    names = list(sys.modules)  # at once: another thread may import meanwhile
    loaded = [name for name in names if name.startswith(f"{__name__}.") and not name.startswith(f"{__name__}._")]
    yield from map(import_module, loaded)
    yield from families()


def find(name: str) -> Any:
    """The layer class of this name, or None; families load until one has it."""
    for family in _nearest_first():
        if name in family.__all__:
            return getattr(family, name)
    return None


_by_function: dict[str, Any] = {}


def layer_of(function: str) -> Any:
    """The layer class whose ``compute`` is this function of the namespaces.

    >>> layer_of("multiply").__name__
    'Times'
    """
    found = _by_function.get(function)
    if found is None:
        _index(function)
        found = _by_function.get(function)
        if found is None:
            raise AttributeError(f"no layer computes {function!r}")
    return found


def functions() -> tuple[str, ...]:
    """All names of the namespaces that are layers."""
    _index(None)
    return tuple(_by_function)


def _index(until: str | None) -> None:
    for family in _nearest_first():
        for name in family.__all__:
            cls = getattr(family, name)
            if cls.__function__ is not None:
                _by_function[cls.__function__] = cls
        if until in _by_function:
            return
