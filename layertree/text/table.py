"""Tables of text: cells in aligned columns, within a width."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from layertree.core.visible import visible

T = TypeVar("T")

GAP = "  "
"""The gap between two columns."""


def aligned(lines: Sequence[Sequence[str]], sides: str) -> str:
    """Lines of cells in columns; ``sides`` has ``l`` for a column aligned left and ``r`` for one aligned right.

    Invisible characters of a cell, such as the end of a line, are shown as escapes.

    >>> print(aligned([["a", "n"], ["bcd", "10"]], "lr"))
    a     n
    bcd  10
    """
    lines = _visible(lines)
    widths = _widths(lines)
    shown = [
        GAP.join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(line, widths, sides, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def shortened(text: str, length: int) -> str:
    """A text without its end, in no more than ``length`` characters.

    >>> shortened("the first of all", 12)
    'the first...'
    """
    return text if len(text) <= length else text[: length - 3] + "..."


def shortened_middle(text: str, length: int) -> str:
    """A text without its middle, in no more than ``length`` characters: for paths, whose end says more.

    >>> shortened_middle("encoder/attention/kernel", 16)
    'encod...n/kernel'
    """
    if len(text) <= length:
        return text
    tail = (length - 3) * 2 // 3
    return f"{text[: length - 3 - tail]}...{text[len(text) - tail :]}"


def fitted(
    lines: Sequence[Sequence[str]],
    sides: str,
    width: int,
    least: Mapping[int, int],
    dropped: Sequence[int] = (),
    shorten: Callable[[str, int], str] = shortened,
) -> str:
    """Lines as ``aligned`` gives them, no wider than ``width`` where possible.

    ``shorten`` shortens the texts of the columns of ``least``, in its order, to no fewer characters than it says. Where
    that is not enough, the columns of ``dropped`` are left out, in its order.

    >>> lines = [["name", "n", "remark"], ["a", "10", "the first of all"]]
    >>> print(fitted(lines, "lrl", 20, {2: 8}, [1]))
    name   n  remark
    a     10  the fir...
    >>> print(fitted(lines, "lrl", 15, {2: 8}, [1]))
    name  remark
    a     the fi...
    """
    lines = _visible(lines)
    kept = kept_columns(lines, width, least, dropped)
    widths = _widths(lines)
    over = _total(widths[i] for i in kept) - width
    for column, fewest in least.items():
        if column in kept and over > 0:
            cut = min(over, max(widths[column] - fewest, 0))
            widths[column] -= cut
            over -= cut
    return aligned([[shorten(line[i], widths[i]) for i in kept] for line in lines], "".join(sides[i] for i in kept))


def kept_columns(
    lines: Sequence[Sequence[str]], width: int, least: Mapping[int, int], dropped: Sequence[int]
) -> list[int]:
    """The columns that fit into a width, where those of ``least`` are shortened and those of ``dropped`` left out.

    >>> kept_columns([["name", "n", "remark"]], 12, {}, [2, 1])
    [0, 1]
    """
    widths = [min(width, least.get(i, width)) for i, width in enumerate(_widths(lines))]
    kept = set(range(len(widths)))
    total = _total(widths)
    for column in dropped:
        if total <= width:
            break
        kept.remove(column)
        total -= widths[column] + len(GAP)
    return sorted(kept)


def elided(rows: Sequence[T], most: int, cells: Callable[[T], list[str]], between: Sequence[str]) -> list[list[str]]:
    """The cells of each row; of more than ``most`` rows those of the first and the last, and a line between both.

    >>> elided(range(1000), 4, lambda row: [str(row)], ["..."])
    [['0'], ['1'], ['...'], ['998'], ['999']]
    """
    if len(rows) <= most:
        return list(map(cells, rows))
    half = most // 2
    return [*map(cells, rows[:half]), list(between), *map(cells, rows[-half:])]


def listed(parts: Sequence[str], separator: str, width: int) -> str:
    """Parts in one line; where they do not fit into a width, in several lines that break between parts.

    >>> print(listed(["one 1", "two 2", "three 3"], ", ", 13))
    one 1, two 2,
      three 3
    """
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1] + separator + part + separator.rstrip()) <= width:
            lines[-1] += separator + part
        else:
            lines[-1] += separator.rstrip()
            lines.append(GAP + part)
    return "\n".join(lines)


def _visible(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(map(visible, line)) for line in lines]


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _total(widths: Iterable[int]) -> int:
    """The length of a line of columns with gaps."""
    found = list(widths)
    return sum(found) + len(GAP) * (len(found) - 1)
