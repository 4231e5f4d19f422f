"""Variable names of a program's source, taken from the formula and made unique."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

from layertree.program._ops import Op

_RESERVED = frozenset(("np", "kernels", "xp", "x", "new", "weights", "states", "buffers", "step", *dir(builtins)))


class Names:
    """The names given so far."""

    def __init__(self, taken: frozenset[str] = frozenset()) -> None:
        self._taken = set(_RESERVED | taken)
        self._counts: dict[str, int] = {}

    def take(self, wish: str) -> str:
        """A free name like the wished one."""
        base = re.sub(r"\W+", "_", wish).strip("_").lower() or "value"
        if base[0].isdigit() or keyword.iskeyword(base):
            base = f"v_{base}"
        name = base
        while name in self._taken:
            self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}_{self._counts[base]}"
        self._taken.add(name)
        return name


def wish(op: Op) -> str:
    """What an op's value would like to be called."""
    if op.name == "cell":
        return op.attributes["key"].path or "weight"
    if op.name == "input":
        return "_".join(["x", *map(str, op.attributes["key"])])
    return op.name


def comment(op: Op) -> str:
    """Which layer an op belongs to, with the paths of the cells it reads."""
    layer: Any = op.layer
    if layer is None:
        return ""
    paths = [read.attributes["key"].path for read in op.inputs if read.name == "cell"]
    named = ", ".join([path for path in paths if path])
    return f"{type(layer).__name__} {named}".rstrip()
