"""Formulas as indented trees: a row for each layer, with the shape and dtype of its result in a second column."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.diagnostics import MISFITS
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_cell, is_literal
from layertree.core.spec import SpecTree, spec_of, spec_text
from layertree.core.structure import children_of, operands_of, post_order
from layertree.core.visible import visible
from layertree.namespaces.spec import Inferring
from layertree.sweep.reading import Demands
from layertree.sweep.sweep import sweep
from layertree.text.code import is_code_atom
from layertree.text.names import shown_class
from layertree.text.printer import free_names, size_of
from layertree.text.values import attribute_pieces, data_text

_INDENT = 3
_LABEL = 16
"""The least width of a text behind its indentation."""

_SOURCE = -1
"""The key of the input's spec, which is the id of no layer."""

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_BELOW = "\N{DOWNWARDS ARROW}"
_ABOVE = "\N{UPWARDS ARROW}"


def tree_text(layer: AnyLayer, source: SpecTree | None = None, width: int = 80) -> str:
    """The tree in rows no wider than ``width``; shortened above 200 nodes.

    ``source`` is the spec of the input; for a formula that depends on an unknown input the rows have no specs. A shared
    layer has a name and is drawn once. A layer too deep for the width has a name and is drawn as a tree of its own.
    """
    root = layer.__layer__()
    drawing = _Drawing(root, _specs(root, source), max(width, 2))
    rows = [row for section in drawing.sections() for row in section]
    return "\n".join([*_aligned(rows, drawing.column, drawing.width), *drawing.remarks()])


class _Row(NamedTuple):
    """The left half of a line, and the spec."""

    text: str
    spec: str = ""


class _Occurrence(NamedTuple):
    """One occurrence of a layer: the indentation of the layer and of its children, its field, the input's spec."""

    node: AnyLayer
    before: str
    below: str
    role: str
    depth: int
    source: SpecTree | None


class _Drawing:
    """The rows of one tree."""

    def __init__(self, root: AnyLayer, specs: dict[int, SpecTree] | None, width: int) -> None:
        self.specs = specs
        self.width = width
        widest = max(map(len, map(spec_text, specs.values()))) if specs else 0
        self.column = max(width - widest, width // 2)
        self.deepest = max((self.column - _LABEL) // _INDENT, 2)
        self.size = size_of(root, _children)
        self._free_names = free_names()
        self._names = {id(node): next(self._free_names) for node in _shared(root, self.size.hidden)}
        self._drawn: set[int] = set()
        self._pending = deque([_Occurrence(root, "", "", "", 0, None if specs is None else specs[_SOURCE])])

    def remarks(self) -> Iterator[str]:
        """A remark on nodes that are left out, if there are any."""
        if self.size.hidden:
            yield f"({self.size.remark})"

    def sections(self) -> Iterator[list[_Row]]:
        """The tree, then each subtree that is too deep, without indentation."""
        while self._pending:
            start = self._pending.popleft()
            if id(start.node) in self._drawn:
                continue
            yield [_Row("")] * bool(self._drawn) + list(self._section(start))

    def _section(self, start: _Occurrence) -> Iterator[_Row]:
        stack: list[_Occurrence | _Row] = [start]
        while stack:
            at = stack.pop()
            if isinstance(at, _Row):
                yield at
                continue
            name = self._names.get(id(at.node))
            if id(at.node) in self._drawn:
                yield _Row(f"{at.before}{at.role}{name} {_ABOVE}", self._spec(at))
                continue
            children = _children(at.node)
            if at.depth == self.deepest and any(map(_children, children)):
                yield self._deferred(at)
                continue
            if name is not None or children:
                self._drawn.add(id(at.node))
            named = f"{name}: " if name is not None else ""
            yield _Row(f"{at.before}{at.role}{named}{self._text_of(at.node)}", self._spec(at))
            stack.extend(reversed(list(self._below(at))))

    def _deferred(self, at: _Occurrence) -> _Row:
        """A row with the name of a subtree that is drawn in a later section."""
        name = self._names.get(id(at.node))
        if name is None:
            name = self._names[id(at.node)] = next(self._free_names)
        if not any(pending.node is at.node for pending in self._pending):
            self._pending.append(_Occurrence(at.node, "", "", "", 0, at.source))
        return _Row(f"{at.before}{at.role}{name} {_BELOW}", self._spec(at))

    def _below(self, at: _Occurrence) -> Iterator[_Occurrence | _Row]:
        """The occurrences of a layer's children; one row stands for all hidden ones."""
        fields = [] if _is_input(at.node) else list(_fields(at.node))
        shown = [(role, child) for role, child in fields if id(child) not in self.size.hidden]
        more = len(fields) - len(shown)
        for i, (role, child) in enumerate(shown):
            is_last = i == len(shown) - 1 and not more
            source = at.source
            if role == "outer: " and self.specs is not None:
                source = self.specs.get(id(operands_of(at.node)[0]), source)
            before = at.below + ("\u2514\u2500 " if is_last else "\u251c\u2500 ")
            below = at.below + ("   " if is_last else "\u2502  ")
            yield _Occurrence(child, before, below, role, at.depth + 1, source)
        if more:
            yield _Row(f"{at.below}\u2514\u2500 {_ELLIPSIS}" + (f" {more} more" if more > 1 else ""))

    def _text_of(self, node: AnyLayer) -> str:
        if _is_input(node):
            return brief_formula(node)
        parts = [shown_class(type(node))]
        if is_literal(node):
            parts.append(self._data(node.data))
        elif is_cell(node):
            has_spec = np.ndim(node.value) and self.specs is not None  # then name and spec suffice
            parts += [visible(node.path or ""), "" if has_spec else self._data(node.value)]
        parts += ["".join(piece) for piece in attribute_pieces(node, False)] if node.__layout__.names else []
        return " ".join(filter(None, parts))

    def _data(self, data: object) -> str:
        text = data_text(data, False)
        return "" if text.startswith("<") and self.specs is not None else text

    def _spec(self, at: _Occurrence) -> str:
        if self.specs is None:
            return ""
        if at.node.__control__ == "source":
            return spec_text(at.source)
        found = self.specs.get(id(at.node))
        return "" if found is None else spec_text(found)


def _is_input(node: AnyLayer) -> bool:
    """Whether a layer is the input, or a part of it."""
    while node.__function__ == "item":
        node = children_of(node)[0]
    return node.__control__ == "source"


def _children(node: AnyLayer) -> tuple[AnyLayer, ...]:
    return () if _is_input(node) else children_of(node)


def _fields(node: AnyLayer) -> Iterator[tuple[str, AnyLayer]]:
    """The children of a layer, each with a label: for a region the name of its field."""
    layout = node.__layout__
    for name in layout.names:
        if name in layout.operands:
            yield "", getattr(node, name)
        elif name in layout.variadic:
            for child in getattr(node, name):
                yield "", child
        elif name in layout.regions:
            yield f"{name}: ", getattr(node, name)


def _shared(root: AnyLayer, hidden: Set[int]) -> list[AnyLayer]:
    """The visible layers with several users, but for those whose text is short enough to be repeated."""
    uses: Counter[int] = Counter()
    order: list[AnyLayer] = []
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


def _specs(root: AnyLayer, source: Any) -> dict[int, SpecTree] | None:
    """The specs of all layers' results by id, and of the input by ``_SOURCE``; None where inference fails."""
    if source is None and any(node.__control__ == "source" for node in post_order(root)):
        return None
    reading = _Recording()
    try:
        sweep(root, source, reading)
    except MISFITS:
        return None
    reading.specs[_SOURCE] = source
    return reading.specs


class _Recording(Inferring):
    """SpecTree inference that records the spec of each node."""

    def __init__(self) -> None:
        self.specs: dict[int, Any] = {}

    def apply(self, node: AnyLayer, inputs: list[Any]) -> SpecTree:
        found: SpecTree = super().apply(node, inputs)
        self.specs[id(node)] = found
        return found

    def constant(self, node: Any, context: object) -> SpecTree:
        found: SpecTree = spec_of(node.data)
        self.specs[id(node)] = found
        return found

    def cell(self, node: Any, context: object) -> SpecTree:
        found: SpecTree = spec_of(node.value)
        self.specs[id(node)] = found
        return found

    def choose(self, node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
        found = self.specs[id(node)] = super().choose(node, condition, then, otherwise)
        return found

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        # The spec of the outer formula's input is kept by the id of the inner one, which may be the input itself.
        self.specs[id(node.inner)] = inputs[0]
        found = self.specs[id(node)] = yield from super().call(node, inputs, source, context)
        return found
