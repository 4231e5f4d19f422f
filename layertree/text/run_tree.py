"""Runs as indented trees: a row for each tape, with the value in a second column."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell, is_tuple
from layertree.core.nested import nested_text
from layertree.core.spec import spec_of, spec_text
from layertree.core.tape import AnyTape
from layertree.tape.external import kept
from layertree.tape.sources import layer_of_tape
from layertree.tape.tapes import Constant
from layertree.text.indented import Outline, indented
from layertree.text.printer import size_of
from layertree.text.tree import class_text
from layertree.text.values import data_text

_SHOWN_ELEMENTS = 8
"""The largest array whose elements are shown."""


def run_tree(tape: AnyTape, width: int = 80) -> str:
    """The tapes of a run in rows no wider than ``width``, each with its value; shortened above 200 tapes.

    A tape with several users has a name and is drawn once. Raises ClosedTapeError for a tape that is used up or closed.
    """
    root: Any = kept(tape)
    outline = _Tapes(root)
    return indented(root, outline, width, widest=max(map(len, outline.values.values())))


def _value_text(value: Any) -> str:
    """A value in one line: a number as it is, an array of a few numbers with four digits, others by dtype and shape."""
    if is_tuple(value):
        return nested_text(value, _value_text)
    if np.ndim(value):
        if not 0 < value.size <= _SHOWN_ELEMENTS:
            return spec_text(spec_of(value))
        return " ".join(np.array2string(value, precision=4, separator=", ").split())
    return str(value) if is_a(value, (np.ndarray, np.generic)) else data_text(value, False)


class _Tapes(Outline[Any]):
    """Tapes with their values. ``values`` has the texts of those that are shown, by id."""

    def __init__(self, root: Any) -> None:
        hidden = size_of(root, self.children).hidden
        self.values: dict[int, str] = {}
        stack = [root]
        while stack:
            tape = stack.pop()
            if id(tape) not in self.values and id(tape) not in hidden:
                self.values[id(tape)] = _value_text(tape.value)
                stack.extend(tape.upstream)

    def fields(self, node: Any) -> list[tuple[str, Any]]:
        layer: AnyLayer | None = layer_of_tape(node)
        roles = ("", "branch: ") if layer is not None and layer.__control__ == "cond" else ("",) * len(node.upstream)
        return list(zip(roles, node.upstream, strict=True))

    def children(self, node: Any) -> tuple[Any, ...]:
        return tuple(node.upstream)

    def is_repeated(self, node: Any) -> bool:
        layer: AnyLayer | None = layer_of_tape(node)
        return not node.upstream and not is_cell(layer)

    def text(self, node: Any) -> str:
        layer: AnyLayer | None = layer_of_tape(node)
        if layer is not None:
            return class_text(layer)
        return "x" if isinstance(node, Constant) else type(getattr(node, "made", node)).__name__

    def beside(self, node: Any, context: Any) -> str:
        return self.values[id(node)]
