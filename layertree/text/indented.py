"""Indented trees: a row for each node of a graph, with a second column beside it. Formulas and runs are such graphs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterator, Sequence, Set
from typing import Any, Generic, NamedTuple, TypeVar

from layertree.text.printer import free_names, size_of

N = TypeVar("N")

_INDENT = 3
_LABEL = 16
"""The least width of a text behind its indentation."""

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_BELOW = "\N{DOWNWARDS ARROW}"
_ABOVE = "\N{UPWARDS ARROW}"


class Outline(ABC, Generic[N]):
    """What an indented tree shows of the nodes of a graph.

    A ``context`` is what a node knows of its place: a child receives that of ``context_of``.
    """

    @abstractmethod
    def fields(self, node: N) -> Sequence[tuple[str, N]]:
        """The children of a node, each with the label before its text: ``""`` or ``"then: "``."""

    @abstractmethod
    def text(self, node: N) -> str:
        """The text of a node without its children."""

    @abstractmethod
    def beside(self, node: N, context: Any) -> str:
        """The text of a node in the second column."""

    @abstractmethod
    def is_repeated(self, node: N) -> bool:
        """Whether a node with several users is drawn at each, since its text is as short as a name."""

    def context_of(self, node: N, role: str, context: Any) -> Any:
        """The context of the child of a node with a label."""
        return context

    def children(self, node: N) -> tuple[N, ...]:
        """The children of a node."""
        return tuple([child for _, child in self.fields(node)])


def indented(root: N, outline: Outline[N], width: int, *, context: Any = None, widest: int = 0) -> str:
    """The tree below a node in rows no wider than ``width``; shortened above 200 nodes.

    ``widest`` is the width that the second column wants, at most the half of ``width``. A shared node has a name and is
    drawn once. A node too deep for the width has a name and is drawn as a tree of its own.
    """
    drawing = _Drawing(root, outline, max(width, 2), context, widest)
    rows = [row for section in drawing.sections() for row in section]
    return "\n".join([*_aligned(rows, drawing.column, drawing.width), *drawing.remarks()])


class _Row(NamedTuple):
    """The left half of a line, and the text of the second column."""

    text: str
    beside: str = ""


class _Occurrence(NamedTuple, Generic[N]):
    """One occurrence of a node: the indentation of the node and of its children, its label, its context."""

    node: N
    before: str
    below: str
    role: str
    depth: int
    context: Any


class _Drawing(Generic[N]):
    """The rows of one tree."""

    def __init__(self, root: N, outline: Outline[N], width: int, context: Any, widest: int) -> None:
        self.outline = outline
        self.width = width
        self.column = max(width - widest, width // 2)
        self.deepest = max((self.column - _LABEL) // _INDENT, 2)
        self.size = size_of(root, outline.children)
        self._free_names = free_names()
        self._names = {id(node): next(self._free_names) for node in _shared(root, outline, self.size.hidden)}
        self._drawn: set[int] = set()
        self._pending = deque([_Occurrence(root, "", "", "", 0, context)])

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

    def _section(self, start: _Occurrence[N]) -> Iterator[_Row]:
        stack: list[_Occurrence[N] | _Row] = [start]
        while stack:
            at = stack.pop()
            if isinstance(at, _Row):
                yield at
                continue
            name = self._names.get(id(at.node))
            beside = self.outline.beside(at.node, at.context)
            if id(at.node) in self._drawn:
                yield _Row(f"{at.before}{at.role}{name} {_ABOVE}", beside)
                continue
            children = self.outline.children(at.node)
            if at.depth == self.deepest and any(map(self.outline.children, children)):
                yield _Row(f"{at.before}{at.role}{self._deferred(at)} {_BELOW}", beside)
                continue
            if name is not None or children:
                self._drawn.add(id(at.node))
            named = f"{name}: " if name is not None else ""
            yield _Row(f"{at.before}{at.role}{named}{self.outline.text(at.node)}", beside)
            stack.extend(reversed(list(self._below(at))))

    def _deferred(self, at: _Occurrence[N]) -> str:
        """The name of a subtree that is drawn in a later section."""
        name = self._names.get(id(at.node))
        if name is None:
            name = self._names[id(at.node)] = next(self._free_names)
        if not any(pending.node is at.node for pending in self._pending):
            self._pending.append(_Occurrence(at.node, "", "", "", 0, at.context))
        return name

    def _below(self, at: _Occurrence[N]) -> Iterator[_Occurrence[N] | _Row]:
        """The occurrences of a node's children; one row stands for all hidden ones."""
        fields = self.outline.fields(at.node)
        shown = [(role, child) for role, child in fields if id(child) not in self.size.hidden]
        more = len(fields) - len(shown)
        for i, (role, child) in enumerate(shown):
            is_last = i == len(shown) - 1 and not more
            before = at.below + ("\u2514\u2500 " if is_last else "\u251c\u2500 ")
            below = at.below + ("   " if is_last else "\u2502  ")
            context = self.outline.context_of(at.node, role, at.context)
            yield _Occurrence(child, before, below, role, at.depth + 1, context)
        if more:
            yield _Row(f"{at.below}\u2514\u2500 {_ELLIPSIS}" + (f" {more} more" if more > 1 else ""))


def _shared(root: N, outline: Outline[N], hidden: Set[int]) -> list[N]:
    """The visible nodes with several users, but for those whose text is repeated."""
    uses: Counter[int] = Counter()
    order: list[N] = []
    stack = [root]
    while stack:
        node = stack.pop()
        uses[id(node)] += 1
        if uses[id(node)] == 1 and id(node) not in hidden:
            order.append(node)
            stack.extend(reversed(outline.children(node)))
    return [node for node in order if uses[id(node)] > 1 and not outline.is_repeated(node)]


def _aligned(rows: list[_Row], column: int, width: int) -> Iterator[str]:
    """The rows with their second texts in one column, each cut at the width."""
    column = min(max(len(row.text) for row in rows) + 2, column)
    for row in rows:
        text = _cut_off(row.text, column - 2 if row.beside else width)
        yield _cut_off(f"{text:<{column}}{row.beside}" if row.beside else text, width).rstrip()


def _cut_off(text: str, length: int) -> str:
    return text if len(text) <= length else text[: max(length - 1, 0)] + _ELLIPSIS
