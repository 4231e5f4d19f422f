"""How a name is found: in the engine's kernels, then in its module, then in the definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from layertree.namespaces import definitions

F = TypeVar("F", bound=Callable[..., Any])


def over_namespace(function: F) -> F:
    """Mark a kernel whose first parameter is the namespace, as in a definition: the kernel calls functions of it."""
    function.__dict__["over_namespace"] = True
    return function


class Namespace:
    """The functions of an engine under the names of the Array API standard, and the few it lacks.

    >>> from layertree.namespaces import NUMPY, SCALAR
    >>> SCALAR.sigmoid(0.0), NUMPY.sigmoid([0.0])
    (0.5, array([0.5]))
    """

    def __init__(self, name: str, *modules: ModuleType) -> None:
        self.__name__ = name
        self._modules = modules

    def __getattr__(self, name: str) -> Any:
        # Reached once a name: what is found is kept, so that later uses are plain attributes.
        for module in self._modules:
            found = getattr(module, name, None)
            if found is not None:
                if getattr(found, "over_namespace", False):
                    found = partial(found, self)
                break
        else:
            if name not in definitions.__all__:
                raise AttributeError(f"the {self.__name__} namespace has no {name!r}")
            found = partial(getattr(definitions, name), self)
        setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"<namespace {self.__name__}>"
