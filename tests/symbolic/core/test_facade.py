"""The facade holds a function for each method of Symbolic that needs a higher room."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import symbolic
from symbolic.core.facade import Facade, facade
from symbolic.core.symbolic import Symbolic


def test_the_import_of_symbolic_fills_all_of_it() -> None:
    assert {name for name in Facade.__slots__ if hasattr(facade, name)} == set(Facade.__slots__)
    assert facade.namespace is symbolic


def test_methods_use_all_of_it_and_nothing_else() -> None:
    tree = ast.parse(Path(inspect.getfile(Symbolic)).read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "facade"
    }
    assert used == set(Facade.__slots__)
    assert Facade.__slots__ == tuple(sorted(Facade.__slots__))
