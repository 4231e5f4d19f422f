"""Docstrings: there is one for every public name, and their examples give what they show."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import pytest

import layertree
import symbolic

PACKAGES = (layertree, symbolic)


def modules(package: ModuleType) -> list[str]:
    """The names of the package and of all modules in it, but for the program."""
    found = [name for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [package.__name__, *[name for name in found if not name.endswith("__main__")]]


NAMES = [name for package in PACKAGES for name in modules(package)]


def public(module: ModuleType) -> dict[str, Any]:
    """What a module defines, or hands on, under a public name."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = {name: getattr(module, name) for name in names}
    return {name: value for name, value in found.items() if _is_ours(value)}


def _is_ours(value: Any) -> bool:
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    return (inspect.isclass(value) or inspect.isroutine(value)) and home in {"layertree", "symbolic"}


@pytest.mark.parametrize("name", [name for name in NAMES if "._" not in name])
def test_every_public_name_has_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip()
    assert not [found for found, value in public(module).items() if not (value.__doc__ or "").strip()]


def test_there_are_public_names() -> None:
    assert len(public(layertree)) > 30
    assert len(public(symbolic)) > 60


@pytest.mark.parametrize("name", NAMES)
def test_examples_give_what_they_show(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in NAMES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) > 100
