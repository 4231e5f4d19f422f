"""Sub-rooms of the compiler import only those before them, modules have no circle, and imports in functions are few."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import layertree.program

ROOT = Path(layertree.program.__path__[0])
ROOMS = ["ir", "lower", "runtime", "passes", "codegen", "report"]
"""In the order of the package's docstring; the modules of the package itself come last."""
INSIDE = {"options", "reports", "runtime.threads"}
"""Modules that import inside of functions, for loading time."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


MODULES = {module_of(path): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules of the compiler that a tree imports, inside of functions, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("layertree.program"):
            name = (node.module or "").removeprefix("layertree.program").lstrip(".")
            for alias in node.names:
                inner = f"{name}.{alias.name}".lstrip(".")
                yield inner if inner in MODULES else name


def rank(module: str) -> int:
    room = module.partition(".")[0]
    return ROOMS.index(room) if room in ROOMS else len(ROOMS)


def test_sub_rooms_import_those_before_them() -> None:
    assert {module.partition(".")[0] for module in MODULES if "." in module} == set(ROOMS)
    wrong = [(module, one) for module, tree in MODULES.items() for one in imports(tree) if rank(one) > rank(module)]
    # Reports read programs; options and the facade load them when one is asked for.
    assert wrong == []


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module: {one for one in imports(tree) if one != module} for module, tree in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) >= len(MODULES)


def test_imports_inside_of_functions_are_for_loading_time() -> None:
    found = {
        module
        for module, tree in MODULES.items()
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.Lambda))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    assert found == INSIDE


def test_each_sub_room_says_what_it_is() -> None:
    for room in ROOMS:
        text = " ".join((ast.get_docstring(MODULES[f"{room}.__init__"]) or "").split())
        assert "Main types" in text
        assert "Reading starts at" in text
        assert "imports" in text
