"""The code of snippets: data, leaves, and where the delta of a leaf is found."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree import Literal, Weight, nodes
from tests.fuzz.program import Program
from tests.layers.checks import leaves
from tests.layers.sample import is_float

SPEC = "from layertree.core.spec import ArraySpec, spec_of\n"
DERIVATIVES = SPEC + "from layertree.rewrite.reverse_mode import INPUT, derivatives\n"


def code_of(data: Any) -> str:
    """Data as code, to the bit."""
    return f"({format(Literal(data), 'full')}).data"


def foreign_classes(layer: Any) -> list[type]:
    """The classes of a layer's nodes that are not the library's, each once."""
    return [cls for cls in dict.fromkeys(map(type, nodes(layer))) if cls.__module__.partition(".")[0] != "layertree"]


def assignment(name: str, layer: Any) -> str:
    """The code that makes a layer, with its shared nodes in lines of their own."""
    *shared, last = format(layer, "full").splitlines()
    return "\n".join([*shared, f"{name} = {last}"]) + "\n"


def data_of(program: Program, key: Any) -> Any:
    """The data of a leaf: a weight, or a position of the input."""
    if isinstance(key, Weight):
        return key.value
    return program.data[key] if isinstance(program.data, tuple) else program.data


def name_of(program: Program, key: Any) -> str:
    """What messages call a leaf."""
    if isinstance(key, Weight):
        return f"weight {program.weights.index(key)}"
    return f"part {key} of the input" if isinstance(program.data, tuple) else "the input"


def place_of(program: Program, key: Any, source: str, layer: str = "formula") -> str:
    """The code that looks up the derivative by a leaf; ``source`` is the key of the input."""
    if isinstance(key, Weight):
        return f"[parameters({layer})[{program.weights.index(key)}]]"
    return f"[{source}][{key}]" if isinstance(program.data, tuple) else f"[{source}]"


def tape_code(program: Program, key: Any, name: str = "wanted", layer: str = "formula", owner: str = "formula") -> str:
    """The code of a delta by tape; ``owner`` is the formula whose weights ``layer`` has."""
    x = "Input(data)" if any(map(is_float, leaves(program.data))) else "data"
    place = place_of(program, key, "x", owner)
    return f"x = {x}\n{name} = {layer}.forward(x).gradients(delta){place}\n"


def slope_code(program: Program, key: Any, name: str) -> str:
    """The code of a derivative as a formula."""
    return f"{DERIVATIVES}{name} = derivatives(formula, spec_of(data), delta){place_of(program, key, 'INPUT')}\n"


def zeros_like(data: Any) -> Any:
    """Zeros of the same kind: the delta of what no delta reaches."""
    return 0.0 if type(data) is float else np.zeros_like(data)[()]
