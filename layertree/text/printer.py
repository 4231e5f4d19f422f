"""A pretty printer for directed acyclic graphs: each distinct node prints once, shared nodes first as ``a = ...``.

Code, formulas, and mathematics in Unicode and LaTeX are styles of the printer. Nodes print by pieces, texts and
references to children, with parentheses by operator precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence, Set
from typing import Generic, NamedTuple, TypeAlias, TypeVar

LIMIT = 200
"""How many nodes a text shows before it is shortened."""

N = TypeVar("N")


class Ref(NamedTuple, Generic[N]):
    """A reference to a child among the pieces of a node; a child that binds less tightly gets parentheses."""

    node: N
    binding: float = 0


Piece: TypeAlias = str | Ref[N]
"""A text, or a child to print there."""

Children: TypeAlias = Callable[[N], tuple[N, ...]]
"""The children of a node."""


def _as_it_is(name: str) -> str:
    return name


class Style(NamedTuple, Generic[N]):
    """How the nodes of a graph print.

    ``children`` gives the children of a node, ``pieces`` its text, ``binding`` its precedence, and ``is_atom`` whether
    its text is short enough to be repeated. ``pieces`` has a flag for a text in full. ``symbol`` formats the name of a
    shared node, and ``taken`` are names that shared nodes must not have.
    """

    children: Children[N]
    pieces: Callable[[N, bool], list[Piece[N]]]
    binding: Callable[[N], float]
    is_atom: Callable[[N], bool]
    parentheses: tuple[str, str] = ("(", ")")
    ellipsis: str = "..."
    symbol: Callable[[str], str] = _as_it_is
    taken: Collection[str] = ()


class Text(NamedTuple):
    """A graph as text: the shared nodes by name, the line of the root, and a remark on nodes that are left out."""

    shared: list[tuple[str, str]]
    root: str
    remark: str


def printed(root: N, style: Style[N], *, full: bool) -> str:
    """The text of a graph, a line for each shared node, then the root; shortened unless ``full``, with a remark."""
    text = text_of(root, style, full=full)
    lines = [*[f"{name} = {line}" for name, line in text.shared], text.root]
    return "\n".join([*lines, f"# {text.remark}"] if text.remark else lines)


def text_of(root: N, style: Style[N], *, full: bool) -> Text:
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
    """The number of nodes of a graph, and by id the nodes that its text leaves out: those that a shown node has."""

    nodes: int
    hidden: frozenset[int]

    @property
    def remark(self) -> str:
        """The number of nodes that are left out, in words; empty if none is."""
        return f"{self.nodes - LIMIT} of {self.nodes} nodes are left out" if self.hidden else ""


def size_of(root: N, children: Children[N]) -> Size:
    """The size of a graph, in which all but the first ``LIMIT`` nodes in breadth-first order are hidden."""
    seen = {id(root)}
    shown = [root]
    hidden: dict[int, N] = {}
    for node in shown:  # which grows
        for child in children(node):
            if id(child) not in seen:
                seen.add(id(child))
                if len(seen) <= LIMIT:
                    shown.append(child)
                else:
                    hidden[id(child)] = child
    stack = list(hidden.values())
    while stack:  # the others are counted
        for child in children(stack.pop()):
            if id(child) not in seen:
                seen.add(id(child))
                stack.append(child)
    return Size(len(seen), frozenset(hidden))


def _shared(root: N, style: Style[N], hidden: Set[int]) -> list[N]:
    """The nodes with several users, atoms excluded, in topological order."""
    uses: dict[int, int] = {}
    order: list[N] = []
    stack: list[tuple[N, bool]] = [(root, False)]
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
    """Short names that are not taken: a, b, ..., a1, b1, ...; never x, y or z, which formulas use for inputs."""
    letters = "abcdefghijklmnopqrstuvw"
    round = 0
    while True:
        for letter in letters:
            name = f"{letter}{round or ''}"
            if name not in taken:
                yield name
        round += 1


def one_line(root: N, style: Style[N], length: int, hidden: Set[int] = frozenset()) -> str:
    """The graph in one line of a length at most, with shared nodes written out at each use, without the hidden ones."""
    text = _line(root, style, {}, hidden, False, length)
    return text if len(text) <= length else text[: length - 3] + "..."


def _line(
    root: N, style: Style[N], names: dict[int, str], hidden: Set[int], full: bool, length: int | None = None
) -> str:
    """The text of one node, with names for shared nodes below it; ends soon after ``length`` characters, if given.

    The stack holds the pieces that are still to print.
    """
    text: list[str] = []
    stack: list[Piece[N]] = [Ref(root)]
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
    """The ellipsis of a child that is left out; a sequence of more than two prints as two."""
    if text[-4:] == [ellipsis, ", "] * 2:
        text.pop()
    else:
        text.append(ellipsis)


def joined(parts: Sequence[Sequence[Piece[N]]], separator: str = ", ") -> list[Piece[N]]:
    """The pieces of several parts, with a separator between the parts."""
    pieces: list[Piece[N]] = []
    for part in parts:
        pieces += [separator, *part] if pieces else part
    return pieces
