"""What is mutated: the rule of each layer class, and the helpers that take a namespace and that rules call."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

from tests.layers.sample import layer_classes


@dataclass
class Target:
    """A function to mutate, and the layer classes whose rules reach it."""

    function: FunctionType
    classes: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.function.__qualname__

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of the class whose rule it is."""
        owners = [cls for cls in self.classes if vars(cls).get("gradient") is self.function]
        return owners[0].__layout__.attributes if owners else ()


def targets() -> list[Target]:
    """All of them, each once."""
    found: dict[FunctionType, Target] = {}
    for cls in layer_classes():
        rule = vars(cls).get("gradient")
        if rule is not None:
            for function in reached(rule):
                found.setdefault(function, Target(function)).classes.append(cls)
    return list(found.values())


def reached(rule: FunctionType) -> list[FunctionType]:
    """A rule, and the helpers of the library that it calls with its namespace, directly or not."""
    found: dict[FunctionType, None] = {}
    stack = [rule]
    while stack:
        function = stack.pop()
        if function not in found:
            found[function] = None
            stack.extend(helpers(function))
    return list(found)


def helpers(function: FunctionType) -> list[FunctionType]:
    source = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function)))
    names = {
        node.func.id for node in ast.walk(source) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    called = [function.__globals__.get(name) for name in sorted(names)]
    return [
        one
        for one in called
        if isinstance(one, FunctionType)
        and one.__module__.startswith("layertree.")
        and next(iter(inspect.signature(one).parameters), None) == "xp"
    ]


def changed_since(revision: str, candidates: list[Target]) -> list[Target]:
    """Those whose source is another one than in a revision."""
    return [target for target in candidates if source_at(revision, target) != inspect.getsource(target.function)]


def source_at(revision: str, target: Target) -> str | None:
    """The source of a function in a revision; None where there was none."""
    path = Path(inspect.getsourcefile(target.function) or "").resolve()
    git = ["git", "-C", str(path.parent), "show", f"{revision}:./{path.name}"]
    shown = subprocess.run(git, capture_output=True, text=True, check=False)
    if shown.returncode:
        if "exists on disk" in shown.stderr or "does not exist" in shown.stderr:
            return None
        sys.exit(f"git knows no revision {revision!r}: {shown.stderr.strip()}")
    body: list[ast.stmt] = ast.parse(shown.stdout).body
    node: ast.stmt | None = None
    for name in target.name.split("."):
        node = next((one for one in body if getattr(one, "name", None) == name), None)
        if node is None:
            return None
        body = getattr(node, "body", [])
    assert node is not None
    lines = shown.stdout.splitlines(keepends=True)
    return "".join(lines[node.lineno - 1 : node.end_lineno])
