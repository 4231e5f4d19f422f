"""Lookup: the functions of a namespace, found by name in the modules of an engine, then in the definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, TypeVar, cast

from layertree import layers
from layertree.core.namespace import Namespace
from layertree.namespaces import definitions

F = TypeVar("F", bound=Callable[..., object])


def over_namespace(function: F) -> F:
    """Mark a kernel that calls functions of its namespace: as in a definition, the first parameter is the namespace."""
    function.__dict__["over_namespace"] = True
    return function


def _near(name: str) -> str:
    """The functions whose names resemble an unknown one, as the end of a message."""
    from difflib import get_close_matches  # here, for loading time

    found = get_close_matches(name, {*layers.functions(), *definitions.__all__}, 3)
    return f": near are {', '.join(sorted(found))}" if found else ""


class ModuleNamespace:
    """A namespace whose functions are those of modules; the first module that has a name provides the function.

    A name that no module has is taken from the definitions.

    >>> from layertree.namespaces import NUMPY, SCALAR
    >>> SCALAR.sigmoid(0.0), NUMPY.sigmoid([0.0])
    (0.5, array([0.5]))
    """

    def __init__(self, name: str, *modules: ModuleType) -> None:
        self.__name__ = name
        self._modules = modules

    def __getattr__(self, name: str) -> Callable[..., object]:
        # Python calls __getattr__ once for each name: the function becomes an attribute, which later uses find.
        for module in self._modules:
            found = getattr(module, name, None)
            if found is not None:
                if getattr(found, "over_namespace", False):
                    found = partial(found, self)
                break
        else:
            if name not in definitions.__all__:
                raise AttributeError(f"the {self.__name__} namespace has no {name!r}{_near(name)}")
            found = partial(getattr(definitions, name), self)
        setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"<namespace {self.__name__}>"


def namespace_from(name: str, *modules: ModuleType) -> Namespace[Any]:
    """The namespace of some modules, typed as the protocol: checkers see the functions, which lookup finds at run time.

    A test holds that each function of the protocol is found.
    """
    return cast("Namespace[Any]", ModuleNamespace(name, *modules))
