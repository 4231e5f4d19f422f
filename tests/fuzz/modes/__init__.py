"""The modes by name: each compares two readings of a program, and yields what has to agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from tests.fuzz.agreement import Pair
from tests.fuzz.modes.copies import deepcopied, pickled, text
from tests.fuzz.modes.derivatives import differences, spec, tree
from tests.fuzz.modes.programs import compiled, step
from tests.fuzz.modes.rewrites import simplify, vmap
from tests.fuzz.program import Program

Mode: TypeAlias = Callable[[Program], Iterator[Pair]]

MODES: dict[str, Mode] = {
    "spec": spec,
    "tree": tree,
    "compiled": compiled,
    "step": step,
    "vmap": vmap,
    "simplify": simplify,
    "text": text,
    "pickle": pickled,
    "deepcopy": deepcopied,
    "differences": differences,
}
