"""Formulas as indented trees: a row for each layer, with the shape and dtype of its result beside it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import MISFITS
from layertree.core.spec import spec_of, spec_text
from layertree.core.structure import children_of, operands_of, post_order
from layertree.namespaces.spec import Inferring
from layertree.sweep.reading import Demands
from layertree.sweep.sweep import sweep
from layertree.text.code import is_code_atom
from layertree.text.printer import free_names, size_of
from layertree.text.values import attribute_pieces, data_text

_INDENT = 3
_LABEL = 16
_SOURCE = -1  # no id of a layer
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_BELOW = "\N{DOWNWARDS ARROW}"
_ABOVE = "\N{UPWARDS ARROW}"


def tree_text(layer: Any, source: Any = None, width: int = 80) -> str:
    """The tree in rows of a certain width at most; shortened above 200 nodes.

    ``source`` is the spec of the input; where it is not known and matters, the rows show no specs. A layer that
    several others use has a name, and is drawn once; so has one too deep for the width, which is drawn further below.
    """
    root = layer.__layer__()
    drawing = _Drawing(root, _specs(root, source), max(width, 2))
    rows = [row for section in drawing.sections() for row in section]
    return "\n".join([*_aligned(rows, drawing.column, drawing.width), *drawing.remarks()])


class _Row(NamedTuple):
    """The left half of a line, and the spec."""

    text: str
    spec: str = ""


class _Place(NamedTuple):
    """A layer in the tree: what stands before it, and before its own children; its field; the spec of its input."""

    node: Any
    before: str
    below: str
    role: str
    depth: int
    source: Any


class _Drawing:
    """The rows of one tree."""

    def __init__(self, root: Any, specs: dict[int, Any] | None, width: int) -> None:
        self.specs = specs
        self.width = width
        widest = max(map(len, map(spec_text, specs.values()))) if specs else 0
        self.column = max(width - widest, width // 2)
        self.deepest = max((self.column - _LABEL) // _INDENT, 2)
        self.size = size_of(root, _children)
        self._free_names = free_names()
        self._names = {id(node): next(self._free_names) for node in _used_again(root, self.size.hidden)}
        self._drawn: set[int] = set()
        self._waiting = deque([_Place(root, "", "", "", 0, None if specs is None else specs[_SOURCE])])

    def remarks(self) -> Iterator[str]:
        """What is left out, if anything is."""
        if self.size.hidden:
            yield f"({self.size.remark})"

    def sections(self) -> Iterator[list[_Row]]:
        """The tree, then the parts of it that are too deep, each from the margin on."""
        while self._waiting:
            start = self._waiting.popleft()
            if id(start.node) in self._drawn:
                continue
            yield [_Row("")] * bool(self._drawn) + list(self._section(start))

    def _section(self, start: _Place) -> Iterator[_Row]:
        stack: list[_Place | _Row] = [start]
        while stack:
            place = stack.pop()
            if isinstance(place, _Row):
                yield place
                continue
            name = self._names.get(id(place.node))
            if id(place.node) in self._drawn:
                yield _Row(f"{place.before}{place.role}{name} {_ABOVE}", self._spec(place))
                continue
            children = _children(place.node)
            if place.depth == self.deepest and any(map(_children, children)):
                yield self._cut(place)
                continue
            if name is not None or children:
                self._drawn.add(id(place.node))
            named = f"{name}: " if name is not None else ""
            yield _Row(f"{place.before}{place.role}{named}{self._text_of(place.node)}", self._spec(place))
            stack.extend(reversed(list(self._below(place))))

    def _cut(self, place: _Place) -> _Row:
        """A row that says where the rest is drawn."""
        name = self._names.get(id(place.node))
        if name is None:
            name = self._names[id(place.node)] = next(self._free_names)
        if not any(waiting.node is place.node for waiting in self._waiting):
            self._waiting.append(_Place(place.node, "", "", "", 0, place.source))
        return _Row(f"{place.before}{place.role}{name} {_BELOW}", self._spec(place))

    def _below(self, place: _Place) -> Iterator[_Place | _Row]:
        """The places of a layer's children; those left out are one row."""
        fields = [] if _is_input(place.node) else list(_fields(place.node))
        shown = [(role, child) for role, child in fields if id(child) not in self.size.hidden]
        more = len(fields) - len(shown)
        for i, (role, child) in enumerate(shown):
            is_last = i == len(shown) - 1 and not more
            source = place.source
            if role == "outer: " and self.specs is not None:
                source = self.specs.get(id(operands_of(place.node)[0]), source)
            before = place.below + ("\u2514\u2500 " if is_last else "\u251c\u2500 ")
            below = place.below + ("   " if is_last else "\u2502  ")
            yield _Place(child, before, below, role, place.depth + 1, source)
        if more:
            yield _Row(f"{place.below}\u2514\u2500 {_ELLIPSIS}" + (f" {more} more" if more > 1 else ""))

    def _text_of(self, node: Any) -> str:
        if _is_input(node):
            return brief_formula(node)
        parts = [type(node).__name__]
        if node.__control__ == "constant":
            parts.append(self._data(node.data))
        elif node.__control__ == "cell":
            is_told = np.ndim(node.value) and self.specs is not None  # by its name and its spec
            parts += [node.path or "", "" if is_told else self._data(node.value)]
        parts += ["".join(piece) for piece in attribute_pieces(node, False)] if node.__layout__.names else []
        return " ".join(filter(None, parts))

    def _data(self, data: Any) -> str:
        text = data_text(data, False)
        return "" if text.startswith("<") and self.specs is not None else text

    def _spec(self, place: _Place) -> str:
        if self.specs is None:
            return ""
        if place.node.__control__ == "source":
            return spec_text(place.source)
        found = self.specs.get(id(place.node))
        return "" if found is None else spec_text(found)


def _is_input(node: Any) -> bool:
    """Whether a layer is the input, or a part of it."""
    while node.__function__ == "item":
        node = node.operand
    return bool(node.__control__ == "source")


def _children(node: Any) -> tuple[Any, ...]:
    return () if _is_input(node) else children_of(node)


def _fields(node: Any) -> Iterator[tuple[str, Any]]:
    """The children of a layer, each behind the name of its field where that says what it is for."""
    layout = node.__layout__
    for name in layout.names:
        if name in layout.operands:
            yield "", getattr(node, name)
        elif name in layout.variadic:
            for child in getattr(node, name):
                yield "", child
        elif name in layout.regions:
            yield f"{name}: ", getattr(node, name)


def _used_again(root: Any, hidden: Set[int]) -> list[Any]:
    """The visible layers that several others use, but for those that say all in a word."""
    uses: Counter[int] = Counter()
    order: list[Any] = []
    stack = [root]
    while stack:
        node = stack.pop()
        uses[id(node)] += 1
        if uses[id(node)] == 1 and id(node) not in hidden:
            order.append(node)
            stack.extend(reversed(_children(node)))
    return [node for node in order if uses[id(node)] > 1 and not (is_code_atom(node) or _is_input(node))]


def _aligned(rows: list[_Row], column: int, width: int) -> Iterator[str]:
    """The rows with their specs in one column, each cut at the width."""
    column = min(max(len(row.text) for row in rows) + 2, column)
    for row in rows:
        text = _cut_off(row.text, column - 2 if row.spec else width)
        yield _cut_off(f"{text:<{column}}{row.spec}" if row.spec else text, width).rstrip()


def _cut_off(text: str, length: int) -> str:
    return text if len(text) <= length else text[: max(length - 1, 0)] + _ELLIPSIS


def _specs(root: Any, source: Any) -> dict[int, Any] | None:
    """The spec of each layer's result, and under -1 that of the input; None where they cannot be known."""
    if source is None and any(node.__control__ == "source" for node in post_order(root)):
        return None
    reading = _Recording()
    try:
        sweep(root, source, reading)
    except MISFITS:
        return None
    return {**reading.specs, _SOURCE: source}


class _Recording(Inferring):
    """The reading whose results are specs, which remembers them."""

    def __init__(self) -> None:
        self.specs: dict[int, Any] = {}

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        found = self.specs[id(node)] = super().apply(node, inputs)
        return found

    def constant(self, node: Any, context: Any) -> Any:
        found = self.specs[id(node)] = spec_of(node.data)
        return found

    def cell(self, node: Any, context: Any) -> Any:
        found = self.specs[id(node)] = spec_of(node.value)
        return found

    def choose(self, node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
        found = self.specs[id(node)] = super().choose(node, condition, then, otherwise)
        return found

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        # What the outer formula takes in is kept under the operand, which may be the input itself.
        self.specs[id(node.inner)] = inputs[0]
        found = self.specs[id(node)] = yield from super().call(node, inputs, source, context)
        return found
