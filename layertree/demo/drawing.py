"""Drawings made of characters: trees, a point on a scale, a confusion matrix, grey images. Each is a list of lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

_SHADES = {True: " ░▒▓█", False: " .+%#"}
_BRANCHES = {True: ("├── ", "│   ", "└── "), False: ("|-- ", "|   ", "`-- ")}


def tree(root: Any, children: Callable[[Any], Sequence[Any]], text: Callable[[Any], str], unicode: bool) -> list[str]:
    """A tree with its branches, each node's ``text`` on a line.

    >>> print(*tree(("a", ("b", ("c",)), ("d",)), lambda node: node[1:], lambda node: node[0], False), sep="\\n")
    a
    |-- b
    |   `-- c
    `-- d
    """
    more, beside, last = _BRANCHES[unicode]
    lines = [text(root)]
    below = [tree(child, children, text, unicode) for child in children(root)]
    for drawn in below[:-1]:
        lines += [more + drawn[0], *(beside + line for line in drawn[1:])]
    for drawn in below[-1:]:
        lines += [last + drawn[0], *("    " + line for line in drawn[1:])]
    return lines


def point(value: float, highest: float, width: int, unicode: bool) -> str:
    """A value as a point on a scale from 0.

    >>> point(1.0, 2.0, 5, False)
    '..o..'
    """
    mark, scale = "●·" if unicode else "o."
    place = min(max(round(value / highest * (width - 1)), 0), width - 1)
    return scale * place + mark + scale * (width - 1 - place)


def confusion(truth: np.ndarray[Any, Any], predicted: np.ndarray[Any, Any], classes: int, unicode: bool) -> list[str]:
    """How many rows of each class (down) were taken for which class (across); a point is none.

    >>> print(*confusion(np.array([0, 1, 1]), np.array([0, 0, 1]), 2, False), sep="\\n")
         0  1
    0 |  1  .
    1 |  1  1
    """
    counts = np.zeros((classes, classes), np.int64)
    np.add.at(counts, (truth, predicted), 1)
    wall, none = "│·" if unicode else "|."
    lines = ["   " + "".join(f"{label:3d}" for label in range(classes))]
    for label, row in enumerate(counts):
        lines.append(f"{label} {wall}" + "".join(f"{count or none:>3}" for count in row))
    return lines


def shaded(image: np.ndarray[Any, Any], highest: int, unicode: bool) -> list[str]:
    """A grey image, two characters a pixel so that it is about square; any ink at all is seen."""
    shades = _SHADES[unicode]
    levels = -(-image.astype(np.int64) * (len(shades) - 1) // highest)
    return ["".join(2 * shades[level] for level in row) for row in levels]


def side_by_side(blocks: Sequence[list[str]], columns: int, gap: int = 3) -> list[str]:
    """Blocks of lines in rows, as many beside each other as fit.

    >>> side_by_side([["ab", "c"], ["d"], ["e"]], 7)
    ['ab   d', 'c', '', 'e']
    """
    width = max((len(line) for block in blocks for line in block), default=0)
    across = max((columns + gap) // (width + gap), 1)
    lines: list[str] = []
    for start in range(0, len(blocks), across):
        row = blocks[start : start + across]
        lines += [""] * bool(lines)
        for i in range(max(map(len, row))):
            parts = [(block[i] if i < len(block) else "").ljust(width) for block in row]
            lines.append((" " * gap).join(parts).rstrip())
    return lines
