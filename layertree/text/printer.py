"""Graphs of nodes as text: each distinct node prints once, what several use first, as ``a = ...``.

Code, formulas, and mathematics in Unicode and LaTeX are styles of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Set
from typing import Any, NamedTuple

LIMIT = 200
"""How many nodes a text shows before it is shortened."""

Children = Callable[[Any], tuple[Any, ...]]
Pieces = Callable[[Any, bool], list[Any]]


class Ref(NamedTuple):
    """The place of a child within the pieces of its parent: its parentheses depend on how tightly it binds."""

    node: Any
    binding: float = 0


def _as_it_is(name: str) -> str:
    return name


class Style(NamedTuple):
    """How a graph prints: a node's children, its pieces, how tightly it binds, whether it is short enough to repeat.

    ``parentheses`` and ``ellipsis`` are how those look, ``symbol`` how the name of a shared node does, and ``taken``
    are the names that stand for something else.
    """

    children: Children
    pieces: Pieces
    binding: Callable[[Any], float]
    is_atom: Callable[[Any], bool]
    parentheses: tuple[str, str] = ("(", ")")
    ellipsis: str = "..."
    symbol: Callable[[str], str] = _as_it_is
    taken: Collection[str] = ()


class Text(NamedTuple):
    """A graph as text: the shared nodes by name, the line of the root, and what is left out, in words."""

    shared: list[tuple[str, str]]
    root: str
    remark: str


def printed(root: Any, style: Style, *, full: bool) -> str:
    """The text of a graph, a line for each shared node; in the last one, what is left out."""
    text = text_of(root, style, full=full)
    lines = [*[f"{name} = {line}" for name, line in text.shared], text.root]
    return "\n".join([*lines, f"# {text.remark}"] if text.remark else lines)


def text_of(root: Any, style: Style, *, full: bool) -> Text:
    """The lines of a graph, shortened unless ``full``."""
    size = Size(0, frozenset()) if full else size_of(root, style.children)
    found = _shared(root, style, size.hidden)
    names: dict[int, str] = {}
    shared: list[tuple[str, str]] = []
    for node, name in zip(found, free_names(style.taken), strict=False):
        symbol = style.symbol(name)
        shared.append((symbol, _line(node, style, names, size.hidden, full)))
        names[id(node)] = symbol
    return Text(shared, _line(root, style, names, size.hidden, full), size.remark)


class Size(NamedTuple):
    """How many nodes a graph has, and which ones its text leaves out."""

    nodes: int
    hidden: frozenset[int]

    @property
    def remark(self) -> str:
        """How many nodes a text leaves out, in words; nothing if none."""
        return f"{self.nodes - LIMIT} of {self.nodes} nodes are left out" if self.hidden else ""


def size_of(root: Any, children: Children) -> Size:
    """How large a graph is. All but ``LIMIT`` nodes are hidden, counted level by level from the root."""
    seen = {id(root)}
    level = [root]
    hidden: set[int] = set()
    while level:
        below: list[Any] = []
        for node in level:
            for child in children(node):
                if id(child) not in seen:
                    seen.add(id(child))
                    below.append(child)
                    if len(seen) > LIMIT:
                        hidden.add(id(child))
        level = below
    return Size(len(seen), frozenset(hidden))


def _shared(root: Any, style: Style, hidden: Set[int]) -> list[Any]:
    """The nodes that several others use, but for short ones; each after those it uses itself."""
    uses: dict[int, int] = {}
    order: list[Any] = []
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
            continue
        uses[id(node)] = uses.get(id(node), 0) + 1
        if uses[id(node)] > 1 or id(node) in hidden:
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(style.children(node)))
    return [node for node in order if uses[id(node)] > 1 and not style.is_atom(node)]


def free_names(taken: Collection[str] = ()) -> Iterator[str]:
    """Short names that nothing else has: a, b, ..., a1, b1, ...; x, y and z are the user's."""
    letters = "abcdefghijklmnopqrstuvw"
    round = 0
    while True:
        for letter in letters:
            name = f"{letter}{round or ''}"
            if name not in taken:
                yield name
        round += 1


def one_line(root: Any, style: Style, length: int) -> str:
    """The graph in one line of a certain length at most, with what is shared written out."""
    text = _line(root, style, {}, set(), False, length)
    return text if len(text) <= length else text[: length - 3] + "..."


def _line(
    root: Any, style: Style, names: dict[int, str], hidden: Set[int], full: bool, length: int | None = None
) -> str:
    """One node in full, with names in the place of shared ones; up to some length, if one is given.

    The stack holds what is still to print.
    """
    text: list[str] = []
    stack: list[Any] = [Ref(root)]
    written = 0
    opening, closing = style.parentheses
    while stack and (length is None or written <= length):
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
            written += len(piece)
        elif id(piece.node) in hidden:
            _append_ellipsis(text, style.ellipsis)
        elif id(piece.node) in names:
            text.append(names[id(piece.node)])
        else:
            pieces = style.pieces(piece.node, full)
            if style.binding(piece.node) < piece.binding:
                pieces = [opening, *pieces, closing]
            stack.extend(reversed(pieces))
    return "".join(text)


def _append_ellipsis(text: list[str], ellipsis: str) -> None:
    """What stands for an operand that is left out; of many in a row two are enough."""
    if text[-4:] == [ellipsis, ", "] * 2:
        text.pop()
    else:
        text.append(ellipsis)


def joined(parts: list[list[Any]], separator: str = ", ") -> list[Any]:
    """Pieces with commas between them."""
    pieces: list[Any] = []
    for part in parts:
        pieces += [separator, *part] if pieces else part
    return pieces
