"""An extension of griffe, which reads sources for mkdocstrings: examples as blocks, constructors that attrs makes."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import attrs
import griffe

from site_builder.examples import fenced

__all__ = ["Extension"]


class Extension(griffe.Extension):
    """Fences the examples in docstrings, which Markdown takes for quotations, and adds the constructors of attrs."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that has been read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Add the constructor that attrs makes: it is not in the source."""
        if "__init__" in cls.members or not any("attrs." in str(one.value) for one in cls.decorators):
            return
        made: Any = getattr(import_module(cls.module.path), cls.name, None)
        if isinstance(made, type) and attrs.has(made):
            # Its source is that of the class, whose fields it sets.
            where = {"lineno": cls.lineno, "endlineno": cls.endlineno}
            cls.set_member("__init__", griffe.Function("__init__", parameters=_parameters(made), **where))


def _parameters(cls: type) -> griffe.Parameters:
    """The parameters of a constructor, with their defaults as text."""
    found = [griffe.Parameter("self", kind=griffe.ParameterKind.positional_or_keyword)]
    for parameter in inspect.signature(cls).parameters.values():
        default = None if parameter.default is parameter.empty else _default(parameter.default)
        kind = griffe.ParameterKind[parameter.kind.name.lower()]
        found.append(griffe.Parameter(parameter.name, kind=kind, default=default))
    return griffe.Parameters(*found)


def _default(value: object) -> str:
    return "..." if value is attrs.NOTHING else repr(value)
