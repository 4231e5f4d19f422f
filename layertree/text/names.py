"""Names of layer classes in texts: with their package where the library has a class or a function of the same name."""

from __future__ import annotations

from functools import cache
from typing import Any

from layertree.core.brief import function_name
from layertree.core.layer import Layer
from layertree.layers import families

__all__ = ["shown_class", "shown_function"]


def shown_class(cls: Any) -> str:
    """The name of a layer class in code: ``Exp``, and ``mine.Exp`` for the class ``Exp`` of a package ``mine``."""
    return _qualified(cls, cls.__name__)


def shown_function(cls: Any) -> str:
    """The name of the function of a layer class in a formula: ``exp``, and ``mine.exp`` for a class ``mine.Exp``."""
    return _qualified(cls, function_name(cls))


def _qualified(cls: Any, name: str) -> str:
    package = cls.__module__.partition(".")[0]
    is_taken = package != "layertree" and (cls.__name__ in _names() or function_name(cls) in _names())
    return f"{package}.{name}" if is_taken else name


@cache
def _names() -> frozenset[str]:
    """The names of all layer classes of the library and of their functions."""
    _ = tuple(families())  # the iteration loads the families
    found = {"float", "v", "x"}  # what texts write that is no class
    pending: list[Any] = [Layer]
    while pending:
        cls = pending.pop()
        pending.extend(cls.__subclasses__())
        if cls.__module__.partition(".")[0] == "layertree":
            found |= {cls.__name__, function_name(cls)}
    return frozenset(found)
