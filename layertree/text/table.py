"""Tables of text: cells in columns, within a width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

GAP = "  "


def aligned(lines: Sequence[Sequence[str]], sides: str) -> str:
    """Lines of cells in columns: ``l`` stands left, ``r`` right.

    >>> print(aligned([["a", "n"], ["bcd", "10"]], "lr"))
    a     n
    bcd  10
    """
    widths = _widths(lines)
    shown = [
        GAP.join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(line, widths, sides, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def fitted(
    lines: Sequence[Sequence[str]], sides: str, width: int, least: Mapping[int, int], dropped: Sequence[int] = ()
) -> str:
    """Lines as ``aligned`` has them, in a width where that can be.

    Texts are shortened, in the columns of ``least`` from the first on, to no fewer characters than it says. Where that
    is not enough, columns are left out, those of ``dropped`` from the first on.

    >>> lines = [["name", "n", "remark"], ["a", "10", "the first of all"]]
    >>> print(fitted(lines, "lrl", 20, {2: 8}, [1]))
    name   n  remark
    a     10  the fir...
    >>> print(fitted(lines, "lrl", 15, {2: 8}, [1]))
    name  remark
    a     the fi...
    """
    kept = list(range(len(sides)))
    for column in dropped:
        if _over(lines, kept, width, least) <= 0:
            break
        kept.remove(column)
    widths = _widths(lines)
    over = _total(widths[i] for i in kept) - width
    for column, fewest in least.items():
        if column in kept and over > 0:
            cut = min(over, max(widths[column] - fewest, 0))
            widths[column] -= cut
            over -= cut
    return aligned([[shortened(line[i], widths[i]) for i in kept] for line in lines], "".join(sides[i] for i in kept))


def listed(parts: Sequence[str], separator: str, width: int) -> str:
    """Parts one after the other; where they do not fit into a line, in several, none of which breaks a part.

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


def shortened(text: str, length: int) -> str:
    """A text that has no more than so many characters."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _over(lines: Sequence[Sequence[str]], kept: Sequence[int], width: int, least: Mapping[int, int]) -> int:
    """How many characters are too many where each text is as short as it may be."""
    widths = _widths(lines)
    return _total(min(widths[i], least.get(i, widths[i])) for i in kept) - width


def _total(widths: Iterable[int]) -> int:
    """The length of a line of columns."""
    found = list(widths)
    return sum(found) + len(GAP) * (len(found) - 1)
