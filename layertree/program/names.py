"""Variable names of a program's source, taken from the formula and made unique, and its comments."""

from __future__ import annotations

import builtins
import keyword
import textwrap
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from layertree.core.brief import name_of
from layertree.core.layer import Layer
from layertree.core.naming import cell_names
from layertree.core.provenance import origin_of
from layertree.core.structure import operands_of
from layertree.program._ops import Op
from layertree.program.views import VIEWS

INDENT = "    "
LONGEST = 120
"""How many characters a line of a program's source has, where names can be put on several."""

_RESERVED = frozenset(("np", "kernels", "xp", "x", "new", "weights", "states", "buffers", "step", *dir(builtins)))


class Names:
    """The names given so far."""

    def __init__(self, taken: frozenset[str] = frozenset()) -> None:
        self._taken = set(_RESERVED | taken)
        self._counts: dict[str, int] = {}
        self._bases: dict[str, str] = {}
        self._free: dict[str, list[str]] = {}

    def take(self, wish: str, *, again: bool = False) -> str:
        """A free name like the wished one; with ``again`` also one that was given back."""
        base = _variable(wish)
        if again and self._free.get(base):
            return self._free[base].pop()
        name = base
        while name in self._taken:
            self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}_{self._counts[base]}"
        self._taken.add(name)
        self._bases[name] = base
        return name

    def give(self, name: str) -> None:
        """A name whose value is read no more: the next one that wishes for it takes it over."""
        self._free.setdefault(self._bases[name], []).append(name)


@lru_cache(maxsize=1024)
def _variable(wish: str) -> str:
    """A wish as the name of a variable, in the form in which Python compares names."""
    letters = normalize("NFKC", wish.lower())
    words = "".join([letter if f"_{letter}".isidentifier() else " " for letter in letters]).split()
    name = "_".join(words).strip("_") or "value"
    return name if name.isidentifier() and not keyword.iskeyword(name) else f"v_{name}"


def lines_of(names: Iterable[str], before: str, after: str, indent: str) -> list[str]:
    """A line with names in it; where it is too long, several, in which they stand in brackets.

    >>> lines_of("abc", "for ", " in blocks:", "")
    ['for a, b, c in blocks:']
    """
    listed = ", ".join(names)
    line = f"{indent}{before}{listed}{after}"
    if len(line) <= LONGEST:
        return [line]
    inner = indent + INDENT
    wrapped = textwrap.wrap(listed, LONGEST - len(inner), break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{before}(", *[f"{inner}{one}" for one in wrapped], f"{indent}){after}"]


def names_of_cells(formula: Any) -> dict[Any, str]:
    """The name of each cell, as ``named_cells`` tells it."""
    return {node.cell: name for node, name in cell_names(formula)}


def wish(op: Op) -> str:
    """What an op's value would like to be called.

    A product with a cell goes by the scope of the cell, ``dense``; what belongs to the gradient of a layer by that
    layer, ``d_dense``.
    """
    name: str | None = op.attributes.get("name")
    if name is not None and not op.inputs:
        return name
    if op.name == "result" and op.inputs[0].name == "fused":
        return wish(op.inputs[0].attributes["chain"].results[op.attributes["position"]])
    if op.name == "stack":
        return f"all_{wish(op.inputs[0])}"
    if op.name == "input":
        return "_".join(["x", *map(str, op.attributes["key"])])
    origin = origin_of(op.layer)
    if isinstance(origin, Layer):
        return f"d_{_scope_of(origin) or name_of(origin)}"
    cell = _cell_read(op)
    if cell is None:
        return op.name
    if origin is not None:  # what an update rule makes of a cell
        return str(cell.attributes["name"])
    return _innermost(cell.attributes["key"].scope) or op.name


def is_of_update(op: Op) -> bool:
    """Whether an op belongs to what an update rule makes of a cell."""
    origin = origin_of(op.layer)
    return origin is not None and not isinstance(origin, Layer)


def _cell_read(op: Op) -> Op | None:
    """The cell that an op reads, maybe through a view."""
    for read in op.inputs:
        while read.name in VIEWS:
            read = read.inputs[0]
        if read.name == "cell":
            return read
    return None


def _scope_of(layer: Any) -> str:
    for operand in operands_of(layer):
        if operand.__control__ == "cell" and operand.cell.scope:
            return _innermost(operand.cell.scope)
    return ""


def _innermost(scope: str) -> str:
    return scope.rpartition("/")[2]


class Comments:
    """Which layers the ops of a program belong to, with the names of the cells that these have as operands."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        self._names = names
        self._known: dict[int, str] = {}

    def of(self, op: Op) -> str:
        """The comment on an op, in one line whatever the names are: what follows a line break would be run."""
        text = self._text(op)
        return text if text.isprintable() else repr(text)[1:-1]

    def _text(self, op: Op) -> str:
        layer = op.layer
        origin = origin_of(layer)
        if isinstance(origin, Layer):
            return f"gradient of {self._layer(origin)}"
        if origin is not None:
            return type(origin).__name__
        return "" if layer is None else self._layer(layer)

    def _layer(self, layer: Any) -> str:
        """A layer has several ops, and those of its gradient."""
        known = self._known.get(id(layer))
        if known is None:
            known = self._known[id(layer)] = named_layer(layer, self._names)
        return known


def named_layer(layer: Any, names: Mapping[Any, str]) -> str:
    """The class of a layer, and the names of the cells among its operands."""
    name = type(layer).__name__
    cells = [operand.cell for operand in operands_of(layer) if operand.__control__ == "cell"]
    found = [one for cell in cells if (one := names.get(cell) or cell.path)]
    return f"{name} {', '.join(found)}" if found else name
