"""The protocol Namespace: its functions are those that layers compute, with their operands and attributes."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from typing_extensions import get_protocol_members

import layertree
from layertree.core.namespace import Namespace
from layertree.layers import functions, layer_of

PROPERTIES = {"shape", "ndim", "dtype"}
MEMBERS = set(get_protocol_members(Namespace))
ROOT = Path(layertree.__file__).parent
SOURCES = [
    *sorted((ROOT / "layers").glob("*.py")),
    ROOT / "namespaces/definitions.py",
    *(ROOT / "updates").glob("*.py"),
]


def names_used(path: Path) -> set[str]:
    """The names that a module asks of ``xp``."""
    return {
        node.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "xp"
    }


def test_the_functions_are_those_of_layers() -> None:
    assert set(functions()) | PROPERTIES == MEMBERS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rules_use_functions_of_the_protocol(path: Path) -> None:
    assert names_used(path) <= MEMBERS


def test_rules_use_most_functions() -> None:
    used = set().union(*map(names_used, SOURCES))
    assert {"add", "sum_to", "windows", "linear_recurrence", "shape"} <= used
    assert len(used) > 0.9 * len(MEMBERS)


@pytest.mark.parametrize("name", sorted(MEMBERS - PROPERTIES))
def test_a_function_has_the_operands_and_attributes_of_its_layer(name: str) -> None:
    layout = layer_of(name).__layout__
    _, *parameters = inspect.signature(getattr(Namespace, name)).parameters.values()
    operands = [one for one in parameters if one.kind is one.POSITIONAL_ONLY]
    attributes = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
    assert len(operands) + len(attributes) == len(parameters)
    assert len(operands) == len(layout.operands + layout.variadic)
    assert attributes == {*layout.attributes, *layout.identities}
