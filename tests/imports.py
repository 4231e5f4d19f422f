"""The import graph of both packages, read from the sources: at module level, inside of functions, and for checkers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import layertree
import symbolic

PACKAGES = (layertree, symbolic)


class Import(NamedTuple):
    """One module that imports another one of the project, in some line."""

    source: str
    target: str
    line: int
    in_function: bool
    for_checkers: bool


def modules() -> dict[str, Path]:
    """The files of both packages by module name."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            parts = [package.__name__, *path.relative_to(root).with_suffix("").parts]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports() -> tuple[Import, ...]:
    """All imports among the modules of both packages."""
    known = modules()
    return tuple(found for name, path in known.items() for found in _imports_of(name, path, known))


def _imports_of(name: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    for node, in_function, for_checkers in _statements(ast.parse(path.read_text()), False, False):
        for target in _targets(node):
            full = target if target in known else target.rpartition(".")[0]
            if full in known and full != name:
                yield Import(name, full, node.lineno, in_function, for_checkers)


def _statements(
    tree: ast.AST, in_function: bool, for_checkers: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, in_function, for_checkers
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for one in node.body:
                yield from _statements(ast.Module([one], []), inside, True)
            for one in node.orelse:
                yield from _statements(ast.Module([one], []), inside, for_checkers)
        else:
            yield from _statements(node, inside, for_checkers)


def _targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, "imports are absolute"
    return [f"{node.module}.{alias.name}" for alias in node.names]


def circles(edges: set[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan, 1972, without recursion)."""
    graph: dict[str, list[str]] = {}
    for source, target in sorted(edges):
        graph.setdefault(source, []).append(target)
        graph.setdefault(target, [])
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    found: list[list[str]] = []
    for root in graph:
        stack = [(root, iter(graph[root]))] if root not in index else []
        if stack:
            index[root] = low[root] = len(index)
            open_nodes.append(root)
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_nodes.append(target)
                    stack.append((target, iter(graph[target])))
                    break
                if target in open_nodes:
                    low[node] = min(low[node], index[target])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == index[node]:
                    start = open_nodes.index(node)
                    if len(open_nodes) - start > 1:
                        found.append(sorted(open_nodes[start:]))
                    del open_nodes[start:]
    return found
