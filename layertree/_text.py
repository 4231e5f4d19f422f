"""Graphs of nodes as text: each distinct node prints once, what several use first, as ``a = ...``.

Code and formulas are two styles of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

LIMIT = 200
"""How many nodes a text shows before it is shortened."""

Children = Callable[[Any], tuple[Any, ...]]
Pieces = Callable[[Any, bool], list[Any]]


class Ref(NamedTuple):
    """The place of a child within the pieces of its parent: its parentheses depend on how tightly it binds."""

    node: Any
    binding: int = 0


class Style(NamedTuple):
    """How a graph prints: a node's children, its pieces, how tightly it binds, whether it is short enough to repeat."""

    children: Children
    pieces: Pieces
    binding: Callable[[Any], int]
    is_atom: Callable[[Any], bool]


def printed(root: Any, style: Style, *, full: bool) -> str:
    """The text of a graph."""
    hidden: set[int] = set() if full else _beyond_limit(root, style.children)
    shared = _shared(root, style, hidden)
    names: dict[int, str] = {}
    lines: list[str] = []
    for node, name in zip(shared, _names(), strict=False):
        lines.append(f"{name} = {_line(node, style, names, hidden, full)}")
        names[id(node)] = name
    lines.append(_line(root, style, names, hidden, full))
    return "\n".join(lines)


def _beyond_limit(root: Any, children: Children) -> set[int]:
    """The nodes past the first ``LIMIT``, counted level by level from the root."""
    seen = {id(root)}
    level = [root]
    hidden: set[int] = set()
    while level:
        below: list[Any] = []
        for node in level:
            for child in children(node):
                if id(child) in seen:
                    continue
                seen.add(id(child))
                if len(seen) > LIMIT:
                    hidden.add(id(child))
                else:
                    below.append(child)
        level = below
    return hidden


def _shared(root: Any, style: Style, hidden: set[int]) -> list[Any]:
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


def _names() -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvw"  # x, y and z are the user's
    yield from letters
    round = 1
    while True:
        yield from (f"{letter}{round}" for letter in letters)
        round += 1


def brief(root: Any, style: Style, length: int) -> str:
    """The graph in one line of a certain length at most, with what is shared written out."""
    text = _line(root, style, {}, set(), False, length)
    return text if len(text) <= length else text[: length - 3] + "..."


def _line(
    root: Any, style: Style, names: dict[int, str], hidden: set[int], full: bool, length: int | None = None
) -> str:
    """One node in full, with names in the place of shared ones; up to some length, if one is given.

    The stack holds what is still to print.
    """
    text: list[str] = []
    stack: list[Any] = [Ref(root)]
    written = 0
    while stack and (length is None or written <= length):
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
            written += len(piece)
        elif id(piece.node) in hidden:
            text.append("...")
        elif id(piece.node) in names:
            text.append(names[id(piece.node)])
        else:
            pieces = style.pieces(piece.node, full)
            if style.binding(piece.node) < piece.binding:
                pieces = ["(", *pieces, ")"]
            stack.extend(reversed(pieces))
    return "".join(text)


def joined(parts: list[list[Any]]) -> list[Any]:
    """Pieces with commas between them."""
    pieces: list[Any] = []
    for part in parts:
        pieces += [", ", *part] if pieces else part
    return pieces
