"""The pages of public functions and classes: lists of names that mkdocstrings replaces by signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import layertree
import layertree.plots
import symbolic
from layertree.layers import families
from layertree.tape.tapes import KeptTape, LeafTape
from site_builder import pictures
from symbolic.functions import activation

__all__ = ["library_pages", "symbolic_pages"]

_FOLDERS = ("functions", "building")
"""Packages of ``symbolic`` whose modules have pages of their own."""

_PROJECT = ("layertree.", "symbolic.")
_ENTRY = re.compile(r"^::: (\S+)$", re.MULTILINE)
_LONGEST_TITLE = 24
"""A summary that begins with a longer title leaves the page the name of the module."""


def symbolic_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page of ``symbolic``: one a module with public names."""
    names = [name for name in dir(symbolic) if not name.startswith("_")]
    found = [getattr(symbolic, name) for name in names]
    found += [getattr(symbolic.initializers, name) for name in symbolic.initializers.__all__]
    yield from _pages("symbolic", found, None)


def library_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page of ``layertree``: one a room; layer classes have pages of their own."""
    listed = {name for family in families() for name in family.__all__}
    found = [getattr(layertree, name) for name in dir(layertree) if name not in listed and not name.startswith("_")]
    found += [getattr(layertree.datasets, name) for name in layertree.datasets.__all__]
    found += [getattr(layertree.plots, name) for name in layertree.plots.__all__]
    found += [layertree.core.spec.ArraySpec]
    yield from _pages("layertree", found, 1)


def _pages(package: str, found: list[Any], depth: int | None) -> Iterator[tuple[str, str]]:
    """Pages of the functions and classes of a package, grouped by their modules, or by a part of the modules' names."""
    groups: dict[str, dict[str, str]] = {}
    classes = [one for one in found if inspect.isclass(one)]
    inherited = {f"{one.__module__}.{one.__name__}": inherited_members(one, classes) for one in classes}
    modules: dict[str, str] = {}
    for value in found:
        home = str(getattr(value, "__module__", ""))
        if (inspect.isclass(value) or inspect.isroutine(value)) and home.startswith(f"{package}."):
            parts = [part for part in home.split(".")[1:] if not part.startswith("_")][:depth] or ["core"]
            name = ".".join([part for part in parts if part not in _FOLDERS]) or "core"
            modules.setdefault(name, ".".join([package, *parts]))
            groups.setdefault(name, {})[value.__name__] = f"{home}.{value.__name__}"
    schedules = {type(one).__name__: one for one in pictures.schedules()} if package == "layertree" else {}
    for name in sorted(groups):
        summary = (inspect.getdoc(importlib.import_module(modules[name])) or "").partition("\n\n")[0]
        title = (summary.partition(":")[0] if package == "symbolic" else summary).rstrip(".")
        text = _page(name, title, summary, groups[name], schedules)
        yield name.replace(".", "_"), _ENTRY.sub(lambda entry: entry[0] + _options(inherited.get(entry[1], [])), text)


def inherited_members(cls: type, documented: list[type]) -> list[str]:
    """The public members that a class has from bases of the project without an entry, which no entry would show.

    >>> from layertree.drawing.drawing import Drawing
    >>> inherited_members(Drawing, [Drawing])
    ['html', 'save']
    """
    shown = {base for one in cls.__mro__[1:] if one in documented for base in one.__mro__}
    shown |= {LeafTape, KeptTape}  # what they add to Tape is for the backward pass alone
    bases = [base for base in cls.__mro__[1:] if base not in shown and base.__module__.startswith(_PROJECT)]
    return sorted({name for base in bases for name in vars(base) if not name.startswith("_")} - set(vars(cls)))


def _options(inherited: list[str]) -> str:
    """The options below an entry."""
    return f"\n    options:\n      inherited_members: [{', '.join(inherited)}]" if inherited else ""


def _page(name: str, title: str, summary: str, members: dict[str, str], schedules: dict[str, Any]) -> str:
    if len(title) > _LONGEST_TITLE:
        title = name.rpartition(".")[2].replace("_", " ").capitalize()
    parts = [f"# {title}", ""]
    parts += [summary, ""] if summary else []
    for member in sorted(members, key=str.lower):
        parts += [f"::: {members[member]}", ""]
        if member in activation.__all__ and name.endswith("activation"):
            parts += [pictures.of_function(member, getattr(activation, member)), ""]
        if member in schedules:
            parts += ["", pictures.of_schedule(schedules[member]), ""]
    return "\n".join(parts)
