"""Layers: the case classes by family, such as ``arithmetic`` or ``convolution``, one module a family.

A layer is about ten lines: operands, attributes, and two rules written against ``xp: Namespace``. ``compute`` gives
the value; ``gradient`` gives one closure an operand, which computes the operand's delta from the delta of the output
(a vector-Jacobian product). The rules call functions of the namespace alone, so every namespace can read a layer.

``__all__`` of a family lists its classes. A family loads when a class in it is first used: ``layer_of`` finds the class
that computes a function of the namespaces, ``find`` the class of a name. Modules with an underscore hold formulas that
several rules share.

The room imports ``core`` alone. Start with ``arithmetic``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

LayerClass: TypeAlias = type[Any]
"""A case class; which operands and attributes its constructor takes, only the class knows."""


def families() -> Iterator[ModuleType]:
    """The modules of this package, each loaded when the iterator reaches it."""
    import pkgutil  # for loading time: most classes are found without it

    for found in pkgutil.iter_modules(__path__):
        if not found.name.startswith("_"):
            yield import_module(f"{__name__}.{found.name}")


_FIRST = ("arithmetic", "linear_algebra", "elementwise", "reduction", "shape", "probability")
"""The families that most formulas use."""


def _likely_first() -> Iterator[ModuleType]:
    """The families in the order of search: those that most formulas use, then loaded ones, then all."""
    for name in _FIRST:
        yield import_module(f"{__name__}.{name}")
    names = list(sys.modules)  # a copy: another thread may import a module during the loop
    loaded = [name for name in names if name.startswith(f"{__name__}.") and not name.startswith(f"{__name__}._")]
    yield from map(import_module, loaded)
    yield from families()


def find(name: str) -> LayerClass | None:
    """The layer class of a name, or None; families load until one has the name."""
    for family in _likely_first():
        if name in family.__all__:
            found: LayerClass = getattr(family, name)
            return found
    return None


_by_function: dict[str, LayerClass] = {}


def layer_of(function: str) -> LayerClass:
    """The layer class that computes a function of the namespaces; AttributeError where there is none.

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
    """The names of all functions of the namespaces that layers compute."""
    _index(None)
    return tuple(_by_function)


def _index(until: str | None) -> None:
    """Fill ``_by_function`` by families, until a function is in it; with None by all families."""
    for family in _likely_first():
        for name in family.__all__:
            cls = getattr(family, name)
            if cls.__function__ is not None:
                _by_function[cls.__function__] = cls
        if until in _by_function:
            return
