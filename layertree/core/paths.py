"""Paths: the way from a formula to a node in it, field by field, and patterns of such ways.

``operand1/operand2`` is the second operand of the first operand, ``operands/3`` one of a variable number, ``then`` a
region; the empty path is the formula itself. A weight or state also goes by its name, ``encoder/kernel``. In a pattern
``*`` is any one step (``dense_*`` one that starts so), ``**`` any number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree.core.naming import cell_names
from layertree.core.structure import children_of, regions_of

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


_SHOWN_STEPS = 6

Edge: TypeAlias = "tuple[AnyLayer, int]"
"""A parent and the position of a child."""


class Path:
    """The path to a node, a linked list that shares its beginning with other paths. Prints and compares as text.

    >>> Path(Path(Path(), "then"), "operands", "3")
    then/operands/3
    """

    __slots__ = ("_above", "_steps")

    def __init__(self, above: Path | None = None, *steps: str) -> None:
        self._above = above
        self._steps = steps

    @property
    def parts(self) -> tuple[str, ...]:
        """The steps, from the root down."""
        reverse: list[str] = []
        path: Path | None = self
        while path is not None:
            reverse.extend(reversed(path._steps))
            path = path._above
        return tuple(reversed(reverse))

    def brief(self) -> str:
        """The path in a line, without the middle of a long one: for messages."""
        parts = self.parts
        if len(parts) <= 2 * _SHOWN_STEPS:
            return "/".join(parts)
        shown = [*parts[:_SHOWN_STEPS], "...", *parts[-_SHOWN_STEPS:]]
        return f"{'/'.join(shown)} ({len(parts)} steps)"

    def __str__(self) -> str:
        return "/".join(self.parts)

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, (Path, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


def steps_of(node: AnyLayer) -> list[tuple[str, ...]]:
    """The steps to each child of a node, in the order of ``children_of``: one field, or a field and a position."""
    layout = node.__layout__
    if not layout.variadic:
        return [(name,) for name in (*layout.operands, *layout.regions)]
    steps: list[tuple[str, ...]] = []
    for name in layout.names:
        if name in layout.operands:
            steps.append((name,))
        elif name in layout.variadic:
            steps.extend((name, str(i)) for i in range(len(getattr(node, name))))
    return [*steps, *[(name,) for name in layout.regions]]


class Pattern:
    """A path with wildcards, as a nondeterministic finite automaton whose state set is the bits of an integer."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.segments: list[str] = text.split("/") if text else []
        self.is_wild: bool = _is_wild(text)
        """Whether there is a wildcard in it."""
        self._tests = [re.compile(translate(one)).match if _is_wild(one) else one.__eq__ for one in self.segments]
        self._any = [i for i, segment in enumerate(self.segments) if segment == "**"]
        self._known: dict[tuple[int, str], int] = {}
        self.start: int = self._closed(1)

    def after(self, positions: int, steps: tuple[str, ...]) -> int:
        """The state set after some steps; 0 if no state is left."""
        for step in steps:
            key = positions, step
            moved = self._known.get(key)
            if moved is None:
                moved = self._known[key] = self._after(positions, step)
            positions = moved
        return positions

    def _after(self, positions: int, step: str) -> int:
        moved = 0
        for i in _bits(positions & ~(1 << len(self.segments))):
            if self.segments[i] == "**":
                moved |= 1 << i
            elif self._tests[i](step):
                moved |= 1 << i + 1
        return self._closed(moved)

    def _closed(self, positions: int) -> int:
        """The closure of a state set: a ``**`` may match no step."""
        for i in self._any:
            if positions >> i & 1:
                positions |= 1 << i + 1
        return positions

    def accepts(self, positions: int) -> bool:
        """Whether a state set has an accepting state."""
        return bool(positions >> len(self.segments) & 1)

    def matches(self, path: str) -> bool:
        """Whether the pattern matches a whole path.

        >>> Pattern("encoder/**/kernel").matches("encoder/0/dense/kernel")
        True
        """
        if not self.is_wild:
            return path == self.text
        return self.accepts(self.after(self.start, tuple(path.split("/")) if path else ()))


def _bits(number: int) -> Iterator[int]:
    """The positions of the ones of an integer."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _is_wild(segment: str) -> bool:
    return any(character in segment for character in "*?[")


def follow(root: AnyLayer, parts: tuple[str, ...]) -> tuple[list[Edge], tuple[str, ...]]:
    """The edges (parent, position of the child) along a path, and the steps that no node on it has."""
    edges: list[Edge] = []
    node, done = root, 0
    while done < len(parts):
        for i, steps in enumerate(steps_of(node)):
            if parts[done : done + len(steps)] == steps:
                edges.append((node, i))
                node = children_of(node)[i]
                done += len(steps)
                break
        else:
            break
    return edges, parts[done:]


def end_of(root: AnyLayer, edges: list[Edge]) -> Any:
    """The node at the end of some edges."""
    if not edges:
        return root
    parent, position = edges[-1]
    return children_of(parent)[position]


def is_outer(parent: AnyLayer, position: int) -> bool:
    """Whether an edge enters a formula of another input: the outer one of a composition."""
    return bool(parent.__control__ == "call" and position == len(children_of(parent)) - len(regions_of(parent)))


def paths_of(root: AnyLayer) -> dict[int, Path]:
    """The path of each distinct node by id."""
    ways: dict[int, Path] = {}
    stack = [(root, Path())]
    cells: list[Any] = []
    while stack:
        node, path = stack.pop()
        if id(node) in ways:
            continue
        ways[id(node)] = path
        if node.__control__ == "cell":
            cells.append(node)
        below = zip(children_of(node), steps_of(node), strict=True)
        stack.extend([(child, Path(path, *steps)) for child, steps in below if id(child) not in ways][::-1])
    if cells:
        names = {node.cell: Path(None, *name.split("/")) for node, name in cell_names(root)}
        ways.update((id(node), names[node.cell]) for node in cells)
    return ways
