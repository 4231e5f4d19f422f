"""The pages of public functions and classes: lists of names that mkdocstrings replaces by signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import layertree
import symbolic
from layertree.layers import families
from site_builder import pictures
from symbolic.functions import activation

__all__ = ["library_pages", "symbolic_pages"]

_FOLDERS = ("functions", "building")
"""Packages of ``symbolic`` whose modules have pages of their own."""

_LONGEST_TITLE = 24
"""A summary that begins with a longer title leaves the page the name of the module."""


def symbolic_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page of ``symbolic``: one a module with public names."""
    names = [name for name in dir(symbolic) if not name.startswith("_")]
    found = [getattr(symbolic, name) for name in names]
    found += [getattr(symbolic.initializers, name) for name in symbolic.initializers.__all__]
    yield from _pages("symbolic", found, lambda parts: [part for part in parts if part not in _FOLDERS])


def library_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page of ``layertree``: one a room; layer classes have pages of their own."""
    listed = {name for family in families() for name in family.__all__}
    found = [getattr(layertree, name) for name in dir(layertree) if name not in listed and not name.startswith("_")]
    found += [getattr(layertree.datasets, name) for name in vars(layertree.datasets) if not name.startswith("_")]
    found += [layertree.core.spec.ArraySpec]
    yield from _pages("layertree", found, lambda parts: parts[:1])


def _pages(package: str, found: list[Any], key: Callable[[list[str]], list[str]]) -> Iterator[tuple[str, str]]:
    """Pages of the functions and classes of a package, grouped by a part of their modules' names."""
    groups: dict[str, dict[str, str]] = {}
    for value in found:
        home = str(getattr(value, "__module__", ""))
        if (inspect.isclass(value) or inspect.isroutine(value)) and home.startswith(f"{package}."):
            parts = [part for part in home.split(".")[1:] if not part.startswith("_")]
            name = ".".join(key(parts)) or "core"
            groups.setdefault(name, {})[value.__name__] = f"{home}.{value.__name__}"
    for name in sorted(groups):
        yield name.replace(".", "_"), _page(package, name, groups[name])


def _page(package: str, name: str, members: dict[str, str]) -> str:
    summary = _summary(package, name)
    title = summary.partition(":")[0] if package == "symbolic" else summary
    if len(title) > _LONGEST_TITLE:
        title = name.rpartition(".")[2].replace("_", " ").capitalize()
    parts = [f"# {title}", ""]
    parts += [summary, ""] if summary else []
    schedules = {type(schedule).__name__: schedule for schedule in pictures.schedules()}
    for member in sorted(members, key=str.lower):
        parts += [f"::: {members[member]}", ""]
        if member in activation.__all__ and name.endswith("activation"):
            parts += [pictures.of_function(member, getattr(activation, member)), ""]
        if package == "layertree" and member in schedules:
            parts += ["", pictures.of_schedule(schedules[member]), ""]
    return "\n".join(parts)


def _summary(package: str, name: str) -> str:
    """The first paragraph of the module's docstring."""
    for path in (name, *[f"{folder}.{name}" for folder in _FOLDERS]):
        try:
            module: ModuleType = importlib.import_module(f"{package}.{path}")
        except ModuleNotFoundError:
            continue
        return (inspect.getdoc(module) or "").partition("\n\n")[0]
    return ""
